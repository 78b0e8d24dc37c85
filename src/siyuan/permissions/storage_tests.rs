//! Places of a workspace, and the ways of spelling them.

use proptest::prelude::*;

use super::*;

const USES: [Use; 4] = [Use::List, Use::Read, Use::Copy, Use::Write];

#[track_caller]
fn open(path: &str, uses: &[Use]) {
    for used in USES {
        let found = check_workspace_path(path, used);
        assert_eq!(found.is_ok(), uses.contains(&used), "{path:?} {used:?}: {found:?}");
    }
}

#[test]
fn notes_and_assets_can_be_read_and_written() {
    for path in [
        "/data/20210817205410-2kvfpfn/20210808180320-abcdefg.sy",
        "data/assets/image-20260101120000-abc1234.png",
        "/data/assets/图 片 (1).png",
        "/data/assets/",
        "/data/emojis/x.svg",
        "/data/public/a.html",
        "/data/confidential/x",
        "/data/pluginsx/y",
    ] {
        open(path, &USES);
    }
}

#[test]
fn the_kernels_own_folders_are_out_of_reach() {
    for path in ["/conf", "conf/conf.json", "/conf/appearance/themes/x/theme.js", "/temp/siyuan.log", "temp"]
    {
        open(path, &[]);
    }
}

#[test]
fn storage_of_plugins_is_out_of_reach() {
    for path in ["/data/storage/petal", "/data/storage/petal/my-plugin/config.json"] {
        open(path, &[]);
    }
    open("/data/storage/local.json", &[Use::List]);
}

#[test]
fn what_runs_or_is_followed_is_not_written() {
    for path in [
        "/data/plugins/my-plugin/index.js",
        "/data/plugins",
        "/data/widgets/x/index.html",
        "/data/templates/x.md",
        "/data/snippets/conf.json",
        "/data/storage/av/20210808180320-abcdefg.json",
        "/data/20210817205410-2kvfpfn/.siyuan/conf.json",
        "/data/.siyuan/x",
    ] {
        open(path, &[Use::List, Use::Read, Use::Copy]);
    }
}

#[test]
fn nothing_outside_data_is_written() {
    for path in ["/history/2026/x.sy", "/repo/objects/ab", "/x.txt", "/.lock"] {
        open(path, &[Use::List, Use::Read, Use::Copy]);
    }
}

#[test]
fn a_folder_that_holds_what_is_out_of_reach_is_neither_copied_nor_removed() {
    for path in ["", "/", "data", "/data/", "/data/storage"] {
        open(path, &[Use::List, Use::Read]);
    }
}

#[test]
fn every_spelling_of_a_place_is_that_place() {
    for path in
        ["/CONF/conf.json", "Conf", "/ｃｏｎｆ/conf.json", "/data/Storage/PETAL/x", "/DATA/storage/petal"]
    {
        open(path, &[]);
    }
    for path in
        ["/data/Plugins/x", "/data/ＰＬＵＧＩＮＳ/x", "/data/plugin\u{17f}/x", "/data/x/．siyuan/conf.json"]
    {
        assert!(check_workspace_path(path, Use::Write).is_err(), "{path}");
    }
}

#[test]
fn a_path_that_can_be_read_in_two_ways_is_refused() {
    for path in [
        "/data/../conf/conf.json",
        "/data/./x",
        "//conf/conf.json",
        "/data//conf",
        "/data/x//",
        "data\\..\\conf",
        "/data/assets/..\\..\\conf",
        "/conf./conf.json",
        "/conf /conf.json",
        "/ conf/conf.json",
        "/conf::$INDEX_ALLOCATION/conf.json",
        "C:/data/x",
        "/CONF~1/conf.json",
        "/data/PLUGIN~1/x",
        "/co\u{200c}nf/conf.json",
        "/conf\u{feff}",
        "/data/a\0b",
        "/data/a\nb",
        "/data／..／conf",
        "/data/．．/conf",
        "/data/․․/conf",
        "/data/…/conf",
    ] {
        for used in USES {
            let found = check_workspace_path(path, used);
            assert!(matches!(found, Err(StorageProblem::Ambiguous(_))), "{path:?} {used:?}: {found:?}");
        }
    }
}

#[test]
fn paths_below_data_are_judged_as_such() {
    assert_eq!(check_data_path("/assets/", Use::Write), Ok(()));
    assert_eq!(check_data_path("assets/x.pdf.sya", Use::Write), Ok(()));
    for path in ["/plugins/x", "../conf/x", "/storage/petal/x", "", "/", "templates"] {
        assert!(check_data_path(path, Use::Write).is_err(), "{path}");
    }
    assert_eq!(check_data_path("conf/x", Use::Write), Ok(()), "data/conf is not conf");
}

/// What the kernel does with a path before it uses it: joins, cleans, and on some systems folds.
fn place(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.replace('\\', "/").split('/') {
        match part.trim_end_matches(['.', ' ']) {
            "" if part.len() > 1 && part.chars().all(|c| c == '.') => {
                parts.pop();
            }
            "" => {}
            part => parts.push(part.split(':').next().unwrap_or_default().to_lowercase()),
        }
    }
    parts.join("/")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_spelling_writes_where_nothing_may_be_written(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "data", "conf", "Conf", "plugins", "PLUGINS", "storage", "petal", "assets", "x", "..", ".", "/", "//", "\\",
                " ", ". ", "...", ":", "::$DATA", ".siyuan", "temp",
            ]),
            0..9,
        )
    ) {
        let path = pieces.concat();
        if check_workspace_path(&path, Use::Write).is_ok() {
            let place = place(&path);
            prop_assert!(place.starts_with("data/"), "{path:?} → {place:?}");
            for area in ["plugins", "storage", "widgets", "templates", "snippets"] {
                let folder = format!("data/{area}");
                prop_assert!(place != folder && !place.starts_with(&format!("{folder}/")), "{path:?} → {place:?}");
            }
            prop_assert!(!place.split('/').any(|part| part.starts_with('.')), "{path:?} → {place:?}");
        }
    }
}
