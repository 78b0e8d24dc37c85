//! What a kernel says of a write to blocks: transactions, each with the operations that it did.

use serde_json::Value;

use crate::siyuan::errors::SiyuanError;

const NOTHING: &str =
    "its answer names no block. The block before, after or below which it was to be written may not be there";

/// The ids of the operations. A success without them, or with an empty one, is none.
pub(super) fn block_ids(data: &Value) -> Result<Vec<String>, SiyuanError> {
    let nothing = || SiyuanError::NoEffect(NOTHING);
    let mut ids: Vec<String> = Vec::new();
    for transaction in data.as_array().ok_or_else(nothing)? {
        for operation in operations(transaction).ok_or_else(nothing)? {
            let id = operation.get("id").and_then(Value::as_str).unwrap_or_default();
            if id.is_empty() {
                return Err(nothing());
            }
            if !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        }
    }
    if ids.is_empty() { Err(nothing()) } else { Ok(ids) }
}

/// Whether an answer's data are transactions.
pub(super) fn are_transactions(data: &Value) -> bool {
    data.as_array()
        .is_some_and(|list| !list.is_empty() && list.iter().all(|entry| operations(entry).is_some()))
}

fn operations(transaction: &Value) -> Option<&Vec<Value>> {
    transaction.get("doOperations").and_then(Value::as_array)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_success_without_an_id_is_none() {
        let with = |ids: &[&str]| {
            let operations: Vec<Value> = ids.iter().map(|id| json!({"action": "insert", "id": id})).collect();
            json!([{"doOperations": operations}])
        };
        assert_eq!(block_ids(&with(&["a", "b", "a"])).unwrap(), ["a", "b"]);
        for nothing in [with(&[""]), with(&["a", ""]), with(&[]), json!([]), json!(null), json!([{}])] {
            assert_eq!(block_ids(&nothing), Err(SiyuanError::NoEffect(NOTHING)), "{nothing}");
        }
    }
}
