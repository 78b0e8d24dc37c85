//! The table of licences is held against what is built and what is installed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{PARTS, Part};

fn file(name: &str) -> String {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn named(source: &str) -> BTreeSet<(String, String)> {
    let of = |part: &&Part| part.source == source;
    PARTS.iter().filter(of).map(|part| (part.name.to_owned(), part.version.to_owned())).collect()
}

/// The names and versions in `Cargo.lock`.
fn locked() -> BTreeSet<(String, String)> {
    let text = file("Cargo.lock");
    let value = |package: &str, key: &str| {
        let line = package.lines().find(|line| line.starts_with(key))?;
        line.split('"').nth(1).map(str::to_owned)
    };
    let packages = text.split("[[package]]").skip(1);
    packages.filter_map(|package| Some((value(package, "name = ")?, value(package, "version = ")?))).collect()
}

const AGAIN: &str = "run assets/licences/collect";

#[test]
fn each_crate_of_the_table_is_locked_in_that_version() {
    let locked = locked();
    let gone: Vec<_> = named("crate").into_iter().filter(|part| !locked.contains(part)).collect();
    assert!(gone.is_empty(), "not in Cargo.lock: {gone:?}; {AGAIN}");
}

#[test]
fn each_crate_that_the_program_names_is_in_the_table() {
    let names: BTreeSet<String> = named("crate").into_iter().map(|(name, _)| name).collect();
    let manifest = file("Cargo.toml");
    let mut normal = false;
    let mut count = 0;
    for line in manifest.lines() {
        if line.starts_with('[') {
            normal = line.ends_with("dependencies]") && !line.contains("dev-");
        } else if let Some((name, _)) = line.split_once(" = ")
            && normal
            && !name.starts_with('#')
        {
            count += 1;
            assert!(names.contains(name), "{name} is not in the table; {AGAIN}");
        }
    }
    assert!(count > 50, "the manifest was not understood");
}

#[test]
fn the_packages_of_the_table_are_those_of_the_lock_file() {
    let lock: Value = serde_json::from_str(&file("vendor/mcpvault/package-lock.json")).unwrap();
    let packages = lock["packages"].as_object().unwrap();
    let locked: BTreeSet<(String, String)> = packages
        .iter()
        .filter_map(|(path, package)| {
            let (_, name) = path.rsplit_once("node_modules/")?;
            Some((name.to_owned(), package["version"].as_str()?.to_owned()))
        })
        .collect();
    assert_eq!(named("npm"), locked, "{AGAIN}");
}

#[test]
fn every_part_is_under_a_licence() {
    assert!(PARTS.len() > 400 && PARTS.iter().all(|part| !part.licence.is_empty()));
    let inter = PARTS.iter().find(|part| part.name == "ttf-inter").unwrap();
    assert_eq!(inter.licence, "OFL-1.1");
}
