//! Vaults of any size, the same ones every time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

/// What is searched for: a word of one note in ten, and one of one note in a hundred.
pub const WORDS: [&str; 2] = ["harbour", "lantern"];

/// A generated vault. Removed when it is dropped.
#[derive(Debug)]
pub struct Vault {
    _folder: TempDir,
    path: PathBuf,
}

impl Vault {
    /// So many notes of 40 to 600 words in 200 folders, most of them with frontmatter, some with tags
    /// and links. The first two lie at the top.
    pub fn generate(notes: usize) -> Result<Self> {
        // On a disk, where the program is built, and not where temporary files may lie in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let path = folder.path().canonicalize()?.join("vault");
        let mut random = Random(notes as u64 | 1);
        let vocabulary: Vec<String> = (0..2000).map(|_| word(&mut random)).collect();
        for number in 0..notes {
            let folder = match number {
                0 | 1 => path.clone(),
                _ => path.join(format!("Area {}", number % 20)).join(format!("Topic {}", number % 200)),
            };
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(format!("note {number}.md")), note(number, &vocabulary, &mut random))?;
        }
        Ok(Self { _folder: folder, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn note(number: usize, vocabulary: &[String], random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(10) < 7 {
        let (tag, day) = (&vocabulary[random.below(50)], random.below(28) + 1);
        // Writing to a text cannot fail.
        let _ = write!(text, "---\ntitle: Note {number}\ndate: 2026-01-{day:02}\ntags:\n  - {tag}\n---\n");
    }
    let _ = write!(text, "# Note {number}\n\n");
    let words = 40 + random.below(560);
    for at in 0..words {
        // Some words are frequent and most are rare, as in any text.
        let chosen = random.below(vocabulary.len()) * random.below(vocabulary.len()) / vocabulary.len();
        match random.below(200) {
            0 => text.push_str("\n\n## "),
            1 => text.push_str("\n\n"),
            2 => text.push('#'),
            3 => {
                let _ = write!(text, "[[note {}]] ", random.below(number + 1));
            }
            _ => {}
        }
        text.push_str(&vocabulary[chosen]);
        text.push(' ');
        if at == words / 2 && number.is_multiple_of(10) {
            text.push_str(WORDS[0]);
            text.push(' ');
        }
        if at == words / 2 && number.is_multiple_of(100) {
            text.push_str(WORDS[1]);
            text.push(' ');
        }
    }
    text.push('\n');
    text
}

fn word(random: &mut Random) -> String {
    let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "an", "er", "is", "on"];
    (0..=random.below(3)).map(|_| syllables[random.below(syllables.len())]).collect()
}

/// Numbers that look like chance and are the same every time (xorshift).
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper bits, which are the better ones.
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }
}
