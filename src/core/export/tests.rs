//! Files as they are written, read again.

use std::time::{Duration, SystemTime};

use super::*;
use crate::activity::{
    Activity, CallId, Decision, Ending, Endpoint, Intent, Object, ObjectKind, Outcome as CameOut, Retention,
};
use crate::secrets::filter::Filters;
use crate::settings::RuntimeId;

fn intent(tool: &str) -> Intent {
    Intent {
        call: CallId("call-1".into()),
        runtime: RuntimeId::new("opencode").unwrap(),
        session: Some("=cmd|' /C calc'!A0".into()),
        tool: tool.into(),
        writes: true,
        kernel: Some("home".into()),
        vault: None,
        endpoints: vec![Endpoint { key: "http POST /api/x".into(), permission: Some("ask".into()) }],
        decision: Decision::Approved,
        objects: vec![Object { kind: ObjectKind::Note, id: "a \"quoted\", name.md".into() }],
    }
}

/// The cells of a CSV text, by the rules of RFC 4180.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.push(chars.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                line.push(std::mem::take(&mut cell));
                lines.push(std::mem::take(&mut line));
            }
            c => cell.push(c),
        }
    }
    lines
}

async fn exported(format: ExportFormat, query: Query, rows: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let keep = Retention { days: 90, rows: 1_000_000 };
    let activity = Activity::open(folder.path().join("log"), keep, Filters::default()).unwrap();
    for row in 0..rows {
        let tool = if row % 2 == 0 { "siyuan_update" } else { "siyuan_query" };
        let operation = activity.log().begin(intent(tool)).await.unwrap();
        operation.end(Ending::new(CameOut::Succeeded, None)).await.unwrap();
    }
    let path = folder.path().join("out");
    std::fs::write(&path, "what was there before").unwrap();
    let done = export(activity.log(), query, format, path.clone(), &CancellationToken::new()).await.unwrap();
    let Reply::Exported { path: Some(written), rows } = done else { panic!("{done:?}") };
    assert_eq!(written, path);
    let text = std::fs::read_to_string(path).unwrap();
    activity.close().await;
    if format == ExportFormat::Json {
        let list: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(list.len() as u64, rows);
    }
    text
}

#[tokio::test]
async fn the_rows_that_a_filter_leaves_are_written_as_csv_the_newest_first() {
    let filter = Query { tool: Some("siyuan_update".into()), ..Query::default() };
    let text = exported(ExportFormat::Csv, filter, 3).await;
    let lines = cells(text.strip_prefix('\u{feff}').unwrap());
    assert_eq!(lines.len(), 3, "two of three rows, and their heads");
    let column = |name: &str| lines[0].iter().position(|head| head == name).unwrap();
    assert_eq!([1, 2].map(|line| lines[line][column("number")].as_str()), ["3", "1"]);
    assert_eq!(lines[1][column("session")], "'=cmd|' /C calc'!A0");
    assert_eq!(lines[1][column("objects")], "note a \"quoted\", name.md");
    assert_eq!(lines[1][column("endpoints")], "http POST /api/x (ask)");
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
}

#[tokio::test]
async fn every_page_of_the_rows_is_in_the_file() {
    let text = exported(ExportFormat::Json, Query::default(), AT_ONCE + 7).await;
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let numbers: Vec<u64> = rows.iter().map(|row| row["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=AT_ONCE as u64 + 7).rev().collect::<Vec<_>>());
    let started = rows[0]["started"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let age = SystemTime::now().duration_since(started.into()).unwrap();
    assert!(age < Duration::from_secs(600), "{age:?}");
    assert_eq!((&rows[0]["callId"], &rows[0]["decision"]), (&"call-1".into(), &"approved".into()));
}

#[tokio::test]
async fn nothing_is_left_where_a_file_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let keep = Retention { days: 90, rows: 1_000_000 };
    let activity = Activity::open(folder.path().join("log"), keep, Filters::default()).unwrap();
    let nowhere = folder.path().join("no such folder/out.csv");
    let none = CancellationToken::new();
    let failed =
        export(activity.log(), Query::default(), ExportFormat::Csv, nowhere, &none).await.unwrap_err();
    assert!(failed.code == "export" && failed.message.contains("out.csv"), "{failed:?}");
    // One that is broken off leaves what was there.
    let place = folder.path().join("kept");
    std::fs::write(&place, "kept").unwrap();
    none.cancel();
    let ended = export(activity.log(), Query::default(), ExportFormat::Csv, place.clone(), &none).await;
    assert_eq!(ended.unwrap_err().code, "closing");
    assert_eq!(std::fs::read_to_string(place).unwrap(), "kept");
    assert_eq!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|f| { f.as_ref().unwrap().file_name().to_string_lossy().starts_with(".tmp") })
            .count(),
        0
    );
    activity.close().await;
}
