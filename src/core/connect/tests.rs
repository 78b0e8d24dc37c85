//! The files of real programs, in the forms that people give them: only our entry changes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::edit::{Fault, edited};
use super::*;
use crate::core::Bridge;
use crate::obsidian::{Environment, Platform};
use crate::settings::Home;

const URL: &str = "http://127.0.0.1:1/mcp";

pub(super) fn http(kind: RuntimeKind) -> serde_json::Map<String, Value> {
    entry(kind, Way::Http { url: URL, bearer: Bearer::Key("ng_k") })
}

#[track_caller]
pub(super) fn edit(kind: RuntimeKind, text: &str) -> String {
    let new = edited(program(kind).unwrap(), text, &http(kind)).unwrap();
    assert_eq!(
        edited(program(kind).unwrap(), &new, &http(kind)).unwrap(),
        new,
        "a second time changes nothing"
    );
    new
}

/// What stays of `old` stands in `new` in the same order, with our lines in one place.
#[track_caller]
fn only_added(old: &str, new: &str) {
    let before = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let after = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    assert!(before + after >= old.len(), "something else changed:\n{old}\n---\n{new}");
}

#[test]
fn m23_json_with_comments_and_trailing_commas_stays_as_it_is() {
    for old in [
        "{\n  // mine\n  \"theme\": \"x\", /* y */\n  \"mcp\": {\n    // first\n    \"other\": {\"type\": \"local\"}, // behind\n  },\n}\n",
        "{\n\t\"a\": [1, 2,],\n\t\"mcp\": {\n\t\t\"other\": {},\n\t},\n}",
        "// head\n{\n  \"a\": 1,\n}\n// tail\n",
        "{\r\n  \"a\": 1\r\n}\r\n",
        "{\n}\n",
    ] {
        let new = edit(RuntimeKind::OpenCode, old);
        only_added(old, &new);
        assert!(new.contains("\"oauth\": false") && new.contains("Bearer ng_k"), "{new}");
    }
    for empty in ["", "\n", "{}"] {
        let new = edit(RuntimeKind::OpenCode, empty);
        let read: Value = serde_json::from_str(&new).unwrap();
        assert_eq!(read["mcp"]["notegate"], Value::Object(http(RuntimeKind::OpenCode)), "{new}");
    }
}

#[test]
fn an_old_entry_is_replaced_and_what_the_person_set_in_it_stays() {
    let old = r#"{
  "mcpServers": {
    "notegate": {
      // for slow days
      "timeout": 90,
      "command": "notegate", "args": ["stdio"],
      "env": {"NOTEGATE_KEY": "ng_old"},
    },
    "other": {"url": "http://x"}
  }
}
"#;
    let new = edit(RuntimeKind::Cursor, old);
    assert!(new.contains("// for slow days\n      \"timeout\": 90,"), "{new}");
    assert!(!new.contains("ng_old") && !new.contains("command") && !new.contains("args"), "{new}");
    assert!(new.contains(URL) && new.contains("\"other\": {\"url\": \"http://x\"}\n  }\n}\n"), "{new}");

    let old = "[mcp_servers.notegate] # ours\nurl = \"http://old\" # here\nhttp_headers = { Authorization = \"Bearer ng_old\" }\ntool_timeout_sec = 90\n\n[tui]\nx = 1\n";
    let way = Way::Http { url: URL, bearer: Bearer::Variable };
    let new = edited(program(RuntimeKind::Codex).unwrap(), old, &entry(RuntimeKind::Codex, way)).unwrap();
    assert_eq!(
        new,
        format!(
            "[mcp_servers.notegate] # ours\nurl = \"{URL}\" # here\ntool_timeout_sec = 90\nbearer_token_env_var = \"NOTEGATE_KEY\"\n\n[tui]\nx = 1\n"
        )
    );

    let old = "mcpServers:\n  - name: notegate\n    command: notegate\n    connectionTimeout: 90\n  - name: other\n    url: http://x # theirs\n";
    let new = edit(RuntimeKind::Continue, old);
    assert!(
        new.contains("    connectionTimeout: 90\n  - name: other\n    url: http://x # theirs\n"),
        "{new}"
    );
    assert!(!new.contains("command"), "{new}");
}

#[test]
fn m23_toml_stays_as_it_is() {
    for old in [
        "",
        "model = \"o\" # mine\n\n[mcp_servers.other]\ncommand = 'x'\nargs = [ 'a',  'b' ]\n\n# about the window\n[tui]\nnotifications = true\n# the end\n",
        "# only a comment",
        "mcp_servers.other.url = \"http://x\"\n",
        "[mcp_servers]\n[mcp_servers.other]\nurl = \"http://x\"",
        "mcp_servers = { other = { url = \"http://x\" } } # in braces\na = 1\n",
    ] {
        let new = edit(RuntimeKind::Codex, old);
        only_added(old, &new);
        assert!(new.contains("Bearer ng_k"), "{new}");
    }
}

#[test]
fn m23_yaml_stays_as_it_is() {
    for old in [
        "name: Mine # x\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: m\n    apiKey: ${{ secrets.K }}\n",
        "name: Mine\nmcpServers:\n- name: other # at the margin\n  command: x\n  args: [\"a\", \"b\"] # c\n\n# behind\nrules: []\n",
        "name: Mine\nmcpServers:\n    - name: other\n      env:\n        A: |\n          one\n\n          two\n\n# behind\nrules:\n  - x",
        "name: Mine\nmcpServers:\n    - name: other\n      url: http://x",
        "name: Mine\nmcpServers:\nrules: []\n",
        "name: Mine\nmcpServers: # nothing yet\nrules: []\n",
        "name: Mine\nmcpServers:",
        "名: 中文\nmcpServers:\n  - name: 别的\n    url: http://x # 注\n其他: 1\n",
    ] {
        let new = edit(RuntimeKind::Continue, old);
        only_added(old, &new);
        assert!(new.contains("Authorization: Bearer ng_k"), "{new}");
    }
    let new = edit(RuntimeKind::Continue, "name: Mine\nmcpServers: [] # none\nrules: []\n");
    assert!(
        new.starts_with("name: Mine\nmcpServers: \n  - name: notegate\n")
            && new.ends_with("# none\nrules: []\n"),
        "{new}"
    );
    let new = edit(RuntimeKind::Continue, "# mine\n");
    assert!(
        new.starts_with(
            "# mine\nname: Local config\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: notegate\n"
        ),
        "{new}"
    );
}

#[test]
fn m23_what_is_broken_is_refused_with_its_place() {
    let place = |kind, text: &str| match edited(program(kind).unwrap(), text, &http(kind)) {
        Err(Fault::Broken { line, column, .. }) => (line, column),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(place(RuntimeKind::Cursor, "{\n  \"a\": 1\n  \"b\": 2\n}").0, 2);
    assert_eq!(place(RuntimeKind::Cursor, "{\n  \"a\": ,\n}"), (2, 8));
    assert_eq!(place(RuntimeKind::Cursor, "{'a': 1}"), (1, 2));
    assert_eq!(place(RuntimeKind::Codex, "a = 1\nb = = 2\n").0, 2);
    assert_eq!(place(RuntimeKind::Continue, "a: 1\nb: [1, 2\nc: 3\n").0, 3);
}

#[test]
fn a_form_that_would_have_to_be_rewritten_is_refused() {
    for (kind, text) in [
        (RuntimeKind::Cursor, "[]"),
        (RuntimeKind::Cursor, "{\"mcpServers\": []}"),
        (RuntimeKind::Cursor, "{\"mcpServers\": null}"),
        (RuntimeKind::Cursor, "{\"mcpServers\": {}, \"mcpServers\": {}}"),
        (RuntimeKind::Cursor, "{\"mcpServers\": {\"notegate\": 7}}"),
        (RuntimeKind::Codex, "mcp_servers = 7"),
        (RuntimeKind::Continue, "mcpServers: [{name: a}]"),
        (RuntimeKind::Continue, "mcpServers: {}"),
        (RuntimeKind::Continue, "{mcpServers: []}"),
        (RuntimeKind::Continue, "a: 1\n---\nb: 2\n"),
        (RuntimeKind::Continue, "a: 1\na: 2\n"),
        (RuntimeKind::Continue, "- a\n"),
    ] {
        let refused = edited(program(kind).unwrap(), text, &http(kind));
        assert!(matches!(refused, Err(Fault::Shape(_))), "{text}: {refused:?}");
    }
}

#[test]
fn each_program_is_looked_for_where_it_keeps_its_configuration() {
    let check = |environment: &Environment, expected: &[(RuntimeKind, &str)]| {
        for (kind, path) in expected {
            let files = (program(*kind).unwrap().files)(environment).unwrap();
            assert_eq!(files.last().unwrap(), Path::new(path), "{kind:?}");
        }
    };
    let linux = Environment::new(Platform::Linux, "/h");
    check(
        &linux,
        &[
            (RuntimeKind::OpenCode, "/h/.config/opencode/opencode.json"),
            (RuntimeKind::Continue, "/h/.continue/config.yaml"),
            (RuntimeKind::ClaudeCode, "/h/.claude.json"),
            (RuntimeKind::Codex, "/h/.codex/config.toml"),
            (RuntimeKind::Cursor, "/h/.cursor/mcp.json"),
            (RuntimeKind::VsCode, "/h/.config/Code/User/mcp.json"),
            (RuntimeKind::ClaudeDesktop, "/h/.config/Claude/claude_desktop_config.json"),
        ],
    );
    check(
        &linux.with("CODEX_HOME", "/c").with("XDG_CONFIG_HOME", "/x").with("CLAUDE_CONFIG_DIR", "/l"),
        &[
            (RuntimeKind::Codex, "/c/config.toml"),
            (RuntimeKind::OpenCode, "/x/opencode/opencode.json"),
            (RuntimeKind::ClaudeCode, "/l/.claude.json"),
        ],
    );
    check(
        &Environment::new(Platform::MacOs, "/h"),
        &[
            (RuntimeKind::OpenCode, "/h/.config/opencode/opencode.json"),
            (RuntimeKind::VsCode, "/h/Library/Application Support/Code/User/mcp.json"),
            (RuntimeKind::ClaudeDesktop, "/h/Library/Application Support/Claude/claude_desktop_config.json"),
        ],
    );
    check(
        &Environment::new(Platform::Windows, "/h").with("APPDATA", "/h/AppData/Roaming"),
        &[
            (RuntimeKind::VsCode, "/h/AppData/Roaming/Code/User/mcp.json"),
            (RuntimeKind::ClaudeDesktop, "/h/AppData/Roaming/Claude/claude_desktop_config.json"),
            (RuntimeKind::Codex, "/h/.codex/config.toml"),
        ],
    );
    assert!(program(RuntimeKind::Custom).is_none());
}

#[test]
fn a_bridge_is_told_where_it_is_and_whose_key_it_takes() {
    let bridge = Bridge { program: "/opt/n".into(), home: Some("/home".into()) };
    let id = crate::settings::RuntimeId::new("opencode-2").unwrap();
    let way = Way::Bridge { bridge: &bridge, key: Err(&id) };
    assert_eq!(
        Value::Object(entry(RuntimeKind::OpenCode, way)),
        json!({"type": "local", "command": ["/opt/n", "stdio", "--runtime", "opencode-2"], "enabled": true,
            "environment": {"NOTEGATE_HOME": "/home"}})
    );
    assert_eq!(
        Value::Object(entry(RuntimeKind::ClaudeDesktop, way)),
        json!({"command": "/opt/n", "args": ["stdio", "--runtime", "opencode-2"], "env": {"NOTEGATE_HOME": "/home"}})
    );
}

pub(super) fn cursor() -> crate::settings::RuntimeId {
    crate::settings::RuntimeId::new("cursor").unwrap()
}

/// A person's folder with the configuration of Cursor, and a home of ours.
pub(super) struct Person {
    pub(super) folder: tempfile::TempDir,
}

impl Person {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".cursor")).unwrap();
        Self { folder }
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.path().join(".cursor/mcp.json")
    }

    pub(super) fn home(&self) -> Home {
        Home::at(self.folder.path().join("home")).unwrap()
    }

    pub(super) fn plan(&self, place: KeyPlace) -> Result<edit::Plan, ConnectError> {
        let environment = Environment::new(Platform::Linux, self.folder.path());
        plan(program(RuntimeKind::Cursor).unwrap(), place, &environment, &http(RuntimeKind::Cursor))
    }

    pub(super) fn write(&self, place: KeyPlace) -> Result<(PathBuf, Option<PathBuf>), ConnectError> {
        self.plan(place)?.carry_out(None, &self.home(), &cursor())
    }

    pub(super) fn undo(&self) -> Result<PathBuf, ConnectError> {
        undo(&self.home(), RuntimeKind::Cursor).map(|(path, _)| path)
    }
}

#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn no_key_goes_where_others_can_read_it() {
    let person = Person::new();
    person.write(KeyPlace::File).unwrap();
    assert_eq!(mode(&person.file()), 0o600, "a new file is its owner's alone");
    for open in [0o644, 0o640, 0o604] {
        fs::write(person.file(), "{}\n").unwrap();
        set_mode(&person.file(), open);
        assert!(person.plan(KeyPlace::File).unwrap().shown().readable_by_others);
        let error = person.write(KeyPlace::File).unwrap_err();
        assert!(matches!(error, ConnectError::Readable { mode, .. } if mode == open), "{error}");
        assert_eq!(fs::read_to_string(person.file()).unwrap(), "{}\n");
    }
    // Where no key stands in it, anybody may read it, and goes on to.
    set_mode(&person.file(), 0o644);
    let (_, backup) = person.write(KeyPlace::Environment).unwrap();
    assert_eq!((mode(&person.file()), mode(&backup.unwrap())), (0o644, 0o600));
}

#[cfg(unix)]
#[test]
fn m23_a_link_stays_a_link_and_form_and_mode_stay() {
    let person = Person::new();
    let real = person.folder.path().join("dotfiles.json");
    let old = "\u{feff}{\r\n  \"a\": 1\r\n}\r\n";
    fs::write(&real, old).unwrap();
    set_mode(&real, 0o600);
    std::os::unix::fs::symlink("../dotfiles.json", person.file()).unwrap();
    let (path, backup) = person.write(KeyPlace::File).unwrap();
    assert_eq!(path, person.file());
    assert!(fs::symlink_metadata(person.file()).unwrap().file_type().is_symlink());
    let new = fs::read_to_string(&real).unwrap();
    assert!(new.starts_with("\u{feff}{\r\n  \"a\": 1,\r\n"), "{new:?}");
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
    assert_eq!(mode(&real), 0o600);
    assert_eq!(fs::read_to_string(backup.unwrap()).unwrap(), old);

    person.undo().unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), old);
    assert!(fs::symlink_metadata(person.file()).unwrap().file_type().is_symlink());
    let left = fs::read_dir(person.folder.path()).unwrap().count();
    assert_eq!(left, 3, "the folder, the file and our home; no backup and no draft");
}

#[test]
fn what_was_written_is_taken_back_unless_it_was_edited() {
    let person = Person::new();
    assert!(matches!(person.undo(), Err(ConnectError::NothingToUndo(_))));
    person.write(KeyPlace::File).unwrap();
    person.undo().unwrap();
    assert!(!person.file().exists(), "there was none");
    assert!(matches!(person.undo(), Err(ConnectError::NothingToUndo(_))));

    person.write(KeyPlace::File).unwrap();
    let edit = fs::read_to_string(person.file()).unwrap() + "// mine\n";
    fs::write(person.file(), &edit).unwrap();
    let error = person.undo().unwrap_err();
    assert!(matches!(error, ConnectError::Edited { .. }), "{error}");
    assert_eq!(fs::read_to_string(person.file()).unwrap(), edit);
}

#[test]
fn a_file_that_changed_since_it_was_shown_is_not_written() {
    let person = Person::new();
    let seen = person.plan(KeyPlace::File).unwrap().shown().seen;
    fs::write(person.file(), "{}").unwrap();
    let error =
        person.plan(KeyPlace::File).unwrap().carry_out(Some(&seen), &person.home(), &cursor()).unwrap_err();
    assert!(matches!(error, ConnectError::Changed { .. }), "{error}");
    assert_eq!(fs::read_to_string(person.file()).unwrap(), "{}");
}

#[test]
fn what_is_no_configuration_is_left_alone() {
    let person = Person::new();
    fs::write(person.file(), b"\xff\xfe").unwrap();
    assert!(matches!(person.write(KeyPlace::File), Err(ConnectError::Unfit { .. })));
    fs::remove_file(person.file()).unwrap();
    fs::create_dir(person.file()).unwrap();
    assert!(matches!(person.write(KeyPlace::File), Err(ConnectError::Unfit { .. })));
    fs::remove_dir(person.file()).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", person.file()).unwrap();
        assert!(matches!(person.write(KeyPlace::File), Err(ConnectError::Unfit { .. })));
    }
}
