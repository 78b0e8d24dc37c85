//! `notegate siyuan contract …`: what a kernel's API offers, offline. Works whether Notegate runs or not:
//! a running instance sees an imported contract by itself.

use std::path::Path;

use serde_json::json;

use crate::cli::arguments::{Contract as Typed, ContractSearch};
use crate::cli::failure::{Exit, Failure};
use crate::cli::output::{Output, table};
use crate::core::Home;
use crate::siyuan::contract::{Catalogue, Changes, Contract, EndpointName, Found, Page, Query};

/// How many lines of each kind of change a person is shown.
const MAX_LINES: usize = 30;

pub fn run(typed: Typed, output: Output) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let contract = Contract::new(home.contract_file());
    match typed {
        Typed::Search(typed) => search(&*contract.current()?, typed, output)?,
        Typed::Show { path } => show(&*contract.current()?, &path, output)?,
        // One JSON value, with --json or without.
        Typed::Export => output.line(contract.current()?.to_text().trim_end())?,
        Typed::Import { file, kernel, yes } => {
            if yes {
                home.create()?;
            }
            import(&contract, &file, &kernel, yes, output)?;
        }
    }
    Ok(Exit::Done)
}

fn search(catalogue: &Catalogue, typed: ContractSearch, output: Output) -> Result<(), Failure> {
    let page = catalogue.search(&Query {
        path: typed.path,
        words: Some(typed.words.join(" ")),
        method: typed.method,
        role: typed.role,
        include_schema: typed.schema,
        offset: typed.offset,
        limit: Some(typed.limit),
    });
    output.result(&page, || page_text(&page))
}

fn page_text(page: &Page) -> String {
    if page.endpoints.is_empty() {
        return format!(
            "Nothing in the contract of {} fits{}.",
            page.version,
            match page.total {
                0 => String::new(),
                total => format!(" from there on; {total} do before"),
            }
        );
    }
    let row = |found: &Found| {
        let note = found.closed.map(|why| format!("closed: {why}")).or_else(|| found.note.clone());
        vec![found.method.to_string(), found.path.to_string(), effect(found).into(), note.unwrap_or_default()]
    };
    let mut text = table(&page.endpoints.iter().map(row).collect::<Vec<_>>());
    for found in page.endpoints.iter().filter(|found| found.schema.is_some()) {
        text += &format!("\n\n{}", found_text(found));
    }
    if let Some(next) = page.next_offset {
        text += &format!("\n\n{} fit; go on with --offset {next}", page.total);
    }
    text
}

fn effect(found: &Found) -> &'static str {
    if found.roles.writable { "writes" } else { "reads" }
}

fn show(catalogue: &Catalogue, path: &str, output: Output) -> Result<(), Failure> {
    let found: Vec<Found> =
        catalogue.at(path).iter().map(|endpoint| catalogue.show(endpoint, true)).collect();
    if found.is_empty() {
        let message = format!("the contract of {} knows no path {path:?}", catalogue.version());
        return Err(Failure::new("unknown_endpoint", message)
            .hint("look for it with `notegate siyuan contract search`; a path begins with /"));
    }
    let texts = || found.iter().map(found_text).collect::<Vec<_>>().join("\n\n");
    output.result(json!({"version": catalogue.version(), "endpoints": &found}), texts)
}

fn found_text(found: &Found) -> String {
    let mut lines = vec![format!("{} {}", found.method, found.path)];
    let mut line = |name: &str, value: String| lines.push(format!("  {name}: {value}"));
    if let Some(why) = found.closed {
        line("closed", why.into());
    }
    if let Some(note) = &found.note {
        line("note", note.clone());
    }
    line("permission", found.key.to_string());
    line("roles", format!("{} ({})", found.roles.words().join(", "), effect(found)));
    line("body", found.body.clone());
    for (name, kind) in &found.fields {
        lines.push(format!("    {name}: {}", kind.as_str().unwrap_or_default()));
    }
    let answer = found.channel.clone().or_else(|| found.answer.clone()).unwrap_or_else(|| "nothing".into());
    lines.push(format!("  answer: {answer}"));
    if !found.envelope.is_empty() {
        lines.push(format!("  besides, in the envelope: {}", found.envelope.join(", ")));
    }
    if let Some(schema) = &found.schema {
        lines.push(format!("  schema: {schema:#}").replace('\n', "\n  "));
    }
    lines.join("\n")
}

fn import(contract: &Contract, file: &Path, kernel: &str, yes: bool, output: Output) -> Result<(), Failure> {
    let read = contract.read(file, kernel)?;
    if yes {
        contract.replace(&read)?;
    }
    output.result(json!({"imported": yes, "changes": &read.changes}), || {
        let end = match yes {
            true => format!("The contract is now that of {}.", read.changes.to),
            false => "Nothing was replaced. Say it again with --yes to replace the contract in use.".into(),
        };
        format!("{}\n\n{end}", changes_text(&read.changes))
    })
}

fn changes_text(changes: &Changes) -> String {
    let mut text = format!("{} → {}", changes.from, changes.to);
    if changes.is_empty() {
        return text + "\nNo endpoint changes.";
    }
    let names = |list: &[EndpointName]| -> Vec<String> {
        list.iter().map(|name| format!("{} {}", name.method, name.path)).collect()
    };
    let roles = changes.roles.iter().map(|change| {
        let (before, after) = (change.before.words().join(", "), change.after.words().join(", "));
        format!("{} {}: {before} → {after}", change.endpoint.method, change.endpoint.path)
    });
    let changed = changes.changed.iter().map(|change| {
        format!("{} {}: {}", change.endpoint.method, change.endpoint.path, change.what.join("; "))
    });
    for (title, lines) in [
        ("Other roles", roles.collect()),
        ("Removed", names(&changes.removed)),
        ("Added", names(&changes.added)),
        ("Changed", changed.collect::<Vec<_>>()),
    ] {
        if lines.is_empty() {
            continue;
        }
        text += &format!("\n\n{title} ({}):", lines.len());
        for line in lines.iter().take(MAX_LINES) {
            text += &format!("\n  {line}");
        }
        if lines.len() > MAX_LINES {
            text += &format!("\n  … and {} more; --json shows all", lines.len() - MAX_LINES);
        }
    }
    text
}
