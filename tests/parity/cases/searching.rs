//! `search_notes`, `list_all_tags`, `get_vault_stats`, `wiki_link`.

use super::vault::{tame, whole};
use super::{Row, group, table};
use crate::differences as d;
use crate::hand_written::Group;

pub fn groups() -> Vec<Group> {
    let mut cases = table("search_notes", SEARCH);
    cases.extend(table("wiki_link", WIKI_LINK));
    cases.extend(table("get_vault_stats", STATS));
    cases.extend(table("list_all_tags", ALL_TAGS));
    vec![
        group("searching tame notes", tame(), cases),
        group("tags of wild notes", whole(), table("list_all_tags", &[(r#"{}"#, Some(&d::TAGS))])),
    ]
}

const SEARCH: &[Row] = &[
    (r#"{"query":"fox"}"#, None),
    (r#"{"query":"FOX"}"#, None),
    (r#"{"query":"fox","caseSensitive":true}"#, None),
    (r#"{"query":"FOX","caseSensitive":true}"#, None),
    (r#"{"query":"quick brown"}"#, None),
    (r#"{"query":"brown quick"}"#, None),
    (r#"{"query":"brown\nfox"}"#, None),
    (r#"{"query":"  fox  "}"#, None),
    (r#"{"query":"plain"}"#, None),
    (r#"{"query":"same"}"#, None),
    (r#"{"query":"nowhere to be found xyzzy"}"#, None),
    (r#"{"query":"xyzzy"}"#, None),
    (r#"{"query":""}"#, None),
    (r#"{"query":"   "}"#, None),
    (r#"{"query":"a.c"}"#, None),
    (r#"{"query":"[x]"}"#, None),
    (r#"{"query":"--pre=/bin/sh"}"#, None),
    (r#"{"query":"$"}"#, None),
    (r#"{"query":"\\d"}"#, None),
    (r#"{"query":"天气"}"#, None),
    (r#"{"query":"内容"}"#, None),
    (r#"{"query":"straße"}"#, Some(&d::CASES)),
    (r#"{"query":"STRASSE"}"#, Some(&d::CASES)),
    (r#"{"query":"straße","caseSensitive":true}"#, None),
    (r#"{"query":"istanbul"}"#, None),
    (r#"{"query":"İstanbul"}"#, None),
    (r#"{"query":"σίσυφος"}"#, Some(&d::EXCERPTS)),
    (r#"{"query":"ΣΊΣΥΦΟΣ"}"#, Some(&d::EXCERPTS)),
    (r#"{"query":"e","limit":1}"#, None),
    (r#"{"query":"e","limit":20}"#, None),
    (r#"{"query":"e","limit":1000}"#, None),
    (r#"{"query":"e","limit":0}"#, None),
    (r#"{"query":"e","limit":-1}"#, Some(&d::NEGATIVE_LIMIT)),
    (r#"{"query":"e","limit":2.7}"#, None),
    (r#"{"query":"e","prettyPrint":true}"#, None),
    (r#"{"query":"title","searchFrontmatter":true}"#, None),
    (r#"{"query":"title","searchFrontmatter":true,"searchContent":false}"#, None),
    (r#"{"query":"facts","searchFrontmatter":true,"searchContent":false}"#, None),
    (r#"{"query":"fox","searchContent":false}"#, None),
    (r#"{"query":"fox","searchContent":false,"searchFrontmatter":false}"#, None),
    (r#"{"query":"fox","pathPrefix":"search"}"#, None),
    (r#"{"query":"fox","pathPrefix":"/search/"}"#, None),
    (r#"{"query":"fox","pathPrefix":"sear"}"#, None),
    (r#"{"query":"fox","pathPrefix":"search/alpha.md"}"#, None),
    (r#"{"query":"fox","pathPrefix":""}"#, None),
    (r#"{"query":"fox","pathPrefix":"none"}"#, None),
    (r#"{"query":"fox","excludePaths":["search"]}"#, None),
    (r#"{"query":"fox","excludePaths":["search/beta.md","/search/lines.md/"]}"#, None),
    (r#"{"query":"fox","excludePaths":[]}"#, None),
    (r#"{"query":"fox","excludePaths":[""]}"#, None),
    (r#"{"query":"text","pathPrefix":"sub","excludePaths":["sub/deep"]}"#, None),
    (r#"{"query":"plain","pathPrefix":"sub\\"}"#, None),
    (r#"{"query":"fox","pathPrefix":"<vault>/search"}"#, Some(&d::SUBTREES)),
    (r#"{"query":"fox","pathPrefix":"sub/../search"}"#, Some(&d::SUBTREES)),
    (r#"{"query":"fox","pathPrefix":"../search"}"#, None),
    (r#"{"query":"odd"}"#, None),
    (r#"{"query":"emoji"}"#, None),
    (r#"{"query":"hidden"}"#, None),
    (r#"{"query":"markdown"}"#, None),
    (r#"{"query":"upper"}"#, None),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"query":7}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"query":"fox","excludePaths":"search"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"query":"fox","pathPrefix":7}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"query":"fox","limit":"5"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"query":"fox","caseSensitive":"no"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"query":"fox","searchContent":0}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"query":"fox","searchFrontmatter":null}"#, Some(&d::UNKNOWN_WORDS)),
];

const WIKI_LINK: &[Row] = &[
    (r#"{"document":"plain"}"#, None),
    (r#"{"document":"[[front]]"}"#, None),
    (r#"{"document":"[[front|Shown]]"}"#, None),
    (r#"{"document":"[[front\\|Shown]]"}"#, None),
    (r#"{"document":"[[front#Heading]]"}"#, None),
    (r#"{"document":"[[front#^block|Shown]]"}"#, None),
    (r#"{"document":"front","prettyPrint":true}"#, None),
    (r#"{"document":"same"}"#, None),
    (r#"{"document":"sub/same"}"#, None),
    (r#"{"document":"a/b/same"}"#, None),
    (r#"{"document":"b/same"}"#, None),
    (r#"{"document":"日记"}"#, None),
    (r#"{"document":"with space"}"#, None),
    (r#"{"document":" front "}"#, None),
    (r#"{"document":"[[ front ]]"}"#, None),
    (r#"{"document":"![[front|Shown]]"}"#, Some(&d::EMBEDS)),
    (r#"{"document":"none"}"#, None),
    (r#"{"document":"[[none]]"}"#, None),
    (r#"{"document":""}"#, None),
    (r#"{"document":"[[]]"}"#, None),
    (r#"{"document":"a\\b"}"#, None),
    (r#"{"document":"../outside"}"#, None),
    (r#"{"document":"x"}"#, None),
    (r#"{"document":".hidden"}"#, None),
    (r#"{"document":"Case"}"#, None),
    (r#"{"document":"case"}"#, None),
    (r#"{"document":"PLAIN"}"#, Some(&d::WIKI_NAMES)),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
];

const STATS: &[Row] = &[
    (r#"{}"#, None),
    (r#"{"prettyPrint":true}"#, None),
    (r#"{"recentCount":1}"#, None),
    (r#"{"recentCount":20}"#, None),
    (r#"{"recentCount":1000}"#, None),
    (r#"{"recentCount":0}"#, None),
    (r#"{"recentCount":-1}"#, None),
    (r#"{"recentCount":2.5}"#, None),
    (r#"{"recentCount":"2"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"recentCount":3,"prettyPrint":false}"#, None),
];

const ALL_TAGS: &[Row] = &[(r#"{}"#, None), (r#"{"prettyPrint":true}"#, None)];
