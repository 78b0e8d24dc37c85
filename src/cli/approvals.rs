//! `notegate approvals`: what a person is being asked, answered in a terminal.

use std::collections::HashMap;
use std::io::BufRead as _;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::arguments::{Answer, Approvals};
use super::failure::{Exit, Failure};
use super::lifetime::{from_now, local_time};
use super::output::Output;
use super::reach::{Running, execute_on_running};
use super::status::snapshot_of;
use crate::core::{
    ApprovalsView, Command, Home, PauseReason, PauseView, QuestionId, QuestionState, QuestionView, Reply,
    SessionLabel, TextChange, changed_lines, near_changes,
};

pub async fn run(typed: Approvals, output: Output) -> Result<Exit, Failure> {
    let (command, done) = match typed.answer {
        _ if typed.watch => return Watch::new(output).run().await,
        None => return list(output).await,
        Some(Answer::Allow { question }) => {
            (answer(QuestionId(question), true), "Approved; its call goes on.")
        }
        Some(Answer::Refuse { question }) => {
            (answer(QuestionId(question), false), "Refused; nothing is sent.")
        }
        Some(Answer::Lift { runtime, session }) => {
            let session = session.map(SessionLabel);
            (Command::LiftApprovalPause { runtime, session }, "It can ask again.")
        }
    };
    execute_on_running(command).await?;
    output.result(json!({"done": true}), || done.into())?;
    Ok(Exit::Done)
}

fn answer(question: QuestionId, approve: bool) -> Command {
    Command::AnswerApproval { question, approve }
}

async fn list(output: Output) -> Result<Exit, Failure> {
    let approvals = snapshot_of(execute_on_running(Command::Status).await?)?.approvals;
    output.result(&approvals, || shown(&approvals))?;
    Ok(Exit::Done)
}

fn shown(approvals: &ApprovalsView) -> String {
    let mut parts: Vec<String> = approvals.questions.iter().map(question_text).collect();
    parts.extend(approvals.paused.iter().map(pause_text));
    if parts.is_empty() {
        parts.push("Nothing is being asked.".into());
    }
    if !approvals.answerable {
        parts.push("Nobody is there to answer, so what would be asked is refused. `notegate approvals --watch` answers.".into());
    }
    parts.join("\n\n")
}

fn pause_text(pause: &PauseView) -> String {
    let PauseView { runtime, session, reason, ends } = pause;
    let why = match reason {
        PauseReason::Unanswered => "got no answer to two questions",
        PauseReason::RefusedAll => "was refused all that it asked",
    };
    let of = session.as_ref().map(|session| format!(" --session {session}")).unwrap_or_default();
    format!(
        "{runtime} {why} and may ask again {}. Lift that with `notegate approvals lift {runtime}{of}`.",
        from_now(*ends)
    )
}

fn question_text(question: &QuestionView) -> String {
    let session = question.session.as_ref().map(|session| format!(", session {session}")).unwrap_or_default();
    let kernel = question.kernel.as_ref().map(|kernel| format!("\n  kernel    {kernel}")).unwrap_or_default();
    let endpoints: String =
        question.endpoints.iter().map(|endpoint| format!("\n  endpoint  {endpoint}")).collect();
    let change = match &question.text {
        // The call itself, and what it says in the lines below.
        Some(text) => {
            let call = question.change.lines().next().unwrap_or_default();
            format!("{call}{}", text_lines(text))
        }
        None => question.change.clone(),
    };
    format!(
        "Question {}, asked {}: {}\n  runtime   {}{session}\n  tool      {}{kernel}{endpoints}\n  change    {}",
        question.id,
        local_time(question.asked),
        state_text(question),
        question.runtime,
        question.tool,
        change.replace('\n', "\n            "),
    )
}

/// The lines of a text that go and come, each with its sign, and the lines beside them.
fn text_lines(text: &TextChange) -> String {
    let TextChange { document, before, after } = text;
    let mut told = document.as_ref().map(|title| format!("\nin the document {title:?}")).unwrap_or_default();
    if before.is_none() {
        told += "\n(what stands there now could not be read)";
    }
    let lines = changed_lines(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
    let mut left_out = 0;
    for (line, is_near) in lines.iter().zip(near_changes(&lines, 1)) {
        if !is_near {
            left_out += 1;
            continue;
        }
        told += &same_lines(std::mem::take(&mut left_out));
        told.extend(["\n", line.sign().mark().encode_utf8(&mut [0; 4]), " ", line.text()]);
    }
    told + &same_lines(left_out)
}

fn same_lines(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "\n  (1 line that stays)".into(),
        _ => format!("\n  ({count} lines that stay)"),
    }
}

fn state_text(question: &QuestionView) -> String {
    match question.state {
        QuestionState::Open => format!("ends {}", from_now(question.ends)),
        QuestionState::Approved => "approved; its caller has not come back yet".into(),
        QuestionState::Used => "approved".into(),
        QuestionState::Refused => "refused".into(),
        QuestionState::TooLate => "too late, nothing was sent".into(),
        QuestionState::Cancelled => "its call was cancelled, nothing was sent".into(),
        QuestionState::ConfigurationChanged => "the settings were changed, nothing was sent".into(),
        QuestionState::NobodyToAsk => "nobody was there to answer, nothing was sent".into(),
        QuestionState::NotTaken => "approved; its caller did not come back, nothing was sent".into(),
    }
}

/// An answer as a person types it, or a script writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedAnswer {
    question: QuestionId,
    approve: bool,
}

/// Shows each question, and again when it has ended; reads the answers from standard input.
struct Watch {
    output: Output,
    /// What was shown of each question.
    shown: HashMap<QuestionId, QuestionState>,
    /// The question that an answer was asked for.
    current: Option<QuestionId>,
}

impl Watch {
    fn new(output: Output) -> Self {
        Self { output, shown: HashMap::new(), current: None }
    }

    async fn run(mut self) -> Result<Exit, Failure> {
        let home = Home::from_environment()?;
        let running = Running::find(&home).await?.ok_or_else(Failure::not_running)?;
        let mut lines = typed_lines()?;
        let mut revision = 0;
        if !self.output.is_json() {
            self.output.note("Waiting for questions. Stop it with Ctrl-C.");
        }
        loop {
            let wait = Command::AwaitApprovals { revision };
            let looking = running.request(&wait);
            tokio::pin!(looking);
            let looked = loop {
                tokio::select! {
                    looked = &mut looking => break looked,
                    line = lines.recv() => match line {
                        Some(line) => self.typed(&running, &line).await?,
                        // Nobody can answer here any more.
                        None => return Ok(Exit::Done),
                    },
                }
            };
            match looked {
                Ok(Reply::Approvals { revision: now, approvals }) => {
                    revision = now;
                    self.show(&approvals)?;
                }
                Ok(_) => return Err(Failure::new("internal", "waiting was answered with something else")),
                Err(failure) if Running::find(&home).await?.is_some() => return Err(failure),
                Err(_) => return Ok(Exit::Done), // the instance has ended
            }
        }
    }

    fn show(&mut self, approvals: &ApprovalsView) -> Result<(), Failure> {
        // What had ended before we came is no news.
        let is_first = self.shown.is_empty();
        for question in approvals.questions.iter().rev() {
            let before = self.shown.insert(question.id, question.state);
            let is_news = before.is_some() || !is_first || question.state == QuestionState::Open;
            if before == Some(question.state) || !is_news {
                continue;
            }
            if before.is_some() && !self.output.is_json() {
                self.output.line(format!("Question {}: {}.", question.id, state_text(question)))?;
            } else {
                self.output.result(question, || question_text(question))?;
            }
        }
        let open = |question: &&QuestionView| question.state == QuestionState::Open;
        let next = approvals.questions.iter().rev().find(open).map(|question| question.id);
        if self.current != next {
            self.current = next;
            self.prompt();
        }
        Ok(())
    }

    fn prompt(&self) {
        if let Some(question) = self.current.filter(|_| !self.output.is_json()) {
            self.output.note(format!("Approve it? Type y {question} or n {question}:"));
        }
    }

    async fn typed(&mut self, running: &Running, line: &str) -> Result<(), Failure> {
        let typed = if self.output.is_json() {
            serde_json::from_str(line).map_err(|error| {
                let message = format!("an answer is like {{\"question\": 1, \"approve\": true}}: {error}");
                self.output.failure(&Failure::usage(message));
            })
        } else {
            meant(line.trim()).ok_or_else(|| self.prompt())
        };
        let Ok(TypedAnswer { question, approve }) = typed else { return Ok(()) };
        // Too late, or answered elsewhere: that is told, and the next question is waited for.
        if let Err(failure) = running.request(&answer(question, approve)).await {
            self.output.failure(&failure);
        }
        Ok(())
    }
}

/// `y 4711` and `n 4711`. An answer names its question: the line may have been typed before another one took its place.
fn meant(line: &str) -> Option<TypedAnswer> {
    let (word, number) = line.split_once(char::is_whitespace)?;
    let approve = match word.to_ascii_lowercase().as_str() {
        "y" | "yes" => true,
        "n" | "no" => false,
        _ => return None,
    };
    Some(TypedAnswer { question: QuestionId(number.trim().parse().ok()?), approve })
}

/// The lines of standard input, until it ends. The thread that reads ends with it, or with the process.
fn typed_lines() -> Result<mpsc::UnboundedReceiver<String>, Failure> {
    let (lines, typed) = mpsc::unbounded_channel();
    let reading = std::thread::Builder::new().name("input".into()).spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    match reading {
        Ok(_until_the_input_ends) => Ok(typed),
        Err(error) => Err(Failure::new("internal", format!("cannot read standard input: {error}"))),
    }
}
