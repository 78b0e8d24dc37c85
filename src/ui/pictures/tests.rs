//! The pictures, one test a theme and language.

use std::io::Write as _;
use std::path::Path;

use eframe::egui::accesskit::Role;
use eframe::egui::{self, Vec2};
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};

use super::canvas::Canvas;
use super::furnished::{Furnished, now};
use crate::core::{Language, Theme};
use crate::ui::pages::Page;
use crate::ui::text::Texts;
use crate::ui::{Gallery, Window, clock};

const SIZE: Vec2 = Vec2::new(900.0, 640.0);

/// The font that Chinese is written with in the pictures, of Debian's `fonts-noto-cjk`.
const NOTO: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

/// A few pixels may differ by a little, as the edges of a letter where the system's own font is another version of it.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().output_path("tests/pictures").threshold(1.0).max_failed_pixels(10)
}

/// `false`, and says so: the font is not there.
fn has_font() -> bool {
    if Path::new(NOTO).exists() {
        return true;
    }
    let what = "the pictures of the window, since fonts-noto-cjk is not installed";
    writeln!(std::io::stderr().lock(), "NOT CHECKED: {what}").unwrap();
    if let Some(file) = std::env::var_os("NOTEGATE_UNCHECKED") {
        let mut file = std::fs::File::options().create(true).append(true).open(file).unwrap();
        writeln!(file, "{what}").unwrap();
    }
    false
}

fn window(theme: Theme, language: Language, asking: bool) -> Harness<'static, Window> {
    clock::stopped::stop(now());
    let link = Box::new(Furnished::new(theme, language, asking));
    let mut harness = Harness::builder()
        .with_size(SIZE)
        .with_max_steps(64)
        .allow_missing_glyphs() // until the system's fonts stand in
        .renderer(Canvas::default())
        .build_eframe(move |creation| Window::on(&creation.egui_ctx, link));
    harness.run();
    harness
}

/// Every page, and questions over one, against their pictures.
fn check_pages(theme: Theme, language: Language, ending: &str) {
    if !has_font() {
        return;
    }
    let (texts, mut results) = (Texts::new(language), SnapshotResults::new());
    let mut harness = window(theme, language, false);
    for page in Page::ALL {
        harness.get_by_role_and_label(Role::Tab, &texts.get(page.key())).click();
        harness.run();
        if page == Page::Obsidian {
            harness.get_by_role_and_label(Role::Button, &texts.get("test-connection")).click_accesskit();
            harness.run();
        }
        harness.remove_cursor();
        harness.run();
        let name = format!("{}-{ending}", page.key().trim_start_matches("page-"));
        results.add(harness.try_snapshot_options(name, &options()));
    }
    let mut harness = window(theme, language, true);
    results.add(harness.try_snapshot_options(format!("approvals-{ending}"), &options()));
    let mut harness = window(theme, language, false);
    begin_connecting(&mut harness, &texts);
    results.add(harness.try_snapshot_options(format!("connect-{ending}"), &options()));
}

/// Opens the question before OpenCode's configuration is written.
fn begin_connecting(harness: &mut Harness<'_, Window>, texts: &Texts) {
    let settings = texts.with("configuration-of", [("name", "OpenCode".into())]);
    let write = texts.with("connect-of", [("program", "OpenCode".into()), ("id", "opencode".into())]);
    harness.get_by_role_and_label(Role::Tab, &texts.get(Page::Runtimes.key())).click();
    harness.run();
    for button in [settings, write] {
        harness.get_by_role_and_label(Role::Button, &button).click_accesskit();
        harness.run();
    }
    harness.remove_cursor();
    harness.run();
}

#[test]
fn pages_look_as_they_did_light_and_english() {
    check_pages(Theme::Light, Language::English, "light-en");
}

#[test]
fn pages_look_as_they_did_dark_and_english() {
    check_pages(Theme::Dark, Language::English, "dark-en");
}

#[test]
fn pages_look_as_they_did_light_and_chinese() {
    check_pages(Theme::Light, Language::SimplifiedChinese, "light-zh");
}

#[test]
fn pages_look_as_they_did_dark_and_chinese() {
    check_pages(Theme::Dark, Language::SimplifiedChinese, "dark-zh");
}

#[test]
fn widgets_look_as_they_did() {
    if !has_font() {
        return;
    }
    let mut results = SnapshotResults::new();
    for (ending, theme, language) in [
        ("light-en", egui::Theme::Light, Language::English),
        ("dark-en", egui::Theme::Dark, Language::English),
        ("light-zh", egui::Theme::Light, Language::SimplifiedChinese),
        ("dark-zh", egui::Theme::Dark, Language::SimplifiedChinese),
    ] {
        let mut harness = Harness::builder()
            .with_size([720.0, 1700.0])
            .with_theme(theme)
            .allow_missing_glyphs()
            .renderer(Canvas::default())
            .build_ui_state(
                |ui, gallery: &mut Option<Gallery>| {
                    let ctx: egui::Context = ui.ctx().clone();
                    gallery.get_or_insert_with(|| Gallery::new(&ctx, language)).show(ui);
                },
                None,
            );
        harness.run();
        results.add(harness.try_snapshot_options(format!("widgets-{ending}"), &options()));
    }
}
