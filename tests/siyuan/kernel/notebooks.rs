//! `/api/notebook`.

use serde_json::json;

use super::answer::{Answer, Arguments, Reply, fail};
use super::notes::{Notebook, Notes};

pub fn answer(
    notes: &mut Notes,
    endpoint: &str,
    read: impl Fn() -> Result<Arguments, Reply>,
) -> Option<Answer> {
    Some(match endpoint {
        // The one endpoint that takes a missing or bad body.
        "lsNotebooks" => {
            let notebooks: Vec<_> = notes.notebooks.iter().map(shown).collect();
            Ok(Reply::Data(json!({"notebooks": notebooks, "boxDocEnabled": false})))
        }
        "openNotebook" => read().and_then(|arguments| set_closed(notes, &arguments, false)),
        "closeNotebook" => read().and_then(|arguments| set_closed(notes, &arguments, true)),
        "createNotebook" => read().and_then(|arguments| {
            let name = arguments.text("name")?;
            let notebook = Notebook { id: notes.new_id(), name, closed: false, encrypted: false };
            let data = json!({"notebook": shown(&notebook)});
            notes.notebooks.push(notebook);
            Ok(Reply::Data(data))
        }),
        "getNotebookConf" => read().and_then(|arguments| {
            let id = arguments.text("notebook")?;
            match notes.notebooks.iter().find(|notebook| notebook.id == id) {
                Some(found) => {
                    Ok(Reply::Data(json!({"box": id, "name": found.name, "conf": {"closed": found.closed}})))
                }
                None => fail(&format!("notebook [{id}] not found")),
            }
        }),
        _ => return None,
    })
}

fn set_closed(notes: &mut Notes, arguments: &Arguments, closed: bool) -> Answer {
    let id = arguments.text("notebook")?;
    match notes.notebooks.iter_mut().find(|notebook| notebook.id == id) {
        Some(notebook) => notebook.closed = closed,
        None => return fail("Query notebook failed"),
    }
    notes.touch();
    Ok(Reply::Data(serde_json::Value::Null))
}

fn shown(notebook: &Notebook) -> serde_json::Value {
    json!({
        "id": notebook.id, "name": notebook.name, "icon": "1f4d4", "sort": 0, "sortMode": 15, "closed": notebook.closed,
        "subFileCount": 0, "newFlashcardCount": 0, "dueFlashcardCount": 0, "flashcardCount": 0,
        "encrypted": notebook.encrypted, "unlocked": false,
    })
}
