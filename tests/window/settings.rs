//! The settings page and the form of a runtime: limits, the record, the size of everything, and the way out.

use eframe::egui::Key;
use eframe::egui::accesskit::Role;

use notegate::core::{ApprovalPolicy, Capability};

use crate::world::World;

const SECONDS: &str = "Time a call may take, in seconds";
const QUIT: &str = "Quit Notegate";

#[test]
fn a_limit_that_is_saved_is_in_force_and_one_that_is_impossible_is_refused_beside_its_field() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Settings");
    assert_eq!(screen.field(SECONDS), "120");

    screen.fill(SECONDS, "0");
    screen.node(Role::Button, "Save limits").click_accesskit();
    screen.until("the problem", |screen| screen.has(Role::Alert, "Give a whole number from 1 to 86400"));
    assert_eq!(world.snapshot().limits.call_seconds, 120, "nothing was saved");
    assert_eq!(screen.field(SECONDS), "0", "the draft stays");

    screen.fill(SECONDS, "30");
    screen.node(Role::Button, "Save limits").click_accesskit();
    screen.until("the save", |_| world.snapshot().limits.call_seconds == 30);
    screen.until("no problem", |screen| !screen.has(Role::Alert, "Give a whole number from 1 to 86400"));
}

#[test]
fn how_long_the_record_is_kept_is_saved() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Settings");
    screen.fill("Days that are kept", "7");
    screen.node(Role::Button, "Save how long").click_accesskit();
    screen.until("the save", |_| world.snapshot().retention.keep_days == 7);
    assert_eq!(world.snapshot().retention.keep_rows, 100_000, "the other one is left as it was");
}

#[test]
fn everything_grows_with_the_size_that_is_chosen() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Settings");
    screen.node(Role::RadioButton, "150 %").click_accesskit();
    screen.until("the size", |screen| (screen.harness.ctx.zoom_factor() - 1.5).abs() < 0.01);
    assert_eq!(world.snapshot().text_percent, 150);
}

#[test]
fn quitting_asks_first_and_the_safe_answer_has_the_focus() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Settings");
    screen.node(Role::Button, QUIT).click_accesskit();
    screen.until("the question", |screen| screen.has(Role::AlertDialog, "Quit Notegate?"));
    screen.harness.key_press(Key::Enter);
    screen.until("no question", |screen| !screen.has(Role::AlertDialog, "Quit Notegate?"));
    assert!(!world.snapshot().closing, "Enter was Cancel");

    screen.node(Role::Button, QUIT).click_accesskit();
    screen.until("the question", |screen| screen.has(Role::AlertDialog, "Quit Notegate?"));
    // From here on the window asks to be closed with every frame, which nobody does in a test.
    screen.node(Role::Button, "Quit").click();
    screen.harness.run_steps(2);
    world.until(|seen| seen.closing);
}

#[test]
fn a_runtime_is_given_siyuan_and_never_asks_where_the_person_says_so() {
    let world = World::new();
    let mut screen = world.window_of([1100.0, 1200.0]);
    screen.open("Runtimes");
    assert!(!screen.has(Role::RadioButton, "Refuse without asking"), "it is about SiYuan alone");
    screen.click(Role::CheckBox, "Give it SiYuan");
    screen.click(Role::RadioButton, "Refuse without asking");
    screen.press("Add runtime");
    screen.until("the runtime", |_| !world.snapshot().runtimes.is_empty());
    let runtime = world.snapshot().runtimes[0].clone();
    assert_eq!(runtime.capabilities, [Capability::Obsidian, Capability::Siyuan].into());
    assert_eq!(runtime.approval, ApprovalPolicy::Never);
}

#[test]
fn it_starts_with_the_computer_where_the_person_says_so() {
    let world = World::new();
    let entry = world.path(".config/autostart/notegate.desktop");
    let mut screen = world.window_of([1100.0, 2400.0]);
    screen.open("Settings");
    assert!(!screen.is_on(Role::CheckBox, "Start with the computer"));
    screen.click(Role::CheckBox, "Start with the computer");
    screen.until("the entry", |screen| screen.is_on(Role::CheckBox, "Start with the computer"));
    assert!(std::fs::read_to_string(&entry).unwrap().contains("Exec="));
    screen.click(Role::CheckBox, "Start with the computer");
    screen.until("no entry", |screen| !screen.is_on(Role::CheckBox, "Start with the computer"));
    assert!(!entry.exists());
}
