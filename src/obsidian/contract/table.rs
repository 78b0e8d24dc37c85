//! The table of tools.

use super::fields::{Field, Kind, Preset, object};
use super::{PREFIX, ToolSpec};

/// What a call of a tool does to the notes.
#[derive(Clone, Copy)]
enum Effect {
    /// Nothing.
    Reads,
    /// It changes them, and a second equal call changes nothing more.
    Settles,
    /// It changes them, each time anew.
    Repeats,
}

struct Row {
    /// With our prefix; the engine knows it without.
    name: &'static str,
    title: &'static str,
    about: &'static str,
    effect: Effect,
    fields: &'static [Field],
}

pub(super) fn build() -> Vec<ToolSpec> {
    ROWS.iter().map(spec).collect()
}

fn spec(row: &Row) -> ToolSpec {
    let upstream = if row.name == LIST_VAULTS { None } else { row.name.strip_prefix(PREFIX) };
    let writes = !matches!(row.effect, Effect::Reads);
    ToolSpec {
        name: row.name,
        upstream,
        title: row.title,
        description: row.about,
        input_schema: object(row.fields, upstream.is_some()),
        writes,
        destructive: writes, // each of them can replace or remove what stood there
        idempotent: !matches!(row.effect, Effect::Repeats),
        fields: row.fields,
    }
}

const LIST_VAULTS: &str = "obsidian_list_vaults";

const PATH: Field = Field::required(
    "path",
    Kind::Text,
    "The note, by its path inside the vault, for example Projects/Plan.md.",
);
const PRETTY: Field = Field::preset(
    "prettyPrint",
    Kind::Flag,
    Preset::Flag(false),
    "Indent the JSON of the answer. Leave it off to save room.",
);

const ROWS: [Row; 19] = [
    Row {
        name: LIST_VAULTS,
        title: "List vaults",
        about: "Lists the Obsidian vaults in scope with id, name and path. Call it first: the other \
            obsidian tools take the id as vaultId.",
        effect: Effect::Reads,
        fields: &[],
    },
    Row {
        name: "obsidian_read_note",
        title: "Read note",
        about: "Reads one note: its frontmatter as fm and its text as content.",
        effect: Effect::Reads,
        fields: &[PATH, PRETTY],
    },
    Row {
        name: "obsidian_write_note",
        title: "Write note",
        about: "Creates a note or replaces the whole of one; with mode it adds to the end or the beginning \
            instead. Missing folders are made. To change a part of a note, obsidian_patch_note is safer.",
        effect: Effect::Repeats,
        fields: &[
            PATH,
            Field::required("content", Kind::Text, "The text of the note, without frontmatter."),
            Field::optional("frontmatter", Kind::FreeObject, "Frontmatter keys and values; any keys."),
            Field::preset(
                "mode",
                Kind::OneOf(&["overwrite", "append", "prepend"]),
                Preset::Text("overwrite"),
                "overwrite replaces the note, append adds after its text, prepend before it.",
            ),
        ],
    },
    Row {
        name: "obsidian_patch_note",
        title: "Patch note",
        about: "Replaces one piece of a note's text by another and leaves the rest as it is. Fails when the \
            piece is not found, or is found more than once without replaceAll.",
        effect: Effect::Repeats,
        fields: &[
            PATH,
            Field::required(
                "oldString",
                Kind::Text,
                "The piece to replace, letter by letter, with its line breaks.",
            ),
            Field::required("newString", Kind::Text, "What stands there afterwards."),
            Field::preset("replaceAll", Kind::Flag, Preset::Flag(false), "Replace every occurrence."),
        ],
    },
    Row {
        name: "obsidian_list_directory",
        title: "List folder",
        about: "Lists the folders and files in one folder of the vault, attachments included.",
        effect: Effect::Reads,
        fields: &[
            Field::preset(
                "path",
                Kind::Text,
                Preset::Text("/"),
                "The folder, by its path inside the vault; / is the vault itself.",
            ),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_delete_note",
        title: "Delete note",
        about: "Deletes a note: for good, or into the vault's or the system's trash, as trashMode says. The \
            path must be given twice.",
        effect: Effect::Settles,
        fields: &[
            PATH,
            Field::required("confirmPath", Kind::Text, "The same path once more."),
            Field::preset(
                "trashMode",
                Kind::OneOf(&["none", "local", "system"]),
                Preset::Text("none"),
                "none deletes for good, local moves it into the vault's .trash folder, system into the \
                    trash of the computer.",
            ),
        ],
    },
    Row {
        name: "obsidian_search_notes",
        title: "Search notes",
        about: "Searches the notes of one vault for words and returns the best hits: p path, t title, ex \
            excerpt, mc matches, ln line, uri link.",
        effect: Effect::Reads,
        fields: &[
            Field::required("query", Kind::Text, "The words to look for."),
            Field::preset(
                "limit",
                Kind::Number,
                Preset::Number(5),
                "How many hits at most; 20 is the largest number.",
            ),
            Field::preset("searchContent", Kind::Flag, Preset::Flag(true), "Look into the text."),
            Field::preset("searchFrontmatter", Kind::Flag, Preset::Flag(false), "Look into the frontmatter."),
            Field::preset(
                "caseSensitive",
                Kind::Flag,
                Preset::Flag(false),
                "Tell upper and lower case apart.",
            ),
            Field::optional(
                "pathPrefix",
                Kind::Text,
                "Look only below this folder, for example Projects/2026.",
            ),
            Field::optional(
                "excludePaths",
                Kind::Texts { most: None },
                "Folders to leave out, for example Archive.",
            ),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_move_note",
        title: "Move note",
        about: "Moves or renames a note. Links in other notes stay as they are. For attachments use \
            obsidian_move_file.",
        effect: Effect::Settles,
        fields: &[
            Field::required("oldPath", Kind::Text, "Where the note is, inside the vault."),
            Field::required("newPath", Kind::Text, "Where it shall be, inside the vault."),
            Field::preset("overwrite", Kind::Flag, Preset::Flag(false), "Replace what is there already."),
        ],
    },
    Row {
        name: "obsidian_move_file",
        title: "Move file",
        about: "Moves or renames any file, attachments included, byte for byte. Both paths must be given \
            twice.",
        effect: Effect::Settles,
        fields: &[
            Field::required("oldPath", Kind::Text, "Where the file is, inside the vault."),
            Field::required("newPath", Kind::Text, "Where it shall be, inside the vault."),
            Field::required("confirmOldPath", Kind::Text, "The same as oldPath."),
            Field::required("confirmNewPath", Kind::Text, "The same as newPath."),
            Field::preset("overwrite", Kind::Flag, Preset::Flag(false), "Replace what is there already."),
        ],
    },
    Row {
        name: "obsidian_read_multiple_notes",
        title: "Read several notes",
        about: "Reads up to ten notes at once: ok holds those that were read, err those that were not and \
            why.",
        effect: Effect::Reads,
        fields: &[
            Field::required(
                "paths",
                Kind::Texts { most: Some(10) },
                "The notes, by their paths inside the vault.",
            ),
            Field::preset("includeContent", Kind::Flag, Preset::Flag(true), "Return the text."),
            Field::preset("includeFrontmatter", Kind::Flag, Preset::Flag(true), "Return the frontmatter."),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_update_frontmatter",
        title: "Update frontmatter",
        about: "Sets frontmatter keys of a note and leaves its text as it is. Keys that are not named stay, \
            unless merge is off.",
        effect: Effect::Settles,
        fields: &[
            PATH,
            Field::required("frontmatter", Kind::FreeObject, "Keys and their new values; any keys."),
            Field::preset(
                "merge",
                Kind::Flag,
                Preset::Flag(true),
                "Keep the other keys; off replaces the whole frontmatter.",
            ),
        ],
    },
    Row {
        name: "obsidian_get_notes_info",
        title: "Notes' details",
        about: "Returns size, time of change and the like of several notes without their text.",
        effect: Effect::Reads,
        fields: &[
            Field::required(
                "paths",
                Kind::Texts { most: None },
                "The notes, by their paths inside the vault.",
            ),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_get_frontmatter",
        title: "Read frontmatter",
        about: "Returns the frontmatter of a note without its text.",
        effect: Effect::Reads,
        fields: &[PATH, PRETTY],
    },
    Row {
        name: "obsidian_manage_tags",
        title: "Manage tags",
        about: "Lists the tags of a note, or adds tags to its frontmatter or removes them from it.",
        effect: Effect::Settles,
        fields: &[
            PATH,
            Field::required("operation", Kind::OneOf(&["add", "remove", "list"]), "What to do."),
            Field::optional(
                "tags",
                Kind::Texts { most: None },
                "The tags, without #; needed for add and remove.",
            ),
        ],
    },
    Row {
        name: "obsidian_get_vault_stats",
        title: "Vault figures",
        about: "Counts the notes and folders of a vault, adds up their size, and names the notes that \
            changed last.",
        effect: Effect::Reads,
        fields: &[
            Field::preset(
                "recentCount",
                Kind::Number,
                Preset::Number(5),
                "How many of the notes that changed last; 20 is the largest number.",
            ),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_list_all_tags",
        title: "List all tags",
        about: "Lists every tag of the vault, from frontmatter and text, with how often it is used. Look \
            here before you invent a new tag.",
        effect: Effect::Reads,
        fields: &[PRETTY],
    },
    Row {
        name: "obsidian_wiki_link",
        title: "Follow wiki link",
        about: "Finds and reads the note that a wiki link such as [[Plan]], [[Projects/Plan]] or [[Plan|the \
            plan]] points to. Where several notes have that name, the one nearest to the vault's root is \
            read and the others are named as alternatives.",
        effect: Effect::Reads,
        fields: &[
            Field::required(
                "document",
                Kind::Text,
                "The link, with or without its brackets and without .md.",
            ),
            PRETTY,
        ],
    },
    Row {
        name: "obsidian_get_note_outline",
        title: "Note outline",
        about: "Lists the headings of a note with level and line number. The way into a long note: then \
            read the lines you need with obsidian_read_note_lines.",
        effect: Effect::Reads,
        fields: &[PATH, PRETTY],
    },
    Row {
        name: "obsidian_read_note_lines",
        title: "Read lines",
        about: "Reads some lines of a note, from startLine to endLine, both included; the first line is 1.",
        effect: Effect::Reads,
        fields: &[
            PATH,
            Field::required("startLine", Kind::Number, "The first line to read."),
            Field::required("endLine", Kind::Number, "The last line to read."),
            PRETTY,
        ],
    },
];
