//! Every widget at once, in the states that it has. For looking at, and for the tests.

use std::rc::Rc;

use egui::{Id, ScrollArea, Ui};

use super::fonts;
use super::icons::Icon;
use super::text::Texts;
use super::theme::{self, Tokens, space};
use super::widgets::{
    Button, Cell, CheckBox, Chip, Choice, Column, CopyField, Field, Kind, Look, NavItem, SearchField, Select,
    SelectOption, Sort, Table, TableRows, TableState, Tone, TwoTexts, Width, alert, body, card, chips,
    choices, empty_state, expandable, heading, icon_and_text, mono_wrapped, muted, section, shortened_path,
    status, strong, switch, title,
};
use crate::core::Language;

/// A page of widgets that do nothing but keep their own state.
#[derive(Debug)]
pub struct Gallery {
    texts: Rc<Texts>,
    on: bool,
    checked: bool,
    chosen: u8,
    field: String,
    open: bool,
    search: String,
    chips: [bool; 3],
    method: u8,
    rows: TableState<usize>,
    sort: Option<Sort>,
}

impl Gallery {
    pub fn new(ctx: &egui::Context, language: Language) -> Self {
        theme::install(ctx);
        fonts::install(ctx);
        fonts::follow(ctx, language);
        let texts = Rc::new(Texts::new(language));
        Self {
            texts,
            on: true,
            checked: true,
            chosen: 1,
            field: "/home/me/笔记".into(),
            open: true,
            search: String::new(),
            chips: [true, false, false],
            method: 0,
            rows: TableState::default(),
            sort: Some(Sort { column: "g-path", descending: false }),
        }
    }

    pub fn show(&mut self, ui: &mut Ui) {
        let tokens = Tokens::of(ui.ctx().theme());
        egui::Frame::new().fill(tokens.bg).inner_margin(24).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.all(ui, tokens));
        });
    }

    /// The table alone, as high as there is room. For measuring.
    pub fn show_table(&mut self, ui: &mut Ui) {
        let texts = Rc::clone(&self.texts);
        self.table(ui, Look { tokens: Tokens::of(ui.ctx().theme()), texts: &texts }, f32::INFINITY);
    }

    fn all(&mut self, ui: &mut Ui, tokens: &Tokens) {
        let texts = Rc::clone(&self.texts);
        let look = Look { tokens, texts: &texts };
        title(ui, look, look.text("page-obsidian"));
        muted(ui, look, look.text("obsidian-about"));
        ui.horizontal_wrapped(|ui| {
            for icon in Icon::ALL {
                let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(24.0), egui::Sense::hover());
                icon.paint(ui.painter(), rect, tokens.text);
            }
        });
        card(ui, look, "gallery-buttons", &look.text("save"), |ui| {
            section(ui, look, look.text("scope-title"));
            self.buttons(ui, look);
            self.controls(ui, look);
        });
        card(ui, look, "gallery-fields", &look.text("path-label"), |ui| {
            heading(ui, look, look.text("path-label"));
            self.fields(ui, look);
        });
        card(ui, look, "gallery-table", &look.text("page-endpoints"), |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, look.text("page-endpoints"));
            self.filters(ui, look);
            self.table(ui, look, 220.0);
        });
        card(ui, look, "gallery-states", &look.text("endpoint-title"), |ui| {
            states(ui, look);
            let (before, after) = (look.text("runtimes-none"), look.text("runtimes-none-help"));
            TwoTexts { before: Ok(&before), after: Ok(&after), most: None }.show(ui, look);
            expandable(ui, look, "gallery", &look.text("assignment-title"), &mut self.open, |ui| {
                body(ui, look, look.text("assignment-about"));
            });
        });
        let button = ("gallery-add", look.text("add-runtime"));
        empty_state(
            ui,
            look,
            Icon::Runtime,
            look.text("runtimes-none"),
            look.text("runtimes-none-help"),
            button,
        );
    }

    fn buttons(&mut self, ui: &mut Ui, look: Look<'_>) {
        ui.horizontal_wrapped(|ui| {
            Button::new("g-save", look.text("save")).kind(Kind::Primary).show(ui, look);
            Button::new("g-test", look.text("test-connection")).show(ui, look);
            Button::new("g-choose", look.text("choose-folder")).icon(Icon::Folder).show(ui, look);
            Button::new("g-off", look.text("testing")).enabled(false).show(ui, look);
            Button::new("g-remove", look.text("remove")).kind(Kind::Danger).icon(Icon::Remove).show(ui, look);
            Button::new("g-quiet", look.text("copy")).kind(Kind::Quiet).icon(Icon::Copy).show(ui, look);
        });
    }

    fn controls(&mut self, ui: &mut Ui, look: Look<'_>) {
        if switch(ui, look, "g-switch", &look.text("obsidian-switch"), self.on, true).clicked() {
            self.on = !self.on;
        }
        switch(ui, look, "g-switch-off", &look.text("switch-off"), false, false);
        if CheckBox::new("g-check", look.text("give-obsidian"), self.checked).show(ui, look).clicked() {
            self.checked = !self.checked;
        }
        let note = look.text("no-scoped-data-tools");
        CheckBox::new("g-check-off", look.text("kind-remote-acp"), false)
            .enabled(false)
            .note(note)
            .show(ui, look);
        let choice = |value, salt, key: &str| Choice {
            value,
            salt,
            text: look.text(key),
            help: Some(look.text(&format!("{key}-help"))),
        };
        let list = [choice(1, "g-one", "scope-registered"), choice(2, "g-two", "scope-folder")];
        let name = look.text("scope-title");
        if let Some(chosen) = choices(ui, look, Id::unique("g-choice"), &name, self.chosen, &list, false) {
            self.chosen = chosen;
        }
        for (salt, current, folded) in
            [("g-nav", true, false), ("g-nav-2", false, false), ("g-nav-3", false, true)]
        {
            NavItem { salt, icon: Icon::Vault, text: look.text("page-obsidian"), current, folded }
                .show(ui, look);
        }
    }

    fn fields(&mut self, ui: &mut Ui, look: Look<'_>) {
        let field = |id| Field::new(Id::unique(id), look.text("path-label")).mono();
        field("g-field").help(look.text("path-help")).show(ui, look, &mut self.field);
        let error = Some(look.text("path-empty"));
        field("g-field-bad").error(error).show(ui, look, &mut String::new());
        let text = "http://127.0.0.1:27277/mcp";
        CopyField { id: "g-copy", label: look.text("address"), text, help: None }.show(ui, look);
        shortened_path(ui, look, "/home/me/documents/a/very/long/way/to/the/vault", 180.0);
        mono_wrapped(ui, look, &"/一条很长的路径".repeat(20));
    }
}

impl Gallery {
    fn filters(&mut self, ui: &mut Ui, look: Look<'_>) {
        let name = look.text("page-endpoints");
        SearchField::new(Id::unique("g-search"), name.as_str(), look.text("path-help")).width(280.0).show(
            ui,
            look,
            &mut self.search,
        );
        let texts = ["mode-ask", "mode-execute", "mode-full"];
        let list: Vec<Chip> = [("g-c1", 0), ("g-c2", 1), ("g-c3", 2)]
            .map(|(salt, at)| Chip { salt, text: look.text(texts[at]), on: self.chips[at] })
            .into();
        if let Some(at) = chips(ui, look, Id::unique("g-chips"), &name, &list) {
            self.chips[at] = !self.chips[at];
        }
        let options: Vec<SelectOption<u8>> =
            (0..).zip(texts).map(|(value, key)| SelectOption::new(value, look.text(key))).collect();
        ui.horizontal_wrapped(|ui| {
            let id = Id::unique("g-select");
            if let Some(method) =
                Select::new(id, look.text("mode"), self.method, &options).named().show(ui, look)
            {
                self.method = method;
            }
            Select::new(Id::unique("g-select-off"), look.text("kind"), 0, &options)
                .enabled(false)
                .show(ui, look);
        });
    }

    fn table(&mut self, ui: &mut Ui, look: Look<'_>, height: f32) {
        let columns = [
            Column::new("g-path", look.text("path-label"), Width::Share { share: 2.0, least: 160.0 })
                .sortable()
                .mono()
                .middle(),
            Column::new("g-state", look.text("endpoint-title"), Width::Share { share: 1.0, least: 120.0 }),
            Column::new("g-number", look.text("port"), Width::Fixed(90.0)).sortable().numbers(),
        ];
        let rows = Numbers { look, descending: self.sort.is_some_and(|sort| sort.descending) };
        let events = Table::new("gallery", look.text("page-endpoints"), &columns)
            .sort(self.sort)
            .selectable()
            .height(height)
            .show(ui, look, &mut self.rows, &rows);
        self.sort = events.sort.or(self.sort);
    }
}

/// As many rows as a year of activity has.
struct Numbers<'a> {
    look: Look<'a>,
    descending: bool,
}

impl Numbers<'_> {
    const COUNT: usize = 100_000;
}

impl TableRows for Numbers<'_> {
    type Key = usize;

    fn count(&self) -> usize {
        Self::COUNT
    }

    fn key(&self, row: usize) -> usize {
        if self.descending { Self::COUNT - 1 - row } else { row }
    }

    fn name(&self, row: usize) -> String {
        format!("/api/block/{}", self.key(row))
    }

    fn find(&self, key: &usize) -> Option<usize> {
        Some(self.key(*key))
    }

    fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        match column {
            0 => Cell::text(format!("/api/block/{:0>60}", self.key(row))),
            1 if self.key(row).is_multiple_of(3) => {
                Cell::state(Icon::Success, Tone::Success, self.look.text("gateway-listening"))
            }
            1 => Cell::muted(self.look.text("gateway-starting")).button(self.name(row)),
            _ => Cell::text(self.key(row).to_string()),
        }
    }
}

fn states(ui: &mut Ui, look: Look<'_>) {
    strong(ui, look, look.text("endpoint-title"));
    let tones = [Tone::Plain, Tone::Waiting, Tone::Success, Tone::Warning, Tone::Danger];
    for (id, tone) in ["g-1", "g-2", "g-3", "g-4", "g-5"].into_iter().zip(tones) {
        status(ui, look, id, tone, &look.text("gateway-listening"));
    }
    alert(ui, look, "g-alert", &look.text("save-failed"));
    icon_and_text(ui, Icon::Open, look.tokens.text_muted, |ui| muted(ui, look, look.text("step-open")));
}
