//! `notegate activity`: what was called and how it came out, from the running instance or the home.

use std::collections::HashSet;
use std::convert::Infallible;

use super::arguments::Activity;
use super::failure::{Exit, Failure};
use super::lifetime::local_time;
use super::output::{Output, table};
use super::reach::{Running, execute};
use crate::core::{Command, Home, Outcome, Page, Query, Record, Reply};

/// The rows that following asks for at a time.
const AT_ONCE: usize = 500;

pub async fn run(typed: Activity, output: Output) -> Result<Exit, Failure> {
    let Activity { follow, runtime, session, kernel, tool, outcome, text, limit, before } = typed;
    let filter = Query { runtime, session, kernel, tool, outcome, text, ..Query::default() };
    if follow {
        return Follower::new(filter, output).run().await;
    }
    let limit = usize::from(limit);
    let page = find(Query { before, limit: Some(limit), ..filter }, limit).await?;
    output.result(&page, || shown(&page))?;
    Ok(Exit::Done)
}

/// A page that is not full only because it looked at many rows goes on.
async fn find(mut query: Query, wanted: usize) -> Result<Page, Failure> {
    let mut found = page_of(execute(Command::Activity { query: query.clone() }).await?)?;
    while let Some(next) = found.next.filter(|_| found.records.len() < wanted) {
        query.before = Some(next);
        query.limit = Some(wanted - found.records.len());
        let more = page_of(execute(Command::Activity { query: query.clone() }).await?)?;
        found.records.extend(more.records);
        found.next = more.next;
    }
    Ok(found)
}

fn page_of(reply: Reply) -> Result<Page, Failure> {
    match reply {
        Reply::Activity { page } => Ok(page),
        _ => Err(Failure::new("internal", "the activity was asked for and something else was answered")),
    }
}

fn shown(page: &Page) -> String {
    if page.records.is_empty() {
        return "Nothing is recorded that fits.".into();
    }
    let mut rows = vec![["TIME", "RUNTIME", "TOOL", "OUTCOME", "TOOK", "ABOUT"].map(str::to_owned).to_vec()];
    rows.extend(page.records.iter().map(cells));
    let more = page.next.map(|next| format!("\nOlder ones: --before {next}")).unwrap_or_default();
    table(&rows) + &more
}

fn cells(record: &Record) -> Vec<String> {
    vec![
        local_time(record.started),
        record.runtime.to_string(),
        record.tool.clone(),
        outcome(record),
        record.duration.map_or("-".into(), |took| format!("{} ms", took.as_millis())),
        about(record),
    ]
}

fn outcome(record: &Record) -> String {
    let code = record.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
    format!("{}{code}", record.outcome.as_str())
}

fn about(record: &Record) -> String {
    let mut about: Vec<&str> =
        [&record.kernel, &record.vault].into_iter().flatten().map(String::as_str).collect();
    about.extend(record.endpoints.iter().map(|endpoint| endpoint.key.as_str()));
    about.extend(record.objects.iter().map(|object| object.id.as_str()));
    about.join(", ")
}

/// Shows each call once, when it has ended.
struct Follower {
    filter: Query,
    output: Output,
    /// Everything up to this number was shown, or does not fit.
    done: u64,
    /// What was shown above it, since something in between still runs.
    shown: HashSet<u64>,
}

impl Follower {
    fn new(filter: Query, output: Output) -> Self {
        Self { filter, output, done: 0, shown: HashSet::new() }
    }

    async fn run(mut self) -> Result<Exit, Failure> {
        let home = Home::from_environment()?;
        let running = Running::find(&home).await?.ok_or_else(Failure::not_running)?;
        match self.follow(&running).await {
            // The instance has ended, or is about to: there is nothing more to be shown.
            Err(failure) if Running::find(&home).await?.is_some() => Err(failure),
            _ => Ok(Exit::Done),
        }
    }

    /// Goes on until something fails.
    async fn follow(&mut self, running: &Running) -> Result<Infallible, Failure> {
        let newest = Query { limit: Some(1), ..Query::default() };
        let newest = page_of(running.request(&Command::Activity { query: newest }).await?)?;
        self.done = newest.records.first().map_or(0, |record| record.number);
        let mut revision = 0;
        loop {
            self.show_what_is_new(running).await?;
            match running.request(&Command::AwaitActivity { revision }).await? {
                Reply::Recorded { revision: now } => revision = now,
                _ => return Err(Failure::new("internal", "waiting was answered with something else")),
            }
        }
    }

    async fn show_what_is_new(&mut self, running: &Running) -> Result<(), Failure> {
        // Whether a call fits can change with its end, so all of them are looked at.
        let mut query = Query { after: Some(self.done), limit: Some(AT_ONCE), ..self.filter.clone() };
        let wanted = query.outcome.take();
        let mut new = Vec::new();
        loop {
            let page = page_of(running.request(&Command::Activity { query: query.clone() }).await?)?;
            new.extend(page.records);
            match page.next {
                Some(next) => query.before = Some(next),
                None => break,
            }
        }
        let oldest_running = new.iter().filter(|record| record.outcome == Outcome::Running);
        let oldest_running = oldest_running.map(|record| record.number).min();
        for record in new.iter().rev().filter(|record| record.outcome != Outcome::Running) {
            if self.shown.insert(record.number) && wanted.is_none_or(|wanted| wanted == record.outcome) {
                self.output.result(record, || cells(record).join("  "))?;
            }
        }
        let newest = new.first().map_or(self.done, |record| record.number);
        self.done = oldest_running.map_or(newest, |oldest| oldest - 1);
        self.shown.retain(|number| *number > self.done);
        Ok(())
    }
}
