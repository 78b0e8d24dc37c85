//! A box for a body that is held against the contract. Nothing is sent.

use egui::{Id, Ui};

use crate::core::{BodyFinding, BodyReport, Command, CommandError, Reply};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Field, Look, Tone, heading, icon_and_text, mono_and_word, muted, status};

#[derive(Debug, Default)]
pub(super) struct BodyCheck {
    text: String,
    checking: Option<Pending>,
    /// What was found in the text as it stands.
    found: Option<Result<BodyReport, CommandError>>,
}

impl BodyCheck {
    pub(super) fn receive(&mut self) {
        match take(&mut self.checking) {
            Some(Ok(Reply::BodyChecked { report })) => self.found = Some(Ok(report)),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.found = Some(Err(error)),
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, look: Look<'_>, endpoint: &str, link: &dyn Link) {
        heading(ui, look, look.text("body-title"));
        let error = self.found.as_ref().and_then(|found| found.as_ref().err());
        let error = error.map(|error| {
            let shown = errors::shown(error, look.texts);
            shown.detail.map_or(shown.lead.clone(), |detail| {
                look.texts.with("what-and-why", [("what", shown.lead.into()), ("why", detail.into())])
            })
        });
        let field = Field::new(Id::unique("body-check"), look.text("body-label"))
            .help(look.text("body-help"))
            .error(error)
            .mono()
            .lines(4);
        if field.show(ui, look, &mut self.text).changed() {
            self.found = None;
            // What comes of it is about another text.
            self.checking = None;
        }
        let check = Button::new("body-check", look.text("body-check")).enabled(self.checking.is_none());
        if check.show(ui, look).clicked() {
            self.found = None;
            let command = Command::CheckBody { endpoint: endpoint.to_owned(), body: self.text.clone() };
            self.checking = Some(link.send(command));
        }
        ui.add_space(space::XS);
        self.result(ui, look);
    }

    fn result(&self, ui: &mut Ui, look: Look<'_>) {
        let report = self.found.as_ref().and_then(|found| found.as_ref().ok());
        let (tone, words) = match report {
            None => (Tone::Plain, String::new()),
            Some(BodyReport { errors, warnings, .. }) if errors.is_empty() && warnings.is_empty() => {
                (Tone::Success, look.text("body-good"))
            }
            Some(BodyReport { errors, warnings, .. }) => {
                let counts = [("errors", errors.len().into()), ("warnings", warnings.len().into())];
                let tone = if errors.is_empty() { Tone::Warning } else { Tone::Danger };
                (tone, look.texts.with("body-bad", counts))
            }
        };
        status(ui, look, "body-check", tone, &words);
        let Some(report) = report else { return };
        let findings = report.errors.iter().map(|finding| (Tone::Danger, finding));
        for (tone, finding) in findings.chain(report.warnings.iter().map(|finding| (Tone::Warning, finding)))
        {
            one(ui, look, tone, finding);
        }
        if report.more > 0 {
            muted(ui, look, look.texts.with("body-more", [("more", report.more.into())]));
        }
    }
}

fn one(ui: &mut Ui, look: Look<'_>, tone: Tone, finding: &BodyFinding) {
    let kind = look.text(if tone == Tone::Danger { "body-error" } else { "body-warning" });
    let at = if finding.at.is_empty() { look.text("body-place-whole") } else { finding.at.clone() };
    let problem = finding.case.as_ref().and_then(|case| {
        let key = format!("reason-{}", case.reason.replace('_', "-"));
        let about = [("subject", case.subject.as_str().into())];
        look.texts.knows(&key).then(|| look.texts.with(&key, about))
    });
    let problem = problem.unwrap_or_else(|| finding.problem.clone());
    let words = look.texts.with("what-and-why", [("what", kind.into()), ("why", problem.into())]);
    let icon = if tone == Tone::Danger { Icon::Danger } else { Icon::Warning };
    icon_and_text(ui, icon, tone.colour(look), |ui| mono_and_word(ui, look, &at, &words));
}
