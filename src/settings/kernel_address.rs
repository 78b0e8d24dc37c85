//! Where a kernel is, as it is typed and saved.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use url::{Host, Url};

use super::schema::InvalidField;

const MAX_ADDRESS_CHARS: usize = 2048;

/// Where a kernel is. Written as `auto`, or as its address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum KernelAddress {
    /// On this computer, at the port that it registered itself.
    #[default]
    Auto,
    At(KernelUrl),
}

impl fmt::Display for KernelAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::At(url) => url.fmt(f),
        }
    }
}

impl FromStr for KernelAddress {
    type Err = InvalidField;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        match typed.trim() {
            "auto" => Ok(Self::Auto),
            typed => KernelUrl::new(typed).map(Self::At),
        }
    }
}

impl Serialize for KernelAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KernelAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(|error: InvalidField| de::Error::custom(error.problem))
    }
}

/// The HTTP(S) address of a kernel: no credentials, query or fragment; its path, if any, is a prefix
/// under which a proxy serves the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelUrl(Url);

impl KernelUrl {
    /// Reads an address as a person types it.
    ///
    /// # Errors
    /// It is none that a kernel could have. The text is not repeated: it may hold a password.
    pub fn new(typed: &str) -> Result<Self, InvalidField> {
        let wrong = |word: &'static str, problem: &str| InvalidField::new("address", problem).about(word, "");
        if typed.chars().count() > MAX_ADDRESS_CHARS {
            let problem = format!("the address is longer than {MAX_ADDRESS_CHARS} characters");
            return Err(InvalidField::new("address", problem).about("address_too_long", MAX_ADDRESS_CHARS));
        }
        let mut url = Url::parse(typed.trim()).map_err(|_| {
            wrong("address_none", "this is no address; write auto, or one like http://127.0.0.1:6806")
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("address_scheme", "the address must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(
                "address_credentials",
                "an address holds no user name and no password; the kernel's token is set by itself",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong(
                "address_query",
                "an address has no ? and no #; give it without what follows them",
            ));
        }
        if url.port() == Some(0) {
            return Err(wrong("address_port", "0 is no port that a kernel could listen on"));
        }
        if typed.contains('\\') || url.path().contains("//") {
            return Err(wrong(
                "address_path",
                "the path of the address is ambiguous; write it without \\ and //",
            ));
        }
        let prefix = url.path().trim_end_matches('/').to_owned();
        url.set_path(&prefix);
        Ok(Self(url))
    }

    /// The address; its path is empty or a prefix without a slash at its end.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// Whether the address is on this computer, whatever a name server says.
    pub fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
            None => false,
        }
    }
}

impl fmt::Display for KernelUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}
