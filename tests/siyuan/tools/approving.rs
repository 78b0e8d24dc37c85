//! A call that must be asked about, from the gateway to the person's answer and back.

use std::future::Future;

use notegate::core::{Command, Decision, Outcome, Query, QuestionView, Record, Reply, WorkMode};
use serde_json::{Value, json};

use super::world::{World, add_runtime};
use super::{block_with, code, good};
use crate::kernel::Setup;
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::{CHILD, DOCUMENT};
use crate::kernels::world::{DEADLINE, LOCAL, draft, id};

const APPEND: &str = "/api/block/appendBlock";

fn append() -> Value {
    json!({"action": "append", "parentID": DOCUMENT, "data": "One more line."})
}

impl World {
    /// Nothing is allowed, so everything asks.
    async fn asking() -> Self {
        Self::bare(Setup::default()).await
    }

    /// The question that stands.
    async fn question(&self) -> QuestionView {
        let mut snapshots = self.kernels.core.handle().subscribe();
        let open = |question: &&QuestionView| question.state == notegate::core::QuestionState::Open;
        let seen = snapshots.wait_for(|seen| seen.approvals.questions.iter().any(|question| open(&question)));
        let seen = tokio::time::timeout(DEADLINE, seen).await.expect("a question in time").unwrap();
        seen.approvals.questions.iter().find(open).unwrap().clone()
    }

    async fn answered(&self, approve: bool) -> QuestionView {
        let question = self.question().await;
        let answer = Command::AnswerApproval { question: question.id, approve };
        self.kernels.ask(answer).await.unwrap();
        question
    }

    async fn last(&self) -> Record {
        match self.kernels.ask(Command::Activity { query: Query::default() }).await.unwrap() {
            Reply::Activity { page } => page.records[0].clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Calls, while somebody is there who can answer.
    async fn while_asked<T>(&self, person: impl Future<Output = T>) -> (Value, T) {
        self.while_asked_about("siyuan_create", append(), person).await
    }

    async fn while_asked_about<T>(
        &self,
        tool: &str,
        arguments: Value,
        person: impl Future<Output = T>,
    ) -> (Value, T) {
        let _there = self.kernels.core.handle().approvals().answerer();
        tokio::join!(self.call(tool, arguments), person)
    }
}

#[tokio::test]
async fn an_approved_call_is_sent_once_and_the_record_says_that_it_was_approved() {
    let world = World::asking().await;
    let (answer, question) = world.while_asked(world.answered(true)).await;
    good(answer);
    assert_eq!(world.kernel.seen_at(APPEND).len(), 1);
    assert_eq!((question.tool.as_str(), question.kernel.as_deref()), ("siyuan_create", Some(LOCAL)));
    assert_eq!(question.endpoints, [format!("http POST {APPEND}")]);
    assert!(question.change.contains("One more line."), "{}", question.change);
    let record = world.last().await;
    assert_eq!((record.decision, record.outcome), (Decision::Approved, Outcome::Succeeded));
    // An answer counts once.
    let again = Command::AnswerApproval { question: question.id, approve: true };
    assert_eq!(world.kernels.ask(again).await.unwrap_err().code, "answered");
}

/// The first call of all binds the kernel, which is no change that a question could rest on.
#[tokio::test]
async fn the_call_that_binds_a_kernel_is_asked_about_as_any_other() {
    let world = World::asking().await;
    world.kernel.write_port_file(&world.kernels.port_file(), std::process::id());
    world.kernels.edit(draft("auto")).await;
    let (answer, _) = world.while_asked(world.answered(true)).await;
    good(answer);
    assert_eq!(world.kernels.kernel().pid, Some(std::process::id()));
    assert_eq!(world.kernel.seen_at(APPEND).len(), 1);
}

#[tokio::test]
async fn a_refused_call_sends_nothing_and_is_recorded() {
    let world = World::asking().await;
    let (answer, _) = world.while_asked(world.answered(false)).await;
    assert_eq!(code(&answer), "approval_refused");
    assert!(world.kernel.seen_at(APPEND).is_empty());
    let record = world.last().await;
    assert_eq!((record.decision, record.outcome), (Decision::RefusedByPerson, Outcome::Refused));
    assert_eq!(record.code.as_deref(), Some("approval_refused"));
}

#[tokio::test]
async fn where_nobody_can_answer_nothing_is_asked() {
    let world = World::asking().await;
    let answer = world.call("siyuan_create", append()).await;
    assert_eq!(code(&answer), "approval_unavailable");
    assert!(answer.to_string().contains("notegate approvals --watch"), "{answer}");
    assert!(world.kernel.seen_at(APPEND).is_empty());
    assert_eq!(world.last().await.decision, Decision::NoAnswerer);
}

#[tokio::test]
async fn settings_that_change_while_a_person_is_asked_end_the_question() {
    let world = World::asking().await;
    let changing = async {
        world.question().await;
        world.kernels.ask(Command::SetKernelDisabled { kernel: id(LOCAL), disabled: true }).await.unwrap();
    };
    let (answer, ()) = world.while_asked(changing).await;
    assert_eq!(answer["isError"], true, "{answer}");
    assert!(["revoked", "configuration_changed"].contains(&code(&answer)), "{answer}");
    assert!(world.kernel.seen_at(APPEND).is_empty());
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_its_question_along() {
    let world = World::asking().await;
    let there = world.kernels.core.handle().approvals().answerer();
    let question = tokio::select! {
        _ = world.call("siyuan_create", append()) => panic!("answered without a person"),
        question = world.question() => question,
    };
    let mut snapshots = world.kernels.core.handle().subscribe();
    let gone = snapshots.wait_for(|seen| {
        seen.approvals
            .questions
            .iter()
            .any(|now| now.id == question.id && now.state == notegate::core::QuestionState::Cancelled)
    });
    tokio::time::timeout(DEADLINE, gone).await.expect("in time").unwrap();
    let late = Command::AnswerApproval { question: question.id, approve: true };
    assert_eq!(world.kernels.ask(late).await.unwrap_err().code, "approval_cancelled");
    assert!(world.kernel.seen_at(APPEND).is_empty());
    drop(there);
}

#[tokio::test]
async fn full_access_asks_nobody() {
    let world = World::asking().await;
    let key = add_runtime(&world.kernels, WorkMode::Full).await;
    let _there = world.kernels.core.handle().approvals().answerer();
    let answer = world.call_as(&key, None, "siyuan_create", append()).await;
    assert_eq!(answer["isError"], true, "`ask` refuses where there is full access: {answer}");
    assert!(world.kernels.core.handle().approvals().view().questions.is_empty());
    assert!(world.kernel.seen_at(APPEND).is_empty());
}

const UPDATE: &str = "siyuan_update";
const DELETE: &str = "siyuan_delete";
const KRAMDOWN: &str = "/api/block/getBlockKramdown";
const INFO: &str = "/api/block/getBlockInfo";

/// What a person sees of a text, when the call is refused: its document, what stands there, what would.
async fn seen_text(world: &World, tool: &str, arguments: Value) -> [Option<String>; 3] {
    let (answer, question) = world.while_asked_about(tool, arguments, world.answered(false)).await;
    assert_eq!(code(&answer), "approval_refused");
    let text = question.text.expect("a text");
    [text.document, text.before, text.after]
}

fn texts(texts: [Option<&str>; 3]) -> [Option<String>; 3] {
    texts.map(|text| text.map(str::to_owned))
}

#[tokio::test]
async fn a_person_sees_what_stands_there_before_it_is_changed_or_deleted() {
    let world = World::asking().await;
    let block = block_with(&world.kernel, "First paragraph");
    let title = world.kernel.notes().documents[DOCUMENT].title.clone();
    let (title, first) = (title.as_str(), world.kernel.notes().block(&block).unwrap().markdown.clone());
    for (tool, arguments, expected) in [
        (
            UPDATE,
            json!({"action": "block", "id": block, "data": "Other words.\n"}),
            [Some(title), Some(&*first), Some("Other words.")],
        ),
        (
            UPDATE,
            json!({"action": "rename_doc", "id": CHILD, "title": "Other"}),
            [None, Some("Notegate"), Some("Other")],
        ),
        (DELETE, json!({"action": "block", "id": block}), [Some(title), Some(&*first), None]),
        (DELETE, json!({"action": "doc", "id": CHILD}), [Some("Notegate"), Some("Below."), None]),
    ] {
        assert_eq!(seen_text(&world, tool, arguments.clone()).await, texts(expected), "{arguments}");
    }
    // It was the person's to see: the log holds nothing of it, and neither does what is left of the question.
    let Reply::Activity { page } =
        world.kernels.ask(Command::Activity { query: Query::default() }).await.unwrap()
    else {
        panic!()
    };
    let rows = format!("{:?}", page.records);
    assert!(!rows.contains("First paragraph") && !rows.contains("Below."), "{rows}");
    let view = world.kernels.core.handle().approvals().view();
    assert!(view.questions.iter().all(|question| question.text.is_none()));
}

#[tokio::test]
async fn the_runtime_gets_nothing_of_what_was_read_for_the_person() {
    let world = World::asking().await;
    let delete = json!({"action": "doc", "id": CHILD});
    for approve in [false, true] {
        let (answer, _) = world.while_asked_about(DELETE, delete.clone(), world.answered(approve)).await;
        assert!(!answer.to_string().contains("Below."), "{answer}");
    }
    assert!(!world.kernel.notes().documents.contains_key(CHILD), "and it was done");
}

#[tokio::test]
async fn what_cannot_be_read_is_asked_without() {
    let world = World::asking().await;
    let update = || json!({"action": "block", "id": CHILD, "data": "new"});
    let without = texts([None, None, Some("new")]);
    world.kernel.fault(KRAMDOWN, Fault::answer_with(500, "broken"));
    assert_eq!(seen_text(&world, UPDATE, update()).await, without);
    world.kernel.heal(KRAMDOWN);
    // A kernel that takes its time is waited for no longer than a person would.
    world.kernel.fault(INFO, Fault::Hold);
    assert_eq!(seen_text(&world, UPDATE, update()).await, without);
    world.kernel.heal(INFO);
    let nowhere = json!({"action": "block", "id": "20990101000000-nothere", "data": "new"});
    assert_eq!(seen_text(&world, UPDATE, nowhere).await, without);
}

#[tokio::test]
async fn nothing_is_read_where_no_person_is_asked() {
    let world = World::asking().await;
    let delete = || json!({"action": "doc", "id": CHILD});
    assert_eq!(code(&world.call(DELETE, delete()).await), "approval_unavailable");
    assert!(world.kernel.seen_at(INFO).is_empty() && world.kernel.seen_at(KRAMDOWN).is_empty());
}
