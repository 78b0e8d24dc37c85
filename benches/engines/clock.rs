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
    mut round: impl AsyncFnMut(usize) -> Result<Duration>,
) -> Result<Duration> {
    round(0).await?;
    let begun = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < patience.least || (samples.len() < patience.most && begun.elapsed() < patience.time)
    {
        samples.push(round(samples.len() + 1).await?);
    }
    samples.sort_unstable();
    Ok(samples[samples.len() / 2])
}
