//! Each way in which a question can end, and what each party hears of it. Durations that a test waits for
//! are short, the others longer than any test.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinHandle;

use super::*;
use crate::secrets::Secret;
use crate::settings::ApprovalPolicy;

const SHORT: Duration = Duration::from_millis(60);
const LONG: Duration = Duration::from_secs(600);
const TIMES: Times =
    Times { expiry: LONG, pending_after: LONG, pause: LONG, claim: LONG, between_looks: LONG };

struct World {
    approvals: Approvals,
    quit: CancellationToken,
    keeper: JoinHandle<()>,
}

impl World {
    fn new(times: Times) -> Self {
        let (approvals, quit) = (Approvals::new(Filters::default(), 1, times), CancellationToken::new());
        let keeper = tokio::spawn(approvals.clone().keep_time(quit.clone()));
        Self { approvals, quit, keeper }
    }

    fn ask(&self, ask: Ask) -> Asking {
        let (approvals, cancel) = (self.approvals.clone(), CancellationToken::new());
        let token = cancel.clone();
        Asking { cancel, outcome: tokio::spawn(async move { approvals.ask(ask, &token).await }) }
    }

    /// Waits until the newest question is in this state, and gives its number.
    async fn until(&self, state: QuestionState) -> QuestionId {
        let mut ticks = self.approvals.watch();
        loop {
            ticks.mark_unchanged();
            let view = self.approvals.view();
            if let Some(question) = view.questions.first().filter(|question| question.state == state) {
                return question.id;
            }
            tokio::time::timeout(LONG, ticks.changed()).await.expect("it comes to that").unwrap();
        }
    }

    /// Waits until so many questions were asked.
    async fn until_questions(&self, count: usize) {
        let mut ticks = self.approvals.watch();
        loop {
            ticks.mark_unchanged();
            if self.approvals.view().questions.len() == count {
                return;
            }
            ticks.changed().await.unwrap();
        }
    }

    /// Waits until so many calls wait for the newest question.
    async fn until_waiting(&self, count: usize) {
        let mut ticks = self.approvals.watch();
        loop {
            ticks.mark_unchanged();
            let id = self.approvals.view().questions[0].id;
            if self.approvals.state().question(id).unwrap().waiting == count {
                return;
            }
            ticks.changed().await.unwrap();
        }
    }

    async fn end(self) {
        self.quit.cancel();
        self.keeper.await.unwrap();
    }
}

struct Asking {
    cancel: CancellationToken,
    outcome: JoinHandle<Result<Approved, Declined>>,
}

impl Asking {
    async fn outcome(self) -> Result<u64, Declined> {
        self.outcome.await.unwrap().map(|approved| approved.generation)
    }
}

fn asked() -> Ask {
    Ask {
        runtime: RuntimeId::new("opencode").unwrap(),
        session: Some(SessionLabel("s".into())),
        policy: ApprovalPolicy::Prompt,
        generation: 1,
        tool: "siyuan_update".into(),
        kernel: Some("local".into()),
        endpoints: vec!["http POST /api/block/updateBlock".into()],
        arguments: ArgumentsDigest::of(json!({"id": "b"}).as_object().unwrap()),
        change: "a new text".into(),
        text: None,
        patient: true,
    }
}

fn impatient() -> Ask {
    Ask { patient: false, ..asked() }
}

/// The computer slept: by the clock its time is over, by the timer it is not.
#[tokio::test]
async fn a_question_whose_time_passed_while_the_computer_slept_is_too_late() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let asking = world.ask(asked());
    let id = world.until(QuestionState::Open).await;
    world.approvals.state().question(id).unwrap().ends = std::time::SystemTime::now();
    assert_eq!(world.approvals.answer(id, true), Err(AnswerError::TooLate(id)));
    assert_eq!(asking.outcome().await, Err(Declined::Expired));
    world.end().await;
}

/// What was typed for a question of a process that has ended answers none of the next one.
#[tokio::test]
async fn numbers_do_not_begin_alike_with_each_start() {
    let mut firsts = std::collections::HashSet::new();
    for _ in 0..5 {
        let world = World::new(TIMES);
        let _answerer = world.approvals.answerer();
        let asking = world.ask(asked());
        firsts.insert(world.until(QuestionState::Open).await);
        asking.cancel.cancel();
        let _ = asking.outcome().await;
        world.end().await;
    }
    assert!(firsts.len() > 1, "{firsts:?}");
}

#[tokio::test]
async fn an_answer_counts_once_and_a_second_one_is_told_so() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let mut ids = Vec::new();
    for (approve, expected) in [(true, Ok(1)), (false, Err(Declined::Refused))] {
        let asking = world.ask(asked());
        let id = world.until(QuestionState::Open).await;
        ids.push(id);
        world.approvals.answer(id, approve).unwrap();
        assert_eq!(asking.outcome().await, expected);
        assert_eq!(world.approvals.answer(id, true), Err(AnswerError::Answered(id)));
    }
    // A repeated call is asked about anew, whatever was answered before.
    let again = world.ask(asked());
    let id = world.until(QuestionState::Open).await;
    assert!(!ids.contains(&id));
    again.cancel.cancel();
    assert_eq!(again.outcome().await, Err(Declined::Cancelled));
    assert_eq!(world.approvals.answer(QuestionId(99), true), Err(AnswerError::Unknown(QuestionId(99))));
    world.end().await;
}

#[tokio::test]
async fn a_question_ends_at_its_moment_and_a_late_answer_is_told_that_nothing_was_sent() {
    let world = World::new(Times { expiry: SHORT, ..TIMES });
    let _answerer = world.approvals.answerer();
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::Expired));
    let id = world.until(QuestionState::TooLate).await;
    let late = world.approvals.answer(id, true).unwrap_err();
    assert_eq!(late, AnswerError::TooLate(id));
    assert!(late.to_string().contains("Nothing was sent"));
    world.end().await;
}

#[tokio::test]
async fn without_anybody_who_can_answer_nothing_is_asked() {
    let world = World::new(Times { between_looks: SHORT, ..TIMES });
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::NobodyToAsk));
    assert!(world.approvals.view().questions.is_empty() && !world.approvals.view().answerable);

    // Who looks again and again is there in between, and gone when that takes too long.
    drop(world.approvals.visitor());
    let asking = world.ask(asked());
    world.until(QuestionState::Open).await;
    assert_eq!(asking.outcome().await, Err(Declined::NobodyToAsk));

    let answerer = world.approvals.answerer();
    let asking = world.ask(asked());
    world.until(QuestionState::Open).await;
    drop(answerer);
    assert_eq!(asking.outcome().await, Err(Declined::NobodyToAsk));
    world.end().await;
}

#[tokio::test]
async fn a_runtime_that_is_never_to_ask_is_refused_though_somebody_could_answer() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let never = Ask { policy: ApprovalPolicy::Never, ..asked() };
    assert_eq!(world.ask(never).outcome().await, Err(Declined::NeverAsked));
    assert!(world.approvals.view().questions.is_empty());
    world.end().await;
}

#[tokio::test]
async fn a_question_is_cancelled_with_its_call() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let asking = world.ask(asked());
    let id = world.until(QuestionState::Open).await;
    asking.cancel.cancel();
    assert_eq!(asking.outcome().await, Err(Declined::Cancelled));
    assert_eq!(world.approvals.answer(id, true), Err(AnswerError::Cancelled(id)));
    // A call that is simply dropped takes its question along as well.
    let asking = world.ask(asked());
    world.until(QuestionState::Open).await;
    asking.outcome.abort();
    world.until(QuestionState::Cancelled).await;
    world.end().await;
}

#[tokio::test]
async fn an_impatient_caller_comes_back_to_the_same_question_or_to_its_decision_once() {
    let world = World::new(Times { pending_after: SHORT, ..TIMES });
    let _answerer = world.approvals.answerer();
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Pending));
    let id = world.until(QuestionState::Open).await;
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Pending));
    assert_eq!(world.until(QuestionState::Open).await, id, "the same question");

    world.approvals.answer(id, true).unwrap();
    world.until(QuestionState::Approved).await;
    // Others do not get it: other arguments, another tool, kernel, endpoint, session or runtime.
    let others = [
        Ask { arguments: ArgumentsDigest::of(json!({"id": "c"}).as_object().unwrap()), ..impatient() },
        Ask { tool: "siyuan_rpc".into(), ..impatient() },
        Ask { kernel: None, ..impatient() },
        Ask { endpoints: Vec::new(), ..impatient() },
        Ask { session: None, ..impatient() },
        Ask { runtime: RuntimeId::new("codex").unwrap(), ..impatient() },
    ];
    for other in others {
        assert_eq!(world.ask(other).outcome().await, Err(Declined::Pending));
    }
    assert_eq!(world.ask(impatient()).outcome().await, Ok(1));
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Pending), "it was for one call");

    let refused = world.until(QuestionState::Open).await;
    world.approvals.answer(refused, false).unwrap();
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Refused));
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Pending), "it was told once");
    world.end().await;
}

#[tokio::test]
async fn an_approval_that_nobody_comes_back_for_lapses() {
    let world = World::new(Times { pending_after: SHORT, claim: SHORT, ..TIMES });
    let _answerer = world.approvals.answerer();
    assert_eq!(world.ask(impatient()).outcome().await, Err(Declined::Pending));
    let id = world.until(QuestionState::Open).await;
    world.approvals.answer(id, true).unwrap();
    assert_eq!(world.until(QuestionState::NotTaken).await, id);
    world.end().await;
}

#[tokio::test]
async fn two_identical_calls_at_once_share_a_question_and_one_of_them_is_approved() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let (first, second) = (world.ask(asked()), world.ask(asked()));
    let id = world.until(QuestionState::Open).await;
    world.until_waiting(2).await;
    world.approvals.answer(id, true).unwrap();
    let mut outcomes = [first.outcome().await, second.outcome().await];
    outcomes.sort_by_key(Result::is_err);
    assert_eq!(outcomes, [Ok(1), Err(Declined::Used)]);

    // One of them leaves: the question stays for the other.
    let (first, second) = (world.ask(asked()), world.ask(asked()));
    let id = world.until(QuestionState::Open).await;
    world.until_waiting(2).await;
    first.cancel.cancel();
    assert_eq!(first.outcome().await, Err(Declined::Cancelled));
    world.approvals.answer(id, true).unwrap();
    assert_eq!(second.outcome().await, Ok(1));
    world.end().await;
}

#[tokio::test]
async fn new_settings_end_what_was_asked_under_others() {
    let world = World::new(Times { pending_after: SHORT, ..TIMES });
    let _answerer = world.approvals.answerer();
    let asking = world.ask(asked());
    let id = world.until(QuestionState::Open).await;
    world.approvals.configured(2);
    assert_eq!(asking.outcome().await, Err(Declined::ConfigurationChanged));
    assert_eq!(world.approvals.answer(id, true), Err(AnswerError::ConfigurationChanged(id)));
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::ConfigurationChanged), "let in before");

    // An approval that was not taken yet is void as well.
    let now = || Ask { generation: 2, ..impatient() };
    assert_eq!(world.ask(now()).outcome().await, Err(Declined::Pending));
    world.approvals.answer(world.until(QuestionState::Open).await, true).unwrap();
    world.approvals.configured(3);
    let next = Ask { generation: 3, ..impatient() };
    assert_eq!(world.ask(next).outcome().await, Err(Declined::Pending), "it is asked anew");
    world.end().await;
}

#[tokio::test]
async fn two_unanswered_questions_hold_a_session_back_until_the_person_lifts_it() {
    let world = World::new(Times { expiry: SHORT, ..TIMES });
    let _answerer = world.approvals.answerer();
    for _ in 0..2 {
        assert_eq!(world.ask(asked()).outcome().await, Err(Declined::Expired));
    }
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::Paused));
    let paused = world.approvals.view().paused;
    assert_eq!((paused.len(), &paused[0].session), (1, &asked().session));
    // Another session of the same runtime is not concerned.
    let other = Ask { session: None, ..asked() };
    assert_eq!(world.ask(other).outcome().await, Err(Declined::Expired));

    assert!(world.approvals.lift(&asked().runtime, asked().session.as_ref()));
    assert!(
        !world.approvals.lift(&asked().runtime, asked().session.as_ref()),
        "there is nothing more to lift"
    );
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::Expired), "it is asked again");
    world.end().await;
}

#[tokio::test]
async fn refusing_all_of_a_session_ends_its_questions_and_holds_back_what_it_would_ask_next() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    let other = world.ask(Ask { session: None, ..asked() });
    world.until(QuestionState::Open).await;
    let first = world.ask(asked());
    world.until_questions(2).await;
    let second = world.ask(Ask { tool: "siyuan_delete".into(), ..asked() });
    world.until_questions(3).await;

    let Ask { runtime, session, .. } = asked();
    world.approvals.refuse_all(&runtime, session.as_ref());
    assert_eq!(first.outcome().await, Err(Declined::Refused));
    assert_eq!(second.outcome().await, Err(Declined::Refused));
    assert_eq!(world.ask(asked()).outcome().await, Err(Declined::Paused), "it is not asked");
    let view = world.approvals.view();
    assert_eq!((view.paused.len(), view.paused[0].reason), (1, PauseReason::RefusedAll));
    let open: Vec<_> = view.questions.iter().filter(|one| one.state == QuestionState::Open).collect();
    assert_eq!((open.len(), &open[0].session), (1, &None), "another session is not concerned");

    assert!(world.approvals.lift(&runtime, session.as_ref()));
    let again = world.ask(asked());
    world.approvals.answer(world.until(QuestionState::Open).await, true).unwrap();
    assert_eq!(again.outcome().await, Ok(1));
    other.cancel.cancel();
    assert_eq!(other.outcome().await, Err(Declined::Cancelled));
    world.end().await;
}

#[test]
fn an_answer_makes_up_for_a_question_that_was_left_and_a_pause_ends_by_itself() {
    let mut state = State::new(1, TIMES);
    state.answerers = 1;
    let Ask { runtime, session, tool, kernel, endpoints, arguments, generation, .. } = asked();
    let of = (runtime.clone(), session.clone());
    let binding = question::Binding { runtime, session, tool, kernel, endpoints, arguments, generation };
    let mut now = Instant::now();
    let mut ask = |state: &mut State, answered: bool| {
        let id = state.open(binding.clone(), String::new(), None, now);
        if answered {
            state.answer(id, false, now).unwrap();
        }
        now += LONG;
        state.expire(now);
        now
    };
    ask(&mut state, false);
    ask(&mut state, true);
    ask(&mut state, false);
    assert!(!state.is_paused(&of), "they were not two in a row");
    let at = ask(&mut state, false);
    assert!(state.is_paused(&of));
    assert_eq!(state.next_end(), Some(at + LONG));
    state.expire(at + LONG - Duration::from_millis(1));
    assert!(state.is_paused(&of));
    state.expire(at + LONG);
    assert!(!state.is_paused(&of));
    ask(&mut state, false);
    assert!(!state.is_paused(&of), "the count begins anew");
}

#[tokio::test]
async fn what_is_shown_holds_no_secret_and_is_bounded() {
    let filters = Filters::default();
    filters.set("kernel", Secret::from_text("kernel token 1"));
    let approvals = Approvals::new(filters, 1, TIMES);
    let _answerer = approvals.answerer();
    let ask = Ask { change: format!("kernel token 1 {}", "笔".repeat(50_000)), ..asked() };
    let cancel = CancellationToken::new();
    let asking = approvals.ask(ask, &cancel);
    tokio::pin!(asking);
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    let shown = approvals.view().questions[0].change.clone();
    assert!(shown.starts_with("[redacted] 笔") && shown.ends_with("characters more)"), "{shown}");
    assert!(shown.chars().count() < 20_100);
}

fn text_of(before: &str) -> Option<TextChange> {
    let (document, before) = (Some("Trip".to_owned()), Some(before.to_owned()));
    Some(TextChange { document, before, after: None })
}

#[tokio::test]
async fn a_text_is_shown_without_secrets_while_its_question_is_open_and_no_longer() {
    let filters = Filters::default();
    filters.set("kernel", Secret::from_text("kernel token 1"));
    let approvals = Approvals::new(filters, 1, TIMES);
    let _answerer = approvals.answerer();
    let ask = Ask { text: text_of(&format!("kernel token 1 {}", "笔".repeat(9000))), ..asked() };
    assert!(!format!("{ask:?}").contains("笔"), "a text is in no log");
    let cancel = CancellationToken::new();
    let asking = approvals.ask(ask, &cancel);
    tokio::pin!(asking);
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    let question = approvals.view().questions[0].clone();
    let shown = question.text.unwrap();
    let before = shown.before.unwrap();
    assert!(before.starts_with("[redacted] 笔") && before.ends_with("characters more)"), "{before}");
    assert!(before.chars().count() < 8100);
    assert_eq!((shown.document.as_deref(), shown.after), (Some("Trip"), None));
    approvals.answer(question.id, true).unwrap();
    assert_eq!(approvals.view().questions[0].text, None);
}

#[tokio::test]
async fn a_question_is_new_where_somebody_is_there_who_was_not_asked_it() {
    let world = World::new(TIMES);
    assert!(!world.approvals.would_open(asked()), "nobody is there");
    let _answerer = world.approvals.answerer();
    assert!(world.approvals.would_open(asked()));
    assert!(!world.approvals.would_open(Ask { policy: ApprovalPolicy::Never, ..asked() }));
    assert!(world.approvals.view().questions.is_empty(), "nothing was asked by that");
    let asking = world.ask(asked());
    world.until(QuestionState::Open).await;
    assert!(!world.approvals.would_open(asked()), "it stands");
    let Ask { runtime, session, .. } = asked();
    world.approvals.refuse_all(&runtime, session.as_ref());
    assert_eq!(asking.outcome().await, Err(Declined::Refused));
    assert!(!world.approvals.would_open(Ask { tool: "siyuan_rpc".into(), ..asked() }), "it is held back");
    world.end().await;
}

#[tokio::test]
async fn only_some_questions_that_ended_are_kept() {
    let world = World::new(TIMES);
    let _answerer = world.approvals.answerer();
    for _ in 0..30 {
        let asking = world.ask(asked());
        world.approvals.answer(world.until(QuestionState::Open).await, false).unwrap();
        assert_eq!(asking.outcome().await, Err(Declined::Refused));
    }
    assert!(world.approvals.view().questions.len() <= 21);
    world.end().await;
}
