//! Each listed difference: that this engine does what the list says of it. `tests/parity` shows what
//! MCPVault does.

mod frontmatter;
mod looking;
mod paths;
mod writing;

use crate::obsidian::engine::native::differences::{self, Difference};

/// Tests called like the difference that each is about, and the list of those.
macro_rules! asserted {
    ($($constant:ident $body:block)*) => {
        $(
            #[test]
            #[allow(non_snake_case, reason = "it is called like the difference")]
            fn $constant() $body
        )*

        pub const ASSERTED: &[&crate::obsidian::engine::native::differences::Difference] =
            &[$(&crate::obsidian::engine::native::differences::$constant),*];
    };
}
use asserted;

#[test]
fn each_listed_difference_has_a_test_and_a_name_of_its_own() {
    let asserted = [frontmatter::ASSERTED, looking::ASSERTED, paths::ASSERTED, writing::ASSERTED].concat();
    let mut names: Vec<&str> = Vec::new();
    for difference in differences::ALL {
        let Difference { name, .. } = difference;
        assert!(asserted.contains(difference), "{name} has no test");
        assert!(!names.contains(name), "{name} is listed twice");
        names.push(name);
    }
}
