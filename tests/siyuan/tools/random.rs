//! Random calls against random permissions: the kernel saw a request only where the table allows it.

use notegate::access::approvals::Declined;
use notegate::settings::{Permission, WorkMode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::bench::{Bench, execution};
use super::deciding::{Expected, channels, expected};

/// The person says yes to every second question or so; the strictest of a call's keys decides.
fn may_be_sent(permissions: &[Permission], mode: WorkMode, reads: bool, yes: bool) -> bool {
    permissions.iter().all(|permission| match expected(*permission, mode, reads) {
        Expected::Sent => true,
        Expected::Asked => yes,
        Expected::Code(_) => false,
    })
}

#[test]
fn the_kernel_sees_a_request_only_where_the_table_allows_it() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let bench = runtime.block_on(Bench::new());
    let calls = channels();
    let cases = (
        0..calls.len(),
        vec(prop::sample::select(&Permission::ALL[..]), 3),
        prop::sample::select(vec![WorkMode::Ask, WorkMode::Execute, WorkMode::Full]),
        any::<bool>(),
    );
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    runner
        .run(&cases, |(chosen, permissions, mode, yes)| {
            let (tool, arguments, keys, reads) = &calls[chosen];
            bench.forget_permissions();
            for (key, permission) in keys.iter().zip(&permissions) {
                bench.permit(key, *permission);
            }
            bench.answers(move |_| if yes { Ok(()) } else { Err(Declined::Refused) });
            let before = bench.kernel.seen().len();
            let work = bench.invoke(tool, arguments.clone(), Some(execution(mode)));
            let _result = runtime.block_on(work);
            let allowed = may_be_sent(&permissions[..keys.len()], mode, *reads, yes);
            prop_assert_eq!(
                bench.kernel.seen().len() > before,
                allowed,
                "{} {:?} {:?}",
                arguments,
                permissions,
                mode
            );
            Ok(())
        })
        .unwrap();
}
