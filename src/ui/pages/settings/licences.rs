//! The licences of everything that is shipped: our own in full, and for each part of others which one it is under.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use egui::{Id, OpenUrl, Ui};

use crate::core::Snapshot;
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Cell, Column, Look, SearchField, Table, TableRows, TableState, Tone, Width, card, expandable,
    heading, mono_lines, muted, status,
};

/// Written by `assets/licences/collect`.
const TABLE: &str = include_str!("../../../../assets/licences/parts.tsv");
const MIT: &str = include_str!("../../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../../LICENSE-APACHE");

/// The greatest height of the table, in points.
const HEIGHT: f32 = 360.0;

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| TABLE.lines().filter_map(Part::read).collect());

/// A crate, or a package of npm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: &'static str,
    version: &'static str,
    source: &'static str,
    /// As an SPDX expression.
    licence: &'static str,
}

impl Part {
    fn read(line: &'static str) -> Option<Self> {
        let mut cells = line.split('\t');
        let (source, name) = (cells.next()?, cells.next()?);
        Some(Self { name, version: cells.next()?, source, licence: cells.next()? })
    }

    fn has(&self, word: &str) -> bool {
        self.name.to_lowercase().contains(word) || self.licence.to_lowercase().contains(word)
    }
}

/// What is unfolded, and what is looked for.
#[derive(Debug, Default)]
pub(super) struct Licences {
    mit: bool,
    apache: bool,
    parts: bool,
    search: String,
    rows: TableState<(&'static str, &'static str, &'static str)>,
}

impl Licences {
    pub(super) fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        card(ui, look, "licences", &look.text("licences-title"), |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, look.text("licences-title"));
            muted(ui, look, look.text("licences-own"));
            for (id, text, open) in
                [("licences-mit", MIT, &mut self.mit), ("licences-apache", APACHE, &mut self.apache)]
            {
                expandable(ui, look, id, &look.text(id), open, |ui| {
                    mono_lines(ui, look, text, usize::MAX);
                });
            }
            let mut open = self.parts;
            let title = look.texts.with("licences-parts", [("count", PARTS.len().into())]);
            expandable(ui, look, "licences-parts", &title, &mut open, |ui| self.parts(ui, look));
            self.parts = open;
            if let Some(address) = &snapshot.third_party_licences
                && Button::new("licences-open", look.text("licences-open")).show(ui, look).clicked()
            {
                ui.ctx().open_url(OpenUrl::new_tab(address));
            }
        });
    }

    fn parts(&mut self, ui: &mut Ui, look: Look<'_>) {
        let (name, hint) = (look.text("licences-search"), look.text("licences-search-hint"));
        let search = SearchField::new(Id::unique("licences-search"), name, hint).width(320.0);
        if search.show(ui, look, &mut self.search) {
            self.rows.rewind();
        }
        let words: Vec<String> = self.search.split_whitespace().map(str::to_lowercase).collect();
        let fits = |part: &&Part| words.iter().all(|word| part.has(word));
        let parts: Vec<&Part> = PARTS.iter().filter(fits).collect();
        let shown = look.texts.with("licences-shown", [("count", parts.len().into())]);
        status(ui, look, "licences-count", Tone::Plain, &shown);
        muted(ui, look, counts(&parts, look));
        let columns = [
            Column::new("part", look.text("licences-name"), Width::Share { share: 2.0, least: 160.0 }).mono(),
            Column::new("version", look.text("licences-version"), Width::Fixed(110.0)),
            Column::new("licence", look.text("licences-licence"), Width::Share { share: 2.0, least: 140.0 }),
        ];
        Table::new("licences", look.text("licences-table"), &columns)
            .height(HEIGHT)
            .empty(look.text("licences-nothing"))
            .show(ui, look, &mut self.rows, &Rows { look, parts });
    }
}

/// How many parts are under which licence, the most frequent first.
fn counts(parts: &[&Part], look: Look<'_>) -> String {
    let mut counts = BTreeMap::<&str, usize>::new();
    for part in parts {
        *counts.entry(part.licence).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let of = |(licence, count): (&str, usize)| {
        look.texts.with("licences-by", [("licence", licence.into()), ("count", count.into())])
    };
    counts.into_iter().map(of).collect::<Vec<_>>().join("  ·  ")
}

struct Rows<'a> {
    look: Look<'a>,
    parts: Vec<&'a Part>,
}

impl TableRows for Rows<'_> {
    type Key = (&'static str, &'static str, &'static str);

    fn count(&self) -> usize {
        self.parts.len()
    }

    fn key(&self, row: usize) -> Self::Key {
        let part = self.parts[row];
        (part.name, part.version, part.source)
    }

    fn name(&self, row: usize) -> String {
        let Part { name, version, licence, .. } = *self.parts[row];
        let args = [("name", name.into()), ("version", version.into()), ("licence", licence.into())];
        self.look.texts.with("licences-row", args)
    }

    fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        let part = self.parts[row];
        match column {
            0 => Cell::text(part.name),
            1 => Cell::muted(part.version),
            _ => Cell::text(part.licence),
        }
    }
}

#[cfg(test)]
#[path = "licences_tests.rs"]
mod tests;
