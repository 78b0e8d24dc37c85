//! Secrets: those of our own making (runtime keys, one-off grant tokens, the control token), and the
//! tokens of kernels, which the system's keyring keeps ([`Credentials`]).
//!
//! Invariant: a secret's text leaves this module only through [`Secret::reveal`], which the few
//! places call that show it once, send it where it belongs, or write the control file. `Debug` never
//! prints it, and its memory is overwritten when it is dropped.

mod credentials;
mod keyring;
mod memory;

pub use credentials::{CredentialError, CredentialStore, Credentials, EntryName};
pub use keyring::Keyring;
pub use memory::MemoryStore;

pub mod filter;

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::settings::KeyDigest;

/// What a secret is for; its text begins with this, so that one is recognised wherever it turns up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Says which runtime is calling (`ng_`).
    RuntimeKey,
    /// Is a grant by itself (`ngt_`).
    GrantToken,
    /// Lets our own command line talk to the running instance (`ngc_`).
    Control,
}

impl Purpose {
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::RuntimeKey => "ng_",
            Self::GrantToken => "ngt_",
            Self::Control => "ngc_",
        }
    }
}

/// A secret: 256 random bits as URL-safe text where we made it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

/// The operating system gave no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random numbers: {0}. Nothing was made")]
pub struct NoRandomness(getrandom::Error);

impl Secret {
    /// Makes a new secret.
    ///
    /// # Errors
    /// The operating system's source of randomness failed.
    pub fn generate(purpose: Purpose) -> Result<Self, NoRandomness> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(NoRandomness)?;
        Ok(Self::from_text(format!("{}{}", purpose.prefix(), URL_SAFE_NO_PAD.encode(bits))))
    }

    /// A secret that was read back from where it was kept.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// The text itself. Call it only to show or to send the secret.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Shows that we hold the secret without showing it: an answer to a challenge that was just made up.
    pub fn proof(&self, challenge: &str) -> KeyDigest {
        let mut hash = Sha256::new();
        hash.update(b"notegate proof\n");
        hash.update(digest(challenge).0);
        hash.update(self.0.as_bytes());
        KeyDigest(hash.finalize().into())
    }

    /// What is stored in place of the secret.
    pub fn digest(&self) -> KeyDigest {
        digest(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// SHA-256 of a presented text.
pub fn digest(presented: &str) -> KeyDigest {
    KeyDigest(Sha256::digest(presented.as_bytes()).into())
}

/// Compares two digests in constant time.
pub fn same(a: &KeyDigest, b: &KeyDigest) -> bool {
    a.0.ct_eq(&b.0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_256_bits_url_safe_and_never_printed() {
        let key = Secret::generate(Purpose::RuntimeKey).unwrap();
        let body = key.reveal().strip_prefix("ng_").unwrap();
        assert_eq!(URL_SAFE_NO_PAD.decode(body).unwrap().len(), 32);
        assert_ne!(key, Secret::generate(Purpose::RuntimeKey).unwrap());
        assert!(!format!("{key:?}").contains(body));
        assert!(same(&key.digest(), &digest(key.reveal())));
        assert!(!same(&key.digest(), &digest("ng_other")));
        let proof = key.proof("challenge");
        assert!(same(&proof, &Secret::from_text(key.reveal()).proof("challenge")));
        assert!(!same(&proof, &key.proof("another")) && !same(&proof, &key.digest()));
    }
}
