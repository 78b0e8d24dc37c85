//! Where this engine differs from MCPVault 0.16.0 on purpose, and why.
//!
//! In all else the two are the same for a client: names, arguments, results, flags, and errors that say
//! the same thing. `tests/parity` runs both on the same inputs; a case that differs there must name one
//! of these. Each also has a test of its own beside the tool it is about.

/// One difference.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub name: &'static str,
    /// What MCPVault does.
    pub upstream: &'static str,
    /// What this engine does, and why.
    pub native: &'static str,
}

macro_rules! differences {
    ($($constant:ident: $name:literal, $upstream:literal, $native:literal;)*) => {
        $(#[doc = concat!("MCPVault ", $upstream, ".\n\nThis engine ", $native, ".")]
        pub const $constant: Difference =
            Difference { name: $name, upstream: $upstream, native: $native };)*
        /// All of them.
        pub const ALL: &[&Difference] = &[$(&$constant),*];
    };
}

differences! {
    PROGRAMS: "programs",
        "runs a note that begins with `---js` as a program, unless it is started with a flag that forbids it",
        "never runs what a note holds: it is text (U-01)";
    HALF_WRITTEN: "half-written",
        "empties a note and then fills it: a reader sees half of it, and a crash or a full disk leaves half",
        "puts a whole note in place of a whole note, in one step (U-27)";
    PARALLEL_EDITS: "parallel-edits",
        "reports success for edits that another edit of the same moment overwrites",
        "makes an edit only when the note is still as it was read, and says so otherwise (U-02, N-09)";
    LONG_ARGUMENTS: "long-arguments",
        "never answers a call of more than 10 MiB",
        "takes it; what one call may hold is said by the service before an engine sees it (U-25)";
    UNTOUCHED: "untouched",
        "writes the whole frontmatter anew on every append, prepend, tag or key: quotes, lists, comments, line ends, long lines and numbers change",
        "changes the lines of the keys given and no other byte, and of a list the lines of the items that come and go (N-11, U-07, U-09)";
    MARK: "byte-order-mark",
        "drops a byte-order mark when it rewrites a note",
        "keeps it: other programs may need it (V-03)";
    CRLF_VALUES: "crlf-values",
        "reads the last value of a block with CRLF as a text that ends in a carriage return, be it a date, a number or true",
        "reads the value (U-07)";
    FINAL_LINE_END: "final-line-end",
        "adds a line end to the body when it sets frontmatter",
        "leaves the body as it is";
    BROKEN_FRONTMATTER: "broken-frontmatter",
        "takes broken frontmatter for text: puts new text above it, and a second block on top",
        "never moves the block, and refuses to edit keys in it, with the line that is broken (U-10)";
    OPEN_BLOCK: "open-block",
        "takes a `---` without an end for frontmatter that reaches to the end of the note, and closes it",
        "takes it for the thematic break that it is";
    SECOND_BLOCK: "second-block",
        "takes a body that begins with a thematic break for frontmatter when it writes frontmatter above it",
        "leaves the body as it is";
    NOT_A_MAPPING: "not-a-mapping",
        "spreads frontmatter that is a text or a list into numbered keys when a key is to be added to it in a new note",
        "refuses it, as for a note that is there: there is no key to set in it";
    TAGS: "tags",
        "counts `#` in code, comments, addresses, link fragments and numbers as tags",
        "counts what Obsidian counts (U-13)";
    TAGS_STAY_IN_THE_TEXT: "tags-stay-in-the-text",
        "copies the tags of the text into the frontmatter whenever a tag is added or removed",
        "changes the frontmatter only by the tags given (U-13)";
    INVALID_UTF8: "invalid-utf8",
        "replaces invalid bytes by U+FFFD in every edit and in move_note",
        "moves byte for byte, and refuses edits with the position of the byte (U-19)";
    UNICODE_FORMS: "unicode-forms",
        "takes the composed and the decomposed form of a name for two files and makes a twin, and finds a note by its name in one form only",
        "finds the file under either form and writes to it (V-10)";
    ONTO_ITSELF: "onto-itself",
        "deletes a note that is moved onto itself with overwrite, and refuses without",
        "leaves it where it is and reports success (V-16)";
    UNKNOWN_WORDS: "unknown-words",
        "takes an unknown trashMode for permanent deletion, an unknown operation for removal, an unknown mode for prepending",
        "refuses arguments that are not what the schema says (U-04, U-22)";
    MISSING_ARGUMENTS: "missing-arguments",
        "answers a missing argument with an error of its own program, or goes on without it",
        "names the argument (U-22)";
    LINKS_OUTSIDE: "links-outside",
        "writes through a dangling link to a file outside the vault",
        "follows links only inside, checked while they are followed (V-11)";
    DANGLING_LINKS: "dangling-links",
        "fails to write through a link into a folder of the vault that is not there yet",
        "makes the folder, as for any other path";
    LINKS_TO_HIDDEN: "links-to-hidden",
        "reads and writes hidden files through a link with a harmless name",
        "refuses a link whose target would be refused by its own name (V-12)";
    LINKS_MOVE: "links-move",
        "move_note turns a link into a copy of its target; move_file leaves relative links dangling",
        "moves the link while it leads to the same file, and refuses where it would not; a target that is a link is replaced itself";
    LINKS_ARE_NAMED: "links-are-named",
        "does not say that links to a note are not changed when it is moved",
        "says it (N-18)";
    TWO_DOTS: "two-dots",
        "refuses names that begin with two dots",
        "refuses only a part that is `..` (V-14)";
    VAULT_BY_LINK: "vault-by-link",
        "takes an absolute path to the vault by way of a link for one below the vault, and makes the folders of it there",
        "knows the vault by the path it is registered with, and by the one that leads to";
    BACKSLASHES: "backslashes",
        "on Linux makes a file whose name has a backslash, when a runtime writes a path as on Windows",
        "takes a backslash for a separator unless such a file exists";
    SLASH_AT_THE_END: "slash-at-the-end",
        "reads and writes files that are no notes when a slash follows the name",
        "asks for the ending of the file that is meant";
    FOLDERS_BY_NAME: "folders-by-name",
        "takes a folder with a dot in its name for a file and does not look into it",
        "asks the disk what is a folder (V-15)";
    HIDDEN_FOLDERS: "hidden-folders",
        "lists a hidden folder as an empty one",
        "refuses it, as all else that is hidden (V-12)";
    DEVICES: "devices",
        "makes notes that no Windows computer can open, such as `nul.md`",
        "reads such a note where it exists, but makes none";
    READ_BEFORE_WRITE: "read-before-write",
        "overwrites on append what it cannot read",
        "refuses what it cannot read";
    PATCH_LINE_ENDS: "patch-line-ends",
        "does not find a text over several lines in a note with other line ends",
        "finds it, and writes the new lines with the ends that the note has";
    LINE_ENDS: "line-ends",
        "puts frontmatter with LF into a note with CRLF, or fails at a quoted text in it",
        "writes it with the ends that the note has";
    TIMES: "times",
        "gives a note a new time when it is moved, and when an edit leaves it as it was",
        "keeps the time: the note was not changed";
    LINE_NUMBERS: "line-numbers",
        "search_notes counts lines from the end of the frontmatter, or from its first key when only that is searched",
        "counts lines of the note, as read_note_lines and get_note_outline do";
    EXCERPTS: "excerpts",
        "cuts excerpts at the wrong place behind letters that are longer in lower case, and in the middle of characters",
        "cuts them around what was found, between characters";
    TRASH_WITHOUT_A_NOTE: "trash-without-a-note",
        "reports success for a note that is not there when it goes to the system trash",
        "says that there is no such note";
    TRASH_NUMBERS: "trash-numbers",
        "adds the time to the name of a note that the vault's trash has already",
        "adds a number, as Obsidian does, and replaces nothing even within one millisecond";
    OPENING: "opening",
        "get_notes_info sees no frontmatter behind a byte-order mark or with CRLF",
        "sees it, as read_note does";
    NEGATIVE_LIMIT: "negative-limit",
        "takes a limit of -1 for all results but the last, beyond its own limit of 20",
        "gives as many as one answer holds, which are 20";
    REPEATED_WORDS: "repeated-words",
        "counts a word twice that stands twice in the query, and ranks by it the wrong way round",
        "counts it once";
    SEARCHED_FRONTMATTER: "searched-frontmatter",
        "searches the frontmatter of notes where it is empty, or has CRLF or a byte-order mark, also when it is left out, and never when it alone is asked for",
        "knows frontmatter as read_note does";
    SUBTREES: "subtrees",
        "finds nothing below `./folder`, below a folder given by an absolute path, or in the other Unicode form",
        "finds the notes of that folder (V-10)";
    WIKI_NAMES: "wiki-names",
        "finds the note of a link only in the same case and Unicode form, and not when the link carries the ending",
        "takes those next best, as Obsidian does";
    CASES: "cases",
        "takes `ß` for another letter than `SS`, and `ς` for another than `σ`, also where a search makes no difference of case",
        "takes them for the same, as Unicode does where case makes no difference";
    EMBEDS: "embeds",
        "takes the marks of an embed (`![[Note]]`) for a part of the name, and finds nothing",
        "finds the note: an embed is a link";
    TAG_SPELLINGS: "tag-spellings",
        "takes tags in one text for one tag or none, `#a` in the frontmatter for another tag than `a`, and `Tags` for another key than `tags`",
        "separates them at commas and blanks, takes the `#` off, and the key in capitals too, as Obsidian does";
    EMPTY_TAGS: "empty-tags",
        "takes away `tags` without a value or with an empty list when a tag is to be removed",
        "changes nothing where there is nothing to change";
    DATA_FILES: "data-files",
        "counts what looks like a tag in canvases and bases",
        "counts tags of notes";
    OUTLINE: "outline",
        "hides the headings below a thematic break in the first line, below inline code of three backticks, and behind a byte-order mark",
        "shows them";
    NEW_KEYS: "new-keys",
        "puts a new key above a comment that ends the block, and an empty line between them",
        "puts it at the end of the block";
    EMPTY_BLOCK: "empty-block",
        "leaves `{}` for frontmatter when the last key goes",
        "takes the block away, unless a comment is left in it";
    UNUSUAL_LAYOUT: "unusual-layout",
        "writes frontmatter in braces anew, and makes YAML of a block that says it is JSON",
        "refuses to edit it, and says so: it cannot be changed without touching the other keys";
    REPLACED_KEYS: "replaced-keys",
        "writes all keys anew, in the order of the call, when frontmatter is replaced",
        "keeps the lines of keys that keep their value, and the order of the note";
    TAGGED_VALUES: "tagged-values",
        "makes bytes of `!!binary` and an empty object of `!!set`",
        "reads a text and a mapping: what stands in the note";
    LAST_LINES: "last-lines",
        "loses blank lines at the end of a text that is the last value of the frontmatter",
        "keeps them";
    ODD_CHARACTERS: "odd-characters",
        "writes invisible control characters and byte-order marks as they are, or loses them",
        "writes them escaped";
    LINES_IN_PLACE: "lines-in-place",
        "writes a text of several lines with blank lines in between when one line stood there before",
        "writes it as a block of lines, as it does for a new key";
    YAML_CORNERS: "yaml-corners",
        "takes a list in brackets that goes on in the first column, or keys behind a tab, for broken frontmatter",
        "reads it, as other readers of YAML do";
    KEY_ORDER: "key-order",
        "gives keys that are numbers first",
        "gives keys in the order of the note";
    LONG_NUMBERS: "long-numbers",
        "rounds whole numbers above 2^53",
        "gives them as they are, and those of more than 64 bits as text, since no reader of JSON would keep their digits; it refuses to write such a number (U-09)";
    FOLDED_LINES: "folded-lines",
        "folds values at 80 characters",
        "writes a value on one line, as Obsidian does";
    NO_EMPTY_FOLDERS: "no-empty-folders",
        "leaves the folders that it made for a write or move that failed",
        "takes them away again";
    BROKEN_FOLDERS: "broken-folders",
        "ends with an error of the system, or goes on as if a folder that cannot be read were empty",
        "says which folder could not be read";
}
