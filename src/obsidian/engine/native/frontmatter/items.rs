//! Changes of a list with a line an item: lines come and go, and those that stay keep their bytes, with the
//! comments behind and between them.

use std::ops::Range;

use serde_json::Value;

use super::emit;

/// What to write in place of what, by the bytes of `lines`, so that the list holds `new` instead of `old`.
/// `lines` are those below the key.
///
/// `None` when the list is written in another way, or when more is to change than that items go and others
/// come at the end.
pub fn changes(lines: &str, old: &[Value], new: &[Value]) -> Option<Vec<(Range<usize>, String)>> {
    let is_single = |value: &Value| !value.is_array() && !value.is_object();
    if new.is_empty() || !old.iter().chain(new).all(is_single) {
        return None;
    }
    let places = places(lines)?;
    if places.len() != old.len() {
        return None;
    }
    let first = places.first()?.start;
    let indent = &lines[first..first + lines[first..].find('-')?];
    let mut changes = Vec::new();
    let mut kept = 0;
    let mut end = first;
    for (item, place) in old.iter().zip(places) {
        if new.get(kept) == Some(item) {
            kept += 1;
            end = place.end;
        } else {
            changes.push((place, String::new()));
        }
    }
    // one that stays has another place than before
    if new[kept..].iter().any(|item| old.contains(item)) {
        return None;
    }
    let added: String =
        new[kept..].iter().map(|item| format!("{indent}- {}\n", emit::item(item, indent))).collect();
    if !added.is_empty() {
        changes.push((end..end, added));
    }
    Some(changes)
}

/// The lines of the items. `None` when there are others than items, comments and blank lines.
fn places(lines: &str) -> Option<Vec<Range<usize>>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut column = None;
    let mut end = 0;
    for line in lines.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let content = line.trim_start_matches(' ');
        let blanks = line.len() - content.len();
        if content.starts_with("- ") && *column.get_or_insert(blanks) == blanks {
            places.push(start..end);
        } else if !content.starts_with('#') && !content.trim().is_empty() {
            return None;
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(lines: &str, old: Value, new: Value, expected: Option<&str>) {
        let found = changes(lines, old.as_array().unwrap(), new.as_array().unwrap()).map(|mut changes| {
            changes.sort_by_key(|(place, _)| (place.start, place.end));
            let mut text = lines.to_owned();
            changes.iter().rev().for_each(|(place, new)| text.replace_range(place.clone(), new));
            text
        });
        assert_eq!(found.as_deref(), expected, "{lines:?}");
    }

    #[test]
    fn items_come_at_the_end_and_go_anywhere() {
        let lines = "- 'a' # one\n# between\n- b\n\n- \"c\"\n";
        let old = json!(["a", "b", "c"]);
        check(lines, old.clone(), json!(["a", "b", "c", "x: y"]), Some(&format!("{lines}- \"x: y\"\n")));
        check(lines, old.clone(), json!(["a", "c"]), Some("- 'a' # one\n# between\n\n- \"c\"\n"));
        check(lines, old.clone(), json!(["b", "d"]), Some("# between\n- b\n- d\n\n"));
        check(lines, old, json!(["d"]), Some("- d\n# between\n\n"));
        check("    - a\r\n", json!(["a"]), json!(["a", "b"]), Some("    - a\r\n    - b\n"));
    }

    #[test]
    fn other_changes_and_other_lists_are_not_for_here() {
        check("- a\n- b\n", json!(["a", "b"]), json!(["b", "a"]), None);
        check("- a\n", json!(["a"]), json!([]), None);
        check("- a\n", json!(["a"]), json!([["b"]]), None);
        check("- a\n  b\n", json!(["a b"]), json!(["a b", "c"]), None);
        check("- - a\n", json!([["a"]]), json!([["a"], "c"]), None);
        check("- a\n-\n", json!(["a", null]), json!(["a", null, "c"]), None);
    }
}
