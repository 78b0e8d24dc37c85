//! Statements that read, statements that write, and what lies between.

use proptest::prelude::*;
use rusqlite::fallible_iterator::FallibleIterator;

use super::*;

fn check(statement: &str, expected: Result<(), fn(&SqlProblem) -> bool>) {
    match (check_read_only(statement), expected) {
        (Ok(()), Ok(())) => {}
        (Err(problem), Err(is_it)) if is_it(&problem) => {}
        (found, _) => panic!("{statement:?}: {found:?}"),
    }
}

#[test]
fn statements_that_read_pass() {
    for statement in [
        "SELECT * FROM blocks WHERE content LIKE '%x%' LIMIT 10",
        "select id, updated from blocks order by updated desc",
        "  \n\tSELECT 1",
        "SELECT 1;",
        "SELECT 1 ; ;\n",
        "SELECT replace(content, 'a', 'b') FROM blocks",
        "SELECT REPLACE (content, 'a', 'b') FROM blocks",
        "SELECT * FROM blocks_fts WHERE blocks_fts MATCH '\"delete\" AND update'",
        "SELECT \"update\", `delete`, [drop] FROM x",
        "SELECT 'it''s; DELETE FROM blocks'",
        "SELECT * FROM pragma_table_info('blocks')",
        "SELECT 内容 FROM 表 WHERE 标题 = '删除'",
        "SELECT x'00ff', :name, ?1, @p, $q FROM blocks",
        "SELECT '%\\_%' AS path",
    ] {
        check(statement, Ok(()));
    }
}

#[test]
fn common_table_expressions_pass_only_when_they_end_in_reading() {
    check("WITH t AS (SELECT id FROM blocks) SELECT * FROM t", Ok(()));
    check(
        "with recursive t(n) as (select 1 union all select n + 1 from t where n < 9) select * from t",
        Ok(()),
    );
    for statement in [
        "WITH t AS (SELECT id FROM blocks) DELETE FROM blocks WHERE id IN t",
        "WITH t AS (SELECT 1) INSERT INTO blocks SELECT * FROM t",
        "WITH t AS (SELECT 1) UPDATE blocks SET content = ''",
        "WITH t AS (SELECT 1) REPLACE INTO blocks SELECT * FROM t",
        "with t as (delete from blocks returning id) select * from t",
    ] {
        check(statement, Err(|problem| matches!(problem, SqlProblem::Writes(_))));
    }
}

#[test]
fn what_does_not_begin_as_reading_is_refused() {
    for statement in [
        "",
        " ",
        ";",
        "-- SELECT",
        "DELETE FROM blocks",
        "INSERT INTO blocks VALUES (1)",
        "UPDATE blocks SET content = ''",
        "REPLACE INTO blocks VALUES (1)",
        "DROP TABLE blocks",
        "PRAGMA writable_schema = 1",
        "ATTACH 'x.db' AS x",
        "DETACH x",
        "VACUUM INTO 'x.db'",
        "EXPLAIN SELECT 1",
        "BEGIN",
        "VALUES (1)",
        "(SELECT 1)",
        "'SELECT' 1",
        "\"SELECT\" 1",
        "SELECTED",
        "; SELECT 1",
    ] {
        check(statement, Err(|problem| *problem == SqlProblem::NotASelect));
    }
}

#[test]
fn writing_words_are_refused_wherever_they_stand_unquoted() {
    for statement in [
        "SELECT 1 UNION PRAGMA x",
        "SELECT 1 AS x FROM (DELETE FROM blocks)",
        "SELECT 1 attach 'x'",
        "SELECT * FROM x WHERE y = (UPDATE z SET a = 1)",
        "SELECT update FROM x",
        "SELECT/**/1/**/vacuum",
        "SELECT 1 reindex",
    ] {
        check(statement, Err(|problem| matches!(problem, SqlProblem::Writes(_))));
    }
    assert!(check_read_only("SELECT update FROM x").unwrap_err().to_string().contains("\"UPDATE\""));
}

#[test]
fn several_statements_are_refused() {
    for statement in [
        "SELECT 1; SELECT 2",
        "SELECT 1;DELETE FROM blocks",
        "SELECT 1; -- x\nDROP TABLE blocks",
        "SELECT 1 /* ; */ ; /* x */ ATTACH 'y' AS z",
        "SELECT '\\'; DELETE FROM blocks; --'",
    ] {
        assert!(check_read_only(statement).is_err(), "{statement}");
    }
    check("SELECT 1; SELECT 2", Err(|problem| *problem == SqlProblem::Several));
    check("SELECT ';' /* ; */ -- ;\n", Ok(()));
}

#[test]
fn comments_hide_nothing() {
    check("/* DELETE */ SELECT 1 -- DROP\n", Ok(()));
    check("-- first\nSELECT 1", Ok(()));
    check("SEL/**/ECT 1", Err(|problem| *problem == SqlProblem::NotASelect));
    check("SELECT 1 /* never closed", Err(|problem| *problem == SqlProblem::Unclosed));
    check("SELECT 1 /*! DELETE FROM blocks */", Err(|problem| *problem == SqlProblem::Ambiguous("/*!")));
    check("SELECT 1 # DELETE", Err(|problem| *problem == SqlProblem::Ambiguous("#")));
    check("SELECT 1 --x", Err(|problem| matches!(problem, SqlProblem::Ambiguous(_))));
    check("SELECT 1 -- x\rDELETE FROM blocks", Err(|problem| matches!(problem, SqlProblem::Ambiguous(_))));
    check("SELECT 1 -- x\r\nFROM blocks", Ok(()));
    check("SELECT 1 --", Ok(()));
}

#[test]
fn quotes_that_end_in_two_ways_are_refused() {
    for statement in ["SELECT 'a", "SELECT \"a", "SELECT `a", "SELECT [a", "SELECT 'a''"] {
        check(statement, Err(|problem| *problem == SqlProblem::Unclosed));
    }
    for statement in ["SELECT '\\' OR 1", "SELECT 'a\\''", "SELECT \"a\\\" FROM x"] {
        check(statement, Err(|problem| matches!(problem, SqlProblem::Ambiguous(_))));
    }
}

#[test]
fn letters_and_blanks_beyond_ascii_hide_no_word() {
    for statement in [
        "WITH t AS (SELECT 1)\u{feff}DELETE FROM blocks",
        "WITH t AS (SELECT 1)\u{a0}DELETE FROM blocks",
        "WITH t AS (SELECT 1)\u{3000}DELETE FROM blocks",
        "WITH t AS (SELECT 1)\u{200b}DELETE FROM blocks",
        "WITH t AS (SELECT 1) \0DELETE FROM blocks",
        "WITH t AS (SELECT 1)\u{b}DELETE FROM blocks",
        "WITH t AS (SELECT 1) ınsert INTO blocks VALUES (1)",
        "WITH t AS (SELECT 1) inſert INTO blocks VALUES (1)",
    ] {
        assert!(check_read_only(statement).is_err(), "{statement:?}");
    }
}

#[test]
fn functions_that_reach_further_are_refused() {
    for call in [
        "pragma_database_list('x')",
        "load_extension('x')",
        "LOAD_EXTENSION ('x')",
        "readfile('/etc/passwd')",
        "writefile('x', 'y')",
    ] {
        check(&format!("SELECT {call}"), Err(|problem| matches!(problem, SqlProblem::Reaches(_))));
    }
    check("SELECT edit FROM x", Ok(()));
}

#[test]
fn the_length_is_bounded() {
    let long = format!("SELECT '{}'", "x".repeat(MAX_BYTES));
    check(&long, Err(|problem| *problem == SqlProblem::TooLong));
}

/// SQLite's own verdict on every statement in the text, with a database that has the table.
fn sqlite_only_reads(database: &rusqlite::Connection, text: &str) -> bool {
    let mut statements = rusqlite::Batch::new(database, text);
    // One that does not compile does nothing.
    while let Ok(Some(statement)) = statements.next() {
        if !statement.readonly() {
            return false;
        }
    }
    true
}

/// Statements that begin as reading, and then go on in all manners of hiding one that writes.
fn sql_like() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "",
        "SELECT 1",
        "SELECT * FROM blocks",
        "WITH t AS (SELECT 1)",
        "WITH t AS (SELECT 'a')",
        "WITH t AS (",
    ]);
    let mark = prop::sample::select(vec![
        "", " ", "\n", "\r", ";", "--", "-- ", "-- x\n", "/*", "*/", "/**/", "/*!", "#", "'", "''", "\"",
        "`", "[", "]", "\\", "(", ")", ",", "\u{feff}", "\u{a0}", "\u{3000}", "\u{200b}", "\u{b}", "\0", "ı",
        "x'00'", "t", "AS", "id", "replace(",
    ]);
    let writing = prop::sample::select(vec![
        "DELETE FROM blocks",
        "INSERT INTO blocks VALUES (1, 2)",
        "UPDATE blocks SET id = 1",
        "REPLACE INTO blocks VALUES (1, 2)",
        "DROP TABLE blocks",
        "CREATE TABLE x (y)",
        "PRAGMA user_version = 3",
        "VACUUM",
        "SELECT 2",
    ]);
    let gap = || prop::collection::vec(mark.clone(), 0..3).prop_map(|marks| marks.concat());
    (start, gap(), writing, gap())
        .prop_map(|(start, gap, writing, end)| format!("{start}{gap}{writing}{end}"))
}

thread_local! {
    static DATABASE: rusqlite::Connection = {
        let database = rusqlite::Connection::open_in_memory().unwrap();
        database.execute_batch("CREATE TABLE blocks (id, content)").unwrap();
        database
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

    #[test]
    fn whatever_passes_only_reads_by_sqlites_own_verdict(statement in sql_like()) {
        if check_read_only(&statement).is_ok() {
            prop_assert!(DATABASE.with(|database| sqlite_only_reads(database, &statement)), "{statement:?}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(statement in "\\PC{0,80}") {
        let _ = check_read_only(&statement);
    }
}
