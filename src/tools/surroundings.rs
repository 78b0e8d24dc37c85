//! What the service for kernels stands on: the activity log, and the questions to a person.

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::access::SessionLabel;
use crate::access::approvals::{Approvals, ArgumentsDigest, Ask, Declined};
use crate::activity::{self, Endpoint, Log, Object, ObjectKind, Operation};
use crate::settings::RuntimeId;
use crate::siyuan::{
    Approver, Ending, Intent, NotRecorded, Objects, Observer, OperationId, Question, Recorded,
};

/// Stands for the runtime where a program in this process calls.
const THIS_PROCESS: &str = "notegate";

/// Records in the activity log.
#[derive(Debug, Clone)]
pub struct Recorder(pub Log);

impl Observer for Recorder {
    fn begin(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Recorded>, NotRecorded>> {
        Box::pin(async move {
            let Intent { runtime, session, call, tool, kernel, endpoints, writes, decided, objects } = intent;
            let intent = activity::Intent {
                call: call.unwrap_or_else(|| self.0.next_call()),
                runtime: runtime.map_or_else(|| RuntimeId::new(THIS_PROCESS).map_err(not_recorded), Ok)?,
                session,
                tool: tool.to_owned(),
                writes,
                kernel: kernel.map(|kernel| kernel.as_str().to_owned()),
                vault: None,
                endpoints: endpoints
                    .into_iter()
                    .map(|(key, permission)| Endpoint {
                        key: key.to_string(),
                        permission: permission.map(|permission| permission.as_str().to_owned()),
                    })
                    .collect(),
                decision: decided,
                objects: listed(objects),
            };
            let operation = self.0.begin(intent).await.map_err(not_recorded)?;
            Ok(Box::new(Begun(operation)) as Box<dyn Recorded>)
        })
    }
}

fn not_recorded(error: impl ToString) -> NotRecorded {
    NotRecorded(error.to_string())
}

#[derive(Debug)]
struct Begun(Operation);

impl Recorded for Begun {
    fn id(&self) -> &OperationId {
        self.0.id()
    }

    fn end(self: Box<Self>, ending: Ending) -> BoxFuture<'static, Result<(), NotRecorded>> {
        let Ending { outcome, code, objects } = ending;
        let ending = activity::Ending { outcome, code: code.map(str::to_owned), objects: listed(objects) };
        Box::pin(async move { self.0.end(ending).await.map_err(not_recorded) })
    }
}

fn listed(objects: Objects) -> Vec<Object> {
    let Objects { documents, blocks } = objects;
    let of = |kind| move |id| Object { kind, id };
    let documents = documents.into_iter().map(of(ObjectKind::Document));
    documents.chain(blocks.into_iter().map(of(ObjectKind::Block))).collect()
}

/// Asks whoever can answer.
#[derive(Debug, Clone)]
pub struct Asker(pub Approvals);

impl Approver for Asker {
    fn would_open(&self, question: &Question) -> bool {
        self.0.would_open(ask_of(question))
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<(), Declined>> {
        let ask = ask_of(question);
        // What was approved is held against the settings by whoever asked, so the approval says no more.
        Box::pin(async move { self.0.ask(ask, cancel).await.map(|_approved| ()) })
    }
}

fn ask_of(question: &Question) -> Ask {
    Ask {
        runtime: question.runtime.clone(),
        session: question.session.clone().map(SessionLabel),
        policy: question.policy,
        generation: question.generation,
        tool: question.tool.to_owned(),
        kernel: Some(question.kernel.as_str().to_owned()),
        endpoints: question.endpoints.iter().map(ToString::to_string).collect(),
        arguments: ArgumentsDigest::of(&question.arguments),
        change: question.summary.clone(),
        text: question.text.clone(),
        patient: question.patient,
    }
}
