//! Channel `http`: one request to an endpoint of the kernel's API, its answer kept with status and headers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::siyuan::contract::{Catalogue, Endpoint};
use crate::siyuan::endpoint::ApiPath;
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::{Objects, Outcome};
use crate::siyuan::permissions::{self, Reason, Rules, Ruling};
use crate::siyuan::tools::delete::WAY_ON;
use crate::siyuan::tools::id::Id;
use crate::siyuan::tools::transactions::{are_transactions, block_ids};
use crate::siyuan::tools::way::{Done, Failed, Way};
use crate::siyuan::transport::{Body, Part, Request, Response, TransportError};

/// Headers of an answer that open something, and are nobody's business.
const WITHHELD: &[&str] = &["set-cookie", "www-authenticate", "authorization", "x-auth-token"];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::siyuan) struct Http {
    method: Option<String>,
    path: String,
    query: Option<Map<String, Value>>,
    body: Option<Map<String, Value>>,
    text: Option<String>,
    base64: Option<String>,
    form: Option<Map<String, Value>>,
    multipart: Option<Vec<TypedPart>>,
    content_type: Option<String>,
    #[serde(default)]
    validate: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TypedPart {
    name: String,
    text: Option<String>,
    base64: Option<String>,
    file_name: Option<String>,
    content_type: Option<String>,
}

impl Http {
    pub fn check(&self) -> Result<(), String> {
        let bodies = [
            self.body.is_some(),
            self.text.is_some(),
            self.base64.is_some(),
            self.form.is_some(),
            self.multipart.is_some(),
        ];
        if bodies.into_iter().filter(|given| *given).count() > 1 {
            return Err("give one of body, text, base64, form and multipart".into());
        }
        if self.content_type.is_some() && self.base64.is_none() {
            return Err("contentType is of base64 alone; the other bodies have their own".into());
        }
        for (name, fields) in [("query", &self.query), ("form", &self.form)] {
            if let Some((field, _)) = fields.iter().flatten().find(|(_, value)| !value.is_string()) {
                return Err(format!("{name}.{field} must be a text"));
            }
        }
        for part in self.multipart.iter().flatten() {
            if part.text.is_some() == part.base64.is_some() {
                return Err(format!("the part {:?} needs either text or base64", part.name));
            }
            if part.file_name.is_none() && (part.base64.is_some() || part.content_type.is_some()) {
                return Err(format!("the part {:?} needs a fileName to be a file", part.name));
            }
            if part.base64.as_ref().is_some_and(|data| STANDARD.decode(data).is_err()) {
                return Err(format!("the part {:?} is no Base64", part.name));
            }
        }
        if self.base64.as_ref().is_some_and(|data| STANDARD.decode(data).is_err()) {
            return Err("base64 is no Base64".into());
        }
        Ok(())
    }

    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        let query: Vec<&str> = self.query.iter().flatten().map(|(name, _)| name.as_str()).collect();
        let json = self.body.clone().map(Value::Object);
        let fields = self.fields();
        let body = match (&json, &fields) {
            (Some(body), _) => permissions::Body::Json(body),
            (None, Some(fields)) => permissions::Body::Form(fields),
            (None, None) if self.text.is_some() || self.base64.is_some() => permissions::Body::Opaque,
            (None, None) => permissions::Body::Empty,
        };
        let method = self.method.as_deref().unwrap_or("POST");
        Ok(rules.judge(permissions::Request::Http { method, path: &self.path, query: &query, body })?)
    }

    /// The fields of a form. One that is there several times is a list, which is judged as such.
    fn fields(&self) -> Option<Map<String, Value>> {
        if let Some(form) = &self.form {
            return Some(form.clone());
        }
        let mut fields: Map<String, Value> = Map::new();
        for part in self.multipart.as_ref()?.iter().filter(|part| part.file_name.is_none()) {
            let value = Value::from(part.text.clone());
            match fields.get_mut(&part.name) {
                None => drop(fields.insert(part.name.clone(), value)),
                Some(Value::Array(list)) => list.push(value),
                Some(single) => *single = json!([single.take(), value]),
            }
        }
        Some(fields)
    }

    fn endpoint<'a>(&self, catalogue: &'a Catalogue) -> Result<Option<&'a Endpoint>, SiyuanError> {
        let path = ApiPath::parse(&self.path).map_err(Reason::from)?;
        let method = super::method(self.method.as_deref())?;
        Ok(catalogue.resolve(method, &path).map_err(Reason::from)?.endpoint)
    }

    pub fn validate(&self, catalogue: &Catalogue) -> Result<(), SiyuanError> {
        let report = self.report(catalogue)?;
        match report {
            Some(report) if !report.is_valid() => Err(SiyuanError::BodyInvalid(report)),
            _ => Ok(()),
        }
    }

    /// What the contract says of the body; `None` where it says nothing, or nobody asked.
    fn report(&self, catalogue: &Catalogue) -> Result<Option<crate::siyuan::contract::Report>, SiyuanError> {
        let Some(endpoint) = self.endpoint(catalogue)?.filter(|_| self.validate) else { return Ok(None) };
        let body = self.body.clone().or_else(|| self.fields()).map(Value::Object);
        Ok(Some(catalogue.validate(endpoint, body.as_ref())))
    }

    /// What fields of these names mean everywhere in the kernel's API.
    pub fn objects(&self) -> Objects {
        const BLOCKS: &[&str] = &["id", "parentID", "previousID", "nextID", "rootID"];
        let ids = BLOCKS.iter().filter_map(|name| self.body.as_ref()?.get(*name)?.as_str());
        Objects::blocks(ids.map(str::to_owned).filter(|id| Id::try_from(id.clone()).is_ok()).collect())
    }

    fn request(&self, way: &Way<'_>) -> Result<Request, SiyuanError> {
        let path = ApiPath::parse(&self.path).map_err(Reason::from)?;
        let method = super::method(self.method.as_deref())?;
        let wire = method.as_str().parse().map_err(|_| SiyuanError::Internal)?;
        let mut request = Request::new(wire, path.as_str());
        request.query = pairs(self.query.as_ref());
        request.body = self.wire_body(way, method)?;
        Ok(request)
    }

    fn wire_body(&self, way: &Way<'_>, method: crate::siyuan::endpoint::Method) -> Result<Body, SiyuanError> {
        if let Some(text) = &self.text {
            return Ok(Body::Text(text.clone()));
        }
        if let Some(data) = &self.base64 {
            return Ok(Body::Base64 { data: data.clone(), content_type: self.content_type.clone() });
        }
        if let Some(form) = &self.form {
            return Ok(Body::Form(pairs(Some(form))));
        }
        if let Some(parts) = &self.multipart {
            return parts.iter().map(TypedPart::wire).collect::<Result<_, _>>().map(Body::Multipart);
        }
        // A kernel wants an object in every POST, also where it reads none of it.
        let sends_object = method == crate::siyuan::endpoint::Method::Post || !way.screened.set.is_empty();
        let Some(mut body) = self.body.clone().or_else(|| sends_object.then(Map::new)) else {
            return Ok(Body::Empty);
        };
        body.extend(way.screened.set.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        Ok(Body::Json(Value::Object(body)))
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let request = self.request(way)?;
        if let Some(id) = &way.screened.document {
            way.own_document(id, WAY_ON).await?;
        }
        let response = way.connection.send(request, way.cancel).await?;
        let endpoint = self.endpoint(way.catalogue)?;
        let mut done = answered(&response, way.catalogue, endpoint)?;
        if let Some(report) = self.report(way.catalogue)? {
            done.value.insert("validation".into(), json!(report));
        } else if self.validate {
            done.value.insert("validation".into(), "the contract does not know this endpoint".into());
        }
        Ok(done)
    }
}

impl TypedPart {
    fn wire(&self) -> Result<Part, SiyuanError> {
        let data = match (&self.text, &self.base64) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(data)) => STANDARD.decode(data).map_err(|_| SiyuanError::Internal)?,
            (None, None) => Vec::new(),
        };
        let (name, file_name) = (self.name.clone(), self.file_name.clone());
        Ok(Part { name, file_name, content_type: self.content_type.clone(), data })
    }
}

fn pairs(fields: Option<&Map<String, Value>>) -> Vec<(String, String)> {
    let fields = fields.into_iter().flatten();
    fields.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// What an answer comes to: the whole of it, and whether it says success.
fn answered(response: &Response, catalogue: &Catalogue, endpoint: Option<&Endpoint>) -> Result<Done, Failed> {
    let status = response.status.as_u16();
    let headers: Map<String, Value> = response
        .headers
        .iter()
        .filter(|(name, _)| !WITHHELD.contains(&name.as_str()))
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned().into())
        })
        .collect();
    let is_envelope = endpoint.is_none_or(|endpoint| endpoint.channel.is_none()) || status == 202;
    let envelope = match response.envelope() {
        _ if !is_envelope => None,
        Ok(envelope) => Some(envelope),
        // A kernel that stumbles answers with nothing at all, and with success.
        Err(error) if endpoint.is_some() && response.status.is_success() => return Err(error.into()),
        Err(_) => None,
    };
    let mut value = json!({"status": status, "headers": headers});
    let mut outcome = if response.status.is_success() { Outcome::Succeeded } else { Outcome::Failed };
    let mut objects = Objects::default();
    let writes = endpoint.is_none_or(|endpoint| endpoint.roles.writable);
    if let Some(envelope) = envelope {
        let mut shown = envelope.more.clone();
        shown.insert("code".into(), envelope.code.into());
        shown.insert("msg".into(), envelope.msg.as_str().into());
        shown.insert("data".into(), envelope.data.clone());
        value["envelope"] = shown.into();
        if envelope.code != 0 {
            outcome = Outcome::Failed;
        } else if writes && are_transactions(&envelope.data) {
            match block_ids(&envelope.data) {
                Ok(ids) => objects = Objects::blocks(ids),
                Err(error) => return Err(error.into()),
            }
        } else if envelope.data.is_null()
            && endpoint.is_some_and(|endpoint| endpoint.roles.writable && catalogue.promises_data(endpoint))
        {
            return Err(TransportError::from(crate::siyuan::transport::EnvelopeFault::NoData).into());
        }
    } else if let Some(body) = response.json() {
        value["json"] = body;
    } else if let Some(text) = response.text() {
        value["text"] = text.into();
    } else {
        value["base64"] = response.base64().into();
    }
    if outcome == Outcome::Failed && writes && status >= 500 {
        // What stands before a kernel may answer so after the kernel did its work.
        outcome = Outcome::Uncertain;
    }
    Ok(Done { outcome, objects, ..Done::new(value) })
}
