//! What a kernel's answer holds that is secret by its name alone, whether it is known to us or not.

use serde_json::Value;

use super::REDACTED;

/// Fields that hold a secret wherever they stand, in small letters and without `_` and `-`.
const SECRET_FIELDS: [&str; 33] = [
    "accessauthcode",
    "accesskey",
    "accesskeyid",
    "accesstoken",
    "apikey",
    "apitoken",
    "authcode",
    "authorization",
    "clientsecret",
    "cookie",
    "cookiekey",
    "cookies",
    "idtoken",
    "kdfparams",
    "kekverifier",
    "mastersalt",
    "networkproxy",
    "notebookcrypto",
    "oauthclientsecret",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "refreshtoken",
    "repokey",
    "secret",
    "secretaccesskey",
    "secretkey",
    "setcookie",
    "token",
    "userdata",
    "usertoken",
];

/// Fields that hold one where they stand in certain others; lists in between do not count.
const SECRET_WITHIN: [&[&str]; 9] = [
    &["repo", "key"],
    &["secrets", "items", "value"],
    &["variables", "items", "value"],
    &["webdav", "username"],
    &["mcp", "servers", "headers"],
    &["mcp", "servers", "args"],
    &["mcp", "servers", "url"],
    &["mcp", "servers", "command"],
    &["mcp", "servers", "env"],
];

/// How many JSON texts within each other are looked into.
const DEEPEST: usize = 4;

/// Masks fields that hold a secret by their name, also in JSON that stands in a text. What is empty, true
/// or false stays: that something is set is no secret.
pub fn mask_fields(value: &mut Value) {
    mask(value, &mut Vec::new(), 0);
}

fn mask(value: &mut Value, path: &mut Vec<String>, depth: usize) -> bool {
    match value {
        Value::Object(fields) => {
            let mut changed = false;
            for (name, field) in fields {
                path.push(
                    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect(),
                );
                changed |= if is_secret(path) && says_something(field) {
                    *field = REDACTED.into();
                    true
                } else {
                    mask(field, path, depth)
                };
                path.pop();
            }
            changed
        }
        Value::Array(entries) => {
            entries.iter_mut().fold(false, |changed, entry| mask(entry, path, depth) | changed)
        }
        Value::String(text) if depth < DEEPEST => {
            let Some(mut inside) = json_in(text) else { return false };
            let changed = mask(&mut inside, path, depth + 1);
            if changed {
                *text = inside.to_string();
            }
            changed
        }
        _ => false,
    }
}

fn is_secret(path: &[String]) -> bool {
    let Some(name) = path.last() else { return false };
    SECRET_FIELDS.binary_search(&name.as_str()).is_ok()
        || SECRET_WITHIN.iter().any(|within| {
            path.len() >= within.len()
                && path.iter().rev().zip(within.iter().rev()).all(|(own, name)| own == name)
        })
}

fn says_something(field: &Value) -> bool {
    match field {
        Value::Null | Value::Bool(_) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(entries) => !entries.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Number(_) => true,
    }
}

/// An object or a list that is written in a text.
fn json_in(text: &str) -> Option<Value> {
    let looks_like_it = matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'['));
    looks_like_it.then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masked(mut value: Value) -> Value {
        mask_fields(&mut value);
        value
    }

    #[test]
    fn the_list_can_be_searched() {
        assert!(SECRET_FIELDS.is_sorted());
    }

    #[test]
    fn fields_that_hold_a_secret_by_their_name_are_masked() {
        let conf = json!({
            "api": {"token": "t0ken"}, "accessAuthCode": "code", "cookieKey": "c", "repo": {"key": "k"},
            "sync": {"webdav": {"username": "u", "password": "p"}, "s3": {"accessKey": "a", "secret_key": "s"}},
            "ai": {"providers": [{"apiKey": "k"}], "mcp": {"servers": [{"headers": {"X": "y"}, "args": ["z"]}]}},
            "secrets": {"items": [{"name": "n", "value": "v"}]}, "Authorization": "Token x",
            "nested": r#"{"data":"{\"token\":\"inner\"}"}"#, "token": 42,
        });
        let clean = masked(conf).to_string();
        for secret in [
            "t0ken", "code\"", "\"c\"", "\"k\"", "\"u\"", "\"p\"", "\"a\"", "\"s\"", "\"y\"", "\"z\"",
            "\"v\"", "Token x", "inner", "42",
        ] {
            assert!(!clean.contains(secret), "{secret}: {clean}");
        }
        assert!(clean.contains(r#""name":"n""#), "{clean}");
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is() {
        for kept in [
            json!({"key": "k", "value": "v", "username": "u", "url": "x", "headers": {"a": "b"}}),
            json!({"token": "", "password": null, "apiKey": false, "secrets": {"items": []}}),
            json!({"text": "{\"a\" :  1}", "broken": "{\"token\": ", "list": ["[1 , 2]"]}),
        ] {
            assert_eq!(masked(kept.clone()), kept);
        }
    }
}
