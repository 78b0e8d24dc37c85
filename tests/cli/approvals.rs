//! `notegate approvals`: questions of a running instance, shown and answered in a terminal.

use std::process::Stdio;

use notegate::access::SessionLabel;
use notegate::access::approvals::{Approved, ArgumentsDigest, Ask, Declined, TextChange};
use notegate::core::{
    ApprovalPolicy, Core, Handle, Home as NotegateHome, QuestionState, RuntimeId, StartOptions,
};
use notegate::gateway::{ControlFile, Gateway, GatewayOptions};
use notegate::secrets::{Purpose, Secret};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::home::{Home, Process, eventually};

/// An instance in this process, found by the program through its control file.
struct Instance {
    runtime: tokio::runtime::Runtime,
    core: Core,
    gateway: Gateway,
}

impl Instance {
    fn start(home: &Home) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let (core, gateway) = runtime.block_on(async {
            let home = NotegateHome::at(home.path()).unwrap();
            let core = Core::start(StartOptions::new(home.clone())).unwrap();
            let control = Secret::generate(Purpose::Control).unwrap();
            let options = GatewayOptions { port: 0, control: control.clone() };
            let gateway = Gateway::start(core.handle().clone(), options).await.unwrap();
            ControlFile::of_this_process(gateway.address(), control).write(&home).unwrap();
            (core, gateway)
        });
        Self { runtime, core, gateway }
    }

    fn handle(&self) -> &Handle {
        self.core.handle()
    }

    /// Asks in the background, as a call would.
    fn ask(&self, tool: &str) -> tokio::task::JoinHandle<Result<Approved, Declined>> {
        self.ask_about(tool, None)
    }

    fn ask_about(
        &self,
        tool: &str,
        text: Option<TextChange>,
    ) -> tokio::task::JoinHandle<Result<Approved, Declined>> {
        let approvals = self.handle().approvals().clone();
        let ask = Ask {
            runtime: RuntimeId::new("opencode").unwrap(),
            session: Some(SessionLabel("s-1".into())),
            policy: ApprovalPolicy::Prompt,
            generation: 1,
            tool: tool.into(),
            kernel: Some("local".into()),
            endpoints: vec!["http POST /api/block/updateBlock".into()],
            arguments: ArgumentsDigest::of(&Map::new()),
            change: "first line\nsecond line".into(),
            text,
            patient: true,
        };
        self.runtime.spawn(async move { approvals.ask(ask, &CancellationToken::new()).await })
    }

    fn outcome(&self, asking: tokio::task::JoinHandle<Result<Approved, Declined>>) -> Result<(), Declined> {
        self.runtime.block_on(asking).unwrap().map(drop)
    }

    fn open_question(&self) -> u64 {
        let view = self.handle().approvals().view();
        view.questions.iter().find(|question| question.state == QuestionState::Open).unwrap().id.0
    }

    fn answerable(&self) -> bool {
        self.handle().approvals().view().answerable
    }

    fn end(self) {
        self.runtime.block_on(async {
            self.gateway.stop_accepting();
            self.core.end_calls().await;
            self.gateway.finish().await;
            self.core.close().await;
        });
    }
}

#[test]
fn a_question_is_answered_by_whoever_watches() {
    let home = Home::new();
    let instance = Instance::start(&home);
    assert_eq!(instance.outcome(instance.ask("early")), Err(Declined::NobodyToAsk));
    let nothing = home.run(&["approvals"]).stdout;
    assert!(nothing.contains("Nothing is being asked") && nothing.contains("--watch"), "{nothing}");

    let mut watching = Process::open(home.command(&["approvals", "--watch", "--json"]));
    eventually("somebody watches", || instance.answerable());
    for (tool, approve, expected) in
        [("siyuan_update", true, Ok(())), ("siyuan_delete", false, Err(Declined::Refused))]
    {
        let asking = instance.ask(tool);
        let question = watching.line();
        assert_eq!((&question["tool"], &question["state"]), (&json!(tool), &json!("open")), "{question}");
        assert_eq!(question["endpoints"], json!(["http POST /api/block/updateBlock"]));
        watching.send(&json!({"question": question["id"], "approve": approve}));
        assert_eq!(instance.outcome(asking), expected);
        let ended = if approve { "used" } else { "refused" };
        eventually("how it ended is shown", || watching.line()["state"] == ended);
        watching.send(&json!({"question": question["id"], "approve": true}));
        let late = loop {
            let line: Value = watching.line();
            if line["error"].is_object() {
                break line;
            }
        };
        assert_eq!(late["error"]["code"], "answered");
    }
    watching.close_input();
    assert_eq!(watching.wait(), Some(0), "nobody can answer there any more");
    instance.end();
}

#[test]
fn a_question_is_answered_in_words_and_by_its_number() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let home = Home::new();
    let instance = Instance::start(&home);
    let mut command = home.command(&["approvals", "--watch"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut watching = command.spawn().unwrap();
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines().map(Result::unwrap);
    eventually("somebody watches", || instance.answerable());

    let asking = instance.ask("siyuan_update");
    assert!(lines.any(|line| line == "  runtime   opencode, session s-1"));
    assert!(lines.any(|line| line == "            second line"));
    let number = instance.open_question();
    // Without its number an answer could be meant for the question before.
    writeln!(watching.stdin.as_mut().unwrap(), "perhaps\ny\ny {}\nyes {number}", number + 1).unwrap();
    assert_eq!(instance.outcome(asking), Ok(()));
    assert!(lines.any(|line| line == format!("Question {number}: approved.")));

    let asking = instance.ask("siyuan_delete");
    let second = (number + 1).to_string();
    eventually("it is asked", || {
        home.run(&["approvals"]).stdout.contains(&format!("Question {second}, asked"))
    });
    assert_eq!(home.run(&["approvals", "refuse", &second]).code, 0);
    assert_eq!(instance.outcome(asking), Err(Declined::Refused));
    let late = home.run(&["approvals", "allow", &second, "--json"]);
    assert_eq!((late.code, &late.json()["error"]["code"]), (1, &json!("answered")));
    assert_eq!(home.run(&["approvals", "lift", "opencode"]).code, 1, "nothing is held back");

    instance.end();
    assert_eq!(watching.wait().unwrap().code(), Some(0), "it ends with the instance");
    assert_eq!(home.run(&["approvals"]).code, 3);
}

#[test]
fn a_text_is_shown_by_the_lines_that_go_and_come() {
    let home = Home::new();
    let instance = Instance::start(&home);
    let there = instance.handle().approvals().answerer();
    let check = |document: Option<&str>, before: Option<&str>, after: Option<&str>, expected: &str| {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let change = TextChange { document: text(document), before: text(before), after: text(after) };
        let asking = instance.ask_about("siyuan_update", Some(change));
        eventually("it is asked", || {
            instance.handle().approvals().view().questions.iter().any(|question| question.text.is_some())
        });
        let shown = home.run(&["approvals"]).stdout;
        assert!(shown.contains(&format!("change    first line{expected}\n")), "{shown}");
        asking.abort();
        eventually("it has ended", || {
            instance.handle().approvals().view().questions.iter().all(|question| question.text.is_none())
        });
        assert!(!home.run(&["approvals"]).stdout.contains("- b"), "the text has gone with the question");
    };
    let indent = "\n            ";
    let lines = |lines: &[&str]| lines.iter().map(|line| format!("{indent}{line}")).collect::<String>();
    check(
        Some("Trip"),
        Some("1\n2\n3\na\nb\nc"),
        Some("1\n2\n3\na\nB\nc"),
        &lines(&["in the document \"Trip\"", "  (3 lines that stay)", "  a", "- b", "+ B", "  c"]),
    );
    check(Some("Trip"), Some("b"), None, &lines(&["in the document \"Trip\"", "- b"]));
    check(None, None, Some("B"), &lines(&["(what stands there now could not be read)", "+ B"]));
    drop(there);
    instance.end();
}
