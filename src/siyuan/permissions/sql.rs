//! Whether a statement only reads, decided before it is sent and without a database.
//!
//! The kernel is asked to hold the statement to reading as well; this check does not lean on that. It knows
//! SQL's words, not its grammar, and refuses what it is not sure of: some statement that reads is refused, none
//! that writes passes.

/// The longest statement, in bytes.
const MAX_BYTES: usize = 100_000;

/// Words that begin or belong to a statement that changes something. They cannot be column names unless
/// quoted, and quoted text is not looked at.
const WRITING: &[&str] = &[
    "ALTER",
    "ANALYZE",
    "ATTACH",
    "BEGIN",
    "COMMIT",
    "CREATE",
    "DELETE",
    "DETACH",
    "DROP",
    "INSERT",
    "PRAGMA",
    "REINDEX",
    "RELEASE",
    "ROLLBACK",
    "SAVEPOINT",
    "UPDATE",
    "VACUUM",
];

/// Functions that reach files or load code where a database has them.
const REACHING: &[&str] = &["EDIT", "FTS3_TOKENIZER", "LOAD_EXTENSION", "READFILE", "WRITEFILE"];

/// Why a statement is not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SqlProblem {
    #[error("the SQL must begin with SELECT or WITH; nothing else is sent")]
    NotASelect,
    #[error("the SQL holds {0}, and only statements that read are sent. Quote it as \"{0}\" if it is a name")]
    Writes(String),
    #[error("the SQL uses {0}, which reaches beyond the index")]
    Reaches(String),
    #[error("the SQL is more than one statement; send one at a time, without a semicolon inside")]
    Several,
    #[error("a quote or comment in the SQL is never closed")]
    Unclosed,
    #[error("the SQL holds {0}, which parsers of SQL read differently; leave it out")]
    Ambiguous(&'static str),
    #[error("the SQL is longer than {MAX_BYTES} bytes")]
    TooLong,
}

/// What a statement is made of, as far as it matters.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Quoted,
    Mark(char),
}

/// Checks that `statement` is one statement that only reads.
///
/// # Errors
/// It writes, or might.
pub(super) fn check_read_only(statement: &str) -> Result<(), SqlProblem> {
    let tokens = tokens(statement)?;
    match tokens.first() {
        Some(Token::Word(word)) if is(word, "SELECT") || is(word, "WITH") => {}
        _ => return Err(SqlProblem::NotASelect),
    }
    let end = tokens.iter().position(|token| *token == Token::Mark(';')).unwrap_or(tokens.len());
    if tokens[end..].iter().any(|token| *token != Token::Mark(';')) {
        return Err(SqlProblem::Several);
    }
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let is_called = tokens.get(at + 1) == Some(&Token::Mark('('));
        // replace(…) is a function; REPLACE without a bracket writes.
        if WRITING.iter().any(|writing| is(word, writing)) || is(word, "REPLACE") && !is_called {
            return Err(SqlProblem::Writes(word.to_uppercase()));
        }
        // It names the file, and as a table no brackets need follow.
        let names_the_file = is(word, "PRAGMA_DATABASE_LIST");
        if names_the_file || REACHING.iter().any(|reaching| is(word, reaching)) && is_called {
            return Err(SqlProblem::Reaches(word.to_ascii_lowercase()));
        }
    }
    Ok(())
}

/// Whether some parser reads the word as the keyword: letters beyond ASCII may fold to one of its own.
fn is(word: &str, keyword: &str) -> bool {
    word.to_lowercase().to_uppercase() == keyword
}

fn tokens(statement: &str) -> Result<Vec<Token<'_>>, SqlProblem> {
    if statement.len() > MAX_BYTES {
        return Err(SqlProblem::TooLong);
    }
    if statement.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
        return Err(SqlProblem::Ambiguous("a control character"));
    }
    let mut found = Vec::new();
    let mut rest = statement;
    while let Some(first) = rest.chars().next() {
        rest = match first {
            c if c.is_ascii_whitespace() => &rest[1..],
            '-' if rest.starts_with("--") => after_line_comment(rest)?,
            '/' if rest.starts_with("/*!") => return Err(SqlProblem::Ambiguous("/*!")),
            '/' if rest.starts_with("/*") => after(rest, 2, "*/")?,
            '#' => return Err(SqlProblem::Ambiguous("#")),
            '\'' | '"' | '`' => {
                found.push(Token::Quoted);
                after_quote(rest, first)?
            }
            '[' => {
                found.push(Token::Quoted);
                after(rest, 1, "]")?
            }
            c if !c.is_ascii() && !c.is_alphanumeric() => {
                return Err(SqlProblem::Ambiguous("a mark that some take for a blank"));
            }
            c if is_of_word(c) => {
                let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                found.push(Token::Word(&rest[..end]));
                &rest[end..]
            }
            mark => {
                found.push(Token::Mark(mark));
                &rest[mark.len_utf8()..]
            }
        };
    }
    Ok(found)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// What follows a comment to the end of its line. Not everyone begins one at `--` without a blank, or ends
/// it at the same mark.
fn after_line_comment(text: &str) -> Result<&str, SqlProblem> {
    let line = text.split('\n').next().unwrap_or_default();
    if !line[2..].is_empty() && !line[2..].starts_with(|c: char| c.is_ascii_whitespace()) {
        return Err(SqlProblem::Ambiguous("-- without a blank after it"));
    }
    if line.trim_end_matches('\r').contains('\r') {
        return Err(SqlProblem::Ambiguous("a bare carriage return"));
    }
    Ok(&text[line.len()..])
}

/// What follows the next `end`, looked for from `from` on.
fn after<'a>(text: &'a str, from: usize, end: &str) -> Result<&'a str, SqlProblem> {
    let at = text[from..].find(end).ok_or(SqlProblem::Unclosed)?;
    Ok(&text[from + at + end.len()..])
}

/// What follows a quoted text. A doubled quote is one inside it. A backslash before a quote ends the text
/// for one parser and does not for another.
fn after_quote(text: &str, quote: char) -> Result<&str, SqlProblem> {
    let mut rest = &text[1..];
    loop {
        let at = rest.find(quote).ok_or(SqlProblem::Unclosed)?;
        if rest[..at].ends_with('\\') {
            return Err(SqlProblem::Ambiguous("a backslash before a quote"));
        }
        rest = &rest[at + 1..];
        match rest.strip_prefix(quote) {
            Some(inside) => rest = inside,
            None => return Ok(rest),
        }
    }
}

#[cfg(test)]
#[path = "sql_tests.rs"]
mod tests;
