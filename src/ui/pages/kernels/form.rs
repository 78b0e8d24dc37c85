//! The form of a kernel, new or known: what is typed, and how it is saved.
//!
//! The core saves an address, a token, the default and the disabling one by one, so a save is a row of
//! commands. The first that fails ends it; what is saved by then stays saved, and the form stays open
//! with the rest.

use std::fmt;

use egui::{Id, Ui};
use zeroize::Zeroizing;

use crate::core::{
    Command, CommandError, KernelAddress, KernelDraft, KernelId, KernelView, Reply, Secret, SiyuanView,
    TokenState, TypedSecret,
};
use crate::ui::errors;
use crate::ui::link::{Link, Pending};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, CheckBox, Choice, Field, Kind, Look, Tone, alert, caption, choices, muted, status, submitted,
};

/// How long a kernel may take to answer where nothing else is typed, in seconds.
const USUAL_SECONDS: &str = "15";

/// How wide a field for a number is, in points.
const NUMBER: f32 = 140.0;

/// How a kernel is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// By the port file of this computer.
    Auto,
    Address,
}

/// The fields that an error can be about, as the core names them.
pub(super) const NAME: &str = "name";
pub(super) const TOKEN: &str = "token";
const FIELDS: [&str; 6] = [NAME, "address", "portFile", "pid", "timeoutSeconds", TOKEN];

/// A secret as it is typed. `Debug` does not print it.
#[derive(Default)]
struct Typed(Zeroizing<String>);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// What is typed and chosen so far.
#[derive(Debug)]
pub(super) struct KernelForm {
    /// `None` for a kernel that is not saved yet.
    kernel: Option<KernelId>,
    name: String,
    reach: Reach,
    address: String,
    seconds: String,
    port_file: String,
    pid: String,
    /// The process that was saved when the form last looked: a check may bind the kernel meanwhile.
    saved_pid: Option<u32>,
    token: Typed,
    default: bool,
    disabled: bool,
    saving: Option<Saving>,
    failed: Option<CommandError>,
    /// The field that gets the keyboard's focus when the form is shown next.
    focus: Option<&'static str>,
}

/// A save on its way: what is waited for, and what comes after it, the next last.
#[derive(Debug)]
struct Saving {
    pending: Pending,
    token_moves: bool,
    rest: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Place,
    Token,
    Default,
    Disabled,
}

/// How the form was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Save,
    Cancel,
}

impl KernelForm {
    /// A form for a new kernel. The first one is proposed as the default.
    pub(super) fn new(siyuan: &SiyuanView) -> Self {
        Self {
            kernel: None,
            name: String::new(),
            reach: Reach::Auto,
            address: String::new(),
            seconds: USUAL_SECONDS.to_owned(),
            port_file: String::new(),
            pid: String::new(),
            saved_pid: None,
            token: Typed::default(),
            default: siyuan.default_kernel.is_none(),
            disabled: false,
            saving: None,
            failed: None,
            focus: Some(NAME),
        }
    }

    /// A form with what is saved of a kernel. Its token is not known here.
    pub(super) fn of(view: &KernelView, siyuan: &SiyuanView) -> Self {
        let (reach, address) = match &view.address {
            KernelAddress::Auto => (Reach::Auto, String::new()),
            address => (Reach::Address, address.to_string()),
        };
        Self {
            kernel: Some(view.id.clone()),
            name: view.name.clone(),
            reach,
            address,
            seconds: view.timeout_seconds.to_string(),
            port_file: view.port_file.clone().unwrap_or_default(),
            pid: number(view.pid),
            saved_pid: view.pid,
            default: siyuan.default_kernel.as_ref() == Some(&view.id),
            disabled: view.disabled,
            ..Self::new(siyuan)
        }
    }

    pub(super) fn focus_on(&mut self, field: &'static str) {
        self.focus = Some(field);
    }

    /// Shows why it is not saved, and leads to the field that is wrong.
    fn fail(&mut self, error: CommandError) {
        self.focus = FIELDS.into_iter().find(|field| error.field.as_deref() == Some(field));
        self.failed = Some(error);
    }

    /// The kernel that the form is about, once it is saved.
    pub(super) fn kernel(&self) -> Option<&KernelId> {
        self.kernel.as_ref()
    }

    pub(super) fn is_disabled(&self) -> bool {
        self.disabled
    }

    pub(super) fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// Follows a binding that came about while the form is open, unless another process was typed.
    pub(super) fn follow(&mut self, view: &KernelView) {
        if view.pid != self.saved_pid {
            if self.pid.trim() == number(self.saved_pid) {
                self.pid = number(view.pid);
            }
            self.saved_pid = view.pid;
        }
    }

    /// What is typed, as the core takes it. A number that is none becomes 0, which the core refuses
    /// beside its field.
    ///
    /// # Errors
    /// The address cannot be read.
    fn draft(&self) -> Result<KernelDraft, CommandError> {
        let typed = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        let (address, port_file) = match self.reach {
            Reach::Auto => (KernelAddress::Auto, typed(&self.port_file)),
            Reach::Address => (self.address.parse::<KernelAddress>()?, None),
        };
        Ok(KernelDraft {
            name: self.name.trim().to_owned(),
            address,
            timeout_seconds: self.seconds.trim().parse().unwrap_or(0),
            port_file,
            pid: typed(&self.pid).map(|pid| pid.parse().unwrap_or(0)),
        })
    }

    /// Whether saving takes what is granted away from the kernel, since it becomes another server.
    pub(super) fn drops_permissions(&self, view: &KernelView) -> bool {
        let Ok(draft) = self.draft() else { return false };
        let place = (&draft.address, &draft.port_file, draft.pid);
        !view.permissions.is_empty() && place != (&view.address, &view.port_file, view.pid)
    }

    /// Begins to save. Whether there is nothing to save.
    pub(super) fn save(&mut self, view: Option<&KernelView>, siyuan: &SiyuanView, link: &dyn Link) -> bool {
        if self.is_saving() {
            return false;
        }
        self.failed = None;
        let draft = match self.draft() {
            Ok(draft) => draft,
            Err(error) => {
                self.fail(error);
                return false;
            }
        };
        let was_default = view.is_some_and(|view| siyuan.default_kernel.as_ref() == Some(&view.id));
        let mut rest = Vec::new();
        for (step, wanted) in [
            (Step::Disabled, view.is_some_and(|view| view.disabled) != self.disabled),
            (Step::Default, was_default != self.default),
            (Step::Token, !self.token.0.trim().is_empty()),
            (Step::Place, view.is_none_or(|view| draft_of(view) != draft)),
        ] {
            if wanted {
                rest.push(step);
            }
        }
        self.go_on(rest, Some(draft), link)
    }

    /// Sends the next command of a save. Whether there is none.
    fn go_on(&mut self, mut rest: Vec<Step>, draft: Option<KernelDraft>, link: &dyn Link) -> bool {
        let Some(step) = rest.pop() else { return true };
        let command = match (step, self.kernel.clone(), draft) {
            (Step::Place, None, Some(draft)) => Command::AddKernel { kernel: None, draft },
            (Step::Place, Some(kernel), Some(draft)) => Command::EditKernel { kernel, draft },
            (Step::Token, Some(kernel), _) => {
                // What was typed leaves the form here, whatever comes of it.
                let token = std::mem::take(&mut *self.token.0);
                Command::SetToken { kernel, token: TypedSecret(Secret::from_text(token)) }
            }
            (Step::Default, Some(kernel), _) => {
                Command::SetDefaultKernel { kernel: self.default.then_some(kernel) }
            }
            (Step::Disabled, Some(kernel), _) => {
                Command::SetKernelDisabled { kernel, disabled: self.disabled }
            }
            // Not reached: the place of a new kernel is saved first.
            (_, None, _) | (Step::Place, _, None) => return true,
        };
        let token_moves = step == Step::Token;
        self.saving = Some(Saving { pending: link.send(command), token_moves, rest });
        false
    }

    /// Takes in what has come. Whether everything is saved.
    pub(super) fn receive(&mut self, link: &dyn Link) -> bool {
        let Some(saving) = &mut self.saving else { return false };
        let Some(outcome) = saving.pending.poll() else { return false };
        let rest = std::mem::take(&mut saving.rest);
        self.saving = None;
        match outcome {
            Ok(reply) => {
                if let Reply::KernelAdded { kernel } = reply {
                    self.kernel = Some(kernel.id);
                }
                self.go_on(rest, None, link)
            }
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// Draws the form. `known` is the name of a kernel that is saved, as it is told from its namesakes.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        token: TokenState,
        known: Option<&str>,
    ) -> Option<Done> {
        ui.spacing_mut().item_spacing.y = space::S;
        let mut keys = Keys::default();
        let field = self.field(look, NAME, "kernel-name").width(320.0);
        keys.show(ui, look, NAME, field, &mut self.name);
        self.reach(ui, look);
        if self.reach == Reach::Address {
            let help = look.text("kernel-address-help");
            let field = self.field(look, "address", "kernel-address").help(help).mono();
            keys.show(ui, look, "address", field, &mut self.address);
        } else {
            let help = look.text("port-file-help");
            let field = self.field(look, "portFile", "port-file").help(help).mono();
            keys.show(ui, look, "portFile", field, &mut self.port_file);
        }
        let help = look.text(match self.reach {
            Reach::Auto => "pid-auto-help",
            Reach::Address => "pid-address-help",
        });
        let field = self.field(look, "pid", "pid").help(help).width(NUMBER);
        keys.show(ui, look, "pid", field, &mut self.pid);
        let help = look.text("kernel-seconds-help");
        let field = self.field(look, "timeoutSeconds", "kernel-seconds").help(help).width(NUMBER);
        keys.show(ui, look, "timeoutSeconds", field, &mut self.seconds);
        let help = look.text(match token {
            TokenState::None => "token-none-help",
            TokenState::Stored => "token-stored-help",
            TokenState::Refused => "token-refused-help",
        });
        let field = self.field(look, TOKEN, "token").help(help).secret().width(420.0);
        keys.show(ui, look, TOKEN, field, &mut self.token.0);
        self.focus = None;
        if self
            .failed
            .as_ref()
            .is_some_and(|error| keys.changed.is_some() && error.field.as_deref() == keys.changed)
        {
            self.failed = None;
        }
        self.boxes(ui, look);
        self.answers(ui, look, keys.enter, known)
    }

    /// A field, with what is wrong with it.
    fn field(&self, look: Look<'_>, field: &'static str, label: &'static str) -> Field<'static> {
        let error = self.failed.as_ref().filter(|error| error.field.as_deref() == Some(field));
        let error = error.map(|error| {
            let shown = errors::shown(error, look.texts);
            shown.detail.unwrap_or(shown.lead)
        });
        let id = Id::unique(("kernel", self.kernel.as_ref().map(KernelId::as_str), field));
        Field::new(id, look.text(label)).error(error).focus(self.focus == Some(field))
    }

    fn reach(&mut self, ui: &mut Ui, look: Look<'_>) {
        let name = look.text("kernel-reach");
        caption(ui, look, name.clone());
        let list = [
            Choice {
                value: Reach::Auto,
                salt: "auto",
                text: look.text("reach-auto"),
                help: Some(look.text("reach-auto-help")),
            },
            Choice {
                value: Reach::Address,
                salt: "address",
                text: look.text("reach-address"),
                help: Some(look.text("reach-address-help")),
            },
        ];
        let id = Id::unique(("kernel-reach", self.kernel.as_ref().map(KernelId::as_str)));
        if let Some(reach) = choices(ui, look, id, &name, self.reach, &list, false) {
            self.reach = reach;
            self.failed = None;
        }
    }

    fn boxes(&mut self, ui: &mut Ui, look: Look<'_>) {
        for (salt, key, note, value) in [
            ("default", "kernel-default-box", "kernel-default-note", &mut self.default),
            ("disabled", "kernel-disabled-box", "kernel-disabled-note", &mut self.disabled),
        ] {
            let checked = CheckBox::new(salt, look.text(key), *value).note(look.text(note));
            if checked.show(ui, look).clicked() {
                *value = !*value;
            }
        }
    }

    fn answers(&self, ui: &mut Ui, look: Look<'_>, enter: bool, known: Option<&str>) -> Option<Done> {
        let beside =
            |error: &CommandError| FIELDS.into_iter().any(|field| error.field.as_deref() == Some(field));
        let elsewhere = self.failed.as_ref().filter(|error| !beside(error));
        let id = self.kernel.as_ref().map_or("", KernelId::as_str);
        if let Some(error) = elsewhere {
            let shown = errors::shown(error, look.texts);
            alert(ui, look, &format!("kernel-save-{id}"), &shown.lead);
            muted(ui, look, shown.detail.unwrap_or_default());
        }
        let mut done = None;
        ui.horizontal_wrapped(|ui| {
            let words = look.text(if known.is_some() { "save" } else { "kernel-add" });
            let mut save = Button::new("save", words).kind(Kind::Primary).enabled(!self.is_saving());
            let mut cancel = Button::new("cancel", look.text("cancel"));
            if let Some(name) = known {
                let of = |key: &str| look.texts.with(key, [("name", name.into())]);
                (save, cancel) = (save.name(of("kernel-save-of")), cancel.name(of("kernel-leave-of")));
            }
            let pressed = save.show(ui, look).clicked();
            if (pressed || enter) && !self.is_saving() {
                done = Some(Done::Save);
            }
            if cancel.show(ui, look).clicked() {
                done = Some(Done::Cancel);
            }
        });
        let words = match &self.saving {
            // A keyring may ask the person first.
            Some(Saving { token_moves: true, .. }) => look.text("keyring-waiting"),
            Some(_) => look.text("saving"),
            None => String::new(),
        };
        status(ui, look, &format!("kernel-saving-{id}"), Tone::Waiting, &words);
        done
    }
}

/// What was typed into the fields in this frame.
#[derive(Debug, Default)]
struct Keys {
    /// Enter was pressed in one.
    enter: bool,
    /// The field whose text is another one now.
    changed: Option<&'static str>,
}

impl Keys {
    fn show(&mut self, ui: &mut Ui, look: Look<'_>, name: &'static str, field: Field<'_>, text: &mut String) {
        let response = field.show(ui, look, text);
        self.enter |= submitted(ui, &response);
        if response.changed() {
            self.changed = Some(name);
        }
    }
}

fn number(number: Option<u32>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// What is saved of a kernel, in the form in which it is edited.
pub(super) fn draft_of(view: &KernelView) -> KernelDraft {
    KernelDraft {
        name: view.name.clone(),
        address: view.address.clone(),
        timeout_seconds: view.timeout_seconds,
        port_file: view.port_file.clone(),
        pid: view.pid,
    }
}
