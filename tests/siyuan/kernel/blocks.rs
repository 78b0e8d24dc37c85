//! `/api/block`, `/api/attr` and the one export that is used: reading and writing blocks.

use serde_json::{Map, Value, json};

use super::answer::{Answer, Arguments, Reply, fail, is_id};
use super::notes::{Block, Notes, is_container};
use super::{Setup, markdown};

pub fn answer(
    notes: &mut Notes,
    setup: &Setup,
    area: &str,
    endpoint: &str,
    arguments: &Arguments,
) -> Option<Answer> {
    Some(match (area, endpoint) {
        ("block", "getBlockKramdown") => kramdown(notes, arguments),
        ("block", "getBlockKramdowns") => kramdowns(notes, arguments),
        ("block", "getChildBlocks") => child_blocks(notes, arguments),
        ("block", "getBlockInfo") => info(notes, arguments),
        ("block", "checkBlockExist") => {
            arguments.text("id").map(|id| Reply::Data(notes.document_of(&id).is_some().into()))
        }
        ("block", "insertBlock") => insert(notes, setup, arguments),
        ("block", "appendBlock") => add_below(notes, arguments, false),
        ("block", "prependBlock") => add_below(notes, arguments, true),
        ("block", "updateBlock") => update(notes, arguments),
        ("block", "deleteBlock") => delete(notes, arguments),
        ("attr", "getBlockAttrs") => attributes(notes, arguments),
        ("attr", "setBlockAttrs") => set_attributes(notes, arguments),
        ("export", "exportMdContent") => export(notes, arguments),
        _ => return None,
    })
}

/// The text of a block, or of a whole document.
fn text_of(notes: &Notes, id: &str, show: fn(&Block) -> String) -> Option<String> {
    if let Some(block) = notes.block(id) {
        return Some(show(block));
    }
    let document = notes.document_of(id)?;
    Some(document.blocks.iter().map(show).collect::<Vec<_>>().join("\n\n"))
}

fn kramdown(notes: &Notes, arguments: &Arguments) -> Answer {
    let id = arguments.id("id")?;
    if !matches!(arguments.optional("mode"), None | Some("md" | "textmark")) {
        return fail("Invalid mode");
    }
    // What does not exist reads as empty.
    let text = text_of(notes, &id, markdown::kramdown).unwrap_or_default();
    Ok(Reply::Data(json!({"id": id, "kramdown": text})))
}

fn kramdowns(notes: &Notes, arguments: &Arguments) -> Answer {
    let ids = arguments.texts("ids")?;
    if !ids.iter().all(|id| is_id(id)) {
        return Err(Reply::Silent);
    }
    let found = ids.into_iter().filter_map(|id| {
        let text = text_of(notes, &id, markdown::kramdown)?;
        Some((id, text.into()))
    });
    Ok(Reply::Data(Value::Object(found.collect::<Map<_, _>>())))
}

fn child_blocks(notes: &Notes, arguments: &Arguments) -> Answer {
    let id = arguments.text("id")?;
    let document = notes.document_of(&id);
    let below: Vec<&Block> = match notes.block(&id) {
        Some(block) if block.kind == "h" => {
            let after = document.into_iter().flat_map(|document| &document.blocks);
            after
                .skip_while(|other| other.id != id)
                .skip(1)
                .take_while(|other| other.kind != "h" || other.subtype > block.subtype)
                .collect()
        }
        Some(block) => block.children.iter().collect(),
        None => document.into_iter().flat_map(|document| &document.blocks).collect(),
    };
    let shown = below.into_iter().map(|block| {
        let mut shown = json!({"id": block.id, "type": block.kind});
        for (name, value) in [
            ("subType", block.subtype.clone()),
            ("content", markdown::content(block)),
            ("markdown", markdown::markdown(block)),
        ] {
            if !value.is_empty() {
                shown[name] = value.into();
            }
        }
        shown
    });
    Ok(Reply::Data(shown.collect()))
}

fn info(notes: &Notes, arguments: &Arguments) -> Answer {
    let id = arguments.text("id")?;
    let Some(document) = notes.document_of(&id) else {
        let closed = notes.documents.values().any(|document| document.id == id);
        return fail(&if closed { String::new() } else { format!("Content block with id [{id}] not found") });
    };
    let top = document.blocks.iter().find(|block| block.id == id).map_or(&document.id, |block| &block.id);
    Ok(Reply::Data(json!({
        "box": document.notebook, "path": notes.path(document), "rootID": document.id, "rootTitle": document.title,
        "rootTitleEmpty": false, "rootChildID": top, "rootIcon": "",
    })))
}

fn export(notes: &Notes, arguments: &Arguments) -> Answer {
    let id = arguments.bound("id")?;
    if !is_id(&id) {
        return fail("invalid ID argument");
    }
    let hpath = notes.document_of(&id).map(|document| notes.hpath(document)).unwrap_or_default();
    let text = text_of(notes, &id, markdown::markdown).unwrap_or_default();
    Ok(Reply::Data(json!({"hPath": hpath, "content": text})))
}

fn insert(notes: &mut Notes, setup: &Setup, arguments: &Arguments) -> Answer {
    let blocks = read_blocks(notes, arguments)?;
    let (next, previous) = (arguments.anchor("nextID")?, arguments.anchor("previousID")?);
    let parent = arguments.anchor("parentID")?;
    let beside = next.clone().or(previous.clone());
    if let Some(beside) = beside {
        let Some(parent) = notes.parent_of(&beside) else { return lost_anchor(setup) };
        let after = usize::from(next.is_none());
        let reply = inserted(&blocks, &parent);
        if !notes.lose_writes
            && let Some((list, place)) = notes.place_of(&beside)
        {
            list.splice(place + after..place + after, blocks);
            notes.touch();
        }
        return Ok(reply);
    }
    match parent {
        Some(parent) => put(notes, &parent, blocks, true),
        None => lost_anchor(setup),
    }
}

/// An anchor that is not there: before 3.8 a success with an empty id, and nothing is written.
fn lost_anchor(setup: &Setup) -> Answer {
    match setup.generation {
        super::Generation::V3_7_3 => Ok(transactions("insert", "", "", json!(""), "")),
        super::Generation::V3_8_6 => fail("block not found"),
    }
}

fn add_below(notes: &mut Notes, arguments: &Arguments, first: bool) -> Answer {
    let blocks = read_blocks(notes, arguments)?;
    let parent = arguments.id("parentID")?;
    put(notes, &parent, blocks, first)
}

fn put(notes: &mut Notes, parent: &str, blocks: Vec<Block>, first: bool) -> Answer {
    if notes.document_of(parent).is_none() {
        return fail(&format!("parent block not found: {parent}"));
    }
    if notes.block(parent).is_some_and(|block| !is_container(block.kind)) {
        return fail("this block cannot have children, please use [previousID] instead");
    }
    let reply = inserted(&blocks, parent);
    if !notes.lose_writes
        && let Some(list) = notes.children_mut(parent)
    {
        let place = if first { 0 } else { list.len() };
        list.splice(place..place, blocks);
        notes.touch();
    }
    Ok(reply)
}

/// Markdown, or anything else: then it is taken for the editor's HTML, and one odd paragraph comes of it.
fn read_blocks(notes: &mut Notes, arguments: &Arguments) -> Result<Vec<Block>, Reply> {
    let (data, kind) = (arguments.text("data")?, arguments.text("dataType")?);
    let mut blocks = markdown::parse(&data, &mut || notes.new_id());
    if kind != "markdown" {
        blocks.truncate(1);
    }
    match blocks.iter().find(|block| !is_id(&block.id)) {
        Some(bad) => fail(&format!("data block DOM failed: found invalid ID [{}]", bad.id)),
        None => Ok(blocks),
    }
}

fn inserted(blocks: &[Block], parent: &str) -> Reply {
    let html: String = blocks.iter().map(markdown::dom).collect();
    transactions("insert", &blocks[0].id, parent, html.into(), "")
}

fn update(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let id = arguments.id("id")?;
    let blocks = read_blocks(notes, arguments)?;
    let lost = notes.lose_writes;
    if notes.documents.contains_key(&id) && notes.block(&id).is_none() {
        let document = notes.documents.get_mut(&id).unwrap();
        let deleted = document.blocks.iter().map(|block| json!({"action": "delete", "id": block.id}));
        let html: String = blocks.iter().map(markdown::dom).collect();
        let insert = json!({"action": "insert", "id": blocks[0].id, "parentID": id, "data": html});
        let operations: Vec<_> = deleted.chain([insert]).collect();
        if !lost {
            document.blocks = blocks;
            notes.touch();
        }
        return Ok(Reply::Data(
            json!([{"timestamp": 0, "doOperations": operations, "undoOperations": null}]),
        ));
    }
    let Some(block) = notes.block_mut(&id) else { return fail("get block failed: tree not found") };
    // Of several blocks only the first counts, and the attributes are its.
    let new = Block { id: id.clone(), ..blocks.into_iter().next().unwrap() };
    let reply = transactions("update", &id, "", markdown::dom(&new).into(), "");
    if !lost {
        *block = new;
        notes.touch();
    }
    Ok(reply)
}

/// Never fails: neither for an id that is not there nor for a document, which stays.
fn delete(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let id = arguments.id("id")?;
    if !notes.lose_writes
        && let Some((list, place)) = notes.place_of(&id)
    {
        list.remove(place);
        notes.touch();
    }
    Ok(transactions("delete", &id, "", Value::Null, ""))
}

fn attributes(notes: &Notes, arguments: &Arguments) -> Answer {
    let id = arguments.id("id")?;
    let known = notes.block(&id).map(|block| &block.attributes);
    let known = known.or_else(|| notes.document_of(&id).map(|document| &document.attributes));
    let mut shown: Map<String, Value> = Map::new();
    for (name, value) in known.into_iter().flatten() {
        shown.insert(name.clone(), value.as_str().into());
    }
    if known.is_some() {
        shown.insert("id".to_owned(), id.into());
    }
    Ok(Reply::Data(shown.into()))
}

fn set_attributes(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let id = arguments.id("id")?;
    let changes = arguments.cast("attrs", |value| value.as_object().cloned())?;
    if let Some((name, _)) = changes.iter().find(|(_, value)| !value.is_string() && !value.is_null()) {
        return fail(&format!("the value of attr [{name}] must be a string"));
    }
    let block = notes.block(&id).is_some();
    let known = if block {
        notes.block_mut(&id).map(|block| &mut block.attributes)
    } else {
        notes.documents.get_mut(&id).map(|document| &mut document.attributes)
    };
    let Some(known) = known else { return fail("tree not found") };
    for (name, value) in changes {
        match value.as_str() {
            None | Some("") => known.remove(&name),
            Some(value) => known.insert(name, value.to_owned()),
        };
    }
    notes.touch();
    Ok(Reply::Data(Value::Null))
}

/// The answer to a write: one transaction with one operation.
fn transactions(action: &str, id: &str, parent: &str, data: Value, previous: &str) -> Reply {
    Reply::Data(json!([{
        "timestamp": 0,
        "doOperations": [{
            "action": action, "data": data, "id": id, "rootID": "", "parentID": parent, "previousID": previous,
            "nextID": "", "retData": null, "blockIDs": null, "blockID": "", "avID": "", "srcIDs": null, "srcs": null,
            "name": "", "type": "", "context": null,
        }],
        "undoOperations": null,
    }]))
}
