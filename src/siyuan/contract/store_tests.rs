//! The contract of a home: built-in, imported, replaced, damaged.

use serde_json::json;

use super::*;

fn schema(folder: &Path, path: &str) -> PathBuf {
    let file = folder.join("schema.json");
    let endpoint = json!({"method": "POST", "path": path, "body": "none", "request": null, "response": null});
    fs::write(&file, json!({"$defs": {}, "endpoints": [endpoint]}).to_string()).unwrap();
    file
}

#[test]
fn the_built_in_contract_holds_until_one_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let contract = Contract::new(folder.path().join("contract.json"));
    assert!(Arc::ptr_eq(&contract.current().unwrap(), &Catalogue::embedded()));
    let read = contract.read(&schema(folder.path(), "/api/a"), "9.9").unwrap();
    assert_eq!((read.changes.removed.len(), read.changes.added.len()), (718, 1));
    assert!(Arc::ptr_eq(&contract.current().unwrap(), &Catalogue::embedded()), "reading replaces nothing");
    contract.replace(&read).unwrap();
    assert_eq!(contract.current().unwrap().version(), "9.9");
    assert!(Arc::ptr_eq(&contract.current().unwrap(), &contract.current().unwrap()), "it is read once");
}

#[test]
fn an_import_by_another_process_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contract.json");
    let (running, other) = (Contract::new(file.clone()), Contract::new(file));
    for (path, version) in [("/api/a", "9.1"), ("/api/other/name", "9.2")] {
        let read = other.read(&schema(folder.path(), path), version).unwrap();
        other.replace(&read).unwrap();
        assert_eq!(running.current().unwrap().version(), version);
    }
}

#[test]
fn a_broken_file_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contract.json");
    let contract = Contract::new(file.clone());
    contract.replace(&contract.read(&schema(folder.path(), "/api/a"), "9.1").unwrap()).unwrap();
    let kept = fs::read(&file).unwrap();
    let broken = folder.path().join("broken.json");
    for text in ["", "{", "{\"$defs\":{},\"endpoints\":[{}]}"] {
        fs::write(&broken, text).unwrap();
        assert!(contract.read(&broken, "9.2").is_err(), "{text}");
    }
    assert_eq!(fs::read(&file).unwrap(), kept);
    assert_eq!(contract.current().unwrap().version(), "9.1");
}

#[test]
fn a_damaged_contract_is_an_error_and_the_built_in_one_does_not_step_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contract.json");
    fs::write(&file, "{\"version\":\"1\"").unwrap();
    let contract = Contract::new(file);
    let error = contract.current().unwrap_err();
    assert_eq!(error.code(), "contract_broken");
    assert!(error.to_string().contains("remove the file to go back to the built-in contract"), "{error}");
}

#[test]
fn a_disk_that_refuses_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let read = Contract::new(folder.path().join("contract.json"))
        .read(&schema(folder.path(), "/api/a"), "9")
        .unwrap();
    let nowhere = Contract::new(folder.path().join("nowhere/contract.json"));
    assert!(matches!(nowhere.replace(&read), Err(ContractError::Save { .. })));
}
