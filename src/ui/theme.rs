//! How everything looks: colours by meaning, spaces and sizes, in one place.
//!
//! The colours of a theme are data (`assets/theme`); spaces and the type scale are the same in both
//! themes and stand here as constants. Widgets name what they mean, never a colour of their own.

use std::sync::{Arc, LazyLock};

use egui::style::{ScrollAnimation, WidgetVisuals, Widgets};
use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Vec2, Visuals,
};
use serde::{Deserialize, Deserializer, de};

/// Spaces between and inside things, in points.
pub mod space {
    pub const XS: f32 = 4.0;
    pub const S: f32 = 8.0;
    pub const M: f32 = 12.0;
    pub const L: f32 = 16.0;
    pub const XL: f32 = 24.0;
}

/// Corner radii, in points.
pub mod radius {
    pub const CONTROL: u8 = 6;
    pub const CARD: u8 = 10;
}

/// Sizes of type, in points.
pub mod size {
    pub const SECONDARY: f32 = 12.0;
    pub const MONO: f32 = 12.5;
    pub const BODY: f32 = 13.0;
    pub const SECTION: f32 = 16.0;
    pub const TITLE: f32 = 20.0;
}

/// Height of a line of text, as a multiple of the size of its type.
pub const LINE_HEIGHT: f32 = 1.45;

/// Height of buttons and fields, in points.
pub const CONTROL_HEIGHT: f32 = 30.0;

/// The family of the heavier weight, for titles, names and the words on buttons.
pub const MEDIUM: &str = "medium";

/// A font of the body's weight.
pub fn regular(size: f32) -> FontId {
    FontId::proportional(size)
}

/// A font of the heavier weight.
pub fn medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(MEDIUM.into()))
}

/// The font of paths, ids and keys.
pub fn mono() -> FontId {
    FontId::monospace(size::MONO)
}

/// The colours of one theme, by meaning.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Tokens {
    /// The ground of the window.
    #[serde(deserialize_with = "colour")]
    pub bg: Color32,
    /// The ground of the navigation.
    #[serde(deserialize_with = "colour")]
    pub nav: Color32,
    /// Cards and fields.
    #[serde(deserialize_with = "colour")]
    pub surface: Color32,
    /// What lies on a card or under the pointer.
    #[serde(deserialize_with = "colour")]
    pub surface_raised: Color32,
    /// The outline of everything that can be worked.
    #[serde(deserialize_with = "colour")]
    pub line: Color32,
    /// The edge of a card. It only repeats what ground and distance say already, so it may be faint.
    #[serde(deserialize_with = "colour")]
    pub line_soft: Color32,
    #[serde(deserialize_with = "colour")]
    pub text: Color32,
    #[serde(deserialize_with = "colour")]
    pub text_muted: Color32,
    #[serde(deserialize_with = "colour")]
    pub accent: Color32,
    #[serde(deserialize_with = "colour")]
    pub accent_hover: Color32,
    /// Text on the accent.
    #[serde(deserialize_with = "colour")]
    pub accent_text: Color32,
    #[serde(deserialize_with = "colour")]
    pub success: Color32,
    #[serde(deserialize_with = "colour")]
    pub warning: Color32,
    #[serde(deserialize_with = "colour")]
    pub danger: Color32,
    /// Text on the danger colour.
    #[serde(deserialize_with = "colour")]
    pub danger_text: Color32,
    #[serde(deserialize_with = "colour")]
    pub info: Color32,
    #[serde(deserialize_with = "colour")]
    pub focus: Color32,
    /// The ground of a line that goes, and of what differs in it.
    #[serde(deserialize_with = "colour")]
    pub gone: Color32,
    #[serde(deserialize_with = "colour")]
    pub gone_strong: Color32,
    /// The same of a line that comes.
    #[serde(deserialize_with = "colour")]
    pub new: Color32,
    #[serde(deserialize_with = "colour")]
    pub new_strong: Color32,
    /// The ground of what is selected.
    #[serde(deserialize_with = "colour")]
    pub selection: Color32,
}

fn colour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color32, D::Error> {
    let text = String::deserialize(deserializer)?;
    Color32::from_hex(&text).map_err(|_| de::Error::custom(format!("{text:?} is not a colour like #1D1D1B")))
}

static LIGHT: LazyLock<Tokens> = LazyLock::new(|| built_in(include_str!("../../assets/theme/light.json")));
static DARK: LazyLock<Tokens> = LazyLock::new(|| built_in(include_str!("../../assets/theme/dark.json")));

#[expect(clippy::expect_used, reason = "part of the program and read whole by the tests below: cannot fail")]
fn built_in(json: &str) -> Tokens {
    serde_json::from_str(json).expect("a built-in theme")
}

impl Tokens {
    pub fn of(theme: egui::Theme) -> &'static Self {
        match theme {
            egui::Theme::Light => &LIGHT,
            egui::Theme::Dark => &DARK,
        }
    }
}

/// Puts both themes in force. Which of them is shown, `Context::set_theme` says.
pub fn install(ctx: &egui::Context) {
    for theme in [egui::Theme::Light, egui::Theme::Dark] {
        let mut style = (*ctx.style_of(theme)).clone();
        apply(&mut style, Tokens::of(theme), theme == egui::Theme::Dark);
        ctx.set_style_of(theme, Arc::new(style));
    }
}

fn apply(style: &mut Style, tokens: &Tokens, dark: bool) {
    style.text_styles = [
        (TextStyle::Small, regular(size::SECONDARY)),
        (TextStyle::Body, regular(size::BODY)),
        (TextStyle::Button, medium(size::BODY)),
        (TextStyle::Heading, medium(size::TITLE)),
        (TextStyle::Monospace, mono()),
    ]
    .into();
    // Nothing moves without a reason, and a window at rest draws no frames.
    style.animation_time = 0.0;
    style.scroll_animation = ScrollAnimation::none();

    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(space::S, space::S);
    spacing.button_padding = Vec2::new(space::M, space::XS);
    spacing.interact_size = Vec2::new(CONTROL_HEIGHT, CONTROL_HEIGHT);
    spacing.tooltip_width = 420.0;
    spacing.menu_margin = Margin::same(4);
    spacing.window_margin = Margin::same(16);
    spacing.combo_width = 180.0;

    let scroll = &mut spacing.scroll;
    scroll.foreground_color = false;
    scroll.floating_width = 6.0;
    scroll.bar_width = 8.0;

    style.interaction.selectable_labels = false;
    style.visuals = visuals(tokens, dark);
}

fn visuals(tokens: &Tokens, dark: bool) -> Visuals {
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let plain = WidgetVisuals {
        bg_fill: tokens.surface,
        weak_bg_fill: tokens.surface,
        bg_stroke: Stroke::new(1.0, tokens.line),
        corner_radius: CornerRadius::same(radius::CONTROL),
        fg_stroke: Stroke::new(1.0, tokens.text),
        expansion: 0.0,
    };
    let hovered = WidgetVisuals {
        bg_fill: tokens.surface_raised,
        weak_bg_fill: tokens.surface_raised,
        bg_stroke: Stroke::new(1.0, tokens.text_muted),
        ..plain
    };
    visuals.widgets = Widgets {
        noninteractive: WidgetVisuals { bg_stroke: Stroke::new(1.0, tokens.line_soft), ..plain },
        inactive: plain,
        hovered,
        active: WidgetVisuals { bg_stroke: Stroke::new(2.0, tokens.focus), ..hovered },
        open: hovered,
    };
    visuals.weak_text_color = Some(tokens.text_muted);
    visuals.selection.bg_fill = tokens.selection;
    visuals.selection.stroke = Stroke::new(1.0, tokens.text);
    visuals.hyperlink_color = tokens.accent;
    visuals.faint_bg_color = tokens.surface_raised;
    visuals.extreme_bg_color = tokens.surface;
    visuals.code_bg_color = tokens.surface_raised;
    visuals.warn_fg_color = tokens.warning;
    visuals.error_fg_color = tokens.danger;
    visuals.panel_fill = tokens.bg;
    visuals.window_fill = tokens.surface;
    visuals.window_stroke = Stroke::new(1.0, tokens.line);
    visuals.window_corner_radius = CornerRadius::same(radius::CARD);
    visuals.menu_corner_radius = CornerRadius::same(radius::CONTROL);
    visuals.popup_shadow = Shadow::NONE;
    visuals.text_cursor.blink = false;
    visuals.text_cursor.stroke = Stroke::new(1.5, tokens.text);
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance after WCAG 2.2.
    fn luminance(colour: Color32) -> f64 {
        let channel = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(colour.r()) + 0.7152 * channel(colour.g()) + 0.0722 * channel(colour.b())
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let (a, b) = (luminance(one), luminance(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_pair_of_colours_can_be_told_apart() {
        for theme in [egui::Theme::Light, egui::Theme::Dark] {
            let t = Tokens::of(theme);
            let check = |least: f64, what: &str, fore: Color32, ground: &str, back: Color32| {
                let found = contrast(fore, back);
                assert!(found >= least, "{theme:?}: {what} on {ground} is {found:.2}, not {least}");
            };
            let grounds =
                [("bg", t.bg), ("nav", t.nav), ("surface", t.surface), ("raised", t.surface_raised)];
            for (ground, back) in grounds.into_iter().chain([("selection", t.selection)]) {
                check(4.5, "text", t.text, ground, back);
                check(4.5, "text-muted", t.text_muted, ground, back);
            }
            for (ground, back) in grounds {
                for (what, fore) in [
                    ("accent", t.accent),
                    ("success", t.success),
                    ("warning", t.warning),
                    ("danger", t.danger),
                    ("info", t.info),
                ] {
                    check(4.5, what, fore, ground, back);
                }
                check(3.0, "line", t.line, ground, back);
                check(3.0, "focus", t.focus, ground, back);
            }
            for (ground, back) in [
                ("gone", t.gone),
                ("gone-strong", t.gone_strong),
                ("new", t.new),
                ("new-strong", t.new_strong),
            ] {
                check(4.5, "text", t.text, ground, back);
            }
            check(4.5, "accent-text", t.accent_text, "accent", t.accent);
            check(4.5, "accent-text", t.accent_text, "accent-hover", t.accent_hover);
            check(4.5, "danger-text", t.danger_text, "danger", t.danger);
        }
    }
}
