//! Runtimes, assignment, settings, and what holds for every control.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use notegate::core::{
    ApprovalPolicy, Capability, Command, CommandError, GatewayState, Language, Reply, RuntimeKind, Theme,
    WorkMode,
};

use crate::world::{Screen, World, spoken};

fn add(world: &World, kind: RuntimeKind, capabilities: &[Capability]) {
    let command = Command::AddRuntime {
        kind,
        name: None,
        mode: WorkMode::Execute,
        approval: Default::default(),
        capabilities: capabilities.iter().copied().collect(),
    };
    assert!(matches!(world.ask(command), Reply::RuntimeAdded { .. }));
}

#[test]
fn us10_an_assignment_is_its_own_act() {
    let world = World::new();
    add(&world, RuntimeKind::OpenCode, &[]);
    add(&world, RuntimeKind::Dsh, &[]);
    let mut screen = world.window();
    screen.open("Obsidian");
    assert!(!screen.is_enabled(Role::CheckBox, "DeepSeek Harness"), "listed, with the reason");
    let reason = screen.node(Role::CheckBox, "DeepSeek Harness").accesskit_node().description().unwrap();
    assert!(reason.contains("cannot limit data tools"), "{reason}");
    assert!(screen.has(Role::Label, "Agent on another computer (ACP): not available"));

    screen.click(Role::CheckBox, "OpenCode");
    screen.until("ticked", |screen| screen.is_on(Role::CheckBox, "OpenCode"));
    let snapshot = world.snapshot();
    assert!(snapshot.runtimes[0].capabilities.contains(&Capability::Obsidian));
    assert!(!snapshot.obsidian.enabled && snapshot.obsidian.vault_path.is_empty());
}

#[test]
fn without_runtimes_the_card_leads_to_adding_one_and_its_key_is_shown_once() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Obsidian");
    screen.press("Add a runtime…");
    screen.fill("Name", "My OpenCode");
    screen.press("Add runtime");
    screen.until("the key", |screen| screen.has(Role::Label, "ng_"));
    let shown = screen.words(Role::Label);
    let key = shown.iter().find(|words| words.starts_with("ng_")).unwrap();
    assert!(shown.iter().any(|words| words.contains(&format!("Bearer {key}"))), "in a ready text too");
    let snapshot = world.snapshot();
    assert_eq!(snapshot.runtimes[0].name, "My OpenCode");
    assert!(snapshot.runtimes[0].capabilities.contains(&Capability::Obsidian));

    screen.press("I have copied it");
    assert!(!screen.has(Role::Label, "ng_"), "never again");
}

#[test]
fn enter_adds_a_runtime_and_a_key_stays_until_it_is_said_to_be_kept() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Runtimes");
    for name in ["One", "Two"] {
        // Where there is none yet, the form stands open already.
        if !screen.has(Role::TextInput, "Name") {
            screen.press("Add a runtime…");
        }
        screen.fill("Name", name);
        screen.harness.key_press(Key::Enter);
        screen.until("its key", |screen| screen.has(Role::Heading, &format!("Key for {name}")));
    }
    assert!(screen.has(Role::Heading, "Key for One"), "the first one is still there");
    let keys =
        |screen: &Screen| screen.words(Role::Label).iter().filter(|text| text.starts_with("ng_")).count();
    assert_eq!(keys(&screen), 2);
    // The newest stands first.
    let done = screen.harness.get_all_by_role_and_label(Role::Button, "I have copied it").next().unwrap();
    done.click_accesskit();
    screen.until("one left", |screen| !screen.has(Role::Heading, "Key for Two"));
    assert_eq!(keys(&screen), 1);
    world.ask(Command::RemoveRuntime { runtime: world.snapshot().runtimes[0].id.clone() });
    screen.until("a dead key goes", |screen| !screen.has(Role::Heading, "Key for One"));
}

#[test]
fn a_runtimes_card_says_what_it_is_given_and_shows_its_configuration_again() {
    let world = World::new();
    add(&world, RuntimeKind::OpenCode, &[Capability::Obsidian]);
    add(&world, RuntimeKind::Cursor, &[]);
    let mut screen = world.window();
    screen.open("Runtimes");
    assert!(screen.has(Role::Label, "Obsidian is assigned to it, and switched off"));
    assert!(screen.has(Role::Label, "Nothing is assigned to it"));
    world.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true });
    screen.until("on", |screen| !screen.has(Role::Label, "switched off"));

    assert!(!screen.has(Role::Label, "Bearer KEY"));
    screen.node(Role::Button, "Settings for OpenCode").click_accesskit();
    screen.until("the text", |screen| screen.has(Role::Label, "Bearer KEY"));
    assert!(screen.has(Role::Label, "\"oauth\": false"));
}

#[test]
fn a_runtime_is_renamed_and_namesakes_are_told_apart_by_their_ids() {
    let world = World::new();
    add(&world, RuntimeKind::OpenCode, &[]);
    add(&world, RuntimeKind::OpenCode, &[]);
    let mut screen = world.window();
    screen.until("the list", |screen| screen.has(Role::Label, "OpenCode (opencode-2)"));
    screen.open("Obsidian");
    assert!(
        screen.has(Role::CheckBox, "OpenCode (opencode)")
            && screen.has(Role::CheckBox, "OpenCode (opencode-2)")
    );
    screen.open("Runtimes");
    screen.press("Rename OpenCode (opencode-2)…");
    screen.fill("New name", " ");
    screen.press("Save");
    screen.until("the reason", |screen| screen.has(Role::Alert, "A runtime needs a name"));
    screen.fill("New name", "Laptop");
    screen.harness.key_press(Key::Enter);
    screen.until("renamed", |screen| screen.has(Role::Heading, "Laptop"));
    assert!(!screen.has(Role::TextInput, "New name"), "the form is closed");
    let snapshot = world.snapshot();
    assert_eq!(
        (snapshot.runtimes[1].name.as_str(), snapshot.runtimes[1].id.as_str()),
        ("Laptop", "opencode-2")
    );
    screen.open("Obsidian");
    assert!(screen.has(Role::CheckBox, "OpenCode") && !screen.has(Role::CheckBox, "(opencode"));
}

#[test]
fn how_freely_a_runtime_works_and_whether_it_may_ask_is_changed_in_its_card() {
    let world = World::new();
    add(&world, RuntimeKind::OpenCode, &[Capability::Siyuan]);
    add(&world, RuntimeKind::Codex, &[Capability::Obsidian]);
    let mut screen = world.window();
    screen.open("Runtimes");
    let group = "Where a SiYuan call of OpenCode must be asked about";
    screen.until("the list", |screen| screen.has(Role::RadioGroup, group));
    assert!(!screen.has(Role::RadioGroup, "call of Codex"), "it asks nothing");
    assert!(screen.is_on(Role::RadioButton, "Ask me"));
    screen.click(Role::RadioButton, "Refuse without asking");
    screen.until("saved", |screen| screen.is_on(Role::RadioButton, "Refuse without asking"));
    screen.harness.get_all_by_role_and_label(Role::RadioButton, "Full access").next().unwrap().click();
    screen.harness.run();
    world.until(|seen| {
        let opencode = &seen.runtimes[0];
        (opencode.mode, opencode.approval) == (WorkMode::Full, ApprovalPolicy::Never)
    });
}

#[test]
fn the_list_of_kinds_shows_every_kind_with_the_chosen_one_in_sight() {
    let world = World::new();
    for size in [[1100.0, 900.0], [760.0, 400.0]] {
        let mut screen = world.window_of(size);
        screen.open("Runtimes");
        let combo = |screen: &Screen| {
            let combo = screen.harness.get_by(|node| node.role() == Role::ComboBox);
            combo.click_accesskit();
        };
        combo(&screen);
        screen.until("the list", |screen| screen.has(Role::Button, "Other MCP client"));
        screen.harness.run();
        let inside = |screen: &Screen, name: &str| {
            let rect = screen.node(Role::Button, name).rect();
            rect.top() >= 0.0 && rect.bottom() <= size[1]
        };
        assert!(inside(&screen, "OpenCode"), "{size:?}");
        if size[1] > 800.0 {
            for name in ["Direct model", "Agent on another computer (ACP)"] {
                assert!(inside(&screen, name), "{name} at {size:?}");
            }
        } else {
            screen.press("Claude Code");
            combo(&screen);
            screen.until("the list", |screen| screen.has(Role::Button, "Other MCP client"));
            screen.harness.run();
            assert!(inside(&screen, "Claude Code"), "the chosen one");
        }
    }
}

#[test]
fn removing_a_runtime_asks_first_and_names_what_is_lost() {
    let world = World::new();
    add(&world, RuntimeKind::Continue, &[Capability::Obsidian]);
    let mut screen = world.window();
    screen.open("Runtimes");
    screen.press("Remove Continue…");
    screen.harness.run();
    assert!(screen.has(Role::Label, "Its key stops working at once"));
    let safe = screen.node(Role::Button, "Cancel");
    assert!(safe.accesskit_node().is_focused(), "the safe answer has the focus");
    screen.press("Cancel");
    assert_eq!(world.snapshot().runtimes.len(), 1);

    screen.press("Remove Continue…");
    screen.press("Remove");
    screen.until("gone", |screen| !screen.has(Role::Heading, "Continue"));
    assert!(world.snapshot().runtimes.is_empty());
}

#[test]
fn the_language_and_the_theme_are_switched_while_the_window_is_open() {
    let world = World::new();
    world.ask(Command::SetLanguage { language: Some(Language::English) });
    let mut screen = world.window();
    screen.open("Settings");
    screen.click(Role::RadioButton, "简体中文");
    screen.until("Chinese", |screen| screen.has(Role::Heading, "设置"));
    for (name, theme, drawn) in
        [("浅色", Theme::Light, eframe::egui::Theme::Light), ("深色", Theme::Dark, eframe::egui::Theme::Dark)]
    {
        screen.click(Role::RadioButton, name);
        screen.until(name, |screen| screen.is_on(Role::RadioButton, name));
        assert_eq!((world.snapshot().theme, screen.harness.ctx.theme()), (theme, drawn));
    }
}

#[test]
fn a_port_that_is_none_is_refused_beside_its_field() {
    let world = World::new();
    let mut screen = world.window();
    screen.open("Settings");
    screen.fill("Port", "70000");
    screen.press("Save");
    assert!(screen.has(Role::Alert, "A port is a number from 1 to 65535"));
    screen.fill("Port", "28000");
    screen.press("Save");
    screen.until("the save", |screen| screen.has(Role::Status, "Port 28000 is saved"));
    assert_eq!(world.snapshot().port, 28000);
}

#[test]
fn an_endpoint_that_could_not_be_opened_is_tried_again_from_overview() {
    let world = World::new();
    let at = std::time::SystemTime::now();
    let failed = || {
        let error = CommandError::new("port_taken", "port 27277 is in use");
        world.handle().report_gateway(GatewayState::Failed { error, at });
    };
    failed();
    let mut screen = world.window();
    screen.until("the reason", |screen| screen.has(Role::Label, "The port is taken by another program"));
    world.ask(Command::SetPort { port: 28001 });
    screen.until("the port that is tried", |screen| screen.has(Role::Label, "Port 28001 is saved"));

    screen.press("Try again");
    screen.until("trying", |screen| screen.has(Role::Status, "Starting…"));
    // The test runs the gateway: it is asked, and reports.
    world.wait_for_endpoint_request();
    failed();
    screen.until("failed anew", |screen| screen.has(Role::Button, "Try again"));
    screen.press("Try again");
    world.wait_for_endpoint_request();
    let url = "http://127.0.0.1:28001/mcp".into();
    world.handle().report_gateway(GatewayState::Listening { url, since: at });
    screen.until("running", |screen| screen.has(Role::Status, "Running since"));
    assert!(!screen.has(Role::Button, "Try again"));
}

#[test]
fn the_keyboard_alone_goes_through_the_card_in_the_order_of_reading() {
    let world = World::with_vaults(&["Registered"]);
    add(&world, RuntimeKind::OpenCode, &[]);
    let mut screen = world.window();
    screen.open("Obsidian");
    let order = tab_order(&mut screen, 13);
    let at = |name: &str| {
        order.iter().position(|found| found == name).unwrap_or_else(|| panic!("{name} is not in {order:?}"))
    };
    let expected = [
        "Obsidian access",
        "All vaults on this computer",
        "One folder",
        "Save",
        "Test connection",
        "Choose folder…",
        "OpenCode",
        "Tools (19)",
        "Advanced",
    ];
    let start = at(expected[0]);
    for (step, name) in expected.into_iter().enumerate() {
        assert_eq!((start + step) % order.len(), at(name), "{name} in {order:?}");
    }

    // Space and Enter press what has the focus.
    screen.node(Role::RadioButton, "One folder").focus();
    screen.harness.run();
    screen.harness.key_press(Key::Space);
    screen.harness.run();
    assert!(screen.is_on(Role::RadioButton, "One folder"));
    screen.node(Role::Button, "Tools (19)").focus();
    screen.harness.run();
    screen.harness.key_press(Key::Enter);
    screen.harness.run();
    let tools = screen.node(Role::Button, "Tools (19)");
    assert_eq!(tools.accesskit_node().data().is_expanded(), Some(true));
    assert!(tools.accesskit_node().data().controls().len() == 1);
    assert_eq!(screen.words(Role::ListItem).len(), 19);
}

#[test]
fn what_the_keyboard_comes_to_is_in_sight() {
    let world = World::with_vaults(&["Registered"]);
    let mut screen = world.window_of([760.0, 560.0]);
    screen.open("Obsidian");
    let below = |screen: &Screen| screen.node(Role::Button, "Tools (19)").rect().bottom() > 560.0;
    assert!(below(&screen), "the window is too high for this test");
    screen.node(Role::Button, "Choose folder…").focus();
    screen.harness.run();
    screen.harness.key_press(Key::Tab);
    screen.harness.run();
    screen.harness.key_press(Key::Tab);
    screen.harness.run();
    assert!(screen.node(Role::Button, "Tools (19)").is_focused());
    assert!(!below(&screen));
}

/// The names that the Tab key comes to, until it has gone round.
fn tab_order(screen: &mut Screen, least: usize) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for _ in 0..60 {
        screen.harness.key_press_modifiers(Modifiers::NONE, Key::Tab);
        screen.harness.run();
        let focused = screen
            .harness
            .root()
            .children_recursive()
            .find(|node| node.accesskit_node().is_focused() && node.accesskit_node().parent().is_some())
            .map(|node| spoken(&node));
        let Some(name) = focused else { continue };
        if order.first() == Some(&name) && order.len() >= least {
            return order;
        }
        order.push(name);
    }
    panic!("the Tab key never came round: {order:?}");
}

#[test]
fn g03_a_window_at_rest_asks_for_no_frame() {
    let world = World::with_vaults(&["Registered"]);
    let mut screen = world.window();
    for page in ["Overview", "Obsidian", "Runtimes", "Settings"] {
        screen.open(page);
        screen.harness.run();
        let waits = screen
            .harness
            .output()
            .viewport_output
            .values()
            .all(|out| out.repaint_delay > std::time::Duration::from_secs(3600));
        assert!(waits, "{page} asks for frames at rest");
    }
}

#[test]
fn the_window_closes_with_the_instance_and_comes_to_the_front_when_asked() {
    use eframe::egui::ViewportCommand;
    let world = World::new();
    let mut screen = world.window();
    screen.harness.run();
    let told = |screen: &Screen, wanted: &ViewportCommand| {
        screen.harness.output().viewport_output.values().any(|out| out.commands.contains(wanted))
    };
    world.ask(Command::ShowWindow);
    screen.harness.step();
    assert!(told(&screen, &ViewportCommand::Focus));
    world.ask(Command::Shutdown);
    screen.harness.step();
    assert!(told(&screen, &ViewportCommand::Close));
}
