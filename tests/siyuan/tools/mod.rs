//! The five tools over the simulated kernel: by real HTTP as a runtime calls them, and through the service
//! where a test plays the person or the record.

mod approving;
mod bench;
mod changing;
mod deciding;
mod gateways;
mod random;
mod reading;
mod recording;
mod rpc;
mod smuggling;
mod targets;
mod world;

use serde_json::Value;

use crate::kernel::Kernel;

/// The id of the block of the sample document that holds this text.
fn block_with(kernel: &Kernel, text: &str) -> String {
    let notes = kernel.notes();
    let mut blocks = notes.documents.values().flat_map(|document| &document.blocks);
    blocks.find(|block| block.markdown.contains(text)).expect("such a block").id.clone()
}

/// Gives the first paragraph of the sample document another text.
fn change_first_block(kernel: &Kernel, text: &str) {
    let id = block_with(kernel, "First paragraph");
    kernel.notes().block_mut(&id).expect("the block").markdown = text.to_owned();
}

/// An answer's structured part.
fn structured(answer: &Value) -> &Value {
    &answer["structuredContent"]
}

/// The code of an answer that must be an error.
#[track_caller]
fn code(answer: &Value) -> &str {
    assert_eq!(answer["isError"], true, "{answer}");
    answer["structuredContent"]["code"].as_str().unwrap_or_else(|| panic!("no code: {answer}"))
}

/// An answer that must be a success.
#[track_caller]
fn good(answer: Value) -> Value {
    assert_eq!(answer["isError"], false, "{answer}");
    answer["structuredContent"].clone()
}
