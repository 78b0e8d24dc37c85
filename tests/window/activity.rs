//! The activity page over a real log.

use std::fs;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, OutputCommand};
use egui_kittest::kittest::Queryable;
use notegate::core::{
    Capability, Command, KernelDraft, KernelId, Language, Permission, Picked, Reply, RuntimeKind,
    SessionLabel, WorkMode,
};
use notegate::tools::{Call, Way};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::kernel::Kernel;
use crate::kernel::notes_ids::CHILD;
use crate::world::{Screen, World};

const LIST: &str = "obsidian_list_vaults";

fn call(world: &World, tool: &str, arguments: &Value) -> bool {
    let arguments = arguments.as_object().unwrap().clone();
    match world.ask(Command::CallTool { tool: tool.into(), arguments, mode: WorkMode::Execute }) {
        Reply::ToolResult { is_error, .. } => !is_error,
        other => panic!("{other:?}"),
    }
}

fn world() -> World {
    let world = World::with_vaults(&["Work"]);
    world.ask(Command::SetLanguage { language: Some(Language::English) });
    world.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true });
    world
}

/// A kernel on this computer from which everything may be read and written.
fn with_kernel(world: &World) -> Kernel {
    let kernel = world.wait(Kernel::start());
    let address = kernel.address().parse().unwrap();
    let draft =
        KernelDraft { name: "Notes".into(), address, timeout_seconds: 60, port_file: None, pid: None };
    world.ask(Command::AddKernel { kernel: None, draft });
    world.ask(Command::SetEnabled { capability: Capability::Siyuan, enabled: true });
    let permissions = [("http POST /api/block/getBlockKramdown".to_owned(), Permission::Allow)].into();
    world.ask(Command::SetPermissions { kernel: KernelId::new("local").unwrap(), permissions });
    kernel
}

fn rows(screen: &Screen) -> Vec<String> {
    screen.words(Role::Row).into_iter().filter(|name| !name.is_empty()).collect()
}

fn choose(screen: &mut Screen, what: &str, value: &str) {
    screen.node(Role::ComboBox, what).click_accesskit();
    screen.until("the options", |screen| screen.has(Role::ListBoxOption, value));
    screen.node(Role::ListBoxOption, value).click_accesskit();
    screen.harness.run();
}

#[test]
fn calls_appear_as_they_are_made_the_newest_first_and_are_filtered() {
    let world = world();
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("nothing yet", |screen| screen.has(Role::Label, "No call was recorded yet"));

    call(&world, LIST, &json!({}));
    screen.until("the first", |screen| rows(screen).len() == 1);
    call(&world, "obsidian_read_note", &json!({"path": "no such note.md"}));
    screen.until("the second", |screen| rows(screen).len() == 2);
    assert!(rows(&screen)[0].starts_with("obsidian_read_note, Failed"), "{:?}", rows(&screen));
    assert!(rows(&screen)[1].starts_with("obsidian_list_vaults, Succeeded"), "{:?}", rows(&screen));
    assert!(screen.has(Role::Status, "2 calls"));

    choose(&mut screen, "Outcome", "Failed");
    screen.until("one is left", |screen| rows(screen).len() == 1);
    assert!(screen.has(Role::Status, "One call"));
    screen.press("Clear filters");
    screen.until("all again", |screen| rows(screen).len() == 2);
    choose(&mut screen, "Tool", LIST);
    screen.until("one is left", |screen| rows(screen)[0].starts_with(LIST) && rows(screen).len() == 1);
    screen.press("Clear filters");
    screen.until("all again", |screen| rows(screen).len() == 2);

    screen.harness.get_by_role_and_label(Role::SearchInput, "Search the activity").focus();
    screen.harness.run();
    screen.harness.get_by_role_and_label(Role::SearchInput, "Search the activity").type_text("such note");
    screen.until("what was searched", |screen| rows(screen).len() == 1);
    assert!(rows(&screen)[0].starts_with("obsidian_read_note"));
    screen.harness.get_by_role_and_label(Role::SearchInput, "Search the activity").type_text(" of mine");
    screen.until("nothing fits", |screen| screen.has(Role::Label, "Nothing that was recorded fits"));
}

#[test]
fn the_details_of_a_row_tell_the_decision_and_ids_and_are_reached_by_the_keyboard() {
    let world = world();
    call(&world, LIST, &json!({}));
    call(&world, "obsidian_fly", &json!({}));
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("the rows", |screen| rows(screen).len() == 2);
    screen.node(Role::Table, "Calls, the newest first").focus();
    screen.harness.run();
    screen.harness.key_press(Key::Enter);
    screen.until("the details", |screen| screen.has(Role::Heading, "obsidian_fly"));
    assert!(screen.node(Role::Button, "Close details").is_focused());
    assert!(screen.has(Role::Status, "Refused. Nothing was sent"));
    assert!(screen.has(Role::Label, "Command line (command-line)"));

    // The call's id is copied whole.
    let log = match world.ask(Command::Activity { query: Default::default() }) {
        Reply::Activity { page } => page.records,
        other => panic!("{other:?}"),
    };
    screen.press("Copy: Call ID");
    let copied = |screen: &Screen| {
        screen
            .harness
            .output()
            .platform_output
            .commands
            .iter()
            .any(|command| matches!(command, OutputCommand::CopyText(text) if *text == log[0].call.0))
    };
    // The frame that copies is not the last one of a run.
    if !copied(&screen) {
        assert!(screen.has(Role::Button, "Copied: Call ID"));
    }

    screen.press("Close details");
    screen.harness.run();
    // The keyboard is in the table again.
    screen.harness.key_press(Key::ArrowDown);
    screen.harness.run();
    screen.harness.key_press(Key::Enter);
    screen.until("the other one", |screen| screen.has(Role::Heading, LIST));
    assert!(screen.has(Role::Status, "Succeeded. Nothing was changed"));
    assert!(screen.has(Role::Label, "Nothing stood in its way"));
}

#[test]
fn a_block_is_opened_in_siyuan_only_where_it_is_certain() {
    let world = world();
    let _kernel = with_kernel(&world);
    assert!(call(&world, "siyuan_query", &json!({"kernelId": "local", "action": "read", "id": CHILD})));
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("the row", |screen| rows(screen).len() == 1);
    screen.node(Role::Row, &rows(&screen)[0]).click_accesskit();
    let open = format!("Open {CHILD} in SiYuan");
    screen.until("the details", |screen| screen.has(Role::Button, &open));
    assert!(screen.has(Role::Label, "The permissions of its endpoints let it through"));
    screen.node(Role::Button, &open).click_accesskit();
    screen.harness.step();
    let opened = screen.harness.output().platform_output.commands.iter().any(|command| {
        matches!(command, OutputCommand::OpenUrl(open) if open.url == format!("siyuan://blocks/{CHILD}"))
    });
    assert!(opened);

    // One that was not carried out names an id as well, and that of another kernel is not ours to open.
    call(
        &world,
        "siyuan_query",
        &json!({"kernelId": "local", "action": "read", "id": "20260101000000-nothere"}),
    );
    screen.until("another row", |screen| rows(screen).len() == 2);
    screen.node(Role::Row, &rows(&screen)[0]).click_accesskit();
    screen.until("its details", |screen| screen.has(Role::Label, "20260101000000-nothere"));
    assert!(!screen.has(Role::Button, "in SiYuan"));
}

#[test]
fn the_kernel_of_a_session_is_chosen_from_one_of_its_calls() {
    let world = world();
    let kernel = with_kernel(&world);
    let draft = KernelDraft {
        name: "Work".into(),
        address: "http://127.0.0.1:1".parse().unwrap(),
        timeout_seconds: 60,
        port_file: None,
        pid: None,
    };
    let other = KernelId::new("work").unwrap();
    world.ask(Command::AddKernel { kernel: Some(other.clone()), draft });
    let add = Command::AddRuntime {
        kind: RuntimeKind::OpenCode,
        name: None,
        mode: WorkMode::Execute,
        approval: Default::default(),
        capabilities: [Capability::Siyuan].into(),
    };
    let Reply::RuntimeAdded { key, .. } = world.ask(add) else { panic!("no key") };
    let handle = world.handle();
    world.wait(async {
        let grant = handle.access().admit(&key.0, Some(&SessionLabel("s-1".into()))).await.unwrap();
        let arguments = json!({"kernelId": "local", "action": "read", "id": CHILD});
        let arguments = arguments.as_object().unwrap().clone();
        let (tool, cancel) = ("siyuan_query".to_owned(), CancellationToken::new());
        handle.tools().call(Call { grant, way: Way::Direct, tool, arguments, cancel, patient: true }).await
    });
    drop(kernel);
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("the row", |screen| rows(screen).len() == 1);
    screen.node(Role::Row, &rows(&screen)[0]).click_accesskit();
    screen.until("the choice", |screen| screen.has(Role::ComboBox, "Kernel of this session"));
    choose(&mut screen, "Kernel of this session", "Work");
    screen.until("chosen", |_| world.snapshot().sessions[0].kernel == Some(other.clone()));
}

#[test]
fn what_the_filters_leave_is_exported_to_the_file_that_is_chosen() {
    let world = world();
    call(&world, LIST, &json!({}));
    call(&world, "obsidian_fly", &json!({}));
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("the rows", |screen| rows(screen).len() == 2);
    choose(&mut screen, "Outcome", "Succeeded");

    let (csv, json) = (world.path("rows.csv"), world.path("rows.json"));
    world.will_pick(Picked::File(csv.clone()));
    screen.press("Export CSV…");
    screen.until("written", |screen| screen.has(Role::Status, "One call was written to"));
    let text = fs::read_to_string(csv).unwrap();
    assert!(text.lines().count() == 2 && text.contains(LIST), "{text}");

    world.will_pick(Picked::File(json.clone()));
    screen.press("Export JSON…");
    screen.until("written", |screen| screen.has(Role::Status, "rows.json"));
    let rows: Vec<Value> = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!((rows.len(), &rows[0]["tool"]), (1, &json!(LIST)));

    world.will_pick(Picked::File(world.path("nowhere/rows.csv")));
    screen.press("Export CSV…");
    screen.until("refused", |screen| screen.has(Role::Alert, "The rows could not be written"));
    world.will_pick(Picked::Cancelled);
    screen.press("Export CSV…");
    screen.until("as before", |screen| !screen.has(Role::Alert, "could not be written"));
    assert!(!screen.has(Role::Status, "written"));
}

#[test]
fn older_calls_are_a_page_away() {
    let world = world();
    let handle = world.handle();
    world.wait(async {
        for number in 0..205 {
            let tool = format!("no_such_tool_{number}");
            let call = Command::CallTool { tool, arguments: Default::default(), mode: WorkMode::Ask };
            handle.request(call).await.unwrap();
        }
    });
    let mut screen = world.window();
    screen.open("Activity");
    screen.until("the newest", |screen| screen.has(Role::Status, "Page 1, 200 calls"));
    assert!(rows(&screen)[0].starts_with("no_such_tool_204"));
    assert!(rows(&screen).len() < 60, "those in sight alone are laid out");
    screen.press("Older");
    screen.until("the oldest", |screen| screen.has(Role::Status, "Page 2, 5 calls"));
    assert!(!screen.is_enabled(Role::Button, "Older"));
    // What is recorded meanwhile does not push it away.
    call(&world, LIST, &json!({}));
    screen.harness.run();
    assert!(rows(&screen)[0].starts_with("no_such_tool_4"));
    screen.press("Newer");
    screen.until("the newest again", |screen| rows(screen)[0].starts_with(LIST));
}
