//! What the window says, in the person's language.
//!
//! The sentences stand in `assets/i18n`, a folder a language and a file an area, each written in its own right. No
//! other file of the window holds words for people; a test looks for them.

use std::borrow::Cow;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::core::Language;

const ENGLISH: &str = concat!(
    include_str!("../../assets/i18n/en/window.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/widgets.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/kernels.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/endpoints.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/activity.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/approvals.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/connect.ftl"),
    "\n",
    include_str!("../../assets/i18n/en/licences.ftl"),
    "\n",
);

const SIMPLIFIED_CHINESE: &str = concat!(
    include_str!("../../assets/i18n/zh-CN/window.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/widgets.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/kernels.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/endpoints.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/activity.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/approvals.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/connect.ftl"),
    "\n",
    include_str!("../../assets/i18n/zh-CN/licences.ftl"),
    "\n",
);

/// The sentences of one language.
pub struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts").field("language", &self.language).finish_non_exhaustive()
    }
}

/// A value that a sentence speaks of.
pub type Arg<'a> = (&'a str, FluentValue<'a>);

impl Texts {
    pub fn new(language: Language) -> Self {
        let (source, tag) = match language {
            Language::English => (ENGLISH, "en"),
            Language::SimplifiedChinese => (SIMPLIFIED_CHINESE, "zh-CN"),
        };
        // A broken line costs that one sentence; the tests allow none.
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
        let tag: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new(vec![tag]);
        // The marks around inserted text are invisible only where a font knows them.
        bundle.set_use_isolating(false);
        bundle.add_resource_overriding(resource);
        Self { language, bundle }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The sentence `key`.
    pub fn get(&self, key: &str) -> String {
        self.with(key, [])
    }

    /// The sentence `key` about `args`.
    pub fn with<'a, const N: usize>(&self, key: &str, args: [Arg<'a>; N]) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            // Not reached: the tests hold every key that is used against both files.
            return key.to_owned();
        };
        let args: FluentArgs<'_> =
            args.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        self.bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }

    /// The sentence `key`, if there is one.
    pub fn find(&self, key: &str) -> Option<String> {
        self.knows(key).then(|| self.get(key))
    }

    /// Whether there is a sentence `key`.
    pub fn knows(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }
}

/// The language to speak: the one that was chosen, else the system's if we speak it.
pub fn resolve(chosen: Option<Language>, system: Option<&str>) -> Language {
    match (chosen, system) {
        (Some(language), _) => language,
        (None, Some(tag)) if tag.to_ascii_lowercase().starts_with("zh") => Language::SimplifiedChinese,
        (None, _) => Language::English,
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
