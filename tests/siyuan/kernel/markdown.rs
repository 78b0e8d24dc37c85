//! As much Markdown as the simulation needs: headings, paragraphs, lists, quotes, fences, attribute lines.

use std::collections::BTreeMap;

use super::notes::Block;

/// Cuts a text into blocks. Nothing at all is one empty paragraph.
pub fn parse(text: &str, new_id: &mut dyn FnMut() -> String) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with("{: ") {
            if let Some(last) = blocks.last_mut() {
                set_attributes(last, line);
            }
            continue;
        }
        let mut part = vec![line];
        let same = |next: &str| !next.trim().is_empty() && !next.starts_with("{: ");
        let fence = line.starts_with("```");
        while !line.starts_with('#')
            && let Some(next) = lines.next_if(|next| fence || same(next))
        {
            part.push(next);
            if fence && next.starts_with("```") {
                break;
            }
        }
        blocks.push(block(&part, new_id));
    }
    if blocks.is_empty() {
        blocks.push(leaf("p", "", "", new_id));
    }
    blocks
}

fn block(lines: &[&str], new_id: &mut dyn FnMut() -> String) -> Block {
    let (first, whole) = (lines[0], lines.join("\n"));
    let level = first.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) && first[level..].starts_with(' ') {
        return leaf("h", &format!("h{level}"), &whole, new_id);
    }
    if first.starts_with("```") {
        return leaf("c", "", &whole, new_id);
    }
    if lines.iter().all(|line| line.starts_with("- ")) {
        let mut list = leaf("l", "u", "", new_id);
        list.children = lines
            .iter()
            .map(|line| {
                let mut item = leaf("i", "u", "", new_id);
                item.children = vec![leaf("p", "", &line[2..], new_id)];
                item
            })
            .collect();
        return list;
    }
    if lines.iter().all(|line| line.starts_with('>')) {
        let inner: Vec<&str> = lines.iter().map(|line| line[1..].trim_start()).collect();
        let mut quote = leaf("b", "", "", new_id);
        quote.children = parse(&inner.join("\n"), new_id);
        return quote;
    }
    leaf("p", "", &whole, new_id)
}

fn leaf(kind: &'static str, subtype: &str, markdown: &str, new_id: &mut dyn FnMut() -> String) -> Block {
    let (subtype, markdown) = (subtype.to_owned(), markdown.to_owned());
    Block { id: new_id(), kind, subtype, markdown, children: Vec::new(), attributes: BTreeMap::new() }
}

/// `{: id="…" custom-a="…"}`.
fn set_attributes(block: &mut Block, line: &str) {
    let mut rest = line.trim_start_matches("{:").trim_end_matches('}');
    while let Some((name, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { return };
        match name.trim() {
            "id" => value.clone_into(&mut block.id),
            "updated" => {}
            name => drop(block.attributes.insert(name.to_owned(), value.to_owned())),
        }
        rest = after;
    }
}

/// The block as Markdown, without attribute lines.
pub fn markdown(block: &Block) -> String {
    let below = || block.children.iter().map(markdown).collect::<Vec<_>>();
    match block.kind {
        "l" => below().iter().map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n"),
        "b" => below().join("\n\n").lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        "i" => below().join("\n"),
        _ => block.markdown.clone(),
    }
}

/// The block with the attribute line that follows each block.
pub fn kramdown(block: &Block) -> String {
    let extra: String = block.attributes.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    let line = format!("{{: id=\"{}\" updated=\"20261011180000\"{extra}}}", block.id);
    let below = || block.children.iter().map(kramdown).collect::<Vec<_>>();
    let text = match block.kind {
        "l" => below().iter().map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n"),
        "b" => below().join("\n\n").lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        "i" => below().join("\n"),
        _ => block.markdown.clone(),
    };
    format!("{text}\n{line}")
}

/// What is searched: the text without the marks of its kind.
pub fn content(block: &Block) -> String {
    markdown(block).trim_start_matches(['#', '-', '>', ' ']).to_owned()
}

/// The editor's HTML, as far as anybody looks at it: the id of each block that it holds.
pub fn dom(block: &Block) -> String {
    let below: String = block.children.iter().map(dom).collect();
    let text = if block.children.is_empty() { escape(&block.markdown) } else { below };
    format!("<div data-node-id=\"{}\" data-type=\"{}\">{text}</div>", block.id, block.kind)
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
