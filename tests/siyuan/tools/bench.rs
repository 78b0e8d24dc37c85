//! The service over a kernel, with a person and a record that a test plays.

use std::fmt;
use std::sync::{Arc, Mutex};

use futures_util::future::{BoxFuture, ready};
use notegate::access::approvals::Declined;
use notegate::secrets::filter::Filters;
use notegate::secrets::{Credentials, MemoryStore};
use notegate::settings::{
    ApprovalPolicy, Kernel as KernelSettings, KernelAddress, Permission, RuntimeId, SiyuanSettings, WorkMode,
};
use notegate::siyuan::contract::Contract;
use notegate::siyuan::kernels::{Finding, Kernels, KernelsConfig, Seen};
use notegate::siyuan::permissions::Standing;
use notegate::siyuan::{
    Approver, CallId, Ending, Execution, Intent, NotRecorded, Observer, OperationId, Output, Question,
    Recorded, Service, SiyuanError, Surroundings,
};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::kernel::{Kernel, Setup};
use crate::kernels::world::{LOCAL, id};

pub struct Bench {
    pub kernel: Kernel,
    pub kernels: Kernels,
    pub service: Service,
    pub record: Arc<Record>,
    pub person: Arc<Person>,
    _folder: tempfile::TempDir,
}

/// What the observer was told, in order.
#[derive(Debug, Default)]
pub struct Record {
    pub lines: Mutex<Vec<Line>>,
    pub refuses_intents: Mutex<bool>,
    pub refuses_endings: Mutex<bool>,
}

#[derive(Debug, Clone)]
pub enum Line {
    Begun(Intent),
    Ended(Ending),
}

/// What a test says that the person answers.
type Answers = Box<dyn FnMut(&Question) -> Result<(), Declined> + Send>;

/// Answers by what a test says.
pub struct Person {
    pub answer: Mutex<Answers>,
    pub asked: Mutex<Vec<Question>>,
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Person")
    }
}

/// Writes to the record.
#[derive(Debug)]
struct Writer(Arc<Record>);

impl Observer for Writer {
    fn begin(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Recorded>, NotRecorded>> {
        if *self.0.refuses_intents.lock().unwrap() {
            return Box::pin(ready(Err(NotRecorded("the disk is full".into()))));
        }
        let mut lines = self.0.lines.lock().unwrap();
        lines.push(Line::Begun(intent));
        let id = OperationId(format!("op-{}", lines.len()));
        Box::pin(ready(Ok(Box::new(Begun { id, record: Arc::clone(&self.0) }) as Box<dyn Recorded>)))
    }
}

struct Begun {
    id: OperationId,
    record: Arc<Record>,
}

impl Recorded for Begun {
    fn id(&self) -> &OperationId {
        &self.id
    }

    fn end(self: Box<Self>, ending: Ending) -> BoxFuture<'static, Result<(), NotRecorded>> {
        if *self.record.refuses_endings.lock().unwrap() {
            return Box::pin(ready(Err(NotRecorded("the disk is full".into()))));
        }
        self.record.lines.lock().unwrap().push(Line::Ended(ending));
        Box::pin(ready(Ok(())))
    }
}

impl Approver for Person {
    fn would_open(&self, _: &Question) -> bool {
        false
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        _: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<(), Declined>> {
        self.asked.lock().unwrap().push(question.clone());
        Box::pin(ready((self.answer.lock().unwrap())(question)))
    }
}

impl Record {
    /// The one operation that was recorded since the last look.
    #[track_caller]
    pub fn take(&self) -> (Intent, Ending) {
        let lines = std::mem::take(&mut *self.lines.lock().unwrap());
        match lines.as_slice() {
            [Line::Begun(intent), Line::Ended(ending)] => (intent.clone(), ending.clone()),
            other => panic!("{other:?}"),
        }
    }
}

impl Bench {
    pub async fn new() -> Self {
        let (kernel, folder) = (Kernel::with(Setup::default()).await, tempfile::tempdir().unwrap());
        let filters = Filters::default();
        let credentials = Credentials::new(Arc::new(MemoryStore::default()), filters.clone());
        let home = folder.path().to_owned();
        let (kernels, mut found) = Kernels::new(KernelsConfig { port_file: None, home, credentials });
        let saving = kernels.clone();
        // It ends with the kernels, which hold the other side.
        tokio::spawn(async move {
            while let Some(Finding { kernel, seen, saved, .. }) = found.recv().await {
                change(&saving, |settings| {
                    let kernel = settings.kernel_mut(&kernel).unwrap();
                    if let Seen::Workspace(folder) = seen {
                        kernel.workspace = Some(folder);
                    }
                });
                let _ = saved.send(Ok(()));
            }
        });
        kernels.configure(SiyuanSettings {
            enabled: true,
            default_kernel: Some(id(LOCAL)),
            kernels: vec![KernelSettings {
                id: id(LOCAL),
                name: "SiYuan".into(),
                address: kernel.address().parse::<KernelAddress>().unwrap(),
                timeout_seconds: 60,
                port_file: None,
                pid: None,
                workspace: None,
                disabled: false,
                token: Default::default(),
                permissions: Default::default(),
                declared: Vec::new(),
                discovered: Vec::new(),
            }],
            ..SiyuanSettings::default()
        });
        let record = Arc::new(Record::default());
        let person = Arc::new(Person { answer: Mutex::new(Box::new(|_| Ok(()))), asked: Mutex::default() });
        let contract = Arc::new(Contract::new(folder.path().join("contract.json")));
        let surroundings = Surroundings {
            observer: Arc::new(Writer(record.clone())),
            approver: person.clone(),
            filters: filters.clone(),
        };
        let service = Service::new(kernels.clone(), contract, surroundings);
        Self { kernel, kernels, service, record, person, _folder: folder }
    }

    pub fn permit(&self, key: &str, permission: Permission) {
        self.permit_all(&[(key, permission)]);
    }

    pub fn permit_all(&self, permissions: &[(&str, Permission)]) {
        change(&self.kernels, |settings| {
            let kernel = settings.kernel_mut(&id(LOCAL)).unwrap();
            kernel
                .permissions
                .extend(permissions.iter().map(|(key, permission)| ((*key).to_owned(), *permission)));
        });
    }

    pub fn forget_permissions(&self) {
        change(&self.kernels, |settings| settings.kernel_mut(&id(LOCAL)).unwrap().permissions.clear());
    }

    pub fn answers(&self, answer: impl FnMut(&Question) -> Result<(), Declined> + Send + 'static) {
        *self.person.answer.lock().unwrap() = Box::new(answer);
    }

    pub async fn invoke(
        &self,
        tool: &str,
        arguments: Value,
        execution: Option<Execution>,
    ) -> Result<Output, SiyuanError> {
        let Value::Object(arguments) = arguments else { panic!("no object") };
        self.service.invoke(tool, arguments, execution).await
    }

    /// Requests that carry out a call: not those by which a kernel is recognised.
    pub fn sent(&self) -> usize {
        const RECOGNISING: &[&str] =
            &["/api/system/version", "/api/system/bootProgress", "/api/system/getWorkspaceInfo"];
        self.kernel.seen().iter().filter(|seen| !RECOGNISING.contains(&seen.path.as_str())).count()
    }
}

pub fn change(kernels: &Kernels, edit: impl FnOnce(&mut SiyuanSettings)) {
    let mut settings = SiyuanSettings::clone(&kernels.settings());
    edit(&mut settings);
    kernels.configure(settings);
}

pub fn execution(mode: WorkMode) -> Execution {
    with_policy(mode, ApprovalPolicy::Prompt)
}

pub fn with_policy(mode: WorkMode, approval: ApprovalPolicy) -> Execution {
    Execution {
        runtime: RuntimeId::new("custom").unwrap(),
        session: Some("chat 5".into()),
        call: CallId("call-1".into()),
        standing: Standing { mode, approval },
        generation: 1,
        patient: false,
        asking: watch::channel(false).0,
        cancel: CancellationToken::new(),
    }
}
