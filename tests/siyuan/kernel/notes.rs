//! The notes of a simulated kernel: notebooks, documents by their ids, and in each a tree of blocks.

use std::collections::BTreeMap;
use std::time::Instant;

use super::markdown;

/// The notebook that a kernel begins with.
pub const NOTEBOOK: &str = "20210817205410-2kvfpfn";
/// Its first document.
pub const DOCUMENT: &str = "20210817205411-doc0001";
/// A document below that one.
pub const CHILD: &str = "20210817205412-doc0002";

#[derive(Debug, Clone)]
pub struct Notebook {
    pub id: String,
    pub name: String,
    pub closed: bool,
    pub encrypted: bool,
}

#[derive(Debug, Clone)]
pub struct Document {
    pub id: String,
    pub notebook: String,
    pub parent: Option<String>,
    pub title: String,
    pub blocks: Vec<Block>,
    pub attributes: BTreeMap<String, String>,
    pub updated: String,
}

/// A block. `kind` is the abbreviation that SQL uses: p, h, l, i, b, c.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub id: String,
    pub kind: &'static str,
    pub subtype: String,
    /// Of a leaf; a container's is made of its children's.
    pub markdown: String,
    pub children: Vec<Block>,
    pub attributes: BTreeMap<String, String>,
}

pub struct Notes {
    pub notebooks: Vec<Notebook>,
    pub documents: BTreeMap<String, Document>,
    pub files: BTreeMap<String, Vec<u8>>,
    /// Writes are said to have worked, and have not: what a failing transaction looks like.
    pub lose_writes: bool,
    /// How often something was changed: what the index compares itself with.
    pub version: u64,
    pub changed: Instant,
    next: u64,
}

impl Notes {
    pub fn empty() -> Self {
        let (notebooks, documents, files) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { notebooks, documents, files, lose_writes: false, version: 1, changed: Instant::now(), next: 1 }
    }

    /// One notebook, a document with a heading, paragraphs and a list, and a document below it.
    pub fn sample() -> Self {
        let mut notes = Self::empty();
        let (id, name) = (NOTEBOOK.to_owned(), "笔记 Work".to_owned());
        notes.notebooks.push(Notebook { id, name, closed: false, encrypted: false });
        notes.add(DOCUMENT, None, "Projects", "# Goals\n\nFirst paragraph.\n\n第二段 text\n\n- one\n- two\n");
        notes.add(CHILD, Some(DOCUMENT), "Notegate", "Below.\n");
        notes
    }

    fn add(&mut self, id: &str, parent: Option<&str>, title: &str, text: &str) {
        let blocks = markdown::parse(text, &mut || self.new_id());
        let (parent, title) = (parent.map(str::to_owned), title.to_owned());
        self.insert(Document {
            id: id.to_owned(),
            notebook: NOTEBOOK.to_owned(),
            parent,
            title,
            blocks,
            attributes: BTreeMap::new(),
            updated: String::new(),
        });
    }

    /// A fresh id of the right form.
    pub fn new_id(&mut self) -> String {
        let number = self.next;
        self.next += 1;
        let mut random = String::new();
        let mut rest = number;
        while random.len() < 7 {
            let digit = u32::try_from(rest % 36).unwrap();
            random.insert(0, char::from_digit(digit, 36).unwrap());
            rest /= 36;
        }
        format!("20261011{:06}-{random}", number % 1_000_000)
    }

    /// Marks the notes as changed; the index follows later.
    pub fn touch(&mut self) {
        self.version += 1;
        self.changed = Instant::now();
    }

    pub fn insert(&mut self, mut document: Document) {
        document.updated = format!("20261011{:06}", self.version % 1_000_000);
        self.documents.insert(document.id.clone(), document);
        self.touch();
    }

    /// An open notebook.
    pub fn notebook(&self, id: &str) -> Option<&Notebook> {
        self.notebooks.iter().find(|notebook| notebook.id == id && !notebook.closed)
    }

    fn open_documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.values().filter(|document| self.notebook(&document.notebook).is_some())
    }

    /// The document that holds this block or has this id, in an open notebook.
    pub fn document_of(&self, id: &str) -> Option<&Document> {
        self.open_documents().find(|document| document.id == id || find(&document.blocks, id).is_some())
    }

    pub fn block(&self, id: &str) -> Option<&Block> {
        self.open_documents().find_map(|document| find(&document.blocks, id))
    }

    pub fn block_mut(&mut self, id: &str) -> Option<&mut Block> {
        let (list, place) = self.place_of(id)?;
        list.get_mut(place)
    }

    /// The list that a block stands in, and where.
    pub fn place_of(&mut self, id: &str) -> Option<(&mut Vec<Block>, usize)> {
        let holder = self.document_of(id).filter(|document| document.id != id)?.id.clone();
        place_in(&mut self.documents.get_mut(&holder)?.blocks, id)
    }

    /// What hangs below a document or a container block.
    pub fn children_mut(&mut self, id: &str) -> Option<&mut Vec<Block>> {
        if self.document_of(id).is_some_and(|document| document.id == id) {
            return Some(&mut self.documents.get_mut(id)?.blocks);
        }
        self.block_mut(id).filter(|block| is_container(block.kind)).map(|block| &mut block.children)
    }

    pub fn parent_of(&self, id: &str) -> Option<String> {
        let document = self.document_of(id)?;
        parent_in(&document.blocks, id, &document.id)
    }

    /// `/parent/child.sy`.
    pub fn path(&self, document: &Document) -> String {
        let mut path = format!("/{}.sy", document.id);
        let mut parent = document.parent.clone();
        while let Some(id) = parent {
            path = format!("/{id}{path}");
            parent = self.documents.get(&id).and_then(|above| above.parent.clone());
        }
        path
    }

    /// `/Title/Title`.
    pub fn hpath(&self, document: &Document) -> String {
        let mut path = format!("/{}", document.title);
        let mut parent = document.parent.clone();
        while let Some(above) = parent.and_then(|id| self.documents.get(&id)) {
            path = format!("/{}{path}", above.title);
            parent = above.parent.clone();
        }
        path
    }

    /// By path as `path` writes it, with or without `.sy`.
    pub fn document_at(&self, notebook: &str, path: &str) -> Option<&Document> {
        let id = path.trim_end_matches('/').rsplit('/').next()?.trim_end_matches(".sy");
        self.documents.get(id).filter(|document| document.notebook == notebook)
    }

    pub fn at_hpath(&self, notebook: &str, hpath: &str) -> Vec<String> {
        let here = self.open_documents().filter(|document| document.notebook == notebook);
        here.filter(|document| self.hpath(document) == hpath).map(|document| document.id.clone()).collect()
    }

    pub fn children(&self, notebook: &str, parent: Option<&str>) -> Vec<&Document> {
        self.open_documents()
            .filter(|document| document.notebook == notebook && document.parent.as_deref() == parent)
            .collect()
    }

    /// Removes a document with everything below it.
    pub fn remove_document(&mut self, id: &str) {
        let below: Vec<String> = self
            .documents
            .values()
            .filter(|document| document.parent.as_deref() == Some(id))
            .map(|document| document.id.clone())
            .collect();
        self.documents.remove(id);
        for id in below {
            self.remove_document(&id);
        }
        self.touch();
    }
}

pub fn is_container(kind: &str) -> bool {
    ["d", "b", "l", "i", "s"].contains(&kind)
}

fn find<'a>(blocks: &'a [Block], id: &str) -> Option<&'a Block> {
    blocks.iter().find_map(|block| if block.id == id { Some(block) } else { find(&block.children, id) })
}

fn place_in<'a>(blocks: &'a mut Vec<Block>, id: &str) -> Option<(&'a mut Vec<Block>, usize)> {
    if let Some(place) = blocks.iter().position(|block| block.id == id) {
        return Some((blocks, place));
    }
    blocks.iter_mut().find_map(|block| place_in(&mut block.children, id))
}

fn parent_in(blocks: &[Block], id: &str, parent: &str) -> Option<String> {
    blocks.iter().find_map(|block| {
        if block.id == id { Some(parent.to_owned()) } else { parent_in(&block.children, id, &block.id) }
    })
}
