//! `delete_note`.

use super::vault::whole;
use super::{Row, group, parsed, table};
use crate::differences as d;
use crate::hand_written::{Case, Group};

pub fn groups() -> Vec<Group> {
    vec![
        group("removing", whole(), table("delete_note", DELETE)),
        group("a second note of one name in the trash", whole(), second_of_a_name()),
    ]
}

const DELETE: &[Row] = &[
    (r#"{"path":"plain.md","confirmPath":"plain.md"}"#, None),
    (r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":"none"}"#, None),
    (r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":"local"}"#, None),
    (r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":"system"}"#, None),
    (r#"{"path":"sub/deep/er/note.md","confirmPath":"sub/deep/er/note.md","trashMode":"local"}"#, None),
    (r#"{"path":" /plain.md","confirmPath":"plain.md "}"#, None),
    (r#"{"path":"plain.md","confirmPath":"./plain.md"}"#, None),
    (r#"{"path":"plain.md","confirmPath":"Plain.md"}"#, None),
    (r#"{"path":"plain.md","confirmPath":""}"#, None),
    (r#"{"path":"<vault>/plain.md","confirmPath":"plain.md"}"#, None),
    (r#"{"path":"names/Case.md","confirmPath":"names/Case.md"}"#, None),
    (r#"{"path":"names/noext","confirmPath":"names/noext","trashMode":"local"}"#, None),
    (r#"{"path":"none.md","confirmPath":"none.md"}"#, None),
    (r#"{"path":"none.md","confirmPath":"none.md","trashMode":"system"}"#, Some(&d::TRASH_WITHOUT_A_NOTE)),
    (r#"{"path":"sub","confirmPath":"sub"}"#, None),
    (r#"{"path":"sub","confirmPath":"sub","trashMode":"local"}"#, None),
    (r#"{"path":"folder.md","confirmPath":"folder.md","trashMode":"system"}"#, None),
    (r#"{"path":"","confirmPath":""}"#, None),
    (r#"{"path":"image.png","confirmPath":"image.png"}"#, None),
    (r#"{"path":".hidden.md","confirmPath":".hidden.md"}"#, None),
    (r#"{"path":"../outside.md","confirmPath":"../outside.md"}"#, None),
    (r#"{"path":"links/inside.md","confirmPath":"links/inside.md"}"#, None),
    (r#"{"path":"links/absolute.md","confirmPath":"links/absolute.md","trashMode":"local"}"#, None),
    (r#"{"path":"links/dangling.md","confirmPath":"links/dangling.md"}"#, None),
    (r#"{"path":"links/outside.md","confirmPath":"links/outside.md"}"#, None),
    (r#"{"path":"wild/invalid.md","confirmPath":"wild/invalid.md","trashMode":"local"}"#, None),
    (r#"{"path":"wild/caf\u00e9.md","confirmPath":"wild/caf\u00e9.md"}"#, Some(&d::UNICODE_FORMS)),
    (r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":"zzz"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":null}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"confirmPath":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
];

fn second_of_a_name() -> Vec<Case> {
    let delete = || {
        (
            "delete_note".to_owned(),
            parsed(r#"{"path":"plain.md","confirmPath":"plain.md","trashMode":"local"}"#),
        )
    };
    let write = ("write_note".to_owned(), parsed(r#"{"path":"plain.md","content":"again"}"#));
    let calls = vec![delete(), write, delete()];
    vec![Case { calls, differs: Some(&d::TRASH_NUMBERS) }]
}
