//! Cuts Rust text into the tokens that the plan is checked by: names, `::` and single marks.
//! Comments, string and character literals are left out, so that prose is never taken for code.

pub type Token = String;

/// The tokens of a source text, in order.
pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let next = chars.get(at + 1).copied();
        match chars[at] {
            '/' if next == Some('/') => at = line_end(&chars, at),
            '/' if next == Some('*') => at = comment_end(&chars, at),
            '"' => at = string_end(&chars, at + 1),
            '\'' => at = quote_end(&chars, at),
            ':' if next == Some(':') => {
                found.push("::".to_owned());
                at += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let end = name_end(&chars, at);
                let name: String = chars[at..end].iter().collect();
                match raw_hashes(&chars, end) {
                    Some(hashes) if matches!(name.as_str(), "r" | "br" | "cr") => {
                        at = raw_string_end(&chars, end + hashes + 1, hashes);
                    }
                    _ => {
                        found.push(name);
                        at = end;
                    }
                }
            }
            c => {
                if !c.is_whitespace() {
                    found.push(c.to_string());
                }
                at += 1;
            }
        }
    }
    found
}

fn line_end(chars: &[char], at: usize) -> usize {
    chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |length| at + length)
}

/// Block comments nest.
fn comment_end(chars: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// Past a character literal, or past the tick of a lifetime.
fn quote_end(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => {
            let from = at + 3;
            chars[from.min(chars.len())..]
                .iter()
                .position(|c| *c == '\'')
                .map_or(chars.len(), |n| from + n + 1)
        }
        (Some(_), Some('\'')) => at + 3,
        _ => at + 1,
    }
}

fn name_end(chars: &[char], at: usize) -> usize {
    chars[at..]
        .iter()
        .position(|c| !c.is_alphanumeric() && *c != '_')
        .map_or(chars.len(), |length| at + length)
}

/// How many hashes stand before the quote of a raw string; `None` where no raw string begins.
fn raw_hashes(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
    (chars.get(at + hashes) == Some(&'"')).then_some(hashes)
}

fn raw_string_end(chars: &[char], mut at: usize, hashes: usize) -> usize {
    while at < chars.len() {
        if chars[at] == '"' && chars[at + 1..].iter().take_while(|c| **c == '#').count() >= hashes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    chars.len()
}
