//! The configuration of a program, written from the window.

use std::fs;

use eframe::egui::accesskit::Role;
use notegate::core::{Command, Language, RuntimeKind};

use crate::looks::nothing_is_cut_off;
use crate::world::{Screen, World};

const TITLE: &str = "Write the configuration of Cursor?";

fn added(world: &World) {
    world.ask(Command::AddRuntime {
        kind: RuntimeKind::Cursor,
        name: None,
        mode: Default::default(),
        approval: Default::default(),
        capabilities: Default::default(),
    });
}

fn open(screen: &mut Screen) {
    screen.open("Runtimes");
    screen.node(Role::Button, "Settings for Cursor").click_accesskit();
    screen.harness.run();
    screen.node(Role::Button, "Write the configuration of Cursor for cursor…").click_accesskit();
    // The text behind the question holds the same lines, but not as a change.
    screen.until("the change", |screen| screen.has(Role::Label, "+ "));
}

/// As a reader presses it: the button may be below the fold.
fn press(screen: &mut Screen, name: &str) {
    screen.node(Role::Button, name).click_accesskit();
    screen.harness.run();
}

#[test]
fn a_change_is_shown_made_and_taken_back() {
    let world = World::new();
    added(&world);
    let mut screen = world.window();
    open(&mut screen);
    assert!(screen.has(Role::AlertDialog, TITLE));
    assert!(screen.has(Role::Status, "The runtime gets a new key"));
    let file = world.path(".cursor/mcp.json");
    assert!(!file.exists(), "nothing is written by looking");
    press(&mut screen, "Write it");
    screen.until("written", |screen| screen.has(Role::Status, "Written."));
    assert!(fs::read_to_string(&file).unwrap().contains("Bearer ng_"));
    assert!(!screen.has(Role::AlertDialog, TITLE));

    let edited = fs::read_to_string(&file).unwrap() + "\n";
    let written = fs::read_to_string(&file).unwrap();
    fs::write(&file, &edited).unwrap();
    press(&mut screen, "Take it back");
    screen.until("refused", |screen| screen.has(Role::Alert, "The file was edited since"));
    assert_eq!(fs::read_to_string(&file).unwrap(), edited);
    fs::write(&file, written).unwrap();
    press(&mut screen, "Take it back");
    screen.until("taken back", |screen| screen.has(Role::Status, "Taken back"));
    assert!(!file.exists());
    press(&mut screen, "Done");
    screen.until("gone", |screen| !screen.has(Role::Status, "Taken back"));
}

#[test]
fn a_new_key_is_written_as_it_is_and_stays_in_force() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Runtimes");
    screen.press("Add runtime");
    screen.until("its key", |screen| screen.has(Role::Heading, "Key for OpenCode"));
    let key = screen.words(Role::Label).into_iter().find(|text| text.starts_with("ng_")).unwrap();
    screen.node(Role::Button, "Write the configuration of OpenCode for opencode…").click_accesskit();
    screen.until("the change", |screen| screen.has(Role::Label, "+ "));
    assert!(!screen.has(Role::Status, "The runtime gets a new key"));
    press(&mut screen, "Write it");
    screen.until("written", |screen| screen.has(Role::Status, "Written."));
    let text = fs::read_to_string(world.path(".config/opencode/opencode.json")).unwrap();
    assert!(text.contains(&format!("Bearer {key}")), "{text}");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_gets_no_key_but_the_keyring_does() {
    let world = World::new();
    added(&world);
    let file = world.path(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{}\n").unwrap();
    let mut screen = world.window();
    open(&mut screen);
    assert!(screen.has(Role::Status, "Other users of this computer can read the file"));
    assert!(!screen.is_enabled(Role::Button, "Write it"));
    screen.click(Role::RadioButton, "In the system's keyring");
    screen.until("the bridge", |screen| screen.has(Role::Label, "--runtime"));
    press(&mut screen, "Write it");
    screen.until("written", |screen| screen.has(Role::Status, "Written."));
    assert!(!fs::read_to_string(&file).unwrap().contains("ng_"));
}

#[test]
fn the_change_is_whole_at_the_narrowest_and_at_a_wide_size_in_both_languages() {
    let words = [
        (
            Language::English,
            "Runtimes",
            "Settings for Cursor",
            "Write the configuration of Cursor for cursor…",
            "Write it",
        ),
        (Language::SimplifiedChinese, "Runtime", "Cursor 的配置", "为 cursor 写入 Cursor 的配置…", "写入"),
    ];
    for (language, page, settings, write, yes) in words {
        let world = World::new();
        world.ask(Command::SetLanguage { language: Some(language) });
        added(&world);
        for size in [[760.0, 560.0], [1280.0, 800.0], [640.0, 400.0]] {
            let mut screen = world.window_of(size);
            screen.harness.run();
            let page = screen.words(Role::Tab).into_iter().find(|tab| tab.contains(page)).unwrap();
            screen.open(&page);
            screen.node(Role::Button, settings).click_accesskit();
            screen.harness.run();
            screen.node(Role::Button, write).click_accesskit();
            screen.until("the change", |screen| screen.has(Role::Label, "+ "));
            nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?}"));
            let answer = screen.node(Role::Button, yes).rect();
            assert!(answer.bottom() <= size[1], "{language:?} {size:?}: the answer is in sight: {answer:?}");
        }
    }
}

/// What was written stays to be taken back when the window that wrote it is gone.
#[test]
fn another_window_takes_back_what_was_written_last() {
    let world = World::new();
    added(&world);
    let mut screen = world.window();
    open(&mut screen);
    assert!(!screen.has(Role::Button, "Take back what was written"), "nothing was written");
    press(&mut screen, "Write it");
    screen.until("written", |screen| screen.has(Role::Status, "Written."));
    drop(screen);
    let file = world.path(".cursor/mcp.json");
    assert!(file.exists());
    let mut screen = world.window();
    open(&mut screen);
    press(&mut screen, "Take back what was written");
    screen.until("taken back", |screen| screen.has(Role::Status, "Taken back"));
    assert!(!file.exists());
}
