//! Paths that must not work, and paths that must.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::*;
use crate::obsidian::tool;

struct World {
    folder: tempfile::TempDir,
    guard: Guard,
}

impl World {
    /// A vault `vault` beside a folder `outside`, with our home inside the vault.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["vault/sub", "vault/.obsidian", "vault/gate", "vault/..foo", "outside"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("vault/a.md"), "a").unwrap();
        fs::write(folder.path().join("outside/secret.md"), "s").unwrap();
        let guard = Guard::new(
            &folder.path().join("vault"),
            Some(folder.path()),
            &[folder.path().join("vault/gate")],
            Platform::current(),
        );
        Self { guard: guard.unwrap(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn link(&self, target: &str, name: &str) {
        symlink(target, self.path("vault").join(name)).unwrap();
    }

    fn reach(&self, name: &str, arguments: Value) -> Result<BTreeSet<PathBuf>, ObsidianError> {
        self.reach_by(Engine::Upstream, name, arguments)
    }

    fn reach_by(
        &self,
        engine: Engine,
        name: &str,
        arguments: Value,
    ) -> Result<BTreeSet<PathBuf>, ObsidianError> {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        self.guard
            .reach(engine, tool(name).unwrap(), &arguments, &CancellationToken::new())
            .map(|reach| reach.files)
    }

    fn read(&self, path: &str) -> Result<BTreeSet<PathBuf>, &'static str> {
        self.reach("obsidian_read_note", json!({ "path": path })).map_err(|error| error.code())
    }
}

#[test]
fn v11_nothing_leads_out_of_the_vault() {
    let world = World::new();
    world.link("../outside", "out");
    world.link("../outside/secret.md", "existing.md");
    world.link("../outside/new.md", "dangling.md");
    world.link("dangling.md", "twice.md");
    world.link(world.path("outside").to_str().unwrap(), "sub/absolute");
    for path in [
        "../../x.md",
        "..",
        "sub/../../x.md",
        "/../x.md",
        "  ../x.md",
        "\u{feff}../x.md",
        "out/secret.md",
        "out/new/deep.md",
        "existing.md",
        "dangling.md",
        "twice.md",
        "sub/absolute/secret.md",
    ] {
        assert_eq!(world.read(path), Err("outside_vault"), "{path:?}");
    }
    for (tool, arguments) in [
        ("obsidian_write_note", json!({"path": "dangling.md", "content": ""})),
        ("obsidian_move_note", json!({"oldPath": "a.md", "newPath": "out/a.md"})),
        ("obsidian_move_file", json!({"oldPath": "existing.md", "newPath": "b.md"})),
        ("obsidian_read_multiple_notes", json!({"paths": ["a.md", "existing.md"]})),
        ("obsidian_list_directory", json!({"path": "out"})),
    ] {
        assert_eq!(world.reach(tool, arguments).unwrap_err().code(), "outside_vault", "{tool}");
    }
}

#[test]
fn v14_only_a_part_that_is_two_dots_climbs() {
    let world = World::new();
    for path in ["notes..md", "v1..v2 diff.md", "..foo/x.md", "...", "sub/../a.md", "", "/", "."] {
        assert!(world.read(path).is_ok(), "{path:?}");
    }
}

#[test]
fn every_spelling_of_a_file_is_that_file() {
    let world = World::new();
    let expected = BTreeSet::from([world.path("vault/a.md")]);
    let absolute = world.path("vault/a.md");
    for path in [
        "a.md",
        "/a.md",
        "//a.md",
        " a.md ",
        "./a.md",
        "sub//../a.md",
        "~/vault/a.md",
        absolute.to_str().unwrap(),
    ] {
        let reached = world.read(path).unwrap();
        assert!(reached.is_superset(&expected), "{path:?}: {reached:?}");
    }
    let reached = world.read("sub\\a.md").unwrap();
    assert!(reached.contains(&world.path("vault/sub/a.md")), "a backslash may separate: {reached:?}");
    world.link("a.md", "link.md");
    assert_eq!(
        world.read("link.md").unwrap(),
        BTreeSet::from([world.path("vault/a.md"), world.path("vault/link.md")])
    );
}

#[test]
fn v12_a_link_does_not_open_hidden_files() {
    let world = World::new();
    world.link(".obsidian", "settings");
    world.link("sub/.git/config", "config.md");
    world.link("sub", "fine");
    assert_eq!(world.read("settings/app.json"), Err("protected"));
    assert_eq!(world.read("config.md"), Err("protected"));
    assert!(world.read("fine/x.md").is_ok());
}

#[test]
fn our_own_home_is_out_of_reach() {
    let world = World::new();
    world.link("gate", "door");
    let absolute = world.path("vault/gate/settings.json");
    for path in ["gate/settings.json", "gate", "sub/../gate/x.md", "door/x.md", absolute.to_str().unwrap()] {
        assert_eq!(world.read(path), Err("protected"), "{path:?}");
    }
    assert!(world.read("gates.md").is_ok());
    let moved = world.reach("obsidian_move_file", json!({"oldPath": "a.md", "newPath": "gate/a.md"}));
    assert_eq!(moved.unwrap_err().code(), "protected");

    for inside in ["vault/gate", "vault/gate/deeper"] {
        fs::create_dir_all(world.path(inside)).unwrap();
        let guard = Guard::new(&world.path(inside), None, &[world.path("vault/gate")], Platform::current());
        assert_eq!(guard.unwrap_err().code(), "protected");
    }
}

/// What is left of a path after the vault's own is read with slashes, and taken for a spelling again.
#[test]
fn v11_a_backslash_behind_the_vaults_own_path_hides_nothing() {
    let world = World::new();
    world.link("../outside/new.md", "dangling.md");
    let vault = world.path("vault").display().to_string();
    for prefix in [&*vault, "~/vault", &format!(" /{vault}")] {
        for (rest, expected) in [
            (r"gate\settings.json", "protected"),
            (r"sub\..\gate\settings.json", "protected"),
            (r"~\vault\gate\settings.json", "protected"),
            (&*format!(r"~\vault/~\vault\{}", r"gate\settings.json"), "protected"),
            (&*format!(r"\{vault}\gate\settings.json"), "protected"),
            (r"sub\..\dangling.md", "outside_vault"),
            (r"~\vault\dangling.md", "outside_vault"),
            (r"~\vault\..\outside\secret.md", "outside_vault"),
            (r"..\outside\secret.md", "outside_vault"),
        ] {
            let path = format!("{prefix}/{rest}");
            for engine in [Engine::Upstream, Engine::Native] {
                for (tool, arguments) in [
                    ("obsidian_read_note", json!({"path": path})),
                    ("obsidian_write_note", json!({"path": path, "content": ""})),
                    ("obsidian_delete_note", json!({"path": path, "confirmPath": path})),
                    ("obsidian_move_note", json!({"oldPath": "a.md", "newPath": path})),
                    ("obsidian_move_note", json!({"oldPath": path, "newPath": "b.md"})),
                    ("obsidian_move_file", json!({"oldPath": path, "newPath": "b.md"})),
                    ("obsidian_move_file", json!({"oldPath": "a.md", "newPath": path})),
                ] {
                    let outcome = world.reach_by(engine, tool, arguments).map_err(|error| error.code());
                    assert_eq!(outcome, Err(expected), "{engine:?} {tool} {path:?}");
                }
            }
        }
        for spelt in [r"sub\a.md", r"~\vault\sub\a.md", r"~\vault/sub\a.md"] {
            let path = format!("{prefix}/{spelt}");
            let reached = world.read(&path).unwrap();
            assert!(
                reached.contains(&world.path("vault/sub/a.md")),
                "one file, one turn: {path:?} {reached:?}"
            );
        }
    }
}

#[test]
fn v11_the_trash_of_the_vault_is_inside_it() {
    let world = World::new();
    let delete = |path: &str| {
        let arguments = json!({"path": path, "confirmPath": path, "trashMode": "local"});
        world.reach("obsidian_delete_note", arguments).map_err(|error| error.code())
    };
    assert!(delete("sub/a.md").unwrap().contains(&world.path("vault/.trash/sub/a.md")));
    fs::create_dir(world.path("vault/.trash")).unwrap();
    world.link("../../outside", ".trash/sub");
    world.link("../../outside/new", ".trash/deep");
    world.link("../gate", ".trash/ours");
    world.link("../.obsidian", ".trash/hidden");
    world.link("../../outside/secret.md", ".trash/a.md");
    for path in ["sub/a.md", "sub/../sub/a.md", "deep/er/a.md", "/deep/a.md"] {
        assert_eq!(delete(path), Err("outside_vault"), "{path}");
    }
    for path in ["ours/a.md", "hidden/a.md"] {
        assert_eq!(delete(path), Err("protected"), "{path}");
    }
    assert!(delete("a.md").is_ok(), "what stands there is replaced or left, never followed");
    fs::remove_dir_all(world.path("vault/.trash")).unwrap();
    world.link("../outside", ".trash");
    assert_eq!(delete("a.md"), Err("outside_vault"));
}

#[test]
fn tools_that_walk_do_not_walk_over_notes_of_ours() {
    let world = World::new();
    fs::write(world.path("vault/gate/settings.json"), "{}").unwrap();
    let search = || world.reach("obsidian_search_notes", json!({"query": "x"}));
    assert!(search().is_ok(), "there is nothing to find");
    fs::create_dir(world.path("vault/gate/log")).unwrap();
    fs::write(world.path("vault/gate/log/Today.TXT"), "").unwrap();
    assert_eq!(search().unwrap_err().code(), "protected");
    assert!(world.read("a.md").is_ok());
    let native = world.reach_by(Engine::Native, "obsidian_search_notes", json!({"query": "x"}));
    assert!(native.is_ok(), "it leaves the folder out by itself");
}

#[test]
fn v16_a_move_onto_itself_is_refused() {
    let world = World::new();
    world.link("a.md", "link.md");
    fs::hard_link(world.path("vault/a.md"), world.path("vault/hard.md")).unwrap();
    let moving = |old: &str, new: &str| {
        world
            .reach("obsidian_move_note", json!({"oldPath": old, "newPath": new, "overwrite": true}))
            .map(drop)
            .map_err(|error| error.code())
    };
    for new in ["a.md", "./a.md", "/a.md", "link.md"] {
        assert_eq!(moving("a.md", new), Err("invalid_arguments"), "{new}");
    }
    let arguments = json!({"oldPath": "a.md", "newPath": "./a.md"});
    assert!(
        world.reach_by(Engine::Native, "obsidian_move_note", arguments).is_ok(),
        "it loses nothing by it"
    );
    assert_eq!(moving("a.md", "hard.md"), Ok(()), "a second name of the same bytes is another entry");
    assert_eq!(moving("a.md", "A.md"), Ok(()), "on a disk that tells case apart");
    assert_eq!(moving("gone.md", "gone.md"), Ok(()), "the engine says that it is not there");
}

#[test]
fn looking_ends_when_it_is_not_wanted_any_more() {
    let world = World::new();
    let stop = CancellationToken::new();
    stop.cancel();
    let arguments = json!({"paths": ["a.md"]});
    let tool = tool("obsidian_get_notes_info").unwrap();
    let outcome = world.guard.reach(Engine::Native, tool, arguments.as_object().unwrap(), &stop);
    assert!(matches!(outcome, Err(ObsidianError::Cancelled)));
}

#[test]
fn links_in_a_circle_are_named() {
    let world = World::new();
    world.link("two", "one");
    world.link("one", "two");
    let error = world.reach("obsidian_read_note", json!({"path": "one/x.md"})).unwrap_err().to_string();
    assert!(error.contains("one/x.md") && error.contains("circle"), "{error}");
}

#[test]
fn a_vault_registered_by_a_link_is_known_by_both_paths() {
    let world = World::new();
    let registered = world.path("registered");
    symlink("vault", &registered).unwrap();
    let guard = Guard::new(&registered, None, &[], Platform::current()).unwrap();
    let reach = |path: PathBuf| {
        let arguments = json!({ "path": path });
        let tool = tool("obsidian_read_note").unwrap();
        guard.reach(Engine::Native, tool, arguments.as_object().unwrap(), &CancellationToken::new())
    };
    let file = world.path("vault/a.md");
    assert!(reach(registered.join("a.md")).unwrap().files.contains(&file));
    assert!(reach(file.clone()).unwrap().files.contains(&file));
    assert!(reach(registered.join("../outside/secret.md")).is_err());
}
