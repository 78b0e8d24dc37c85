//! The stories of the Obsidian card, played in the window on real vaults.

use std::fs;

use eframe::egui::Key;
use eframe::egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use notegate::core::{Command, Picked, VaultEngine};

use crate::world::{World, files};

const SWITCH: &str = "Obsidian access";
const TEST: &str = "Test connection";
const CHOOSE: &str = "Choose folder…";
const ALL: &str = "All vaults on this computer";

#[test]
fn us1_testing_the_default_scope_shows_the_vaults_and_changes_nothing() {
    let world = World::with_vaults(&["笔记", "Work"]);
    let before = (files(&world.path("笔记")), files(&world.path("Work")));
    let mut screen = world.window();
    screen.open("Obsidian");
    assert!(!screen.is_on(Role::Switch, SWITCH));

    screen.press(TEST);
    screen.until("the result", |screen| screen.has(Role::Status, "2 vaults, 18 tools"));

    for name in ["笔记", "Work"] {
        assert!(screen.has(Role::Label, name), "{name} is named");
        assert!(screen.has(Role::Label, world.path(name).to_str().unwrap()), "{name} with its path");
    }
    assert!(!screen.is_on(Role::Switch, SWITCH));
    assert!(!world.settings_file().exists(), "nothing was saved");
    assert_eq!((files(&world.path("笔记")), files(&world.path("Work"))), before);
}

#[test]
fn us2_testing_a_chosen_folder_probes_only_that_and_saves_nothing() {
    let world = World::with_vaults(&["Registered"]);
    let folder = world.vault("Elsewhere");
    world.will_pick(Picked::Folder(folder.clone()));
    let mut screen = world.window();
    screen.open("Obsidian");

    screen.press(CHOOSE);
    let path = folder.to_str().unwrap().to_owned();
    screen.until("the folder in the form", |screen| screen.has(Role::TextInput, "Folder"));
    assert_eq!(screen.field("Folder"), path);
    assert!(screen.is_on(Role::RadioButton, "One folder"));
    assert!(screen.has(Role::Status, "The draft is not saved"));

    screen.press(TEST);
    screen.until("the result", |screen| screen.has(Role::Status, "One vault, 18 tools"));
    assert!(screen.has(Role::Label, "Elsewhere") && !screen.has(Role::Label, "Registered"));
    assert!(!screen.is_on(Role::Switch, SWITCH));
    assert_eq!(world.snapshot().obsidian.vault_path, "");
    assert!(!world.settings_file().exists());
}

#[test]
fn us3_a_saved_scope_is_there_again_and_can_be_taken_back() {
    let world = World::with_vaults(&["Registered"]);
    let folder = world.vault("Elsewhere");
    let path = folder.to_str().unwrap().to_owned();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.fill("Folder", &format!("{path} "));
    screen.press("Save");
    screen.until("the save", |screen| screen.has(Role::Status, "Saved "));
    assert_eq!(world.snapshot().obsidian.vault_path, path, "without the blank at its end");
    drop(screen);

    let mut screen = world.window();
    screen.open("Obsidian");
    assert_eq!(screen.field("Folder"), path);
    assert!(screen.has(Role::Status, "The draft is the same as the saved scope"));
    screen.click(Role::RadioButton, ALL);
    assert!(screen.has(Role::Label, &path), "the saved scope is shown apart from the draft");
    screen.press("Save");
    screen.until("the save", |screen| screen.has(Role::Status, "Saved "));
    assert_eq!(world.snapshot().obsidian.vault_path, "");
    assert!(!world.snapshot().obsidian.enabled, "saving switches nothing on");
}

#[test]
fn us7_a_bad_scope_says_why_and_the_retry_uses_the_new_draft() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.press(TEST);
    screen.until("the reason", |screen| screen.has(Role::Alert, "Obsidian's list of vaults was not found"));
    assert!(screen.has(Role::Label, ".config/obsidian/obsidian.json"), "the file is named");

    screen.click(Role::RadioButton, "One folder");
    assert!(screen.words(Role::Alert).iter().all(String::is_empty), "a new draft clears the old error");
    let missing = world.path("missing").to_str().unwrap().to_owned();
    screen.fill("Folder", &missing);
    screen.press(TEST);
    screen.until("the reason", |screen| screen.has(Role::Alert, &missing));
    assert_eq!(screen.field("Folder"), missing, "the input is kept");
    let described = screen.node(Role::TextInput, "Folder").accesskit_node().description().unwrap();
    assert!(described.contains(&missing), "the field itself says what is wrong");

    let good = world.vault("Good").to_str().unwrap().to_owned();
    screen.fill("Folder", &good);
    screen.press(TEST);
    screen.until("the result", |screen| screen.has(Role::Status, "One vault, 18 tools"));
}

#[test]
fn us7_a_dead_registered_vault_fails_the_test_instead_of_being_skipped() {
    let world = World::with_vaults(&["Alive", "Dead"]);
    fs::remove_dir_all(world.path("Dead")).unwrap();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.press(TEST);
    screen.until("the reason", |screen| screen.has(Role::Alert, "A vault cannot be opened"));
    assert!(screen.has(Role::Label, world.path("Dead").to_str().unwrap()));
    assert!(!screen.has(Role::Status, "vault, "), "no result is shown");
}

#[test]
fn us7_a_saved_scope_that_cannot_be_used_is_a_notice_and_a_warning_on_the_first_step() {
    let world = World::new();
    fs::create_dir(world.path("Notes")).unwrap();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.fill("Folder", "~/gone");
    screen.press("Save");
    screen.until("the notice", |screen| screen.has(Role::Status, "cannot be used as it is: This folder"));
    assert!(screen.has(Role::Status, "Saved "), "it is saved all the same");
    assert_eq!(screen.field("Folder"), world.path("gone").to_str().unwrap());
    assert!(screen.words(Role::Alert).iter().all(String::is_empty), "nothing has failed");
    screen.open("Overview");
    assert!(screen.has(Role::Label, "Saved, but cannot be used: This folder"));

    screen.open("Obsidian");
    screen.fill("Folder", "~/Notes");
    screen.press("Save");
    screen.until("the save", |screen| {
        screen.has(Role::Status, "Saved ") && !screen.has(Role::Status, "cannot be used")
    });
    screen.open("Overview");
    assert!(!screen.has(Role::Label, "cannot be used"));
}

#[test]
fn us8_a_cancelled_dialog_and_a_failing_save_keep_the_draft() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    let path = world.vault("Notes").to_str().unwrap().to_owned();
    screen.fill("Folder", &path);

    world.will_pick(Picked::Cancelled);
    screen.press(CHOOSE);
    screen.until("the dialog closed", |screen| screen.is_enabled(Role::Button, CHOOSE));
    assert_eq!(screen.field("Folder"), path);

    // A folder where the file should be: the save fails whatever the permissions are.
    fs::create_dir_all(world.settings_file().join("x")).unwrap();
    screen.press("Save");
    screen.until("the failure", |screen| screen.has(Role::Alert, "Not saved"));
    assert_eq!(screen.field("Folder"), path);
    assert_eq!(world.snapshot().obsidian.vault_path, "");
    assert!(screen.has(Role::Status, "The draft is not saved"));

    fs::remove_dir_all(world.settings_file()).unwrap();
    screen.press("Save");
    screen.until("the save", |screen| screen.has(Role::Status, "Saved "));
    assert_eq!(world.snapshot().obsidian.vault_path, path);
}

#[test]
fn us8_without_a_dialog_the_window_says_so_and_keeps_the_draft() {
    let world = World::new();
    world.will_pick(Picked::Unavailable("no portal answers".into()));
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.press(CHOOSE);
    screen.until("the reason", |screen| screen.has(Role::Alert, "No folder chosen"));
    assert!(screen.has(Role::Label, "no portal answers"));
    assert!(screen.is_on(Role::RadioButton, ALL));
}

#[test]
fn lr1_only_the_switch_switches_and_it_leaves_the_draft_alone() {
    let world = World::with_vaults(&["Registered"]);
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.fill("Folder", "/somewhere");
    screen.click(Role::Switch, SWITCH);
    screen
        .until("on", |screen| screen.is_on(Role::Switch, SWITCH) && screen.is_enabled(Role::Switch, SWITCH));
    assert_eq!(screen.field("Folder"), "/somewhere");
    assert_eq!(world.snapshot().obsidian.vault_path, "");
    screen.click(Role::Switch, SWITCH);
    screen.until("off", |screen| !screen.is_on(Role::Switch, SWITCH));
}

#[test]
fn a_test_cannot_be_started_twice() {
    let world = World::with_vaults(&["Registered"]);
    world.ask(Command::SetEngine { engine: VaultEngine::Upstream }); // which takes its time
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.press(TEST);
    assert!(!screen.is_enabled(Role::Button, TEST));
    assert!(screen.has(Role::Status, "Testing since"));
    screen.press(TEST);
    screen.node(Role::Button, TEST).focus();
    screen.harness.run();
    screen.harness.key_press(Key::Enter);
    screen.until("the result", |screen| screen.has(Role::Status, "One vault, 18 tools"));
    assert!(screen.is_enabled(Role::Button, TEST));
    assert_eq!(world.snapshot().obsidian.test.number(), 1);
    let focused = screen.node(Role::Button, TEST).accesskit_node().is_focused();
    assert!(focused, "whoever works by keyboard keeps the place");
}

#[test]
fn what_appears_above_a_control_does_not_make_it_another_one() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Obsidian");
    let ids = |screen: &crate::world::Screen| {
        let status = screen.harness.get_by(|node| {
            node.role() == Role::Status && node.label().is_some_and(|label| label.contains("draft"))
        });
        [
            screen.node(Role::Button, "Save").accesskit_node().id(),
            screen.node(Role::Button, "Tools (19)").accesskit_node().id(),
            status.accesskit_node().id(),
        ]
    };
    let before = ids(&screen);
    screen.click(Role::RadioButton, "One folder");
    assert!(screen.has(Role::TextInput, "Folder"));
    assert_eq!(ids(&screen), before);
}

#[test]
fn an_empty_path_is_an_error_beside_its_field_and_nothing_is_sent() {
    let world = World::with_vaults(&["Registered"]);
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.press(TEST);
    assert!(screen.has(Role::Alert, "Give the whole path of a folder"));
    screen.press("Save");
    assert_eq!(world.snapshot().obsidian.test.number(), 0);
    assert_eq!(world.snapshot().generation, 1);
    screen.click(Role::RadioButton, ALL);
    assert!(!screen.has(Role::Alert, "Give the whole path"));
}

#[test]
fn an_engine_is_chosen_under_advanced_and_a_test_of_the_former_one_is_not_shown_any_more() {
    const NATIVE: &str = "Built in";
    const UPSTREAM: &str = "MCPVault under Node";
    let world = World::with_vaults(&["Registered"]);
    let mut screen = world.window();
    screen.open("Obsidian");
    assert!(!screen.has(Role::RadioButton, NATIVE), "folded at first");
    screen.node(Role::Button, "Advanced").click_accesskit();
    screen.harness.run();
    assert!(screen.is_on(Role::RadioButton, NATIVE) && !screen.is_on(Role::RadioButton, UPSTREAM));
    let help = screen.node(Role::RadioButton, UPSTREAM).accesskit_node().description().unwrap();
    assert!(help.contains("Node 20 or newer"), "{help}");

    for (chosen, engine) in [(UPSTREAM, VaultEngine::Upstream), (NATIVE, VaultEngine::Native)] {
        screen.press(TEST);
        screen.until("the result", |screen| screen.has(Role::Status, "One vault, 18 tools"));
        screen.node(Role::RadioButton, chosen).click_accesskit();
        screen.until("the choice", |screen| screen.is_on(Role::RadioButton, chosen));
        assert_eq!(world.snapshot().obsidian.engine, engine);
        assert!(!screen.has(Role::Status, "One vault, 18 tools"), "that was the other engine");
    }
    assert!(!world.snapshot().obsidian.enabled, "choosing switches nothing on");
}

#[test]
fn a_newcomer_without_a_vault_tries_with_the_sample() {
    let world = World::new();
    let mut screen = world.window();
    screen.press("Try with a sample vault");
    let sample = world.path("Notegate sample vault");
    screen.until("the vault", |_| world.snapshot().obsidian.enabled && sample.join("Welcome.md").is_file());
    assert_eq!(world.snapshot().obsidian.vault_path, sample.to_str().unwrap());
    screen.until("the next step", |screen| !screen.has(Role::Button, "Try with a sample vault"));
}
