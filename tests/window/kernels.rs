//! The page of the SiYuan kernels, played on simulated kernels and a keyring in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use notegate::core::{
    Capability, Command, KernelDraft, KernelId, KernelView, Permission, Reply, RuntimeKind, Secret,
    TokenState, TypedSecret, WorkMode,
};
use notegate::secrets::{CredentialError, CredentialStore, EntryName, MemoryStore};

use crate::kernel::faults::Fault;
use crate::kernel::other_process::OtherProcess;
use crate::kernel::{Generation, Kernel, Setup, TOKEN, write_port_file};
use crate::world::{Screen, World};

const SWITCH: &str = "SiYuan access";
const ADD: &str = "Add a kernel…";
const PAGE: &str = "Kernels";
/// What no one answers at: a port that no program is given.
const NOWHERE: &str = "http://127.0.0.1:1";

impl World {
    fn port_file(&self) -> PathBuf {
        self.path("port.json")
    }

    /// A kernel that runs and stands in the port file.
    fn running(&self, setup: Setup) -> Kernel {
        let kernel = self.run(Kernel::with(setup));
        kernel.write_port_file(&self.port_file(), std::process::id());
        kernel
    }

    /// A kernel that is saved, with a time limit that no test reaches.
    fn add_kernel(&self, name: &str, address: &str) -> KernelId {
        let draft = KernelDraft {
            name: name.into(),
            address: address.parse().unwrap(),
            timeout_seconds: 600,
            port_file: None,
            pid: None,
        };
        match self.ask(Command::AddKernel { kernel: None, draft }) {
            Reply::KernelAdded { kernel } => kernel.id,
            other => panic!("{other:?}"),
        }
    }

    fn set_token(&self, kernel: &KernelId, token: &str) {
        let token = TypedSecret(Secret::from_text(token));
        self.ask(Command::SetToken { kernel: kernel.clone(), token });
    }

    fn permit(&self, kernel: &KernelId, keys: &[&str]) {
        let permissions = keys.iter().map(|key| ((*key).to_owned(), Permission::Allow));
        let permissions: BTreeMap<_, _> = permissions.collect();
        self.ask(Command::SetPermissions { kernel: kernel.clone(), permissions });
    }

    fn kernel(&self) -> KernelView {
        self.snapshot().siyuan.kernels[0].clone()
    }

    fn kept_token(&self, kernel: &KernelId) -> Option<String> {
        let entry = EntryName::kernel_token(&self.path("notegate"), kernel);
        self.store.read(&entry).unwrap().map(|token| token.reveal().to_owned())
    }
}

impl Screen {
    fn passes(&mut self) {
        self.until("a check that passes", |screen| screen.has(Role::Status, "answers, checked"));
    }

    /// Presses a button when it can be, as a reader does: it may be below the fold.
    fn work(&mut self, button: &str) {
        self.until(button, |screen| {
            let found = screen.harness.query_by_role_and_label(Role::Button, button);
            found.is_some_and(|node| !node.accesskit_node().is_disabled())
        });
        self.node(Role::Button, button).click_accesskit();
        self.harness.run();
    }
}

/// As a kernel mostly is: new, and with a lock-screen password.
fn locked() -> Setup {
    Setup {
        generation: Generation::V3_8_6,
        access_code: Some("open".into()),
        token: TOKEN.into(),
        ..Setup::default()
    }
}

/// Everything that the tree of the window says of itself.
fn said(screen: &Screen) -> String {
    let nodes = screen.harness.root().children_recursive();
    nodes.map(|node| format!("{:?}\n", node.accesskit_node().data())).collect()
}

#[test]
fn the_first_kernel_is_added_from_the_empty_page_and_bound_by_its_check() {
    let world = World::new();
    let kernel = world.running(Setup::default());
    let mut screen = world.window();
    screen.open(PAGE);
    assert!(screen.has(Role::Label, "No kernels yet"));
    screen.press(ADD);
    let name = screen.node(Role::TextInput, "Name").accesskit_node().is_focused();
    assert!(name, "the form begins at its first field");
    screen.fill("Name", "Home 笔记");
    assert!(screen.is_on(Role::CheckBox, "Default kernel"), "the first one is proposed as the default");
    screen.work("Add kernel");
    screen.passes();

    assert!(screen.has(Role::Status, "SiYuan 3.7.3 answers, checked"));
    for found in [format!("Address {}", kernel.address()), format!("Process {}", std::process::id())] {
        assert!(screen.has(Role::Label, &found), "{found}");
    }
    assert!(screen.has(Role::Label, "Workspace /home/me/SiYuan"));
    assert!(screen.has(Role::Label, "Update SiYuan to 3.7.4 or newer"), "a warning");
    assert!(screen.has(Role::Label, "local · Default"));
    let siyuan = world.snapshot().siyuan.clone();
    assert_eq!(siyuan.default_kernel.as_ref(), Some(&siyuan.kernels[0].id));
    assert_eq!(
        (siyuan.kernels[0].name.as_str(), siyuan.kernels[0].pid),
        ("Home 笔记", Some(std::process::id()))
    );
    assert!(!siyuan.enabled, "adding switches nothing on");
    assert!(!screen.has(Role::TextInput, "Name"), "the form is closed");
}

#[test]
fn opening_the_page_checks_what_was_not_checked_and_leaves_a_disabled_kernel_alone() {
    let world = World::new();
    let kernel = world.running(locked());
    let disabled = world.add_kernel("Disabled", &kernel.address());
    world.ask(Command::SetKernelDisabled { kernel: disabled, disabled: true });
    let mut screen = world.window();
    screen.harness.run();
    assert!(kernel.seen().is_empty(), "the other pages check nothing");
    screen.open(PAGE);
    assert!(screen.has(Role::Status, "Disabled: nothing is sent to it"));
    assert!(!screen.is_enabled(Role::Button, "Check the connection of Disabled"));
    assert!(kernel.seen().is_empty());

    screen.open("Overview");
    world.add_kernel("Home", "auto");
    screen.open(PAGE);
    screen.until("the reason", |screen| screen.has(Role::Alert, "The kernel wants its token"));
    assert_eq!(world.snapshot().siyuan.kernels[1].pid, Some(std::process::id()), "it is bound all the same");
}

#[test]
fn what_is_wrong_stands_beside_its_field_and_the_draft_survives() {
    let world = World::new();
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    screen.press(ADD);
    let refused = |screen: &mut Screen, field: &str, wrong: &str, reason: &str, right: &str| {
        screen.fill(field, wrong);
        screen.work("Add kernel");
        screen.until(reason, |screen| screen.has(Role::Alert, reason));
        let said = screen.node(Role::TextInput, field).accesskit_node().description().unwrap();
        assert!(said.contains(reason), "{field} itself says {said:?}");
        screen.fill(field, right);
    };
    refused(&mut screen, "Name", " ", "A kernel needs a name", "Work");
    refused(&mut screen, "Time limit", "soon", "A whole number of seconds, from 1 to 600", "30");
    refused(&mut screen, "Process ID", "SiYuan", "nobody's process ID", "");
    refused(&mut screen, "Port file", "port.json", "Give the whole path of the file", "");
    screen.click(Role::RadioButton, "At an address");
    assert!(!screen.has(Role::TextInput, "Port file"), "an address needs none");
    for (wrong, reason) in [
        ("here", "This is no address"),
        ("ftp://127.0.0.1", "must begin with http://"),
        ("http://me:secret@127.0.0.1:6806", "no user name and no password"),
        ("http://127.0.0.1:6806/?a", "An address has no ? and no #"),
    ] {
        refused(&mut screen, "Address", wrong, reason, "http://192.0.2.1:6806");
    }
    refused(&mut screen, "Process ID", "77", "of this computer only", "");
    assert!(world.snapshot().siyuan.kernels.is_empty());

    screen.open("Settings");
    screen.open(PAGE);
    let fields = ["Name", "Address", "Time limit"].map(|field| screen.field(field));
    assert_eq!(fields, ["Work", "http://192.0.2.1:6806", "30"], "the draft is still there");
    screen.click(Role::CheckBox, "Disabled");
    screen.work("Add kernel");
    screen.until("the kernel", |screen| screen.has(Role::Label, "remote · Default · Disabled"));
    let kernel = world.kernel();
    assert_eq!((kernel.timeout_seconds, kernel.disabled), (30, true));
}

#[test]
fn a_token_is_typed_unseen_and_kept_in_the_keyring_alone() {
    let world = World::new();
    let _kernel = world.running(Setup { token: "open-sesame".into(), ..locked() });
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    screen.press(ADD);
    screen.fill("Name", "Home");
    screen.fill_in(Role::PasswordInput, "Token", "open-sesame");
    assert!(!said(&screen).contains("sesame"), "not even while it is typed");
    screen.harness.key_press(Key::Enter);
    screen.passes();
    assert!(screen.has(Role::Label, "It took the token") && screen.has(Role::Label, "Configured"));
    let id = world.kernel().id;
    assert_eq!(world.kept_token(&id).as_deref(), Some("open-sesame"));
    assert!(!std::fs::read_to_string(world.settings_file()).unwrap().contains("sesame"));

    screen.work("Replace the token of Home…");
    let field = screen.node(Role::PasswordInput, "Token");
    assert!(field.accesskit_node().is_focused());
    assert_eq!(field.value().unwrap_or_default(), "", "what is kept is not shown");
    assert!(field.accesskit_node().description().unwrap().contains("Configured. Empty keeps it"));
    screen.fill("Name", "At home");
    screen.work("Save Home");
    screen.until("renamed", |screen| screen.has(Role::Heading, "At home"));
    assert_eq!(world.kept_token(&id).as_deref(), Some("open-sesame"), "empty keeps it");

    screen.until("the check after it", |screen| screen.has(Role::Status, "answers, checked"));
    screen.work("Clear the token of At home…");
    assert!(screen.has(Role::Label, "It is removed from the system's keyring"));
    screen.press("Clear the token");
    screen.until("cleared", |screen| screen.has(Role::Button, "Enter a token for At home…"));
    assert_eq!((world.kept_token(&id), world.kernel().token), (None, TokenState::None));
}

#[test]
fn a_token_that_was_sent_does_not_come_back_whatever_came_of_it() {
    let world = World::with_credentials(Arc::new(NoKeyring));
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    screen.press(ADD);
    screen.fill("Name", "Home");
    screen.fill_in(Role::PasswordInput, "Token", "open-sesame");
    screen.work("Add kernel");
    screen.until("the reason", |screen| screen.has(Role::Alert, "keyring cannot be reached"));
    assert!(screen.has(Role::Label, "The system says: no session bus"));
    assert_eq!((world.kernel().token, world.snapshot().siyuan.kernels.len()), (TokenState::None, 1));
    let field = screen.node(Role::PasswordInput, "Token");
    assert_eq!(field.value().unwrap_or_default(), "", "the form is open with an empty field");
    field.focus();
    screen.harness.run();
    screen.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    screen.harness.run();
    assert_eq!(screen.node(Role::PasswordInput, "Token").value().unwrap_or_default(), "");

    // It is an edit of that kernel now, and no second one is added.
    screen.work("Save Home");
    screen.until("closed", |screen| !screen.has(Role::PasswordInput, "Token"));
    assert_eq!(world.snapshot().siyuan.kernels.len(), 1);
}

/// A keyring that cannot be reached.
#[derive(Debug)]
struct NoKeyring;

impl CredentialStore for NoKeyring {
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError> {
        MemoryStore::default().read(name)
    }

    fn write(&self, _: &EntryName, _: &Secret) -> Result<(), CredentialError> {
        Err(CredentialError::Unavailable { reason: "no session bus".into() })
    }

    fn remove(&self, _: &EntryName) -> Result<(), CredentialError> {
        Err(CredentialError::Unavailable { reason: "no session bus".into() })
    }
}

#[test]
fn a_refused_token_is_said_to_and_another_one_opens_the_kernel() {
    let world = World::new();
    let kernel = world.running(locked());
    let id = world.add_kernel("Home", "auto");
    world.set_token(&id, "mistaken");
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    screen.until("the refusal", |screen| screen.has(Role::Alert, "The kernel refused the token"));
    assert!(screen.has(Role::Label, "Refused by the kernel"));
    let sent = kernel.seen().len();
    screen.work("Check the connection of Home");
    screen.until("again", |screen| screen.is_enabled(Role::Button, "Check the connection of Home"));
    assert_eq!(kernel.seen().len(), sent, "nothing more is sent");

    screen.work("Replace the token of Home…");
    screen.fill_in(Role::PasswordInput, "Token", TOKEN);
    screen.work("Save Home");
    screen.passes();
}

#[test]
fn a_check_tells_its_step_and_can_be_cancelled() {
    let world = World::new();
    let kernel = world.running(Setup { boot_progress: 40, ..locked() });
    let id = world.add_kernel("Home", &kernel.address());
    world.set_token(&id, TOKEN);
    let mut screen = world.window();
    screen.open(PAGE);
    screen.until("the step", |screen| screen.has(Role::Status, "waiting while the kernel starts, 40 %"));
    assert!(screen.has(Role::Status, "Step 2 of 3, since"));
    assert!(!screen.is_enabled(Role::Button, "Check the connection of Home"), "one at a time");
    screen.work("Cancel the check of Home");
    screen.until("the end", |screen| screen.has(Role::Status, "Not checked yet"));

    screen.work("Check the connection of Home");
    screen.until("the step", |screen| screen.has(Role::Status, "40 %"));
    kernel.change(|setup| setup.boot_progress = 100);
    screen.passes();
}

#[test]
fn what_is_wrong_is_told_with_what_to_do() {
    let world = World::new();
    world.add_kernel("Home", NOWHERE);
    let mut screen = world.window();
    screen.open(PAGE);
    screen.until("the reason", |screen| {
        screen.has(Role::Alert, "The kernel cannot be reached. See that SiYuan")
    });
    assert!(screen.has(Role::Label, "Nothing listens at the address"));
    let kernel = world.running(locked());
    kernel.fault("/api/system/version", Fault::answer_with(404, "404 page not found"));
    let draft = KernelDraft {
        name: "Home".into(),
        address: kernel.address().parse().unwrap(),
        timeout_seconds: 600,
        port_file: None,
        pid: None,
    };
    world.ask(Command::EditKernel { kernel: world.kernel().id, draft });
    screen.until("forgotten", |screen| screen.has(Role::Status, "Not checked yet"));
    screen.work("Check the connection of Home");
    screen.until("the reason", |screen| screen.has(Role::Alert, "What answers there is no SiYuan kernel"));
    assert!(screen.has(Role::Label, &format!("At {}", kernel.address())));
}

#[test]
fn of_several_kernels_one_is_chosen_by_its_process() {
    let world = World::new();
    let _kernel = world.running(Setup::default());
    let other = OtherProcess::start();
    write_port_file(&world.port_file(), other.pid(), other.port);
    world.add_kernel("Home", "auto");
    let mut screen = world.window();
    screen.open(PAGE);
    screen.until("the choice", |screen| screen.has(Role::Alert, "Several kernels run. Choose"));
    assert!(screen.has(Role::Label, &format!("Port {}, SiYuan 3.7.3", other.port)));
    assert!(screen.has(Role::Button, &format!("Bind Home to process {}", std::process::id())));
    assert_eq!(world.kernel().pid, None, "none is chosen by itself");

    screen.work(&format!("Bind Home to process {}", other.pid()));
    screen.passes();
    assert_eq!(world.kernel().pid, Some(other.pid()));

    // What is bound and gone is not replaced by another one, and what is granted is not carried over.
    world.permit(&world.kernel().id, &["connection status"]);
    drop(other);
    screen.work("Check the connection of Home");
    screen.until("gone", |screen| screen.has(Role::Alert, "runs no more"));
    screen.work(&format!("Bind Home to process {}", std::process::id()));
    assert!(screen.has(Role::Label, "The permission that is set for it is lost"));
    screen.press(&format!("Bind to process {}", std::process::id()));
    screen.passes();
    let kernel = world.kernel();
    assert_eq!((kernel.pid, kernel.permissions.len()), (Some(std::process::id()), 0));
}

#[test]
fn a_restarted_siyuan_goes_on_with_what_is_permitted() {
    let world = World::new();
    let other = OtherProcess::start();
    write_port_file(&world.port_file(), other.pid(), other.port);
    world.add_kernel("Home", "auto");
    let mut screen = world.window();
    screen.open(PAGE);
    screen.passes();
    world.permit(&world.kernel().id, &["connection status"]);
    drop(other);
    let _restarted = world.running(Setup::default());
    screen.work("Check the connection of Home");
    screen.until("gone", |screen| screen.has(Role::Alert, "runs no more"));
    screen.work(&format!("Home was restarted: go on with process {}", std::process::id()));
    screen.passes();
    let kernel = world.kernel();
    assert_eq!((kernel.pid, kernel.permissions.len()), (Some(std::process::id()), 1));
}

#[test]
fn another_workspace_is_refused_until_the_person_binds_the_kernel_anew() {
    let world = World::new();
    let kernel = world.running(locked());
    let id = world.add_kernel("Home", &kernel.address());
    world.set_token(&id, TOKEN);
    let mut screen = world.window();
    screen.open(PAGE);
    screen.passes();
    world.permit(&id, &["connection status", "mcp tools/list"]);
    kernel.change(|setup| setup.workspace = "/home/me/别的工作空间".into());
    screen.work("Check the connection of Home");
    screen.until("the reason", |screen| screen.has(Role::Alert, "Another workspace answers here now"));
    assert!(screen.has(Role::Label, "Now it is /home/me/别的工作空间"));
    assert!(screen.has(Role::Label, "/home/me/SiYuan"), "what it is bound to");

    screen.work("Bind Home anew…");
    assert!(screen.has(Role::Label, "The 2 permissions that are set for it are lost"));
    assert!(screen.node(Role::Button, "Cancel").accesskit_node().is_focused(), "the safe answer");
    screen.press("Cancel");
    assert_eq!(world.kernel().permissions.len(), 2);
    screen.work("Bind Home anew…");
    screen.press("Bind anew");
    screen.passes();
    let bound = world.kernel();
    assert_eq!(bound.workspace.as_deref(), Some("/home/me/别的工作空间"));
    assert!(bound.permissions.is_empty());
}

#[test]
fn saving_another_address_asks_first_where_permissions_would_be_dropped() {
    let world = World::new();
    let id = world.add_kernel("Home", NOWHERE);
    world.permit(&id, &["connection status"]);
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    screen.work("Edit Home…");
    screen.fill("Name", "House");
    assert!(!screen.has(Role::Status, "it is another server"), "a name is no place");
    screen.fill("Address", "http://127.0.0.1:2");
    assert!(screen.has(Role::Status, "Saved like this it is another server"));
    screen.work("Save Home");
    assert!(screen.has(Role::Label, "The permission that is set for it is lost"));
    screen.press("Cancel");
    assert_eq!(screen.field("Address"), "http://127.0.0.1:2", "the draft stays");
    assert_eq!(world.kernel().permissions.len(), 1);
    screen.work("Save Home");
    screen.press("Save and drop them");
    screen.until("saved", |screen| screen.has(Role::Heading, "House"));
    let kernel = world.kernel();
    assert_eq!((kernel.address.to_string().as_str(), kernel.permissions.len()), ("http://127.0.0.1:2", 0));
}

#[test]
fn a_kernel_is_made_the_default_disabled_and_removed_with_its_token_unless_that_is_kept() {
    let world = World::new();
    for name in ["One", "Two"] {
        let id = world.add_kernel(name, NOWHERE);
        world.set_token(&id, "sesame");
    }
    let ids: Vec<_> = world.snapshot().siyuan.kernels.iter().map(|kernel| kernel.id.clone()).collect();
    let mut screen = world.window_of([1100.0, 1400.0]);
    screen.open(PAGE);
    assert!(screen.has(Role::Heading, "Kernels (2)") && screen.has(Role::Label, "No kernel is the default"));
    screen.work("Make Two the default");
    screen.until("the default", |screen| screen.has(Role::Label, "local-2 · Default"));
    assert!(!screen.has(Role::Label, "No kernel is the default"));
    assert!(!screen.is_enabled(Role::Button, "Make Two the default"));
    screen.work("Disable Two");
    screen.until("disabled", |screen| screen.has(Role::Label, "The default kernel is disabled"));
    screen.work("Enable Two");
    screen.until("enabled", |screen| screen.has(Role::Button, "Disable Two"));

    screen.work("Remove Two…");
    for lost in ["Its token is removed", "It is the default", "Sessions that chose it are refused"] {
        assert!(screen.has(Role::Label, lost), "{lost}");
    }
    screen.click(Role::CheckBox, "Leave its token in the keyring");
    assert!(!screen.has(Role::Label, "Its token is removed"));
    screen.press("Remove");
    screen.until("gone", |screen| !screen.has(Role::Heading, "Two"));
    screen.work("Remove One…");
    screen.press("Remove");
    screen.until("gone", |screen| screen.has(Role::Label, "No kernels yet"));
    let kept = [&ids[0], &ids[1]].map(|id| world.kept_token(id).is_some());
    assert_eq!(kept, [false, true]);
}

#[test]
fn siyuan_is_switched_on_and_assigned_on_its_own_page() {
    let world = World::new();
    world.ask(Command::AddRuntime {
        kind: RuntimeKind::Dsh,
        name: None,
        mode: WorkMode::Execute,
        approval: Default::default(),
        capabilities: Default::default(),
    });
    let mut screen = world.window();
    screen.open(PAGE);
    assert!(!screen.is_on(Role::Switch, SWITCH));
    screen.click(Role::Switch, SWITCH);
    screen
        .until("on", |screen| screen.is_on(Role::Switch, SWITCH) && screen.is_enabled(Role::Switch, SWITCH));
    assert!(
        screen.is_enabled(Role::CheckBox, "DeepSeek Harness"),
        "SiYuan can be limited to one conversation"
    );
    screen.click(Role::CheckBox, "DeepSeek Harness");
    screen.until("ticked", |screen| screen.is_on(Role::CheckBox, "DeepSeek Harness"));
    let snapshot = world.snapshot();
    assert!(snapshot.siyuan.enabled && !snapshot.obsidian.enabled);
    assert_eq!(snapshot.runtimes[0].capabilities, [Capability::Siyuan].into());
    screen.open("Runtimes");
    assert!(screen.has(Role::Label, "SiYuan is assigned to it"));
}

#[test]
fn the_keyboard_opens_a_form_and_a_question_and_comes_back_to_where_it_was() {
    let world = World::new();
    world.add_kernel("Home", NOWHERE);
    let mut screen = world.window_of([760.0, 560.0]);
    screen.open(PAGE);
    screen.until("checked", |screen| screen.has(Role::Alert, "The kernel cannot be reached"));
    let focused =
        |screen: &Screen, role: Role, name: &str| screen.node(role, name).accesskit_node().is_focused();
    let press = |screen: &mut Screen, key: Key| {
        screen.harness.key_press(key);
        screen.harness.run();
    };
    screen.node(Role::Button, "Edit Home…").focus();
    screen.harness.run();
    press(&mut screen, Key::Enter);
    assert!(focused(&screen, Role::TextInput, "Name"));
    screen.node(Role::Button, "Cancel editing Home").focus();
    screen.harness.run();
    press(&mut screen, Key::Space);
    assert!(focused(&screen, Role::Button, "Edit Home…"));

    screen.node(Role::Button, "Remove Home…").focus();
    screen.harness.run();
    press(&mut screen, Key::Enter);
    assert!(focused(&screen, Role::Button, "Cancel"));
    press(&mut screen, Key::Escape);
    assert!(!screen.has(Role::Button, "Cancel"));
    assert!(focused(&screen, Role::Button, "Remove Home…"));
    let rect = screen.node(Role::Button, "Remove Home…").rect();
    assert!(rect.bottom() <= 560.0, "what the keyboard comes to is in sight");
}

#[test]
fn g03_the_page_at_rest_asks_for_no_frame() {
    let world = World::new();
    let kernel = world.running(locked());
    kernel.fault("/api/system/version", Fault::Hold);
    world.add_kernel("Home", &kernel.address());
    let mut screen = world.window();
    screen.open(PAGE);
    screen.until("a check that runs", |screen| screen.has(Role::Status, "asking what answers there"));
    screen.harness.run();
    let frames = screen.harness.output().viewport_output.values();
    let waits = frames.map(|out| out.repaint_delay).all(|delay| delay > std::time::Duration::from_secs(3600));
    assert!(waits, "a check that runs is no reason to paint");
}

#[test]
fn what_is_refused_gets_the_focus_until_it_is_typed_anew() {
    let world = World::new();
    let mut screen = world.window_of([760.0, 560.0]);
    screen.open(PAGE);
    screen.press(ADD);
    screen.fill("Time limit", "0");
    screen.fill("Name", "Home");
    screen.work("Add kernel");
    screen.until("the reason", |screen| screen.has(Role::Alert, "A whole number of seconds"));
    let field = screen.node(Role::TextInput, "Time limit");
    assert!(field.is_focused() && field.rect().bottom() <= 560.0, "wherever the page was scrolled to");
    screen.fill("Time limit", "5");
    assert!(!screen.has(Role::Alert, "A whole number of seconds"));
}
