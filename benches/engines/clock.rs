//! Medians.

use std::time::{Duration, Instant};

use anyhow::Result;

/// How often something is measured: at least and at most so many times, and no more once the time is up.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    least: usize,
    most: usize,
    time: Duration,
}

impl Patience {
    pub const MUCH: Self = Self { least: 5, most: 200, time: Duration::from_secs(3) };
    pub const LITTLE: Self = Self { least: 3, most: 11, time: Duration::from_secs(8) };
}

/// The median of what `round` measured. The first round is not counted: it warms the caches.
pub async fn median(
    patience: Patience,
    round: impl AsyncFnMut(usize) -> Result<Duration>,
) -> Result<Duration> {
    let (median, _) = in_turns(patience, round, async |_| Ok(Duration::ZERO)).await?;
    Ok(median)
}

/// The medians of two that are measured in turns, so that whatever else the machine does, it does to
/// both.
pub async fn in_turns(
    patience: Patience,
    mut one: impl AsyncFnMut(usize) -> Result<Duration>,
    mut other: impl AsyncFnMut(usize) -> Result<Duration>,
) -> Result<(Duration, Duration)> {
    one(0).await?;
    other(0).await?;
    let begun = Instant::now();
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    while ones.len() < patience.least || (ones.len() < patience.most && begun.elapsed() < patience.time) {
        let number = ones.len() + 1;
        ones.push(one(number).await?);
        others.push(other(number).await?);
    }
    ones.sort_unstable();
    others.sort_unstable();
    Ok((ones[ones.len() / 2], others[others.len() / 2]))
}
