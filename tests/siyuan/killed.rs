//! The gateway is killed in the middle of many writes: whatever had gone out stands in the record, what nobody saw
//! the end of is uncertain, and nothing is sent again.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::home::{Home, Process};
use crate::kernel::Kernel;
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::DOCUMENT;
use crate::kernel::origin::Seen;

const WRITES: usize = 200;
/// After so many the kernel answers no more.
const ANSWERED: usize = 90;
const AT_A_TIME: usize = 12;
const UPDATE: &str = "/api/block/updateBlock";

fn updated(seen: &Seen) -> String {
    seen.json()["id"].as_str().unwrap().to_owned()
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// Every operation of the record that names a block, as id → outcome.
fn recorded(home: &Home) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut before: Option<String> = None;
    loop {
        let mut arguments = vec!["activity", "--limit", "100"];
        if let Some(before) = &before {
            arguments.extend(["--before", before]);
        }
        let page = home.json(&arguments);
        let records = page["records"].as_array().unwrap().clone();
        for record in &records {
            for object in record["objects"].as_array().unwrap() {
                let id = object["id"].as_str().unwrap().to_owned();
                let other = found.insert(id.clone(), record["outcome"].as_str().unwrap().to_owned());
                assert!(other.is_none(), "{id} twice");
            }
        }
        match records.last() {
            Some(last) => before = Some(last["number"].to_string()),
            None => return found,
        }
    }
}

#[tokio::test]
async fn killed_between_intent_and_outcome_no_write_is_unrecorded_and_none_is_sent_again() {
    let kernel = Kernel::start().await;
    let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let address = kernel.address();
    let text = (0..WRITES).map(|number| format!("Paragraph {number}.")).collect::<Vec<_>>().join("\n\n");
    let append = json!({"dataType": "markdown", "data": text, "parentID": DOCUMENT});
    let answer = http.post(format!("{address}/api/block/appendBlock")).json(&append).send().await.unwrap();
    assert_eq!(answer.json::<Value>().await.unwrap()["code"], 0);
    let blocks: Vec<String> = {
        let notes = kernel.notes();
        let all = notes.documents[DOCUMENT].blocks.iter();
        all.filter(|block| block.markdown.starts_with("Paragraph")).map(|block| block.id.clone()).collect()
    };
    assert_eq!(blocks.len(), WRITES);
    let (home, key) = blocking(move || {
        let home = Home::new();
        home.json(&["siyuan", "kernel", "add", "local", "--address", &address]);
        home.json(&["siyuan", "kernel", "default", "local"]);
        home.json(&["siyuan", "enable"]);
        home.json(&["siyuan", "permission", "local", &format!("http POST {UPDATE}"), "allow"]);
        let added = home.json(&["runtime", "add", "custom", "--mode", "execute", "--assign", "siyuan"]);
        (home, added["key"].as_str().unwrap().to_owned())
    })
    .await;
    let (home, mut serving) = blocking(move || {
        let serving = home.serve();
        (home, serving)
    })
    .await;
    let url = serving.text("mcp").trim_end_matches("/mcp").to_owned() + "/tools/siyuan_update";

    let mut waiting = blocks.clone().into_iter();
    let mut running = JoinSet::new();
    let mut call = |running: &mut JoinSet<_>| {
        let Some(id) = waiting.next() else { return };
        let request = http.post(&url).bearer_auth(&key);
        let request = request.json(&json!({"action": "block", "id": id, "data": "changed"}));
        running.spawn(async move {
            let answer = request.send().await?.json::<Value>().await?;
            Ok::<_, reqwest::Error>((id, answer))
        });
    };
    for _ in 0..AT_A_TIME {
        call(&mut running);
    }
    let mut succeeded = HashSet::new();
    while succeeded.len() < ANSWERED {
        let (id, answer) = running.join_next().await.unwrap().unwrap().unwrap();
        assert_eq!(answer["isError"], false, "{answer}");
        succeeded.insert(id);
        call(&mut running);
    }
    kernel.fault(UPDATE, Fault::Hold);
    let known = kernel.seen_at(UPDATE).len();
    // What the kernel answered before the fault still comes; each makes room for one that it holds.
    while kernel.seen_at(UPDATE).len() < known + AT_A_TIME / 2 {
        tokio::select! {
            Some(done) = running.join_next() => {
                let (id, answer) = done.unwrap().unwrap();
                assert_eq!(answer["isError"], false, "{answer}");
                succeeded.insert(id);
                call(&mut running);
            }
            () = kernel.seen_more_than(kernel.seen().len()) => {}
        }
    }
    let (home, serving) = blocking(move || {
        serving.kill();
        (home, serving)
    })
    .await;
    drop::<Process>(serving);
    while let Some(done) = running.join_next().await {
        if let Ok((id, answer)) = done.unwrap() {
            assert_eq!(answer["isError"], false, "{answer}");
            succeeded.insert(id);
        }
    }

    let sent: Vec<String> = kernel.seen_at(UPDATE).iter().map(updated).collect();
    let (home, record) = blocking(move || {
        let record = recorded(&home);
        (home, record)
    })
    .await;
    for id in &sent {
        let outcome = record.get(id).unwrap_or_else(|| panic!("{id} was sent and is not in the record"));
        let expected: &[&str] =
            if succeeded.contains(id) { &["succeeded"] } else { &["succeeded", "uncertain"] };
        assert!(expected.contains(&outcome.as_str()), "{id}: {outcome}");
    }
    let uncertain = record.values().filter(|outcome| *outcome == "uncertain").count();
    assert!(uncertain >= AT_A_TIME / 2, "{uncertain} of {} are uncertain", record.len());
    assert!(
        record.values().all(|outcome| ["succeeded", "uncertain"].contains(&outcome.as_str())),
        "{record:?}"
    );

    // A new start sends nothing of it, and the record stays as it is.
    kernel.heal(UPDATE);
    let again = blocking(move || {
        let _serving = home.serve();
        recorded(&home)
    })
    .await;
    assert_eq!(again, record);
    let after: Vec<String> = kernel.seen_at(UPDATE).iter().map(updated).collect();
    assert_eq!(after, sent);
    assert_eq!(sent.iter().collect::<HashSet<_>>().len(), sent.len(), "each was sent once");
}
