//! The order of a call: arguments, the kernel that is meant, what the call reaches, the permission, a person's
//! answer where one is due, the record, and only then the kernel.
//!
//! Invariants: whatever is wrong before the record has sent nothing of the call; what is sent is sent once;
//! what was recorded as begun is recorded as ended, also where the caller gave up meanwhile.

use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::contract::{Catalogue, Query};
use super::endpoint::EndpointKey;
use super::errors::SiyuanError;
use super::execution::{
    Decided, Ending, Execution, Intent, Objects, Outcome, Question, Recorded, decided_by, declined_by,
};
use super::kernels::{KernelError, Opened};
use super::permissions::{Decision, Effect, Permission, Refused, Rules, Ruling};
use super::service::{Output, Service};
use super::tools::{Call, Done, Failed, Operation, Rpc, TextNow, ToolSpec, Way};
use crate::access::approvals::Declined;
use crate::secrets::filter::mask_fields;
use crate::settings::{KernelId, KernelPlace};

const NOT_INDEXED: &str = "what was written in the last seconds is possibly not indexed yet: look again in some seconds, or read it \
     by its id. Do not write it again";

const NOT_RECORDED: &str = "the kernel was called, and how it ended could not be recorded in the activity log. Do not repeat a write";

/// So long the question to a person waits for the text that the call would change.
const LOOK_UP_WITHIN: Duration = Duration::from_secs(2);

/// One call on its way.
pub(super) struct Run {
    pub service: Service,
    pub call: Call,
    pub execution: Option<Execution>,
    pub cancel: CancellationToken,
}

/// What a call was judged by. As long as it is equal, nothing that matters was changed.
#[derive(PartialEq)]
struct Judged {
    place: KernelPlace,
    ruling: Ruling,
}

/// A call that is not sent.
pub(super) struct Held {
    pub error: SiyuanError,
    pub endpoints: Vec<(EndpointKey, Option<Permission>)>,
    pub decided: Decided,
    pub outcome: Outcome,
    /// Whether it may change something, where that was known by then.
    pub writes: Option<bool>,
    /// What the arguments name.
    pub objects: Objects,
}

impl Run {
    pub async fn whole(&self) -> Result<Output, SiyuanError> {
        let catalogue = match self.service.catalogue().await {
            Ok(catalogue) => catalogue,
            Err(error) => return Err(self.hold(None, *Held::new(error, Decided::Configuration)).await),
        };
        if let Operation::Rpc(Rpc::Contract(query)) = &self.call.operation {
            return self.offline(&catalogue, query).await;
        }
        let kernel = match self.target() {
            Ok(kernel) => kernel,
            Err(error) => return Err(self.hold(None, *Held::new(error, Decided::Configuration)).await),
        };
        let (judged, decided) = match self.allowed(&kernel, &catalogue).await {
            Ok(allowed) => allowed,
            Err(held) => return Err(self.hold(Some(&kernel), *held).await),
        };
        let writes = writes(&judged.ruling);
        let intent = Intent {
            endpoints: endpoints(&judged.ruling),
            writes,
            objects: self.call.operation.objects(),
            ..intent(self.call.tool, self.execution.as_ref(), Some(&kernel), decided)
        };
        let operation = self.begin(intent).await?;
        let result = self.sent(&kernel, &judged, &catalogue).await;
        self.recorded(&kernel, operation, writes, result).await
    }

    async fn begin(&self, intent: Intent) -> Result<Box<dyn Recorded>, SiyuanError> {
        let observer = &self.service.inner.surroundings.observer;
        observer.begin(intent).await.map_err(SiyuanError::NotRecorded)
    }

    async fn hold(&self, kernel: Option<&KernelId>, held: Held) -> SiyuanError {
        let held = Held { objects: self.call.operation.objects(), ..held };
        self.service.hold(self.call.tool, self.execution.as_ref(), kernel, held).await
    }

    /// The contract's answer, and which kernels there are. No kernel is asked.
    async fn offline(&self, catalogue: &Catalogue, query: &Query) -> Result<Output, SiyuanError> {
        let direct = intent(self.call.tool, self.execution.as_ref(), None, Decided::Direct);
        let operation = self.begin(Intent { writes: false, ..direct }).await?;
        let settings = self.service.kernels().settings();
        let mut value = json!(catalogue.search(query));
        value["kernels"] = settings.kernels.iter().map(|kernel| {
            let is_default = settings.default_kernel.as_ref() == Some(&kernel.id);
            json!({"kernelId": kernel.id, "name": kernel.name, "disabled": kernel.disabled, "default": is_default})
        }).collect();
        let ending = Ending { outcome: Outcome::Succeeded, code: None, objects: Objects::default() };
        // Nothing was sent, so nobody has to know that the end was not recorded.
        let _ = operation.end(ending).await;
        Ok(Output { value: Done::new(value).value, is_error: false })
    }

    fn target(&self) -> Result<KernelId, SiyuanError> {
        let kernels = self.service.kernels();
        let session = self.execution.as_ref().and_then(|execution| execution.session.as_deref());
        kernels.target(self.call.kernel.as_deref(), session).map_err(|error| match error {
            KernelError::NoTarget | KernelError::Unknown(_) | KernelError::Disabled(_) => {
                let kernels = kernels.settings().kernels.iter().map(|kernel| kernel.id.clone()).collect();
                SiyuanError::Target { error, kernels }
            }
            error => SiyuanError::Kernel(error),
        })
    }

    /// Holds the call against what is saved now. Nothing is sent.
    fn judge(&self, id: &KernelId, catalogue: &Catalogue) -> Result<Judged, Box<Held>> {
        let settings = self.service.kernels().settings();
        let Some(kernel) = settings.kernel(id).filter(|kernel| !kernel.disabled) else {
            return Err(Held::new(SiyuanError::Changed, Decided::Configuration));
        };
        let standing = self.execution.as_ref().map(|execution| execution.standing);
        let rules = Rules { catalogue, permissions: &kernel.permissions, standing };
        match self.call.operation.judge(&rules) {
            Ok(ruling) => Ok(Judged { place: kernel.place(), ruling }),
            Err(error) => Err(Held::refused(error)),
        }
    }

    /// The permission, and a person's answer where one is due.
    async fn allowed(&self, id: &KernelId, catalogue: &Catalogue) -> Result<(Judged, Decided), Box<Held>> {
        self.judge(id, catalogue)?;
        // The first use binds a kernel, and what was granted before belongs to no known server.
        if let Err(error) = self.service.kernels().bind(id, &self.cancel).await {
            return Err(Held::failed(SiyuanError::Kernel(error)));
        }
        let judged = self.judge(id, catalogue)?;
        let held = |error, decided| Held {
            endpoints: endpoints(&judged.ruling),
            writes: Some(writes(&judged.ruling)),
            ..*Held::new(error, decided)
        };
        if let Err(error) = self.call.operation.validate(catalogue) {
            return Err(Box::new(held(error, Decided::Configuration)));
        }
        match (judged.ruling.decision, &self.execution) {
            (Decision::Direct, _) => Ok((judged, Decided::Direct)),
            (Decision::AutoByFullAccess, _) => Ok((judged, Decided::FullAccess)),
            (Decision::MustAsk, None) => {
                Err(Box::new(held(SiyuanError::NotApproved(Declined::NobodyToAsk), Decided::NoAnswerer)))
            }
            (Decision::MustAsk, Some(execution)) => {
                let mut question = self.question(id, &judged.ruling, execution);
                execution.asking.send_replace(true);
                self.look_up_text(&mut question, &judged, catalogue).await;
                let answer = self.service.inner.surroundings.approver.ask(&question, &self.cancel).await;
                execution.asking.send_replace(false);
                if let Err(declined) = answer {
                    let error = SiyuanError::NotApproved(declined);
                    return Err(Box::new(held(error, declined_by(declined))));
                }
                if self.judge(id, catalogue)? != judged {
                    return Err(Box::new(held(SiyuanError::Changed, Decided::Configuration)));
                }
                Ok((judged, Decided::Approved))
            }
        }
    }

    fn question(&self, kernel: &KernelId, ruling: &Ruling, execution: &Execution) -> Question {
        Question {
            runtime: execution.runtime.clone(),
            session: execution.session.clone(),
            call: execution.call.clone(),
            policy: execution.standing.approval,
            generation: execution.generation,
            patient: execution.patient,
            tool: self.call.tool.name,
            kernel: kernel.clone(),
            endpoints: ruling.steps.iter().map(|step| step.key.clone()).collect(),
            writes: writes(ruling),
            arguments: self.call.arguments.clone(),
            summary: self.call.summary(),
            text: self.call.operation.text_change(),
        }
    }

    /// Reads the text that the call would change, where a person is about to be asked. It is told to nobody else, and
    /// where it cannot be read, or not in time, the question is put without it.
    async fn look_up_text(&self, question: &mut Question, judged: &Judged, catalogue: &Catalogue) {
        if question.text.is_none() || !self.service.inner.surroundings.approver.would_open(question) {
            return;
        }
        let stop = self.cancel.child_token();
        let now = {
            let reading = self.text_now(&question.kernel, judged, catalogue, &stop);
            tokio::pin!(reading);
            tokio::select! {
                now = &mut reading => now,
                () = tokio::time::sleep(LOOK_UP_WITHIN) => {
                    stop.cancel();
                    reading.await
                }
            }
        };
        if let (Some(text), Some(TextNow { document, text: before })) = (&mut question.text, now) {
            (text.document, text.before) = (document, Some(before));
        }
    }

    async fn text_now(
        &self,
        id: &KernelId,
        judged: &Judged,
        catalogue: &Catalogue,
        cancel: &CancellationToken,
    ) -> Option<TextNow> {
        let opened = self.service.kernels().connect(id, cancel).await.ok()?;
        let way = Way {
            connection: &opened.connection,
            catalogue,
            screened: &judged.ruling.screened,
            cancel,
            is_local: opened.is_local(),
        };
        let read = match self.call.operation.text_now(&way).await {
            Ok(now) => Some(now),
            Err(Failed::Looking(error) | Failed::Sending(error)) => {
                // A token that was refused is not sent again.
                let _ = self.service.kernels().failed(id, &opened, error).await;
                None
            }
            Err(Failed::Judged(_)) => None,
        };
        opened.connection.dispose().await;
        read
    }

    /// Opens the kernel and does it. What the settings say by then must still be what was judged.
    async fn sent(&self, id: &KernelId, judged: &Judged, catalogue: &Catalogue) -> Result<Done, SiyuanError> {
        if self.cancel.is_cancelled() {
            return Err(SiyuanError::Cancelled);
        }
        let opened = self.service.kernels().connect(id, &self.cancel).await.map_err(SiyuanError::Kernel)?;
        let is_unchanged = self.judge(id, catalogue).is_ok_and(|now| now == *judged);
        let result = if is_unchanged {
            let way = Way {
                connection: &opened.connection,
                catalogue,
                screened: &judged.ruling.screened,
                cancel: &self.cancel,
                is_local: opened.is_local(),
            };
            self.call.operation.run(&way).await
        } else {
            Err(Failed::Judged(SiyuanError::Changed))
        };
        let result = match result {
            Ok(done) => Ok(done),
            Err(failed) => Err(self.explained(id, &opened, writes(&judged.ruling), failed).await),
        };
        opened.connection.dispose().await;
        result
    }

    async fn explained(&self, id: &KernelId, opened: &Opened, writes: bool, failed: Failed) -> SiyuanError {
        let (error, uncertain) = match failed {
            Failed::Judged(error) => return error,
            Failed::Looking(error) => (error, false),
            Failed::Sending(error) => {
                let uncertain = writes && error.uncertain();
                (error, uncertain)
            }
        };
        let error = self.service.kernels().failed(id, opened, error).await;
        if uncertain { SiyuanError::Uncertain(error.to_string()) } else { SiyuanError::Kernel(error) }
    }

    /// Records how it ended, and makes the answer.
    async fn recorded(
        &self,
        kernel: &KernelId,
        operation: Box<dyn Recorded>,
        writes: bool,
        result: Result<Done, SiyuanError>,
    ) -> Result<Output, SiyuanError> {
        let ending = match &result {
            Ok(done) => {
                let code = match done.outcome {
                    Outcome::Failed => Some("kernel_refused"),
                    Outcome::Uncertain => Some("uncertain"),
                    _ => None,
                };
                Ending { outcome: done.outcome, code, objects: done.objects.clone() }
            }
            Err(error) => {
                let outcome = match error {
                    SiyuanError::Uncertain(_) => Outcome::Uncertain,
                    SiyuanError::Changed => Outcome::Refused,
                    error if error.is_cancelled() => Outcome::Cancelled,
                    _ => Outcome::Failed,
                };
                Ending { outcome, code: Some(error.code()), objects: Objects::default() }
            }
        };
        let Ending { outcome, code, .. } = ending;
        let id = operation.id().clone();
        let is_recorded = operation.end(ending).await.is_ok();
        if writes && matches!(outcome, Outcome::Succeeded | Outcome::Sent | Outcome::Uncertain) {
            self.service.note_write(kernel);
        }
        let Done { mut value, lags, is_empty, .. } = result?;
        // What endpoints answer of themselves is theirs; the text of a note is never touched by its looks.
        if matches!(self.call.operation, Operation::Rpc(_)) {
            value.values_mut().for_each(mask_fields);
        }
        value.insert("kernelId".into(), kernel.as_str().into());
        value.insert("operationId".into(), id.0.into());
        if let Some(code) = code {
            value.insert("code".into(), code.into());
        }
        match outcome {
            Outcome::Sent => drop(value.insert("outcome".into(), "sent".into())),
            Outcome::Uncertain => drop(value.insert("outcome".into(), "uncertain".into())),
            _ => {}
        }
        let may_lag = lags && (is_empty || self.service.was_just_written(kernel));
        for note in
            [may_lag.then_some(NOT_INDEXED), (!is_recorded).then_some(NOT_RECORDED)].into_iter().flatten()
        {
            let known = value.get("note").and_then(Value::as_str).map(|known| format!("{known}. "));
            value.insert("note".into(), format!("{}{note}", known.unwrap_or_default()).into());
        }
        let is_error = matches!(outcome, Outcome::Failed | Outcome::Uncertain);
        Ok(Output { value, is_error })
    }
}

impl Held {
    pub fn new(error: SiyuanError, decided: Decided) -> Box<Self> {
        let (endpoints, objects) = (Vec::new(), Objects::default());
        Box::new(Self { error, endpoints, decided, outcome: Outcome::Refused, writes: None, objects })
    }

    fn failed(error: SiyuanError) -> Box<Self> {
        let outcome = if error.is_cancelled() { Outcome::Cancelled } else { Outcome::Failed };
        Box::new(Self { outcome, ..*Self::new(error, Decided::Configuration) })
    }

    /// What the rules refused, with the endpoint that they name.
    fn refused(error: SiyuanError) -> Box<Self> {
        let SiyuanError::Refused(Refused { key, permission, reason }) = &error else {
            return Self::new(error, Decided::Configuration);
        };
        let decided = decided_by(reason);
        let endpoints = key.iter().map(|key| (key.clone(), *permission)).collect();
        Box::new(Self { endpoints, ..*Self::new(error, decided) })
    }
}

/// What is recorded of a call, before more is known of it.
pub(super) fn intent(
    tool: &'static ToolSpec,
    execution: Option<&Execution>,
    kernel: Option<&KernelId>,
    decided: Decided,
) -> Intent {
    Intent {
        runtime: execution.map(|execution| execution.runtime.clone()),
        session: execution.and_then(|execution| execution.session.clone()),
        call: execution.map(|execution| execution.call.clone()),
        tool: tool.name,
        kernel: kernel.cloned(),
        endpoints: Vec::new(),
        writes: tool.writes,
        decided,
        objects: Objects::default(),
    }
}

fn endpoints(ruling: &Ruling) -> Vec<(EndpointKey, Option<Permission>)> {
    ruling.steps.iter().map(|step| (step.key.clone(), Some(step.permission))).collect()
}

fn writes(ruling: &Ruling) -> bool {
    ruling.steps.iter().any(|step| step.effect == Effect::Writes)
}
