//! What a person reads: help and errors, as they stand.

use crate::home::Home;

fn shown(home: &Home, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let ended = home.run(&shell_words(line));
        text += &format!("$ notegate {line}\n{}{}[{}]\n\n", ended.stdout, ended.stderr, ended.code);
    }
    text.replace(home.path().parent().unwrap().to_str().unwrap(), "[ROOT]")
}

/// Words apart by spaces; quotes hold one together.
fn shell_words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
    }
    words
}

#[test]
fn help_of_every_verb() {
    let lines = [
        "--help",
        "serve --help",
        "demo --help",
        "runtime --help",
        "runtime add --help",
        "runtime list --help",
        "runtime remove --help",
        "runtime rotate --help",
        "runtime mode --help",
        "runtime rename --help",
        "runtime approval --help",
        "runtime assign --help",
        "connect --help",
        "obsidian --help",
        "obsidian scope --help",
        "obsidian test --help",
        "obsidian engine --help",
        "siyuan --help",
        "siyuan kernel --help",
        "siyuan kernel add --help",
        "siyuan kernel edit --help",
        "siyuan kernel resume --help",
        "siyuan kernel remove --help",
        "siyuan kernel default --help",
        "siyuan check --help",
        "siyuan token --help",
        "siyuan permission --help",
        "siyuan contract --help",
        "siyuan contract search --help",
        "siyuan contract show --help",
        "siyuan contract import --help",
        "port --help",
        "tools --help",
        "call --help",
        "activity --help",
        "approvals --help",
        "approvals allow --help",
        "approvals lift --help",
        "grant --help",
        "grant end --help",
        "stdio --help",
        "doctor --help",
        "status --help",
        "stop --help",
    ];
    insta::assert_snapshot!(shown(&Home::new(), &lines));
}

#[test]
fn errors_name_the_thing_the_cause_and_the_way_on() {
    let lines = [
        "serv",
        "runtime add emacs",
        "runtime add dsh --assign obsidian",
        "runtime mode custom root",
        "runtime remove nobody",
        "runtime assign nobody obsidian",
        "connect custom",
        "connect claude-desktop --key environment",
        "connect cursor --undo",
        "connect cursor --key nowhere",
        "connect cursor --runtime nobody",
        "obsidian scope here --all",
        "siyuan kernel add --address http://me:sesame@127.0.0.1:6806",
        "siyuan kernel add --timeout 0",
        "siyuan kernel add far --address https://notes.example.org --pid 7",
        "siyuan kernel add 'my notes'",
        "siyuan kernel edit nobody --name Mine",
        "siyuan kernel remove nobody",
        "siyuan kernel default nobody",
        "siyuan check nobody",
        "siyuan token nobody",
        "siyuan token nobody sesame",
        "siyuan permission nobody",
        "siyuan permission nobody 'connection status'",
        "siyuan permission nobody 'connection status' always",
        "siyuan permission nobody 'connection status' allow",
        "call obsidian_read_note '{path}'",
        "call obsidian_read_note '[1]'",
        "call obsidian_fly",
        "call obsidian_read_note '{\"path\": \"Note.md\"}'",
        "siyuan contract show /api/nothing",
        "siyuan contract search --role root",
        "siyuan contract import nowhere.json 3.8.6",
        "siyuan contract import nowhere.json 3.8/6",
        "grant",
        "grant custom --ttl soon",
        "grant custom",
        "grant end 1",
        "status",
        "stop",
        "stdio",
        "stdio --key-file nowhere",
        "status --json",
        "serv --json",
        "call obsidian_fly --json",
    ];
    insta::assert_snapshot!(shown(&Home::new(), &lines));
}
