//! The endpoints page: finding an endpoint, setting permissions, reading what is known of one.

use std::collections::BTreeMap;

use eframe::egui::accesskit::{Role, SortDirection};
use eframe::egui::{Key, Modifiers};
use egui_kittest::Node;
use egui_kittest::kittest::NodeT;
use notegate::core::{Command, KernelDraft, KernelId, Language, Permission};

use crate::looks::nothing_is_cut_off;
use crate::world::{Screen, World, spoken};

const ALL: &str = "722 endpoints";
const UPDATE: &str = "http POST /api/block/updateBlock";
const PROXY: &str = "http POST /api/network/forwardProxy";

fn id(kernel: &str) -> KernelId {
    KernelId::new(kernel).unwrap()
}

fn add_kernel(world: &World, kernel: &str, name: &str, address: &str) {
    let address = address.parse().unwrap();
    let draft = KernelDraft { name: name.into(), address, timeout_seconds: 15, port_file: None, pid: None };
    world.ask(Command::AddKernel { kernel: Some(id(kernel)), draft });
}

/// A kernel that nobody has to be asked for.
fn world() -> World {
    let world = World::new();
    world.ask(Command::SetLanguage { language: Some(Language::English) });
    add_kernel(&world, "home", "Home", "http://192.0.2.1:6806");
    world
}

fn grant(world: &World, list: &[(&str, Permission)]) {
    let permissions = list.iter().map(|(key, permission)| ((*key).to_owned(), *permission)).collect();
    world.ask(Command::SetPermissions { kernel: id("home"), permissions });
}

fn permissions(world: &World) -> BTreeMap<String, Permission> {
    world.snapshot().siyuan.kernels[0].permissions.clone()
}

fn opened(world: &World) -> Screen {
    let mut screen = world.window();
    screen.open("Endpoints");
    screen.until("the endpoints", |screen| screen.has(Role::Status, ALL));
    screen
}

fn search(screen: &mut Screen, words: &str, count: &str) {
    screen.node(Role::SearchInput, "Search endpoints").focus();
    screen.harness.run();
    screen.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    screen.harness.run();
    screen.node(Role::SearchInput, "Search endpoints").type_text(words);
    screen.until(count, |screen| screen.has(Role::Status, count));
}

/// The rows in sight, by their names; the head has none.
fn rows(screen: &Screen) -> Vec<String> {
    screen.words(Role::Row).into_iter().filter(|name| !name.is_empty()).collect()
}

fn row<'a>(screen: &'a Screen, key: &str) -> Node<'a> {
    let mut nodes = screen.harness.root().children_recursive();
    nodes.find(|node| node.accesskit_node().role() == Role::Row && spoken(node).starts_with(key)).unwrap()
}

fn choose(screen: &mut Screen, filter: &str, value: &str) {
    screen.click(Role::ComboBox, filter);
    screen.until(value, |screen| screen.has(Role::ListBoxOption, value));
    screen.click(Role::ListBoxOption, value);
    screen.harness.run();
}

#[test]
fn without_a_kernel_the_page_leads_to_where_one_is_added() {
    let world = World::new();
    world.ask(Command::SetLanguage { language: Some(Language::English) });
    let mut screen = world.window();
    screen.open("Endpoints");
    screen.press("Add a kernel…");
    screen.until("the kernels", |screen| screen.has(Role::Heading, "Kernels"));
}

#[test]
fn every_endpoint_is_counted_and_only_those_in_sight_are_laid_out() {
    let world = world();
    grant(&world, &[(UPDATE, Permission::Allow)]);
    let screen = opened(&world);
    assert!(screen.has(Role::Status, "722 endpoints, 1 changed from default"));
    let table = screen.node(Role::Table, "Endpoints of Home");
    let table = table.accesskit_node();
    assert_eq!((table.data().row_count(), table.data().column_count()), (Some(723), Some(6)));
    let seen = rows(&screen);
    assert!((10..40).contains(&seen.len()), "{}", seen.len());
    let first = row(&screen, &seen[0]);
    let node = first.accesskit_node();
    assert_eq!((node.data().row_index(), node.data().position_in_set()), (Some(1), Some(1)));
    assert_eq!(first.children().filter(|node| node.accesskit_node().role() == Role::Cell).count(), 5);
}

#[test]
fn searching_and_filtering_narrow_the_table_and_say_the_count() {
    let world = world();
    grant(&world, &[(UPDATE, Permission::Allow), ("plugin mine echo", Permission::Deny)]);
    let mut screen = world.window();
    screen.open("Endpoints");
    screen.until("the endpoints", |screen| screen.has(Role::Status, "723 endpoints, 2 changed from default"));
    screen.press("Changed from default");
    screen.until("two", |screen| screen.has(Role::Status, "2 of 723 endpoints"));
    assert_eq!(
        rows(&screen),
        [
            format!("{UPDATE}, Writes, Allow, changed from default"),
            "plugin mine echo, Writes, Refuse, changed from default".into()
        ]
    );
    choose(&mut screen, "Protocol", "Plugin");
    screen.until("one", |screen| screen.has(Role::Status, "1 of 723 endpoints"));
    choose(&mut screen, "Protocol", "any");
    screen.press("Changed from default");
    choose(&mut screen, "Method", "PUT");
    screen.until("some", |screen| screen.has(Role::Status, " of 723 endpoints"));
    screen.until("PUT only", |screen| rows(screen).iter().all(|name| name.starts_with("http PUT ")));
    choose(&mut screen, "Method", "any");
    choose(&mut screen, "Group", "bookmark");
    screen.until("bookmarks", |screen| rows(screen).iter().all(|name| name.contains("/api/bookmark/")));
    screen.press("Reads");
    screen.until("those that read", |screen| screen.has(Role::Status, "1 of 723"));
    assert!(screen.is_on(Role::Button, "Reads") && !screen.is_on(Role::Button, "Writes"));
    screen.press("Reads");
    choose(&mut screen, "Group", "any");
    search(&mut screen, "rename_doc", "1 of 723 endpoints");
    assert!(rows(&screen)[0].starts_with("http POST /api/filetree/renameDocByID"), "found by its tool");
    search(&mut screen, "nothing has this", "0 of 723 endpoints");
    assert!(screen.has(Role::Label, "No endpoint fits"));
    screen.press("Empty the field: Search endpoints");
    screen.until("all again", |screen| screen.has(Role::Status, "723 endpoints, 2 changed"));
}

#[test]
fn the_order_is_a_columns_and_is_said() {
    let world = world();
    grant(&world, &[("http POST /api/tag/getTag", Permission::Deny)]);
    let mut screen = opened(&world);
    let direction = |screen: &Screen, column| {
        screen.node(Role::ColumnHeader, column).accesskit_node().data().sort_direction()
    };
    assert_eq!(direction(&screen, "Endpoint"), Some(SortDirection::Ascending));
    screen.click(Role::ColumnHeader, "Permission");
    screen.until("sorted", |screen| screen.has(Role::Status, "Sorted by Permission, ascending"));
    screen.click(Role::ColumnHeader, "Permission");
    screen.until("turned", |screen| screen.has(Role::Status, "Sorted by Permission, descending"));
    assert_eq!(direction(&screen, "Permission"), Some(SortDirection::Descending));
    assert_eq!(direction(&screen, "Endpoint"), None);
    screen.until("closed ones first", |screen| rows(screen).iter().all(|name| name.contains("Closed: ")));
    screen.press("Not closed");
    screen.until("the refused one", |screen| {
        rows(screen).first().is_some_and(|name| name.starts_with("http POST /api/tag/getTag"))
    });
}

#[test]
fn a_permission_is_set_after_a_question_that_names_kernel_and_endpoint() {
    let world = world();
    let mut screen = opened(&world);
    search(&mut screen, "updateBlock POST", " of 722");
    let change = format!("Change permission of {UPDATE}");
    screen.press(&change);
    screen.harness.run();
    assert!(screen.has(Role::AlertDialog, "Permission of an endpoint of Home"));
    assert!(screen.has(Role::Label, UPDATE));
    assert!(
        screen.node(Role::Button, "Cancel").accesskit_node().is_focused(),
        "the safe answer has the focus"
    );
    assert!(screen.is_on(Role::RadioButton, "Ask each time"), "what holds now is chosen");
    screen.press("Cancel");
    assert!(permissions(&world).is_empty());

    screen.press(&change);
    screen.click(Role::RadioButton, "Allow");
    assert!(permissions(&world).is_empty(), "choosing alone saves nothing");
    screen.press("Set permission");
    screen.until("set", |screen| screen.has(Role::Status, "One permission set "));
    assert_eq!(permissions(&world), [(UPDATE.into(), Permission::Allow)].into());
    screen.until("marked", |screen| {
        rows(screen).iter().any(|name| name.ends_with("Allow, changed from default"))
    });
    assert!(screen.has(Role::Status, "1 changed from default"));
}

#[test]
fn several_rows_are_set_by_one_question_that_lists_them_and_leaves_out_what_is_closed() {
    let world = world();
    let mut screen = opened(&world);
    search(&mut screen, "bookmark", " of 722");
    screen.click(Role::CheckBox, "Select all shown");
    screen.harness.run();
    let chosen = rows(&screen).len();
    let closed = rows(&screen).iter().filter(|name| name.contains("Closed: ")).count() + 1;
    search(&mut screen, "forwardProxy", "1 of 722");
    let box_of = screen.words(Role::CheckBox).into_iter().find(|name| name.contains(PROXY)).unwrap();
    screen.click(Role::CheckBox, &box_of);
    screen.until("selected", |screen| screen.has(Role::Status, &format!("{} selected", chosen + 1)));
    screen.press("Set permission…");
    screen.harness.run();
    let open = chosen + 1 - closed;
    let title = format!("Permission of {open} endpoints of Home");
    assert!(screen.has(Role::AlertDialog, &title), "{:?}", screen.words(Role::AlertDialog));
    assert!(screen.has(Role::Label, &format!("{closed} closed endpoints are left out")));
    for part in ["getBookmark", "renameBookmark", "removeBookmark"] {
        assert!(screen.has(Role::Label, part), "{part} is listed, though a filter hides it");
    }
    screen.click(Role::RadioButton, "Refuse");
    screen.press("Set permission");
    screen.until("set", |screen| screen.has(Role::Status, &format!("{open} permissions set ")));
    let saved = permissions(&world);
    assert_eq!(saved.len(), open);
    assert!(saved.values().all(|permission| *permission == Permission::Deny));
    assert!(!screen.has(Role::Status, "selected"), "the selection is gone");
}

#[test]
fn what_cannot_be_saved_is_said_in_the_question_and_can_be_tried_again() {
    let world = World::new();
    world.ask(Command::SetLanguage { language: Some(Language::English) });
    // No process of a kernel runs here, so it cannot be bound.
    add_kernel(&world, "home", "Home", "auto");
    let mut screen = opened(&world);
    search(&mut screen, "connection status", "1 of 722");
    screen.press("Change permission of connection status");
    screen.click(Role::RadioButton, "Allow");
    screen.press("Set permission");
    screen.until("the reason", |screen| screen.words(Role::Alert).iter().any(|words| !words.is_empty()));
    assert!(screen.has(Role::AlertDialog, "Permission of an endpoint"), "the question stays");
    assert!(screen.is_on(Role::RadioButton, "Allow") && screen.is_enabled(Role::Button, "Set permission"));
    assert!(permissions(&world).is_empty());
}

#[test]
fn what_is_closed_says_why_and_cannot_be_granted() {
    let world = world();
    let mut screen = opened(&world);
    search(&mut screen, "forwardProxy", "1 of 722");
    let why = "Closed: makes the kernel send any request anywhere";
    assert!(rows(&screen)[0].ends_with(why), "{:?}", rows(&screen));
    assert!(!screen.has(Role::Button, "Change permission of"));
    row(&screen, PROXY).click();
    screen.until("the details", |screen| screen.has(Role::Label, "Closed in this release"));
    assert!(screen.has(Role::Label, "No permission opens it: makes the kernel send any request anywhere"));
    assert!(!screen.has(Role::Button, "Change permission…"));
}

#[test]
fn the_keyboard_alone_finds_selects_opens_and_comes_back() {
    let world = world();
    let mut screen = opened(&world);
    screen.node(Role::Table, "Endpoints of Home").focus();
    screen.harness.run();
    let current = |screen: &Screen| {
        let node = screen
            .harness
            .root()
            .children_recursive()
            .find(|node| node.accesskit_node().is_focused() && node.accesskit_node().role() == Role::Row);
        node.map(|node| node.accesskit_node().data().row_index().unwrap())
    };
    assert_eq!(current(&screen), Some(1), "a reader is told of the first row");
    let press = |screen: &mut Screen, key, expected| {
        screen.harness.key_press(key);
        screen.harness.run();
        assert_eq!(current(screen), Some(expected), "{key:?}");
    };
    press(&mut screen, Key::ArrowDown, 2);
    press(&mut screen, Key::ArrowUp, 1);
    press(&mut screen, Key::End, 722);
    press(&mut screen, Key::Home, 1);
    screen.harness.key_press(Key::PageDown);
    screen.harness.run();
    assert!(current(&screen).is_some_and(|row| row > 8));
    press(&mut screen, Key::Home, 1);
    screen.harness.key_press(Key::Space);
    screen.harness.run();
    assert!(screen.has(Role::Status, "One selected"));
    screen.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    screen.harness.run();
    assert!(screen.has(Role::Status, "2 selected"));
    screen.harness.key_press(Key::Enter);
    screen.until("the details", |screen| screen.has(Role::Button, "Back to the list"));
    screen.harness.run();
    assert!(screen.node(Role::Button, "Back to the list").accesskit_node().is_focused());
    screen.harness.key_press(Key::Enter);
    screen.harness.run();
    assert_eq!(current(&screen), Some(2), "the focus comes back to the row");
}

#[test]
fn the_details_tell_what_the_contract_knows_and_a_body_is_checked_offline() {
    let world = world();
    let mut screen = opened(&world);
    search(&mut screen, "updateBlock POST", " of 722");
    row(&screen, UPDATE).click();
    screen.until("the details", |screen| screen.has(Role::Label, "siyuan_update block"));
    assert!(screen.has(Role::Label, "authenticated, admin, writable"));
    assert!(screen.has(Role::Label, "dataType"));
    assert!(screen.has(Role::Label, "It changes something, or might"));

    let check = |screen: &mut Screen, body: &str| {
        screen.node(Role::MultilineTextInput, "Body (JSON)").focus();
        screen.harness.run();
        screen.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        screen.harness.run();
        screen.node(Role::MultilineTextInput, "Body (JSON)").type_text(body);
        screen.harness.run();
        screen.node(Role::Button, "Check body").click_accesskit();
        screen.harness.run();
    };
    check(&mut screen, r#"{"id":7,"data":"b","more":1}"#);
    screen.until("the findings", |screen| screen.has(Role::Status, "2 errors, one warning"));
    assert!(screen.has(Role::Label, "The field dataType is missing"));
    assert!(screen.has(Role::Label, "Another type is due: string"));
    assert!(screen.has(Role::Label, "The contract does not know this field"));
    check(&mut screen, r#"{"id":"#);
    screen.until("the syntax", |screen| screen.has(Role::Alert, "This is no JSON"));
    let field = screen.node(Role::MultilineTextInput, "Body (JSON)");
    let described = field.accesskit_node().description().unwrap();
    assert!(described.contains("Line and column: 1:6"), "{described}");
    check(&mut screen, r#"{"id":"a","data":"b","dataType":"markdown"}"#);
    screen.until("good", |screen| screen.has(Role::Status, "It has what the contract asks for"));
}

#[test]
fn nothing_is_cut_off_in_the_table_the_details_and_the_question() {
    for (language, page, back, open) in [
        (Language::English, "Endpoints", "Back to the list", "Not closed"),
        (Language::SimplifiedChinese, "端点", "返回列表", "未关闭"),
    ] {
        let world = world();
        world.ask(Command::SetLanguage { language: Some(language) });
        grant(&world, &[(UPDATE, Permission::AskFullAccess)]);
        for size in [[760.0, 560.0], [1280.0, 800.0]] {
            let mut screen = world.window_of(size);
            screen.open(page);
            screen.until("the endpoints", |screen| screen.has(Role::Status, "722"));
            nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?} table"));
            assert!(rows(&screen).len() > 6, "{size:?}: {}", rows(&screen).len());
            let first = rows(&screen)[0].clone();
            row(&screen, &first).click();
            screen.until("the details", |screen| screen.has(Role::Button, back));
            screen.harness.run();
            nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?} details"));
            screen.press(back);
            screen.press(open);
            screen.until("open ones", |screen| rows(screen)[0].contains("/api/"));
            let change =
                screen.harness.root().children_recursive().find(|node| {
                    node.accesskit_node().role() == Role::Button && spoken(node).contains("/api/")
                });
            change.unwrap().click();
            screen.harness.run();
            assert_eq!(screen.words(Role::RadioButton).len(), 4, "{size:?}");
            nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?} question"));
            the_question_is_whole(&screen, size);
            if language == Language::English {
                screen.press("Cancel");
                screen.click(Role::CheckBox, "Select all shown");
                screen.press("Set permission…");
                screen.harness.run();
                the_question_is_whole(&screen, size);
            }
        }
    }
}

/// What is to be pressed in the question stands within the window.
fn the_question_is_whole(screen: &Screen, size: [f32; 2]) {
    let nodes = screen.harness.root().children_recursive();
    let dialog = nodes.into_iter().find(|node| node.accesskit_node().role() == Role::AlertDialog);
    for node in dialog.unwrap().children_recursive() {
        if [Role::RadioButton, Role::Button].contains(&node.accesskit_node().role()) {
            let rect = node.rect();
            assert!(rect.top() >= 0.0 && rect.bottom() <= size[1], "{size:?}: {} {rect}", spoken(&node));
        }
    }
}
