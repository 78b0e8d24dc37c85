//! The log on real files: what is recorded, what is found again, and what happens when the disk says no.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::query::{Statement, read};
use super::store::{Change, Store};
use super::*;
use crate::secrets::filter::Filters;
use crate::secrets::{Purpose, Secret};
use crate::settings::RuntimeId;

struct Fixture {
    folder: tempfile::TempDir,
    filters: Filters,
}

const KEEP: Retention = Retention { days: 90, rows: 1_000_000 };

impl Fixture {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), filters: Filters::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("activity.sqlite")
    }

    fn open(&self) -> Activity {
        Activity::open(self.path(), KEEP, self.filters.clone()).unwrap()
    }

    fn store(&self) -> Store {
        Store::open(&self.path()).unwrap().0
    }

    fn page(&self, query: &Query) -> Page {
        read(&schema::open_to_read(&self.path()).unwrap(), query).unwrap()
    }
}

fn intent(tool: &str) -> Intent {
    Intent {
        call: CallId("c".into()),
        runtime: RuntimeId::new("opencode").unwrap(),
        session: Some("s-1".into()),
        tool: tool.into(),
        writes: true,
        kernel: Some("local".into()),
        vault: None,
        endpoints: vec![Endpoint {
            key: "http POST /api/block/updateBlock".into(),
            permission: Some("ask".into()),
        }],
        decision: Decision::Approved,
        objects: vec![Object { kind: ObjectKind::Block, id: "20261011180002-abcdefg".into() }],
    }
}

fn outcomes(page: &Page) -> Vec<(&str, Outcome)> {
    page.records.iter().map(|record| (record.tool.as_str(), record.outcome)).collect()
}

/// Fills a log with `count` rows, all from now.
fn fill(store: &mut Store, count: usize, intent: impl Fn(usize) -> Intent) {
    let operation = OperationId("o".into());
    for from in (0..count).step_by(1000) {
        let intents: Vec<_> = (from..count.min(from + 1000)).map(&intent).collect();
        let changes: Vec<_> = intents
            .iter()
            .map(|intent| Change::Begin {
                operation: &operation,
                started: SystemTime::now(),
                intent,
                refused: Some("code"),
            })
            .collect();
        store.apply(&changes).unwrap();
    }
}

#[tokio::test]
async fn an_operation_is_recorded_before_it_is_sent_and_again_when_it_has_ended() {
    let fixture = Fixture::new();
    let activity = fixture.open();
    let log = activity.log();
    let operation = log.begin(intent("siyuan_update")).await.unwrap();
    let running = log.page(Query::default()).await.unwrap();
    assert_eq!(outcomes(&running), [("siyuan_update", Outcome::Running)]);
    assert_eq!(running.records[0].duration, None);

    let made = Object { kind: ObjectKind::Document, id: "20261011180009-newdocu".into() };
    let ending = Ending { objects: vec![made.clone()], ..Ending::new(Outcome::Failed, Some("timeout")) };
    let id = operation.id().clone();
    operation.end(ending).await.unwrap();
    let page = log.page(Query::default()).await.unwrap();
    let [record] = &page.records[..] else { panic!("{page:?}") };
    let expected = intent("siyuan_update");
    assert_eq!(
        (&record.operation, &record.call, &record.runtime, &record.session),
        (&id, &expected.call, &expected.runtime, &expected.session)
    );
    assert_eq!((&record.kernel, &record.endpoints), (&expected.kernel, &expected.endpoints));
    assert_eq!((record.decision, record.writes), (Decision::Approved, true));
    assert_eq!((record.outcome, record.code.as_deref()), (Outcome::Failed, Some("timeout")));
    assert_eq!(record.objects, [expected.objects[0].clone(), made]);
    assert!(record.duration.is_some() && record.started <= SystemTime::now());
    let found = log.page(Query { text: Some("18-NEWDOCU".into()), ..Query::default() }).await.unwrap();
    assert!(found.records.is_empty());
    let found = log.page(Query { text: Some("09-NEWDOCU".into()), ..Query::default() }).await.unwrap();
    assert_eq!(found.records.len(), 1, "what the answer told is found as well");
    activity.close().await;
}

#[tokio::test]
async fn no_secret_comes_into_the_file() {
    let fixture = Fixture::new();
    let key = Secret::generate(Purpose::RuntimeKey).unwrap();
    let token = "kernel token 1";
    fixture.filters.set("kernel", Secret::from_text(token));
    let activity = fixture.open();
    let (log, hidden) = (activity.log(), format!("{} {}", key.reveal(), hex::encode(token)));
    let object = |id: &str| Object { kind: ObjectKind::Note, id: id.to_owned() };
    let everywhere = Intent {
        session: Some(hidden.clone()),
        kernel: Some(hidden.clone()),
        vault: Some(hidden.clone()),
        endpoints: vec![Endpoint { key: hidden.clone(), permission: None }],
        objects: vec![object(&hidden)],
        ..intent(&hidden)
    };
    log.refuse(everywhere.clone(), "code").await;
    let ending = Ending { objects: vec![object(&hidden)], ..Ending::new(Outcome::Succeeded, None) };
    log.begin(everywhere).await.unwrap().end(ending).await.unwrap();
    assert!(format!("{:?}", log.page(Query::default()).await.unwrap()).contains("[redacted] [redacted]"));
    for file in std::fs::read_dir(fixture.folder.path()).unwrap().map(Result::unwrap) {
        let bytes = std::fs::read(file.path()).unwrap();
        for secret in [&key.reveal()[..20], token, &hex::encode(token)[..20]] {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{file:?}: {secret}");
        }
    }
    activity.close().await;
}

#[tokio::test]
async fn an_operation_that_nobody_ends_is_uncertain_if_it_writes() {
    let fixture = Fixture::new();
    let activity = fixture.open();
    let log = activity.log();
    drop(log.begin(intent("writes")).await.unwrap());
    drop(log.begin(Intent { writes: false, ..intent("reads") }).await.unwrap());
    {
        // Given up while the intent is being written.
        let giving_up = log.begin(intent("given up"));
        tokio::pin!(giving_up);
        assert!(futures_util::poll!(giving_up.as_mut()).is_pending());
    }
    log.refuse(intent("refused"), "read_only_mode").await;
    let mut status = log.watch();
    let page = loop {
        let page = log.page(Query::default()).await.unwrap();
        if page.records.iter().all(|record| record.outcome != Outcome::Running) {
            break page;
        }
        status.changed().await.unwrap();
    };
    assert_eq!(
        outcomes(&page),
        [
            ("refused", Outcome::Refused),
            ("given up", Outcome::Cancelled),
            ("reads", Outcome::Cancelled),
            ("writes", Outcome::Uncertain)
        ]
    );
    activity.close().await;
}

#[tokio::test]
async fn what_a_dead_process_left_running_is_uncertain_at_the_next_start() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    let operation = OperationId("o".into());
    let intent = intent("siyuan_update");
    let begin =
        Change::Begin { operation: &operation, started: SystemTime::now(), intent: &intent, refused: None };
    store.apply(&[begin]).unwrap();
    drop(store); // as a process that is killed leaves it
    let activity = fixture.open();
    let page = activity.log().page(Query::default()).await.unwrap();
    assert_eq!(outcomes(&page), [("siyuan_update", Outcome::Uncertain)]);
    activity.close().await;
    assert_eq!(std::fs::read_dir(fixture.folder.path()).unwrap().count(), 1, "a closed log is one file");
}

#[tokio::test]
async fn a_damaged_log_refuses_calls_until_it_is_moved_away() {
    let fixture = Fixture::new();
    let damaged = "not a database, but long enough to be taken for one ".repeat(20);
    std::fs::write(fixture.path(), &damaged).unwrap();
    let activity = fixture.open();
    let log = activity.log();
    for _ in 0..2 {
        let error = log.begin(intent("t")).await.unwrap_err();
        assert!(matches!(&error, ActivityError::Broken { path, .. } if *path == fixture.path()), "{error}");
        assert!(error.to_string().contains("Move it away"), "{error}");
        assert_eq!(log.page(Query::default()).await.unwrap_err(), error);
        assert_eq!(log.watch().borrow().problem, Some(error));
    }
    assert_eq!(std::fs::read_to_string(fixture.path()).unwrap(), damaged, "it was not touched");
    std::fs::rename(fixture.path(), fixture.folder.path().join("kept")).unwrap();
    log.begin(intent("t")).await.unwrap().end(Ending::new(Outcome::Succeeded, None)).await.unwrap();
    assert_eq!(log.watch().borrow().problem, None);
    let page = log.page(Query::default()).await.unwrap();
    assert_eq!(outcomes(&page), [("t", Outcome::Succeeded)]);
    activity.close().await;
}

#[tokio::test]
async fn many_at_once_are_all_recorded_and_after_the_end_nothing_is() {
    let fixture = Fixture::new();
    let activity = fixture.open();
    let log = activity.log().clone();
    let calls = (0..300).map(|number| {
        let log = log.clone();
        tokio::spawn(async move {
            let operation = log.begin(intent(&format!("tool-{number}"))).await.unwrap();
            operation.end(Ending::new(Outcome::Succeeded, None)).await.unwrap();
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    let page = log.page(Query { limit: Some(500), ..Query::default() }).await.unwrap();
    assert_eq!(page.records.len(), 300);
    assert!(page.records.iter().all(|record| record.outcome == Outcome::Succeeded));
    let mut operations: Vec<_> = page.records.iter().map(|record| &record.operation).collect();
    operations.sort();
    operations.dedup();
    assert_eq!(operations.len(), 300, "every operation has a name of its own");
    activity.close().await;
    assert_eq!(log.begin(intent("late")).await.unwrap_err(), ActivityError::Closed);
}

#[test]
fn pages_follow_each_other_without_gap_or_repetition() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    fill(&mut store, 25, |n| intent(if n % 2 == 0 { "even" } else { "odd" }));
    let mut query = Query { limit: Some(4), tool: Some("odd".into()), ..Query::default() };
    let mut seen = Vec::new();
    loop {
        let page = fixture.page(&query);
        seen.extend(page.records.iter().map(|record| record.number));
        // What comes meanwhile does not move what was there.
        fill(&mut store, 2, |_| intent("odd"));
        match page.next {
            Some(next) => query.before = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, [24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2]);
    let newer = fixture.page(&Query { after: Some(25), limit: Some(3), ..Query::default() });
    assert!(newer.records.iter().all(|record| record.number > 25) && newer.next.is_some());
}

#[test]
fn every_filter_finds_its_rows_and_no_others() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    let note = Object { kind: ObjectKind::Note, id: "日记/海边旅行 100%.md".into() };
    fill(&mut store, 1, |_| intent("a"));
    fill(&mut store, 1, |_| Intent {
        runtime: RuntimeId::new("codex").unwrap(),
        session: None,
        kernel: None,
        vault: Some("v".into()),
        endpoints: Vec::new(),
        objects: vec![note.clone()],
        ..intent("b")
    });
    let text = |text: &str| Query { text: Some(text.into()), ..Query::default() };
    let cases = [
        (Query { runtime: RuntimeId::new("codex").ok(), ..Query::default() }, "b"),
        (Query { session: Some("s-1".into()), ..Query::default() }, "a"),
        (Query { kernel: Some("local".into()), ..Query::default() }, "a"),
        (Query { tool: Some("b".into()), ..Query::default() }, "b"),
        (Query { outcome: Some(Outcome::Refused), ..Query::default() }, "ba"),
        (Query { outcome: Some(Outcome::Failed), ..Query::default() }, ""),
        (text("API/Block/"), "a"),
        (text("海边旅"), "b"),
        (text("海边"), "b"),
        (text("0%"), "b"),
        (text("100%"), "b"),
        (text("1_0"), ""),
        (text("\"api\" OR x"), ""),
        (text("opencode"), "a"),
        (text("  "), "ba"),
        (
            Query { runtime: RuntimeId::new("codex").ok(), session: Some("s-1".into()), ..Query::default() },
            "",
        ),
        (Query { tool: Some("b".into()), kernel: Some("local".into()), ..Query::default() }, ""),
        (Query { kernel: Some("local".into()), tool: Some("a".into()), ..text("POST") }, "a"),
        (Query { runtime: RuntimeId::new("codex").ok(), ..text("海边") }, "b"),
    ];
    for (query, expected) in cases {
        let page = fixture.page(&query);
        let tools: String = page.records.iter().map(|record| record.tool.as_str()).collect();
        assert_eq!(tools, expected, "{query:?}");
    }
}

#[test]
fn each_filter_reads_an_index_in_order_and_sorts_nothing() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    fill(&mut store, 3000, |n| intent(if n % 100 == 0 { "rare" } else { "usual" }));
    let connection = schema::open(&fixture.path()).unwrap();
    let plans = |connection: &rusqlite::Connection| {
        for (query, expected) in [
            (Query::default(), "SEARCH o USING INTEGER PRIMARY KEY"),
            (
                Query { session: Some("s".into()), ..Query::default() },
                "SEARCH o USING INDEX by_session (session=?",
            ),
            (
                Query { runtime: RuntimeId::new("r").ok(), ..Query::default() },
                "USING INDEX by_runtime (runtime=?",
            ),
            (Query { kernel: Some("k".into()), ..Query::default() }, "USING INDEX by_kernel (kernel=?"),
            (Query { tool: Some("t".into()), ..Query::default() }, "USING INDEX by_tool (tool=?"),
            (
                Query { outcome: Some(Outcome::Failed), ..Query::default() },
                "USING INDEX by_outcome (outcome=?",
            ),
            (Query { text: Some("abc".into()), ..Query::default() }, "SCAN words VIRTUAL TABLE INDEX"),
            // Of several the one that leaves least leads.
            (
                Query { session: Some("s".into()), tool: Some("t".into()), ..Query::default() },
                "USING INDEX by_session (session=?",
            ),
            (
                Query { tool: Some("t".into()), outcome: Some(Outcome::Succeeded), ..Query::default() },
                "USING INDEX by_tool (tool=?",
            ),
            (
                Query { tool: Some("t".into()), outcome: Some(Outcome::Failed), ..Query::default() },
                "USING INDEX by_outcome (outcome=?",
            ),
        ] {
            let Statement { sql, .. } = query.statement();
            let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let count = explain.parameter_count();
            let plan: Vec<String> = explain
                .query_map(rusqlite::params_from_iter(vec![1; count]), |row| row.get(3))
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            let plan = plan.join(" | ");
            assert!(plan.contains(expected), "{query:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN o"), "{query:?}: {plan}");
        }
    };
    plans(&connection);
    connection.execute_batch("ANALYZE").unwrap();
    plans(&schema::open(&fixture.path()).unwrap());
}

#[test]
fn a_page_that_finds_little_says_where_to_go_on() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    fill(&mut store, 1, |_| intent("looked for"));
    fill(&mut store, 20_100, |_| Intent { tool: "other".into(), objects: Vec::new(), ..intent("") });
    // Two characters are too few for the index, so rows are looked at one by one.
    let mut query = Query { text: Some("ok".into()), ..Query::default() };
    let first = fixture.page(&query);
    assert!(first.records.is_empty());
    query.before = first.next;
    let second = fixture.page(&query);
    assert_eq!((second.records.len(), second.next), (1, None));
}

#[test]
fn rows_go_when_they_are_old_or_too_many_a_few_at_a_time() {
    let fixture = Fixture::new();
    let mut store = fixture.store();
    let now = SystemTime::now();
    let running = OperationId("o".into());
    let kept = intent("still running");
    let begin = Change::Begin { operation: &running, started: now, intent: &kept, refused: None };
    store.apply(&[begin]).unwrap();
    fill(&mut store, 1200, |_| intent("ended"));
    let few = Retention { days: 1, rows: 100 };
    let mut rounds = 1;
    while store.tidy(few, now).unwrap() {
        rounds += 1;
    }
    assert_eq!(rounds, 3);
    let all = |query| fixture.page(&Query { limit: Some(500), ..query }).records;
    assert_eq!(all(Query::default()).len(), 101, "the newest hundred, and what still runs");
    assert_eq!(all(Query { text: Some("ended".into()), ..Query::default() }).len(), 100);
    let tomorrow = now + Duration::from_secs(24 * 3600 + 60);
    store.tidy(few, tomorrow).unwrap();
    assert_eq!(all(Query::default()).len(), 1);
    // A number is never given twice, so that where a page ended stays true.
    fill(&mut store, 1, |_| intent("next"));
    assert_eq!(all(Query::default())[0].number, 1202);
}

/// A row in a file that has no name any more is gone with the process.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_recorded_in_a_file_that_was_taken_away() {
    let fixture = Fixture::new();
    let activity = fixture.open();
    let operation = activity.log().begin(intent("a")).await.unwrap();
    operation.end(Ending::new(Outcome::Succeeded, None)).await.unwrap();
    std::fs::remove_file(fixture.path()).unwrap();
    let refused = activity.log().begin(intent("b")).await.map(drop);
    assert!(matches!(refused, Err(ActivityError::Gone { .. })), "{refused:?}");
    activity.close().await;
}
