//! What a settings file may say of SiYuan, and what each mistake is answered with.

use std::path::Path;

use super::*;
use crate::settings::{Capability, KernelUrl, RuntimeKind, Settings, parse};

fn read(text: &str) -> Result<Settings, String> {
    parse(text, Path::new("/h/settings.json")).map_err(|error| error.to_string())
}

fn kernel(fields: &str) -> Result<Settings, String> {
    read(&format!(r#"{{"siyuan":{{"kernels":[{{"id":"local","name":"Local"{fields}}}]}}}}"#))
}

#[test]
fn an_old_file_loads_with_siyuan_off() {
    let settings = read(r#"{"version":1,"obsidian":{"enabled":true}}"#).unwrap();
    assert_eq!(settings.siyuan, SiyuanSettings::default());
    assert!(!settings.siyuan.enabled && settings.siyuan.kernels.is_empty());
}

#[test]
fn what_a_kernel_does_not_say_is_the_least_that_it_could_mean() {
    let settings = kernel("").unwrap();
    let kernel = &settings.siyuan.kernels[0];
    assert_eq!(kernel.address, KernelAddress::Auto);
    assert_eq!((kernel.timeout_seconds, kernel.token), (15, TokenState::None));
    assert_eq!((&kernel.port_file, kernel.pid, kernel.disabled), (&None, None, false));
    assert!(kernel.permissions.is_empty());
    assert_eq!(Permission::default(), Permission::Ask);
}

#[test]
fn everything_that_is_saved_comes_back() {
    let settings = kernel(
        r#","address":"https://notes.example.org:8443/siyuan/","timeoutSeconds":60,"workspace":"/w",
        "disabled":true,"token":"refused","permissions":{"http POST /api/block/updateBlock":"ask-full-access"}"#,
    )
    .unwrap();
    let text = serde_json::to_string(&settings).unwrap();
    assert_eq!(read(&text).unwrap(), settings);
    let kernel = &settings.siyuan.kernels[0];
    assert_eq!(kernel.address.to_string(), "https://notes.example.org:8443/siyuan");
    assert_eq!(kernel.permissions["http POST /api/block/updateBlock"], Permission::AskFullAccess);
}

#[test]
fn errors_name_the_field() {
    for (fields, expected) in [
        (r#","id":"a b""#, "siyuan.kernels[0]"),
        (r#","adress":"auto""#, "siyuan.kernels[0].adress cannot be used: unknown field"),
        (r#","name":" ""#, "siyuan.kernels[0]"),
        (r#","timeoutSeconds":0"#, "siyuan.kernels[0].timeoutSeconds cannot be used: must be 1 to 600"),
        (r#","timeoutSeconds":"15""#, "siyuan.kernels[0].timeoutSeconds"),
        (r#","portFile":"port.json""#, "siyuan.kernels[0].portFile cannot be used: give the whole path"),
        (r#","address":"http://127.0.0.1:1","portFile":"/p.json""#, "siyuan.kernels[0].portFile"),
        (r#","address":"http://192.168.0.2:6806","pid":7"#, "siyuan.kernels[0].pid"),
        (r#","pid":0"#, "siyuan.kernels[0].pid"),
        (r#","pid":2147483648"#, "siyuan.kernels[0].pid"),
        (r#","token":"abcdef""#, "siyuan.kernels[0].token"),
        (r#","permissions":{"http GET /":"always"}"#, "siyuan.kernels[0].permissions"),
        (r#","permissions":{" http GET /":"deny"}"#, "siyuan.kernels[0].permissions"),
        (r#"},{"id":"local","name":"Again""#, "siyuan.kernels[1].id cannot be used: local is there twice"),
    ] {
        let error = kernel(fields).expect_err(fields);
        assert!(error.contains(expected), "{fields}\n  said {error}\n  not {expected}");
    }
    let error = read(r#"{"siyuan":{"defaultKernel":"gone"}}"#).unwrap_err();
    assert!(error.contains("siyuan.defaultKernel cannot be used: there is no kernel gone"), "{error}");
}

#[test]
fn an_address_has_no_credentials_no_query_and_no_fragment() {
    let check = |typed: &str| typed.parse::<KernelAddress>().map(|address| address.to_string());
    for (typed, expected) in [
        (" auto ", "auto"),
        ("http://127.0.0.1:6806", "http://127.0.0.1:6806"),
        ("http://127.0.0.1:6806/", "http://127.0.0.1:6806"),
        ("https://Example.org/a/b/", "https://example.org/a/b"),
        ("http://[::1]:6806", "http://[::1]:6806"),
    ] {
        assert_eq!(check(typed).as_deref(), Ok(expected), "{typed}");
    }
    for typed in [
        "",
        "Auto",
        "127.0.0.1:6806",
        "localhost:6806",
        "ftp://127.0.0.1",
        "http://",
        "http://127.0.0.1:0",
        "http://user@127.0.0.1",
        "http://user:sesame@127.0.0.1",
        "http://127.0.0.1?token=sesame",
        "http://127.0.0.1#sesame",
        "http://127.0.0.1/a//b",
        "http://127.0.0.1\\a",
    ] {
        let error = check(typed).expect_err(typed);
        assert!(!error.problem.contains("sesame"), "an error repeats no password: {error}");
    }
}

#[test]
fn only_what_is_surely_on_this_computer_counts_as_such() {
    let is_loopback = |typed: &str| KernelUrl::new(typed).unwrap().is_loopback();
    for typed in ["http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]", "http://localhost:6806"] {
        assert!(is_loopback(typed), "{typed}");
    }
    for typed in
        ["http://192.168.1.2", "https://example.org", "http://localhost.example.org", "http://0.0.0.0"]
    {
        assert!(!is_loopback(typed), "{typed}");
    }
}

#[test]
fn a_sessions_choice_is_kept_replaced_and_taken_back() {
    let id = |text: &str| KernelId::new(text).unwrap();
    let mut siyuan = SiyuanSettings::default();
    siyuan.choose("one", Some(id("a")));
    siyuan.choose("two", Some(id("a")));
    siyuan.choose("one", Some(id("b")));
    assert_eq!((siyuan.choice("one"), siyuan.choice("two")), (Some(&id("b")), Some(&id("a"))));
    siyuan.choose("one", None);
    assert_eq!(siyuan.choice("one"), None);
    for number in 0..MAX_SESSION_CHOICES {
        siyuan.choose(&number.to_string(), Some(id("a")));
    }
    assert_eq!(siyuan.session_choices.len(), MAX_SESSION_CHOICES);
    assert_eq!(siyuan.choice("two"), None, "the oldest made room");
    siyuan.validate().unwrap();
}

#[test]
fn another_server_has_no_permissions_no_workspace_and_has_refused_no_token() {
    let text = r#","pid":7,"workspace":"/w","token":"refused","permissions":{"connection status":"allow"}"#;
    let kernel = kernel(text).unwrap().siyuan.kernels.remove(0);
    let same = kernel.place();
    let url = "http://127.0.0.1:1".parse().unwrap();
    let file = Some("/p.json".to_owned());
    for other in [
        KernelPlace { address: url, ..same.clone() },
        KernelPlace { port_file: file, ..same.clone() },
        KernelPlace { pid: Some(8), ..same.clone() },
        KernelPlace { pid: None, ..same.clone() },
    ] {
        let mut moved = kernel.clone();
        moved.move_to(other.clone());
        assert_eq!(moved.place(), other);
        assert!(moved.permissions.is_empty() && moved.workspace.is_none(), "{other:?}");
        assert_eq!(moved.token, TokenState::Stored);
    }
    let mut kept = kernel.clone();
    kept.move_to(same);
    assert_eq!(kept, kernel);
}

#[test]
fn every_kind_of_runtime_can_be_given_siyuan() {
    for kind in RuntimeKind::ALL {
        assert!(kind.supports(Capability::Siyuan).is_ok(), "{kind:?}");
    }
}
