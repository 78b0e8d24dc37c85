//! Work shared out to all cores. Each worker has vaults and a MCPVault of its own, which answers call after
//! call: starting it is what costs.

use std::io::Write;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::twins::Twins;

/// Says something that is to be seen also when all is well.
pub fn say(what: &str) {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{what}").unwrap();
}

/// Does `work` for each number below `count`. The results come in their order.
pub fn share<R: Send>(count: usize, work: impl Fn(&mut Twins, usize) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get).min(8) {
            scope.spawn(|| {
                let mut twins = Twins::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(&mut twins, number);
                    results.lock().unwrap().push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
