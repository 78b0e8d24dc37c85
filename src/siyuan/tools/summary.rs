//! A call as a person reads it who is asked about it.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Call, word};

impl Call {
    /// What is asked for, an argument a line: texts as they are, everything else as JSON. What is cut and what is secret
    /// is the business of whoever shows it.
    pub fn summary(&self) -> String {
        let mut summary = format!("{} {}", self.tool.name, word(&self.arguments));
        let said = |name: &str| matches!(name, "action" | "channel");
        for (name, value) in self.arguments.iter().filter(|(name, _)| !said(name)) {
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // A text of several lines begins on a line of its own, so that its first one is read as it is.
            let between = if text.contains('\n') { "\n" } else { " " };
            let _ = write!(summary, "\n{name}:{between}{text}"); // a String takes everything
        }
        summary
    }
}
