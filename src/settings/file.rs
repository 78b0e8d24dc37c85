//! Reading the settings file strictly, and saving it whole or not at all.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;

use super::kept::SettingsFile;
use super::schema::{InvalidField, SCHEMA_VERSION, Settings, normalise_vault_path};

/// Why the settings cannot be read or saved. The file on disk is what it was.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {path:?}: {source}. Check its permissions; the file was left alone")]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{path:?} is not valid JSON at line {line}, column {column}: {problem}. Mend the file, or move it away to start \
         afresh; it was left alone"
    )]
    Syntax { path: PathBuf, line: usize, column: usize, problem: String },
    #[error("{path:?}: the field {field} cannot be used: {problem}. Mend the field; the file was left alone")]
    Field { path: PathBuf, field: String, problem: String },
    #[error(
        "{path:?} was written by a newer Notegate (settings version {found}, this program knows {SCHEMA_VERSION}). Use the \
         newer program; the file was left alone"
    )]
    Newer { path: PathBuf, found: u64 },
    #[error("cannot save {path:?}: {source}. Nothing was changed")]
    Save { path: PathBuf, source: io::Error },
    #[error(
        "{path:?} was changed by hand since this Notegate read it, so it was left alone and nothing was saved or ended. \
         Stop Notegate (`notegate stop`) and start it again to have the change read; or bring back what stood there"
    )]
    Changed { path: PathBuf },
    #[error(transparent)]
    Invalid(#[from] InvalidField),
}

/// Reads the settings of a home. A file that is not there yields the defaults.
///
/// # Errors
/// Anything but a whole, known and sensible file; the file is not touched.
pub fn load(path: &Path) -> Result<Settings, SettingsError> {
    SettingsFile::open(path).map(|(_, settings)| settings)
}

/// Reads settings from `text`; `path` is where the text came from, for the messages.
pub fn parse(text: &str, path: &Path) -> Result<Settings, SettingsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_version(text, path)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut settings: Settings = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let field = error.path().to_string();
        explain(error.inner(), field, path)
    })?;
    deserializer.end().map_err(|error| explain(&error, ".".into(), path))?;
    refuse_lists_for_objects(text, &settings, path)?;
    settings.validate().map_err(|InvalidField { field, problem, .. }| SettingsError::Field {
        path: path.to_owned(),
        field,
        problem,
    })?;
    settings.obsidian.vault_path = normalise_vault_path(&settings.obsidian.vault_path)?;
    Ok(settings)
}

/// Serde takes a list for a struct whose fields have defaults, in order; in this file an object is one.
fn refuse_lists_for_objects(text: &str, read: &Settings, path: &Path) -> Result<(), SettingsError> {
    let (Ok(written), Ok(read)) = (serde_json::from_str::<Value>(text), serde_json::to_value(read)) else {
        return Ok(()); // it was read a moment ago
    };
    match list_for_object(&written, &read) {
        Some(field) => Err(SettingsError::Field {
            path: path.to_owned(),
            field: if field.is_empty() { ".".into() } else { field },
            problem: "invalid type: a list, expected an object".into(),
        }),
        None => Ok(()),
    }
}

/// Where `written` has a list and `read`, which was made from it, an object.
fn list_for_object(written: &Value, read: &Value) -> Option<String> {
    let below = |name: String, rest: String| match rest.chars().next() {
        None => name,
        Some('[') => name + &rest,
        Some(_) => format!("{name}.{rest}"),
    };
    match (written, read) {
        (Value::Array(_), Value::Object(_)) => Some(String::new()),
        (Value::Object(written), Value::Object(read)) => written
            .iter()
            .find_map(|(name, value)| Some(below(name.clone(), list_for_object(value, read.get(name)?)?))),
        (Value::Array(written), Value::Array(read)) => {
            written.iter().zip(read).enumerate().find_map(|(index, (value, read))| {
                Some(below(format!("[{index}]"), list_for_object(value, read)?))
            })
        }
        _ => None,
    }
}

/// A newer file is told apart before its unknown fields are complained about.
fn check_version(text: &str, path: &Path) -> Result<(), SettingsError> {
    #[derive(Deserialize)]
    struct Version {
        version: Option<u64>,
    }
    match serde_json::from_str::<Version>(text) {
        Ok(Version { version: Some(found) }) if found > u64::from(SCHEMA_VERSION) => {
            Err(SettingsError::Newer { path: path.to_owned(), found })
        }
        Ok(Version { version: Some(0) }) => Err(SettingsError::Field {
            path: path.to_owned(),
            field: "version".into(),
            problem: format!("versions count from 1; this program writes {SCHEMA_VERSION}"),
        }),
        _ => Ok(()), // whatever else is wrong, the strict reading below names it
    }
}

fn explain(error: &serde_json::Error, field: String, path: &Path) -> SettingsError {
    let text = error.to_string();
    // serde_json ends its messages with the position, which we give in our own words.
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(head, _)| head).to_owned();
    match error.classify() {
        Category::Data => {
            let field = match unknown_field(&problem) {
                // serde_path_to_error gives the path of the object; the message names its member.
                Some(name) if field == "." => name.to_owned(),
                Some(name) if !field.ends_with(name) => format!("{field}.{name}"),
                _ => field,
            };
            SettingsError::Field { path: path.to_owned(), field, problem: plain(&problem) }
        }
        _ => {
            let hint = if problem.contains("escape") {
                " (in JSON a backslash is written twice: \"C:\\\\notes\")"
            } else {
                ""
            };
            SettingsError::Syntax {
                path: path.to_owned(),
                line: error.line(),
                column: error.column(),
                problem: problem + hint,
            }
        }
    }
}

/// What serde says of a value, without its names for the types of a program.
fn plain(problem: &str) -> String {
    let problem = problem.replacen("unknown variant", "unknown value", 1);
    let Some((found, expected)) = problem.rsplit_once(", expected ") else { return problem };
    let found = found.replacen(": map", ": an object", 1).replacen(": sequence", ": a list", 1);
    let expected = match expected {
        "u16" => "a whole number from 1 to 65535",
        "u32" | "u64" | "usize" => "a whole number",
        "a sequence" => "a list",
        expected if expected.starts_with("struct ") => "an object",
        expected => expected,
    };
    format!("{found}, expected {expected}")
}

fn unknown_field(problem: &str) -> Option<&str> {
    problem.strip_prefix("unknown field `")?.split('`').next()
}

/// Saves the settings atomically, readable by their owner alone, and gives back what was written.
///
/// # Errors
/// The settings are not valid, or the disk refuses; the old file is then still whole.
pub(super) fn save(path: &Path, settings: &Settings) -> Result<String, SettingsError> {
    settings.validate()?;
    let save_error = |source| SettingsError::Save { path: path.to_owned(), source };
    let mut text = serde_json::to_string_pretty(settings).map_err(|error| save_error(error.into()))?;
    text.push('\n');
    super::replace_file(path, text.as_bytes()).map_err(save_error)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Capability, Language, Theme, VaultEngine, WorkMode};

    fn read(text: &str) -> Result<Settings, String> {
        parse(text, Path::new("/h/settings.json")).map_err(|error| error.to_string())
    }

    #[test]
    fn us10_old_settings_without_obsidian_fields_load_with_obsidian_off() {
        let settings =
            read(r#"{"version":1,"gateway":{"port":4000},"window":{"language":"zh-CN"}}"#).unwrap();
        assert!(!settings.obsidian.enabled);
        assert_eq!(settings.obsidian.vault_path, "");
        assert_eq!(settings.obsidian.engine, VaultEngine::Native);
        assert_eq!(settings.gateway.port, 4000);
        assert_eq!(settings.window.language, Some(Language::SimplifiedChinese));
        assert_eq!(settings.window.theme, Theme::System);
        assert_eq!(read("{}").unwrap(), Settings::default());
    }

    #[test]
    fn files_from_before_the_choice_of_an_engine_load_with_the_native_one() {
        let old = read(r#"{"obsidian":{"enabled":true,"vaultPath":"/notes"}}"#).unwrap().obsidian;
        assert_eq!((old.enabled, old.vault_path.as_str(), old.engine), (true, "/notes", VaultEngine::Native));
        for engine in VaultEngine::ALL {
            let chosen = read(&format!(r#"{{"obsidian":{{"engine":"{engine}"}}}}"#)).unwrap();
            assert_eq!(chosen.obsidian.engine, engine);
        }
    }

    #[test]
    fn errors_name_the_field() {
        for (text, expected) in [
            (
                r#"{"obsidian":{"readOnly":true}}"#,
                "the field obsidian.readOnly cannot be used: unknown field `readOnly`",
            ),
            (r#"{"obsidain":{}}"#, "the field obsidain cannot be used: unknown field"),
            (
                r#"{"obsidian":{"vaultPath":7}}"#,
                "the field obsidian.vaultPath cannot be used: invalid type: integer `7`",
            ),
            (
                r#"{"obsidian":{"engine":"fast"}}"#,
                "the field obsidian.engine cannot be used: unknown value `fast`, expected `native` or `upstream`",
            ),
            (
                r#"{"gateway":{"port":70000}}"#,
                "the field gateway.port cannot be used: invalid value: integer `70000`, expected a whole number from 1 to 65535",
            ),
            (
                r#"{"gateway":{"port":0}}"#,
                "the field gateway.port cannot be used: a port is a number from 1 to 65535",
            ),
            (
                r#"{"gateway":7}"#,
                "the field gateway cannot be used: invalid type: integer `7`, expected an object",
            ),
            (
                r#"{"gateway":{"limits":{"sessions":-1}}}"#,
                "invalid value: integer `-1`, expected a whole number",
            ),
            (r#"{"runtimes":{}}"#, "invalid type: an object, expected a list"),
            (
                r#"{"gateway":{"limits":{"sessions":0}}}"#,
                "the field gateway.limits.sessions cannot be used: must be from 1 to 10000",
            ),
            (
                r#"{"gateway":{"limits":{"callSeconds":18446744073709551615}}}"#,
                "the field gateway.limits.callSeconds cannot be used: must be from 1 to 86400",
            ),
            (
                r#"{"gateway":{"limits":{"bodyBytes":1024}}}"#,
                "the field gateway.limits.bodyBytes cannot be used: must be from 65536 to",
            ),
            ("[]", "the field . cannot be used: invalid type: a list, expected an object"),
            (r#"{"gateway":[]}"#, "the field gateway cannot be used: invalid type: a list"),
            (r#"{"gateway":{"limits":[]}}"#, "the field gateway.limits cannot be used: invalid type: a list"),
            (
                r#"{"runtimes":[{"id":"a","name":" ","kind":"model","keySha256":"0000000000000000000000000000000000000000000000000000000000000000"}]}"#,
                "the field runtimes[0].name cannot be used: a runtime needs a name",
            ),
            (r#"{"runtimes":[{"id":"a b"}]}"#, "runtimes[0].id cannot be used"),
            (
                r#"{"runtimes":[{"id":"a","name":"A","kind":"model","keySha256":"ng_secret"}]}"#,
                "runtimes[0].keySha256",
            ),
            (r#"{"version":2,"future":1}"#, "written by a newer Notegate (settings version 2"),
            (r#"{"version":0}"#, "the field version cannot be used"),
            (r#"{"version":1"#, "is not valid JSON at line 1, column 12"),
            (r#"{} x"#, "is not valid JSON at line 1, column 4"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(expected), "{text}\n  said {error}\n  not {expected}");
        }
    }

    #[test]
    fn v07_single_backslashes_are_explained() {
        let tab = read(r#"{"obsidian":{"vaultPath":"C:\temp"}}"#).unwrap_err();
        assert!(tab.contains(r#""C:\temp""#) && tab.contains("backslash is written twice"), "{tab}");
        let escape = read(r#"{"obsidian":{"vaultPath":"C:\Users"}}"#).unwrap_err();
        assert!(escape.contains("backslash is written twice"), "{escape}");
    }

    #[test]
    fn a_digest_that_is_really_a_key_is_not_repeated() {
        let error =
            read(r#"{"runtimes":[{"id":"a","name":"A","kind":"model","keySha256":"ng_verysecret"}]}"#)
                .unwrap_err();
        assert!(!error.contains("verysecret"), "{error}");
    }

    #[test]
    fn v03_byte_order_mark_is_accepted_and_the_path_trimmed() {
        let settings = read("\u{feff}{\"obsidian\":{\"vaultPath\":\"  /a b \"}}").unwrap();
        assert_eq!(settings.obsidian.vault_path, "/a b");
    }

    #[test]
    fn unavailable_runtimes_cannot_be_assigned_by_hand() {
        let digest = "0".repeat(64);
        let error = read(&format!(
            r#"{{"runtimes":[{{"id":"d","name":"D","kind":"dsh","keySha256":"{digest}","capabilities":["obsidian"]}}]}}"#
        ))
        .unwrap_err();
        assert!(error.contains("DeepSeek Harness cannot be given obsidian"), "{error}");
    }

    #[test]
    fn saving_is_private_and_round_trips() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = Settings::default();
        settings.obsidian.vault_path = "/笔记".into();
        settings.runtimes.push(crate::settings::Runtime {
            id: crate::settings::RuntimeId::new("opencode").unwrap(),
            name: "OpenCode".into(),
            kind: crate::settings::RuntimeKind::OpenCode,
            key_sha256: crate::settings::KeyDigest([7; 32]),
            key_kept: false,
            mode: WorkMode::Ask,
            approval: Default::default(),
            capabilities: [Capability::Obsidian].into(),
        });
        save(&path, &settings).unwrap();
        assert_eq!(load(&path).unwrap(), settings);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no litter");
    }

    #[test]
    fn a_failing_save_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::create_dir(&path).unwrap(); // a folder in the file's place cannot be replaced
        std::fs::write(path.join("x"), "x").unwrap();
        let error = save(&path, &Settings::default()).unwrap_err().to_string();
        assert!(error.contains("Nothing was changed"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no litter");
    }

    #[test]
    fn a_broken_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{broken").unwrap();
        assert!(load(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{broken");
    }
}
