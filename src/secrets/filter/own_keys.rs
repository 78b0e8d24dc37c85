//! Keys of our own, by their form: for what is written down, where nobody can say which are in use.

use std::borrow::Cow;

use super::REDACTED;
use crate::secrets::Purpose;

/// The length of 256 bits in Base64, which stand behind the prefix.
const BODY: usize = 43;

/// Takes out everything that looks like a runtime key, a grant token or a control token.
pub fn mask_own_keys(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let mut rest = text;
    while let Some((start, end)) = next(rest) {
        clean.push_str(&rest[..start]);
        clean.push_str(REDACTED);
        rest = &rest[end..];
    }
    if clean.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

fn next(text: &str) -> Option<(usize, usize)> {
    memchr::memmem::find_iter(text.as_bytes(), "ng").find_map(|start| {
        let prefixes = [Purpose::RuntimeKey, Purpose::GrantToken, Purpose::Control].map(Purpose::prefix);
        let body = prefixes.iter().find_map(|prefix| text[start..].strip_prefix(prefix))?;
        let of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = body.bytes().take_while(of_key).count();
        (length >= BODY).then(|| (start, text.len() - body.len() + length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secret;

    #[test]
    fn our_own_keys_are_recognised_and_nothing_else_is() {
        for purpose in [Purpose::RuntimeKey, Purpose::GrantToken, Purpose::Control] {
            let key = Secret::generate(purpose).unwrap();
            let line = format!("笔记 running, key={0} \"{0}\" ng_", key.reveal());
            assert_eq!(mask_own_keys(&line), "笔记 running, key=[redacted] \"[redacted]\" ng_");
        }
        for harmless in ["", "ng_short", "long ng_ words", "ngx_".repeat(60).as_str()] {
            assert!(matches!(mask_own_keys(harmless), Cow::Borrowed(_)), "{harmless}");
        }
    }
}
