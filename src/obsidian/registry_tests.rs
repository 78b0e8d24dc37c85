//! Discovery on every platform, by files in a temporary user's folder.

use super::*;

struct Computer {
    home: tempfile::TempDir,
}

impl Computer {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn vault(&self, path: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn registry(&self, file: &str, text: &str) -> PathBuf {
        let file = self.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn on(&self, platform: Platform) -> Environment {
        Environment::new(platform, self.home.path())
    }
}

fn listing(vaults: &[(&str, &Path)]) -> String {
    let entries: Map<String, Value> = vaults
        .iter()
        .map(|(id, path)| ((*id).to_owned(), serde_json::json!({"path": path, "ts": 1, "open": false})))
        .collect();
    serde_json::json!({ "vaults": entries, "frame": "hidden" }).to_string()
}

const NATIVE: &str = ".config/obsidian/obsidian.json";
const FLATPAK: &str = ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json";
const SNAP: &str = "snap/obsidian/current/.config/obsidian/obsidian.json";

#[test]
fn the_place_on_each_platform() {
    let check = |environment: Environment, expected: &[&str]| {
        let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
        assert_eq!(files(&environment), expected);
    };
    let flatpak = format!("/home/anna/{FLATPAK}");
    let snap = format!("/home/anna/{SNAP}");
    let linux = Environment::new(Platform::Linux, "/home/anna");
    check(linux.clone(), &["/home/anna/.config/obsidian/obsidian.json", &flatpak, &snap]);
    check(linux.clone().with("XDG_CONFIG_HOME", "/cfg"), &["/cfg/obsidian/obsidian.json", &flatpak, &snap]);
    check(
        linux.clone().with("XDG_CONFIG_HOME", "relative"),
        &["/home/anna/.config/obsidian/obsidian.json", &flatpak, &snap],
    );
    check(linux.with("XDG_CONFIG_HOME", ""), &["/home/anna/.config/obsidian/obsidian.json", &flatpak, &snap]);
    check(
        Environment::new(Platform::MacOs, "/Users/anna").with("XDG_CONFIG_HOME", "/cfg"),
        &["/Users/anna/Library/Application Support/obsidian/obsidian.json"],
    );
    let windows = Environment::new(Platform::Windows, "/u/anna");
    check(windows.clone(), &["/u/anna/AppData/Roaming/obsidian/obsidian.json"]);
    check(windows.with("APPDATA", "/roaming"), &["/roaming/obsidian/obsidian.json"]);
}

#[test]
fn lr2_every_entry_counts_open_or_not_and_keeps_its_id() {
    let computer = Computer::new();
    let (b, a) = (computer.vault("b/Notes"), computer.vault("a/Notes"));
    let zettel = computer.vault("Ablage \"x\" & 笔记");
    let file = computer.registry(
        NATIVE,
        &serde_json::json!({"vaults": {
            "1b": {"path": b, "open": true}, "1a": {"path": a}, "1c": {"path": zettel, "open": false},
        }})
        .to_string(),
    );
    let vaults = discover(&computer.on(Platform::Linux)).unwrap();
    let seen: Vec<_> =
        vaults.iter().map(|vault| (vault.id.as_str(), vault.name.as_str(), vault.path.clone())).collect();
    // V-21: same names are in the order of their paths; V-04: any name is a name.
    assert_eq!(seen, [("1c", "Ablage \"x\" & 笔记", zettel), ("1a", "Notes", a), ("1b", "Notes", b)]);
    assert!(vaults.iter().all(|vault| vault.source.as_ref() == Some(&file)));
}

#[test]
fn v01_flatpak_and_snap_count_and_one_folder_is_shown_once() {
    let computer = Computer::new();
    let (one, two, three) = (computer.vault("one"), computer.vault("two"), computer.vault("three"));
    let flatpak = computer.registry(FLATPAK, &listing(&[("f1", &one), ("f2", &two)]));
    let environment = computer.on(Platform::Linux);
    assert!(discover(&environment).unwrap().iter().all(|vault| vault.source.as_ref() == Some(&flatpak)));

    let native = computer.registry(NATIVE, &listing(&[("n1", &one)]));
    let snap = computer.registry(SNAP, &listing(&[("s3", &three), ("s1", &one.join("."))]));
    let vaults = discover(&environment).unwrap();
    let seen: Vec<_> =
        vaults.iter().map(|vault| (vault.id.as_str(), vault.source.clone().unwrap())).collect();
    assert_eq!(seen, [("n1", native), ("s3", snap), ("f2", flatpak)]);
}

#[test]
fn v01_one_id_for_two_folders_is_refused() {
    let computer = Computer::new();
    computer.registry(NATIVE, &listing(&[("x", &computer.vault("one"))]));
    computer.registry(FLATPAK, &listing(&[("x", &computer.vault("two"))]));
    let error = discover(&computer.on(Platform::Linux)).unwrap_err();
    assert_eq!(error.code(), "registry_invalid");
    assert!(error.to_string().contains("one\"") && error.to_string().contains("two\""), "{error}");
}

#[test]
fn v03_bom_in_registry() {
    let computer = Computer::new();
    let vault = computer.vault("notes");
    computer.registry(NATIVE, &format!("\u{feff}{}", listing(&[("a", &vault)])));
    assert_eq!(discover(&computer.on(Platform::Linux)).unwrap()[0].path, vault);
}

#[test]
fn us7_no_registry_names_the_places_and_the_way_out() {
    let computer = Computer::new();
    let error = discover(&computer.on(Platform::Linux)).unwrap_err();
    assert_eq!(error.code(), "registry_missing");
    let text = error.to_string();
    for part in [NATIVE, FLATPAK, SNAP, "choose a folder"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn lr5_one_bad_entry_fails_all_and_is_named() {
    let check = |entry: Value, code: &str, expected: &str| {
        let computer = Computer::new();
        let good = computer.vault("good");
        fs::write(computer.path("file"), "").unwrap();
        let text = serde_json::json!({"vaults": {"good1": {"path": good}, "bad1": entry}}).to_string();
        let text = text.replace("HOME", computer.home.path().to_str().unwrap());
        let file = computer.registry(NATIVE, &text);
        let error = discover(&computer.on(Platform::Linux)).unwrap_err();
        let said = error.to_string();
        assert_eq!(error.code(), code, "{said}");
        for part in [expected, "bad1", file.to_str().unwrap(), "choose a folder"] {
            assert!(said.contains(part), "{said}\n  lacks {part}");
        }
    };
    check(serde_json::json!({"path": "HOME/gone"}), "vault_unreachable", "no such folder");
    check(serde_json::json!({"path": "HOME/file"}), "vault_unreachable", "a file, not a folder");
    check(serde_json::json!({"path": "notes"}), "vault_unreachable", "not an absolute path");
    check(serde_json::json!({"ts": 1}), "registry_invalid", "has no path");
    check(serde_json::json!({"path": " "}), "registry_invalid", "has no path");
    check(serde_json::json!({"path": 7}), "registry_invalid", "has no path");
    check(Value::Null, "registry_invalid", "has no path");
    // V-02, even where the portal's folder happens to be visible
    check(
        serde_json::json!({"path": "/run/user/1000/doc/ab12/Notes"}),
        "vault_unreachable",
        "inside the sandbox",
    );
    check(
        serde_json::json!({"path": "/run/flatpak/doc/ab12/Notes"}),
        "vault_unreachable",
        "inside the sandbox",
    );
}

#[test]
fn lr5_a_registry_that_says_nothing_is_an_error() {
    for (text, expected) in [
        ("", "not JSON"),
        ("{\"vaults\":", "not JSON"),
        ("[]", "lists no vaults"),
        ("{}", "lists no vaults"),
        ("{\"vaults\":{}}", "lists no vaults"),
        ("{\"vaults\":[]}", "not an object"),
    ] {
        let computer = Computer::new();
        let file = computer.registry(NATIVE, text);
        let error = discover(&computer.on(Platform::Linux)).unwrap_err();
        let said = error.to_string();
        assert_eq!(error.code(), "registry_invalid", "{said}");
        assert!(said.contains(expected) && said.contains(file.to_str().unwrap()), "{said}");
    }
}
