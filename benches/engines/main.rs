//! How long each tool takes by either engine, and whether the targets hold.
//!
//! `cargo bench --bench engines` prints Markdown. `NOTEGATE_BENCH_NOTES=1000` takes vaults of that many
//! notes, separated by commas, in place of 1000, 10000 and 50000. MCPVault is found as the product finds
//! it, ripgrep on `PATH`.

mod cases;
mod clock;
mod long_lived;
mod ripgrep;
mod served;
mod table;
mod vault;
mod writing;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use notegate::obsidian::{Engine, Environment, Scope, Service, ServiceConfig, UpstreamConfig, tool};
use tokio_util::sync::CancellationToken;

use cases::{CASES, Case};
use clock::{Patience, in_turns, median};
use long_lived::LongLived;
use table::{Targets, Timing, Timings};
use vault::Vault;

const SIZES: &str = "NOTEGATE_BENCH_NOTES";

#[tokio::main]
async fn main() -> Result<()> {
    // `cargo test --benches` starts this as well, and has no use for it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let sizes = std::env::var(SIZES).unwrap_or_else(|_| "1000,10000,50000".into());
    let mut targets = Targets::default();
    for size in sizes.split(',') {
        let size = size.trim().parse().with_context(|| format!("{SIZES} holds {size:?}, no number"))?;
        let vault = Vault::generate(size)?;
        let timings = tools(vault.path()).await?;
        timings.print(size);
        targets.tools(size, &timings);
        targets.served(size, &served::measure(vault.path()).await?);
    }
    targets.writing(&writing::measure().await?);
    targets.print();
    Ok(())
}

/// Every tool on one vault, three ways, and ripgrep beside the search.
async fn tools(vault: &Path) -> Result<Timings> {
    let service = Service::new(ServiceConfig {
        environment: Environment::from_process(),
        protected: Vec::new(),
        upstream: UpstreamConfig::from_environment(),
        call_time: Duration::from_secs(600),
    });
    let mut long_lived = LongLived::start(vault)?;
    let mut timings = Timings::default();
    for case in CASES {
        let by = async |engine, number| by_service(&service, engine, vault, case, number).await;
        let native = median(Patience::MUCH, async |number| by(Engine::Native, number).await).await?;
        let process = median(Patience::LITTLE, async |number| by(Engine::Upstream, number).await).await?;
        let long_lived = median(Patience::LITTLE, async |number| {
            case.prepare(vault)?;
            let begun = Instant::now();
            long_lived.call(case.tool, &case.arguments(number))?;
            Ok(begun.elapsed())
        });
        timings.tools.push(Timing { tool: case.tool, native, process, long_lived: long_lived.await? });
        if case.tool == "search_notes" {
            let native = async |number| by(Engine::Native, number).await;
            timings.search = in_turns(Patience::MUCH, native, async |_| ripgrep::search(vault)).await?;
        }
    }
    service.close().await;
    Ok(timings)
}

/// The way of the product, from scope to engine.
async fn by_service(
    service: &Service,
    engine: Engine,
    vault: &Path,
    case: &Case,
    number: usize,
) -> Result<Duration> {
    let name = format!("obsidian_{}", case.tool);
    let spec = tool(&name).with_context(|| format!("there is no {name}"))?;
    let scope = Scope::Folder(vault.to_owned());
    case.prepare(vault)?;
    let (arguments, cancel) = (case.arguments(number), CancellationToken::new());
    let begun = Instant::now();
    let output = service.call(&scope, engine, spec, arguments, &cancel).await?;
    let time = begun.elapsed();
    ensure!(!output.is_error, "{name} by {engine:?} failed: {:?}", output.content);
    Ok(time)
}
