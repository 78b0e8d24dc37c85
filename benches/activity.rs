//! What recording costs a call, and reading a log of a million operations.
//!
//! `cargo bench --bench activity`. Filling the log takes about a minute.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use notegate::activity::{
    Activity, CallId, Decision, Ending, Endpoint, Intent, Log, Object, ObjectKind, Outcome, Query, Retention,
};
use notegate::secrets::filter::Filters;
use notegate::settings::RuntimeId;

const ROWS: usize = 1_000_000;

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
    runtime: tokio::runtime::Runtime,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.sqlite");
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Self { _folder: folder, path, runtime }
    }

    fn open(&self) -> Activity {
        let keep = Retention { days: 90, rows: 2 * ROWS as u64 };
        Activity::open(self.path.clone(), keep, Filters::default()).unwrap()
    }
}

fn intent(number: usize) -> Intent {
    let runtime = ["opencode", "claude-code", "codex"][number % 3];
    Intent {
        call: CallId(format!("call-{number}")),
        runtime: RuntimeId::new(runtime).unwrap(),
        session: Some(format!("session-{}", number / 1000)),
        tool: if number.is_multiple_of(1000) { "siyuan_delete" } else { "siyuan_update" }.into(),
        writes: true,
        kernel: Some(if number.is_multiple_of(5000) { "remote" } else { "local" }.into()),
        vault: None,
        endpoints: vec![Endpoint {
            key: "http POST /api/block/updateBlock".into(),
            permission: Some("allow".into()),
        }],
        decision: Decision::Direct,
        objects: vec![Object { kind: ObjectKind::Block, id: format!("20261011180002-{number:07}") }],
    }
}

async fn record(log: &Log, number: usize) {
    let operation = log.begin(intent(number)).await.unwrap();
    let outcome = if number.is_multiple_of(10_000) { Outcome::Uncertain } else { Outcome::Succeeded };
    operation.end(Ending::new(outcome, None)).await.unwrap();
}

fn recording(criterion: &mut Criterion) {
    let place = Place::new();
    let activity = place.open();
    let log = activity.log().clone();
    let mut number = 0;
    criterion.bench_function("intent and outcome of one call", |bencher| {
        bencher.iter(|| {
            number += 1;
            place.runtime.block_on(record(&log, number));
        });
    });
    criterion.bench_function("the same of 16 calls at once", |bencher| {
        bencher.iter(|| {
            number += 16;
            place.runtime.block_on(async {
                let calls = (0..16).map(|call| {
                    let log = log.clone();
                    tokio::spawn(async move { record(&log, number + call).await })
                });
                for call in calls.collect::<Vec<_>>() {
                    call.await.unwrap();
                }
            });
        });
    });
    place.runtime.block_on(activity.close());
}

fn reading(criterion: &mut Criterion) {
    let place = Place::new();
    let activity = place.open();
    let log = activity.log().clone();
    let since = Instant::now();
    place.runtime.block_on(async {
        for from in (0..ROWS).step_by(1000) {
            let calls = (from..from + 1000).map(|number| {
                let log = log.clone();
                tokio::spawn(async move { record(&log, number).await })
            });
            for call in calls.collect::<Vec<_>>() {
                call.await.unwrap();
            }
        }
    });
    tracing::info!(rows = ROWS, took = ?since.elapsed(), "the log is full");
    let text = |text: &str| Query { text: Some(text.into()), ..Query::default() };
    let kernel = || Query { kernel: Some("remote".into()), ..Query::default() };
    let cases = [
        ("newest page", Query::default()),
        ("page in the middle", Query { before: Some(ROWS as u64 / 2), ..Query::default() }),
        ("one runtime", Query { runtime: RuntimeId::new("codex").ok(), ..Query::default() }),
        ("one session", Query { session: Some("session-7".into()), ..Query::default() }),
        ("a kernel that is seldom used", kernel()),
        ("a tool that is seldom used", Query { tool: Some("siyuan_delete".into()), ..Query::default() }),
        ("what is uncertain", Query { outcome: Some(Outcome::Uncertain), ..Query::default() }),
        ("one id", text("20261011180002-0000042")),
        ("a text that is in every row", text("updateBlock")),
        ("a text that is in none", text("nowhere at all")),
        ("a text too short for the index", text("zz")),
        ("filters that share no row", Query { tool: Some("siyuan_update".into()), ..kernel() }),
    ];
    for (name, query) in cases {
        criterion.bench_function(&format!("one million rows: {name}"), |bencher| {
            bencher.iter(|| black_box(place.runtime.block_on(log.page(query.clone())).unwrap()));
        });
    }
    place.runtime.block_on(activity.close());
}

criterion_group!(benches, recording, reading);
criterion_main!(benches);
