//! What the window says when something below it fails, and that no draft is lost by it.

use std::fs;
use std::time::SystemTime;

use eframe::egui::accesskit::Role;
use eframe::egui::{Vec2, ViewportId};
use notegate::core::{Command, GatewayState, Reply, WorkMode};

use crate::looks::nothing_is_cut_off;
use crate::world::World;

#[test]
fn a_log_that_cannot_be_written_is_told_wherever_the_gateway_would_seem_to_run() {
    let world = World::with_home(|home| {
        fs::create_dir_all(home.activity_file().parent().unwrap()).unwrap();
        fs::write(home.activity_file(), "no database ".repeat(400)).unwrap();
    });
    let url = "http://127.0.0.1:27277/mcp".into();
    world.handle().report_gateway(GatewayState::Listening { url, since: SystemTime::now() });
    let mut screen = world.window();
    let (tool, arguments) = ("obsidian_list_vaults".to_owned(), Default::default());
    let reply = world.ask(Command::CallTool { tool, arguments, mode: WorkMode::Ask });
    assert!(matches!(reply, Reply::ToolResult { is_error: true, .. }), "{reply:?}");
    screen.until("the reason", |screen| screen.has(Role::Alert, "The activity log cannot be used"));
    assert!(screen.has(Role::Label, "activity.sqlite"), "what to move away is named");
    assert!(screen.has(Role::Status, "Calls are refused") && !screen.has(Role::Status, "Running"));
    screen.open("Obsidian");
    assert!(screen.has(Role::Label, "Calls are refused"), "the navigation says it on every page");
}

#[test]
fn a_vault_that_is_removed_while_it_is_chosen_is_told_and_the_draft_stays() {
    let world = World::new();
    let vault = world.vault("Notes");
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.fill("Folder", vault.to_str().unwrap());
    screen.press("Save");
    screen.until("the save", |screen| screen.has(Role::Status, "Saved "));
    fs::remove_dir_all(&vault).unwrap();
    screen.press("Test connection");
    screen.until("the reason", |screen| screen.has(Role::Alert, "This folder cannot be used"));
    assert_eq!(screen.field("Folder"), vault.to_str().unwrap());
    world.vault("Notes");
    screen.press("Test connection");
    screen.until("it is there again", |screen| screen.has(Role::Status, "One vault, 18 tools"));
}

#[test]
fn a_monitor_of_another_scale_and_size_takes_no_draft_away() {
    let world = World::new();
    let mut screen = world.window_of([1280.0, 800.0]);
    screen.open("Obsidian");
    screen.click(Role::RadioButton, "One folder");
    screen.fill("Folder", "/home/me/笔记");
    for (scale, size) in [(2.0, [760.0, 560.0]), (1.25, [1280.0, 800.0]), (1.0, [900.0, 640.0])] {
        let monitor = screen.harness.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap();
        monitor.native_pixels_per_point = Some(scale);
        screen.harness.set_size(Vec2::from(size));
        screen.harness.run();
        assert_eq!(screen.harness.ctx.pixels_per_point(), scale);
        assert_eq!(screen.field("Folder"), "/home/me/笔记");
        nothing_is_cut_off(&screen, size[0], &format!("{scale} {size:?}"));
    }
}

#[test]
fn the_licences_of_all_parts_are_searched_and_counted() {
    let world = World::new();
    let mut screen = world.window_of([1100.0, 2400.0]);
    screen.open("Settings");
    let parts =
        screen.words(Role::Button).into_iter().find(|name| name.starts_with("Parts by others")).unwrap();
    screen.press(&parts);
    screen.until("the table", |screen| screen.has(Role::Table, "Parts by others"));
    let rows =
        |screen: &crate::world::Screen| screen.words(Role::Row).iter().filter(|row| !row.is_empty()).count();
    assert!((5..40).contains(&rows(&screen)), "only those in sight are laid out: {}", rows(&screen));
    screen.fill_in(Role::SearchInput, "Search the parts", "ofl-1.1");
    screen.until("the fonts", |screen| screen.has(Role::Status, "2 parts"));
    assert!(screen.has(Role::Row, "ttf-inter") && screen.has(Role::Row, "epaint_default_fonts"));
    screen.press("MIT licence");
    screen.until("our own", |screen| screen.has(Role::Label, "Permission is hereby granted, free of charge"));
}
