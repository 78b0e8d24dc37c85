//! The ids of blocks, documents and notebooks.

use serde::Deserialize;

/// An id as a kernel makes them: the time, and seven letters or digits. A kernel that is given another text
/// mostly fails in silence, so none is sent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Id(String);

impl Id {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Id {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fits = text.split_once('-').is_some_and(|(time, rest)| {
            time.len() == 14
                && time.bytes().all(|b| b.is_ascii_digit())
                && rest.len() == 7
                && rest.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        });
        if fits {
            return Ok(Self(text));
        }
        let shown: String = text.chars().take(40).collect();
        Err(format!("{shown:?} is no SiYuan id; one looks like 20261011180001-abcdefg"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_kernel_makes_is_an_id() {
        assert!(Id::try_from("20261011180001-abc0efg".to_owned()).is_ok());
        for bad in [
            "",
            "20261011180001-ABCDEFG",
            "20261011180001-abcdefgh",
            "2026101118000-abcdefg",
            "/",
            "20261011180001 abcdefg",
        ] {
            assert!(Id::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
