//! A call that must be asked about, from the gateway to the person's answer and back.

use std::future::Future;

use notegate::core::{Command, Decision, Outcome, Query, QuestionView, Record, Reply, WorkMode};
use serde_json::{Value, json};

use super::world::{World, add_runtime};
use super::{code, good};
use crate::kernel::Setup;
use crate::kernel::notes_ids::DOCUMENT;
use crate::kernels::world::{DEADLINE, LOCAL, id};

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
        let _there = self.kernels.core.handle().approvals().answerer();
        tokio::join!(self.call("siyuan_create", append()), person)
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
