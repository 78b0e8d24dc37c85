//! Seed 001's table of transitions, row by row.

use std::time::Duration;

use super::*;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

fn report() -> TestReport {
    TestReport { vaults: Vec::new(), tool_count: 18 }
}

fn tested(draft: &mut Draft) {
    draft.begin_test(NOW).unwrap();
    draft.test_ended(Ok(report()), NOW);
    assert!(draft.tested().is_some());
}

fn refusal() -> CommandError {
    CommandError::new("settings", "cannot write the settings: the disk is full")
}

#[test]
fn choosing_a_folder_updates_the_draft_turns_to_one_folder_and_clears_the_old_result() {
    let mut draft = Draft::new("");
    tested(&mut draft);
    draft.folder_chosen("/notes".into());
    assert_eq!((draft.reach(), draft.path(), draft.setting()), (Reach::Folder, "/notes", "/notes"));
    assert_eq!(draft.tested(), None);
    assert!(draft.differs_from(""));
}

#[test]
fn switching_the_scope_clears_result_and_errors_and_keeps_the_typed_path() {
    let mut draft = Draft::new("/notes");
    tested(&mut draft);
    draft.choose(Reach::Registered);
    assert_eq!((draft.tested(), draft.setting()), (None, ""));
    draft.choose(Reach::Folder);
    assert_eq!(draft.setting(), "/notes");
    assert_eq!(draft.problem(), None);
}

#[test]
fn editing_the_path_clears_result_and_errors() {
    let mut draft = Draft::new("/notes");
    draft.begin_test(NOW).unwrap();
    draft.test_ended(Err(CommandError::new("vault_unreachable", "gone")), NOW);
    assert!(matches!(draft.problem(), Some(PathProblem::Refused(_))));
    draft.edit_path("/notes2".into());
    assert_eq!(draft.problem(), None);
    tested(&mut draft);
    draft.edit_path("/notes3".into());
    assert_eq!(draft.tested(), None);
}

#[test]
fn an_empty_path_of_one_folder_is_an_error_and_nothing_is_sent() {
    let mut draft = Draft::new("");
    draft.choose(Reach::Folder);
    assert_eq!(draft.begin_test(NOW), None);
    assert_eq!(draft.problem(), Some(&PathProblem::Empty));
    assert_eq!(draft.begin_save(NOW), None);
    draft.edit_path("/notes".into());
    assert_eq!(draft.problem(), None);
    draft.edit_path("  ".into());
    assert_eq!(draft.problem(), Some(&PathProblem::Empty));
    draft.choose(Reach::Registered);
    assert_eq!(draft.problem(), None);
}

#[test]
fn a_test_uses_the_draft_of_its_asking_and_cannot_be_asked_for_twice() {
    let mut draft = Draft::new("");
    draft.folder_chosen(" /notes ".into());
    assert_eq!(draft.begin_test(NOW).as_deref(), Some("/notes"));
    assert_eq!(draft.begin_test(NOW), None);
    assert_eq!(draft.testing_since(), Some(NOW));
    let later = NOW + Duration::from_secs(2);
    draft.test_ended(Ok(report()), later);
    assert_eq!(draft.tested(), Some(&Tested { outcome: Ok(report()), at: later }));
    assert_eq!(draft.testing_since(), None);
}

#[test]
fn a_test_of_a_former_draft_is_not_shown_as_one_of_the_present_draft() {
    let mut draft = Draft::new("/a");
    draft.begin_test(NOW).unwrap();
    draft.edit_path("/b".into());
    assert_eq!(draft.begin_test(NOW), None, "the first one still runs");
    draft.test_ended(Ok(report()), NOW);
    assert_eq!(draft.tested(), None);
    assert_eq!(draft.begin_test(NOW).as_deref(), Some("/b"));
}

#[test]
fn a_save_that_succeeded_ends_the_editing() {
    let mut draft = Draft::new("");
    draft.folder_chosen("/notes ".into());
    assert_eq!(draft.begin_save(NOW).as_deref(), Some("/notes"));
    assert_eq!(draft.begin_save(NOW), None, "saving once is enough");
    draft.saved("/notes", NOW);
    assert_eq!((draft.path(), draft.saved_at()), ("/notes", Some(NOW)));
    assert!(!draft.differs_from("/notes"));
    draft.follow("");
    assert_eq!(draft.reach(), Reach::Registered, "a form that nobody edits follows what is saved");
}

#[test]
fn a_save_that_failed_keeps_the_draft_and_can_be_repeated() {
    let mut draft = Draft::new("");
    draft.folder_chosen("/notes".into());
    draft.begin_save(NOW).unwrap();
    draft.save_refused(refusal());
    draft.follow("");
    assert_eq!((draft.path(), draft.save_failed()), ("/notes", Some(&refusal())));
    assert!(draft.differs_from(""));
    assert_eq!(draft.begin_save(NOW).as_deref(), Some("/notes"));
    assert_eq!(draft.save_failed(), None);
}

#[test]
fn what_was_typed_during_a_save_is_a_new_draft() {
    let mut draft = Draft::new("");
    draft.folder_chosen("/a".into());
    draft.begin_save(NOW).unwrap();
    draft.edit_path("/b".into());
    draft.saved("/a", NOW);
    draft.follow("/a");
    assert_eq!(draft.path(), "/b");
    assert!(draft.differs_from("/a"));
}

#[test]
fn another_engine_makes_a_test_void_and_leaves_the_draft_and_its_save_alone() {
    let mut draft = Draft::new("/notes");
    tested(&mut draft);
    draft.engine_changed();
    assert_eq!(draft.tested(), None);
    draft.edit_path("/b".into());
    draft.begin_test(NOW).unwrap();
    draft.begin_save(NOW).unwrap();
    draft.engine_changed();
    draft.test_ended(Ok(report()), NOW);
    assert_eq!(draft.tested(), None, "it was tested with the former engine");
    draft.saved("/b", NOW);
    assert_eq!((draft.path(), draft.saved_at()), ("/b", Some(NOW)));
}

#[test]
fn enabling_or_assigning_elsewhere_leaves_a_draft_alone() {
    let mut draft = Draft::new("");
    draft.folder_chosen("/notes".into());
    let before = draft.clone();
    draft.follow("");
    assert_eq!(draft, before);
}
