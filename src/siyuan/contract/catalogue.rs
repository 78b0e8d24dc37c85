//! The endpoints of one kernel version, and finding one by what a call asks for.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::siyuan::endpoint::{ApiPath, EndpointKey, Method, PathError, PathProblem, Route};

const PREFIX_OF_REFS: &str = "#/$defs/";

/// One method and path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Endpoint {
    pub method: Method,
    /// A path, or a pattern of paths.
    pub path: Route,
    /// How the body is read: `json`, `none`, `multipart`, `form`, `raw`, or another word of the kernel's.
    pub body: String,
    pub roles: Roles,
    /// How the answer comes, where it is not the envelope `{code, msg, data}`: `binary`, `sse`, `websocket` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// What the envelope holds besides, as `name:type`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub envelope: Vec<String>,
    /// Further HTTP statuses that belong to the endpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<u16>,
    /// Schema of the body; absent where none is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// Schema of `data` in the answer, or of the whole answer where there is no envelope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Endpoint {
    pub fn key(&self) -> EndpointKey {
        EndpointKey::http(self.method, self.path.clone())
    }

    /// Which paths and methods come first where endpoints are listed.
    pub(super) fn order(&self) -> (&str, Method) {
        (self.path.as_str(), self.method)
    }
}

/// Who may call an endpoint, in the kernel's words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Roles {
    /// Otherwise public: no credentials are asked for.
    pub authenticated: bool,
    pub admin: bool,
    /// Refused in read-only mode: it changes something.
    pub writable: bool,
}

impl Roles {
    /// What is assumed where nothing is known.
    pub const UNKNOWN: Self = Self { authenticated: true, admin: true, writable: true };

    /// # Errors
    /// A word that is no role of the kernel's, or none at all.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut roles = Self::default();
        let mut public = false;
        for word in words {
            match word {
                "public" => public = true,
                "authenticated" => roles.authenticated = true,
                "admin" => roles.admin = true,
                "writable" => roles.writable = true,
                other => return Err(format!("{other:?} is no role of the kernel's")),
            }
        }
        if public == (roles != Self::default()) {
            return Err("an endpoint is either public or has roles".into());
        }
        Ok(roles)
    }

    pub fn words(self) -> Vec<&'static str> {
        if self == Self::default() {
            return vec!["public"];
        }
        [("authenticated", self.authenticated), ("admin", self.admin), ("writable", self.writable)]
            .into_iter()
            .filter_map(|(word, has)| has.then_some(word))
            .collect()
    }
}

impl Serialize for Roles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Roles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        Self::from_words(words.iter().map(String::as_str)).map_err(de::Error::custom)
    }
}

/// The endpoints of one kernel version, by path and method.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogue {
    version: String,
    endpoints: Vec<Endpoint>,
    defs: Map<String, Value>,
    /// Path in lower case → where the first endpoint of that path stands.
    by_path: HashMap<String, usize>,
}

/// What a method and path of a call come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved<'a> {
    pub key: EndpointKey,
    /// `None`: the contract does not know it, and what is unknown counts as writing.
    pub endpoint: Option<&'a Endpoint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: String,
    endpoints: Vec<Endpoint>,
    #[serde(rename = "$defs")]
    defs: Map<String, Value>,
}

impl Catalogue {
    /// The catalogue that comes with the program. Decompressed when it is first asked for.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Catalogue>> = LazyLock::new(|| {
            #[expect(clippy::expect_used, reason = "the asset is part of the program, and a test reads it")]
            let catalogue = Catalogue::parse(&embedded_text()).expect("the embedded contract is whole");
            Arc::new(catalogue)
        });
        Arc::clone(&EMBEDDED)
    }

    /// Puts endpoints in order and checks that they hang together. Definitions that none of them uses are
    /// left out.
    ///
    /// # Errors
    /// What does not hang together, in words.
    pub(super) fn new(
        version: String,
        mut endpoints: Vec<Endpoint>,
        mut defs: Map<String, Value>,
    ) -> Result<Self, String> {
        if endpoints.is_empty() {
            return Err("it has no endpoints".into());
        }
        endpoints.sort_by(|a, b| a.order().cmp(&b.order()));
        let mut by_path = HashMap::new();
        for (at, endpoint) in endpoints.iter().enumerate() {
            let path = endpoint.path.as_str();
            let first = *by_path.entry(path.to_ascii_lowercase()).or_insert(at);
            if endpoints[first].path != endpoint.path {
                return Err(format!("{path} and {} differ in letter case only", endpoints[first].path));
            }
            if at > first && endpoints[at - 1].order() == endpoint.order() {
                return Err(format!("{} {path} is there twice", endpoint.method));
            }
        }
        let used = reachable(&defs, endpoints.iter().flat_map(|e| [&e.request, &e.data]).flatten())?;
        defs.retain(|name, _| used.contains_key(name));
        defs.sort_keys();
        Ok(Self { version, endpoints, defs, by_path })
    }

    /// Reads what [`Self::to_text`] wrote.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Written { version, endpoints, defs } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        Self::new(version, endpoints, defs)
    }

    /// The catalogue as it is kept and reviewed: one endpoint and one definition a line.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n\"version\":{},\n\"endpoints\":[\n", json(&self.version));
        for (at, endpoint) in self.endpoints.iter().enumerate() {
            let _ = write!(text, "{}{}", if at == 0 { "" } else { ",\n" }, json(endpoint));
        }
        text.push_str("\n],\n\"$defs\":{\n");
        for (at, (name, schema)) in self.defs.iter().enumerate() {
            let _ = write!(text, "{}{}:{}", if at == 0 { "" } else { ",\n" }, json(name), json(schema));
        }
        text.push_str("\n}\n}\n");
        text
    }

    /// The version of the kernel that it describes.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// All endpoints, by path and method.
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The endpoint of this method and path or pattern.
    pub fn endpoint(&self, method: Method, route: &Route) -> Option<&Endpoint> {
        self.at(route.as_str()).iter().find(|endpoint| endpoint.method == method && endpoint.path == *route)
    }

    /// The endpoints of one path, in any letter case.
    pub fn at(&self, path: &str) -> &[Endpoint] {
        let Some(&first) = self.by_path.get(&path.to_ascii_lowercase()) else { return &[] };
        let count =
            self.endpoints[first..].iter().take_while(|e| e.path == self.endpoints[first].path).count();
        &self.endpoints[first..first + count]
    }

    /// What a call's method and path mean: an endpoint of the contract, or an unknown one that is named by
    /// its path.
    ///
    /// # Errors
    /// The path is one of the contract's in another letter case.
    pub fn resolve(&self, method: Method, path: &ApiPath) -> Result<Resolved<'_>, PathError> {
        let route = Route::from(path);
        let spelt = self.at(path.as_str());
        if let Some(other) = spelt.first().filter(|endpoint| endpoint.path != route) {
            return Err(PathError::new(path.as_str(), PathProblem::Case(other.path.to_string())));
        }
        let endpoint = spelt.iter().find(|endpoint| endpoint.method == method).or_else(|| {
            self.endpoints.iter().find(|endpoint| {
                endpoint.method == method && endpoint.path.is_pattern() && endpoint.path.covers(path)
            })
        });
        let key = endpoint.map_or_else(|| EndpointKey::http(method, route), Endpoint::key);
        Ok(Resolved { key, endpoint })
    }

    /// What a reference of a schema stands for.
    pub(super) fn definition(&self, reference: &str) -> Option<(&str, &Value)> {
        let name = reference.strip_prefix(PREFIX_OF_REFS)?;
        self.defs.get_key_value(name).map(|(name, schema)| (name.as_str(), schema))
    }

    /// The definitions that these schemas lean on, by name.
    pub(super) fn definitions_of<'a>(
        &'a self,
        schemas: impl IntoIterator<Item = &'a Value>,
    ) -> Map<String, Value> {
        reachable(&self.defs, schemas).unwrap_or_default()
    }
}

/// The definitions that are reached from `roots`, sorted by name.
fn reachable<'a>(
    defs: &'a Map<String, Value>,
    roots: impl IntoIterator<Item = &'a Value>,
) -> Result<Map<String, Value>, String> {
    let mut found = Map::new();
    let mut open: Vec<&Value> = roots.into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                    let name = reference
                        .strip_prefix(PREFIX_OF_REFS)
                        .filter(|name| defs.contains_key(*name))
                        .ok_or_else(|| format!("{reference:?} refers to nothing in it"))?;
                    if !found.contains_key(name) {
                        found.insert(name.to_owned(), defs[name].clone());
                        open.push(&defs[name]);
                    }
                }
                open.extend(map.values());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    found.sort_keys();
    Ok(found)
}

fn json(value: &impl Serialize) -> String {
    // Strings, numbers, lists and maps by text can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

fn embedded_text() -> String {
    const ASSET: &[u8] = include_bytes!("../../../assets/siyuan/contract.json.gz");
    let mut text = String::new();
    // A read that fails leaves a text that is not whole, which the reader then refuses.
    let _ = GzDecoder::new(ASSET).read_to_string(&mut text);
    text
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
