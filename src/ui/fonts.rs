//! Which fonts the window writes with.
//!
//! Latin text has its own font, so that the window looks the same everywhere. What that font lacks,
//! Chinese above all, is taken from the system when it is first needed. The same Han character is
//! drawn differently in different languages, so the language of the window decides which of the
//! system's fonts is asked first.

use std::sync::Arc;

use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider};
use egui::{FontData, FontDefinitions, FontFamily};
use egui_system_font_provider::SystemFontProvider;

use super::theme;
use crate::core::Language;

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const MEDIUM: &[u8] = include_bytes!("../../assets/fonts/Inter-Medium.otf");

const SIMPLIFIED: &str = "zh-Hans";

/// Puts our own fonts in front of egui's. Once, before the first frame.
pub fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::default();
    for (name, bytes) in [("regular", REGULAR), ("medium", MEDIUM)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    for (family, name) in
        [(FontFamily::Proportional, "regular"), (FontFamily::Name(theme::MEDIUM.into()), "medium")]
    {
        let mut chain = vec![name.to_owned()];
        chain.extend(fallback.iter().cloned());
        fonts.families.insert(family, chain);
    }
    ctx.set_fonts(fonts);
}

/// Lets the system's fonts stand in, those for `language` first. The system's list of fonts is read
/// in the background; a font is mapped only when a character of it is first drawn.
pub fn follow(ctx: &egui::Context, language: Language) {
    let locale = match language {
        Language::SimplifiedChinese => Some(SIMPLIFIED.to_owned()),
        // Names of vaults and notes may be in any language. A system in Japanese or Korean keeps its
        // own forms; one that says nothing about Han gets the simplified ones.
        Language::English => {
            let own = |tag: &String| ["zh", "ja", "ko"].iter().any(|han| tag.starts_with(han));
            Some(sys_locale::get_locale().filter(own).unwrap_or_else(|| SIMPLIFIED.to_owned()))
        }
    };
    let provider = Centred(SystemFontProvider::new().with_locale(locale.as_deref()));
    ctx.set_font_providers(vec![Arc::new(provider)]);
}

/// The system's fonts, with Han characters where the eye expects them.
///
/// Fonts for Han reckon with more room above the line than below it; in a button or beside an icon
/// their characters would stand too low.
struct Centred(SystemFontProvider);

impl FontProvider for Centred {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let mut found = self.0.font_for(request)?;
        let is_han = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}');
        if request.cluster.chars().next().is_some_and(is_han) {
            found.data.tweak.y_offset_factor = -0.08;
        }
        Some(found)
    }
}
