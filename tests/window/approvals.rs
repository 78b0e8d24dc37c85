//! Questions to the person, answered in the window.

use std::time::Duration;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, UserAttentionType, ViewportCommand};
use egui_kittest::kittest::{NodeT, Queryable};
use notegate::access::SessionLabel;
use notegate::access::approvals::{ArgumentsDigest, Ask, Declined, TextChange};
use notegate::core::{
    ApprovalPolicy, Capability, Command, KernelDraft, QuestionState, QuestionView, Reply, RuntimeId,
    RuntimeKind, WorkMode,
};
use serde_json::json;

use crate::kernel::Kernel;
use crate::kernel::notes_ids::CHILD;
use crate::world::{Screen, World};

/// A call of OpenCode that has to be asked about, as it is under the settings now.
pub fn asked(world: &World, session: Option<&str>, change: &str) -> Ask {
    let arguments = json!({"change": change});
    Ask {
        runtime: RuntimeId::new("opencode").unwrap(),
        session: session.map(|label| SessionLabel(label.into())),
        policy: ApprovalPolicy::Prompt,
        generation: world.snapshot().generation,
        tool: "siyuan_update".into(),
        kernel: Some("home".into()),
        endpoints: vec!["http POST /api/block/updateBlock".into()],
        arguments: ArgumentsDigest::of(arguments.as_object().unwrap()),
        change: change.into(),
        text: None,
        patient: true,
    }
}

const HEADLINE: &str = "OpenCode wants to update a block in SiYuan «home»";
const APPROVE: &str = "Approve once: OpenCode wants to update a block in SiYuan «home»";
const REFUSE: &str = "Refuse: OpenCode wants to update a block in SiYuan «home»";
const REFUSE_ALL: &str = "Refuse all of this session: OpenCode wants to update a block in SiYuan «home»";
const NOTED: &str = "Got it: OpenCode wants to update a block in SiYuan «home»";

fn world() -> World {
    let world = World::new();
    let (kind, approval) = (RuntimeKind::OpenCode, ApprovalPolicy::default());
    let capabilities = [Capability::Siyuan].into();
    world.ask(Command::AddRuntime { kind, name: None, mode: WorkMode::Execute, approval, capabilities });
    world
}

/// The question that was asked as the nth.
fn nth(world: &World, number: usize) -> QuestionView {
    let mut questions = world.handle().approvals().view().questions;
    questions.sort_by_key(|question| question.id);
    questions[number - 1].clone()
}

fn state(world: &World, number: usize) -> QuestionState {
    nth(world, number).state
}

/// Draws until the card's answers count.
fn until_it_counts(screen: &mut Screen, button: &str) {
    screen.until("a card", |screen| screen.has(Role::Button, button));
    // A quarter of a second each.
    screen.harness.run_steps(4);
    assert!(screen.is_enabled(Role::Button, button));
}

#[test]
fn a_call_of_a_kernel_waits_for_the_person_who_sees_what_it_would_change() {
    let world = World::new();
    let kernel = world.wait(Kernel::start());
    let draft = KernelDraft {
        name: "Notes".into(),
        address: kernel.address().parse().unwrap(),
        timeout_seconds: 60,
        port_file: None,
        pid: None,
    };
    world.ask(Command::AddKernel { kernel: None, draft });
    world.ask(Command::SetEnabled { capability: Capability::Siyuan, enabled: true });
    let mut screen = world.window();
    screen.open("Settings");

    let arguments =
        json!({"kernelId": "local", "action": "block", "id": CHILD, "data": "first line\nsecond line"});
    let (handle, arguments) = (world.handle(), arguments.as_object().unwrap().clone());
    let calling = world.beside(async move {
        let call = Command::CallTool { tool: "siyuan_update".into(), arguments, mode: WorkMode::Execute };
        handle.request(call).await
    });
    let approve = "Approve once: Command line wants to update a block in SiYuan «Notes»";
    until_it_counts(&mut screen, approve);
    let call = format!("siyuan_update block {CHILD}");
    let labels = screen.words(Role::Label);
    for said in ["Removed: Below.", "Added: first line", "Added: second line", "Notegate", &call] {
        assert!(labels.iter().any(|label| label == said), "{said}: {labels:?}");
    }
    assert!(screen.has(Role::Label, "http POST /api/block/updateBlock"));
    assert!(screen.has(Role::Heading, "Settings"), "the page stays below");

    screen.press(approve);
    match world.wait(calling).unwrap().unwrap() {
        Reply::ToolResult { is_error, content, .. } => assert!(!is_error, "{content:?}"),
        other => panic!("{other:?}"),
    }
    screen.until("the panel goes", |screen| !screen.has(Role::Button, approve));
    assert!(!screen.has(Role::Button, "waiting"));
}

#[test]
fn the_safe_answer_has_the_focus_and_no_key_answers_a_card_that_has_just_appeared() {
    let world = world();
    let mut screen = world.window();
    screen.open("Overview");
    let asking = world.ask_person(asked(&world, Some("s-1"), "text"));
    let mut steps = 0;
    while !screen.has(Role::Button, REFUSE) {
        screen.harness.step();
        steps += 1;
        assert!(steps < 1_000_000, "no card");
    }
    screen.harness.step();
    assert!(screen.node(Role::Button, REFUSE).accesskit_node().is_focused());
    assert!(!screen.is_enabled(Role::Button, REFUSE) && !screen.is_enabled(Role::Button, APPROVE));
    for key in [Key::Enter, Key::Space] {
        screen.harness.key_press(key);
        screen.harness.step();
    }
    assert_eq!(state(&world, 1), QuestionState::Open);

    screen.harness.run_steps(4);
    screen.harness.key_press(Key::Enter);
    screen.harness.run();
    assert_eq!(world.wait(asking).unwrap(), Err(Declined::Refused), "and then it is the safe one");
}

#[test]
fn three_keys_together_answer_a_card_that_has_stood_for_a_moment_and_nobody_elses_typing_does() {
    let world = world();
    let mut screen = world.window();
    screen.open("Overview");
    let keys = Modifiers::COMMAND | Modifiers::SHIFT;
    for (key, expected) in [(Key::Y, Ok(())), (Key::N, Err(Declined::Refused))] {
        let asking = world.ask_person(asked(&world, None, "text"));
        until_it_counts(&mut screen, APPROVE);
        screen.harness.key_press_modifiers(keys, key);
        screen.until("answered", |screen| !screen.has(Role::Button, APPROVE));
        assert_eq!(world.wait(asking).unwrap().map(drop), expected);
    }
    screen.open("Settings");
    screen.node(Role::TextInput, "Port").focus();
    screen.harness.run();
    let asking = world.ask_person(asked(&world, None, "text"));
    until_it_counts(&mut screen, APPROVE);
    screen.harness.key_press_modifiers(keys, Key::Y);
    screen.harness.run();
    assert!(screen.has(Role::Button, APPROVE), "whoever types answers nothing");
    asking.abort();
}

#[test]
fn overview_says_what_waits_and_leads_there() {
    let world = world();
    let mut screen = world.window();
    screen.open("Overview");
    assert!(screen.has(Role::Label, "Nothing waits for your answer"));
    let _asking = world.ask_person(asked(&world, None, "text"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE));
    screen.press("Hide");
    assert!(screen.has(Role::Label, "One question waits for your answer"));
    screen.press("Show what waits");
    screen.until("the card again", |screen| screen.has(Role::Button, REFUSE));
}

#[test]
fn whoever_types_goes_on_typing_when_a_question_comes() {
    let world = world();
    let mut screen = world.window();
    screen.open("Settings");
    screen.node(Role::TextInput, "Port").focus();
    screen.harness.run();
    let asking = world.ask_person(asked(&world, None, "text"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE));
    screen.harness.run();
    assert!(screen.node(Role::TextInput, "Port").is_focused());
    assert_eq!(state(&world, 1), QuestionState::Open);
    until_it_counts(&mut screen, APPROVE);
    screen.press(APPROVE);
    assert!(world.wait(asking).unwrap().is_ok());
}

#[test]
fn a_long_change_is_shown_whole_when_it_is_asked_for() {
    let world = world();
    let mut screen = world.window();
    let lines: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
    let _asking = world.ask_person(asked(&world, None, &lines.join("\n")));
    until_it_counts(&mut screen, "Show all");
    let height = |screen: &Screen| {
        let change = screen
            .harness
            .get_all_by_role(Role::Label)
            .find(|node| node.accesskit_node().value().is_some_and(|value| value.starts_with("line 1\n")));
        change.unwrap().rect().height()
    };
    let before = height(&screen);
    screen.press("Show all");
    screen.until("all of it", |screen| screen.has(Role::Button, "Show less"));
    assert!(height(&screen) > 3.0 * before);
}

/// A call that would put the one text in the place of the other.
pub fn about_text(world: &World, before: Option<&str>, after: Option<&str>) -> Ask {
    let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
    let text = Some(TextChange { document: Some("Trip to Kyoto 京都".into()), before, after });
    Ask { text, ..asked(world, None, "siyuan_update block 20261011180002-abcdefg\ndata: …") }
}

#[test]
fn two_texts_stand_side_by_side_and_one_under_the_other_where_it_is_narrow() {
    let world = world();
    for (size, side_by_side) in [([1100.0, 900.0], true), ([760.0, 560.0], true), ([640.0, 400.0], false)] {
        let mut screen = world.window_of(size);
        let (before, after) = ("the first\nstays\nlast", "the 1st\nstays\nlast\nand more");
        let asking = world.ask_person(about_text(&world, Some(before), Some(after)));
        screen.until("the text", |screen| screen.has(Role::Label, "Removed: the first"));
        screen.harness.run_steps(4);
        let place = |name: &str| screen.node(Role::Label, name).rect();
        let (gone, new) = (place("Removed: the first"), place("Added: the 1st"));
        assert_eq!((gone.top() - new.top()).abs() < 1.0, side_by_side, "{size:?}: {gone:?} {new:?}");
        assert_eq!(gone.right() <= new.left(), side_by_side);
        assert!(new.top() >= gone.top(), "in the order of reading");
        let stays = screen.words(Role::Label).iter().filter(|label| *label == "stays").count();
        assert_eq!(stays, if side_by_side { 1 } else { 2 }, "what stays is said once to a line");
        assert!(screen.has(Role::Label, "Added: and more") && screen.has(Role::Label, "Trip to Kyoto 京都"));
        asking.abort();
        world.until(|seen| seen.approvals.questions.iter().all(|one| one.state != QuestionState::Open));
    }
}

#[test]
fn of_a_long_text_what_changes_is_shown_and_all_of_it_when_it_is_asked_for() {
    let world = world();
    let mut screen = world.window();
    let lines = |word: &str| {
        (1..=40).map(|at| if at == 20 { word.to_owned() } else { format!("line {at}") }).collect::<Vec<_>>()
    };
    let (before, after) = (lines("old").join("\n"), lines("new").join("\n"));
    let _asking = world.ask_person(about_text(&world, Some(&before), Some(&after)));
    until_it_counts(&mut screen, "Show all");
    assert!(screen.has(Role::Label, "Removed: old") && screen.has(Role::Label, "Added: new"));
    assert!(screen.has(Role::Label, "line 19") && !screen.has(Role::Label, "line 18"));
    assert!(screen.has(Role::Label, "… 18 lines stay"));
    screen.press("Show all");
    screen.until("all of it", |screen| screen.has(Role::Label, "line 18"));
    assert!(screen.has(Role::Button, "Show less") && !screen.has(Role::Label, "lines stay"));
}

#[test]
fn where_there_is_no_text_before_or_after_words_say_why() {
    let world = world();
    for (before, after, words) in [
        (None, Some("new"), ["What stands there now could not be read", "Added: new"]),
        (Some("old"), None, ["Removed: old", "It is deleted"]),
        (Some("old"), Some(""), ["Removed: old", "It is emptied"]),
        (None, None, ["What stands there now could not be read", "It is deleted"]),
    ] {
        let mut screen = world.window();
        let asking = world.ask_person(about_text(&world, before, after));
        screen
            .until(words[0], |screen| screen.has(Role::Label, words[0]) && screen.has(Role::Label, words[1]));
        asking.abort();
        world.until(|seen| seen.approvals.questions.iter().all(|one| one.state != QuestionState::Open));
    }
}

#[test]
fn two_questions_are_counted_in_the_navigation_and_can_be_put_away() {
    let world = world();
    let mut screen = world.window();
    let first = world.ask_person(asked(&world, Some("s-1"), "one"));
    screen.until("the first", |screen| screen.has(Role::Button, REFUSE));
    let second = world.ask_person(asked(&world, Some("s-1"), "two"));
    let name = "2 questions wait for your answer";
    screen.until("both", |screen| screen.has(Role::Status, name) && screen.has(Role::Button, name));

    screen.press("Hide");
    screen.harness.run();
    assert!(!screen.has(Role::Button, "Refuse"));
    screen.press(name);
    screen.harness.run_steps(4);
    let refuse: Vec<_> = screen.harness.get_all_by_role_and_label(Role::Button, REFUSE).collect();
    assert_eq!(refuse.len(), 2, "the older one first");
    refuse[0].click_accesskit();
    screen.until("one is left", |screen| screen.has(Role::Status, "One question waits for your answer"));
    assert_eq!(world.wait(first).unwrap(), Err(Declined::Refused));
    screen.harness.run_steps(4);
    assert!(screen.node(Role::Button, REFUSE).accesskit_node().is_focused(), "the next one has the focus");
    screen.press(APPROVE);
    assert!(world.wait(second).unwrap().is_ok());
}

#[test]
fn what_was_answered_elsewhere_or_ended_otherwise_is_told_until_it_was_noted() {
    let world = world();
    let mut screen = world.window();
    let first = world.ask_person(asked(&world, None, "one"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE));
    world.ask(Command::AnswerApproval { question: nth(&world, 1).id, approve: true });
    screen.until("told", |screen| screen.has(Role::Status, "Approved elsewhere"));
    assert!(world.wait(first).unwrap().is_ok());
    screen.press(NOTED);
    screen.until("noted", |screen| !screen.has(Role::Status, "Approved elsewhere"));

    let second = world.ask_person(asked(&world, None, "two"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE));
    world.ask(Command::SetPort { port: 28001 });
    screen
        .until("told", |screen| screen.has(Role::Status, "The settings were changed, and nothing was sent"));
    assert_eq!(world.wait(second).unwrap(), Err(Declined::ConfigurationChanged));

    let third = world.ask_person(asked(&world, None, "three"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE));
    third.abort();
    screen.until("told", |screen| screen.has(Role::Status, "Its call was cancelled, and nothing was sent"));
}

#[test]
fn a_session_is_refused_whole_held_back_and_let_ask_again() {
    let world = world();
    let mut screen = world.window();
    let first = world.ask_person(asked(&world, Some("s-1"), "one"));
    screen.until("a card", |screen| screen.has(Role::Button, REFUSE_ALL));
    let second = world.ask_person(asked(&world, Some("s-1"), "two"));
    screen.until("both", |screen| screen.has(Role::Status, "2 questions wait"));
    screen.harness.run_steps(4);
    screen.harness.get_all_by_role_and_label(Role::Button, REFUSE_ALL).next().unwrap().click_accesskit();
    screen.until("held back", |screen| screen.has(Role::Button, "1 held back"));
    for asking in [first, second] {
        assert_eq!(world.wait(asking).unwrap(), Err(Declined::Refused));
    }
    let third = world.ask_person(asked(&world, Some("s-1"), "three"));
    assert_eq!(world.wait(third).unwrap(), Err(Declined::Paused));

    screen.press("1 held back");
    screen.until("why", |screen| screen.has(Role::Label, "OpenCode, session s-1: you refused all"));
    screen.press("Let it ask again: OpenCode, session s-1");
    screen.until("lifted", |screen| !screen.has(Role::Button, "held back"));
    let fourth = world.ask_person(asked(&world, Some("s-1"), "four"));
    until_it_counts(&mut screen, APPROVE);
    screen.press(APPROVE);
    assert!(world.wait(fourth).unwrap().is_ok());
}

#[test]
fn in_the_background_the_window_asks_for_attention_until_nothing_waits() {
    let world = world();
    let mut screen = world.window();
    screen.harness.run();
    screen.harness.input_mut().focused = false;
    let attention = |screen: &mut Screen, wanted: UserAttentionType| {
        let wanted = ViewportCommand::RequestUserAttention(wanted);
        for _ in 0..1_000_000 {
            screen.harness.step();
            let output = screen.harness.output();
            if output.viewport_output.values().any(|out| out.commands.contains(&wanted)) {
                return;
            }
        }
        panic!("{wanted:?} was not asked for");
    };
    let asking = world.ask_person(asked(&world, None, "text"));
    attention(&mut screen, UserAttentionType::Critical);
    world.ask(Command::AnswerApproval { question: nth(&world, 1).id, approve: false });
    attention(&mut screen, UserAttentionType::Reset);
    assert_eq!(world.wait(asking).unwrap(), Err(Declined::Refused));
}

#[test]
fn g03_a_frame_a_second_is_drawn_while_a_question_is_open_and_none_afterwards() {
    let world = world();
    let mut screen = world.window();
    let next = |screen: &Screen| {
        let output = screen.harness.output();
        output.viewport_output.values().map(|out| out.repaint_delay).min().unwrap()
    };
    let asking = world.ask_person(asked(&world, None, "text"));
    until_it_counts(&mut screen, APPROVE);
    screen.harness.run();
    let delay = next(&screen);
    assert!(delay > Duration::from_millis(100) && delay <= Duration::from_secs(1), "{delay:?}");
    screen.press("Hide");
    screen.harness.run();
    assert!(next(&screen) > Duration::from_secs(3600), "nobody looks");
    screen.press("One question waits for your answer");
    until_it_counts(&mut screen, APPROVE);
    screen.press(APPROVE);
    screen.until("gone", |screen| !screen.has(Role::Button, HEADLINE));
    screen.harness.run();
    assert!(next(&screen) > Duration::from_secs(3600), "{:?}", next(&screen));
    assert!(world.wait(asking).unwrap().is_ok());
}
