//! Channel `plugin`: JSON-RPC to a plugin that runs inside the kernel, one call or a batch.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Outcome;
use crate::siyuan::permissions::{Request, Rules, Ruling};
use crate::siyuan::tools::way::{Done, Failed, Way};
use crate::siyuan::transport::{RpcAnswer, RpcCall};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::siyuan) struct Plugin {
    plugin: String,
    method: Option<String>,
    params: Option<Value>,
    /// The same as text, for what no plain schema can say: a list of any values.
    params_json: Option<String>,
    #[serde(default)]
    notification: bool,
    calls: Option<Vec<TypedCall>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TypedCall {
    method: String,
    params: Option<Value>,
    params_json: Option<String>,
    #[serde(default)]
    notification: bool,
}

impl Plugin {
    pub fn check(&self) -> Result<(), String> {
        match (&self.method, &self.calls) {
            (None, None) => Err("it needs method, or calls for a batch".into()),
            (Some(_), Some(_)) => Err("give either method or calls".into()),
            (None, Some(_)) if self.params.is_some() || self.params_json.is_some() || self.notification => {
                Err("params and notification stand in each of the calls".into())
            }
            (None, Some(calls)) if calls.is_empty() => Err("calls needs at least one call".into()),
            (None, Some(calls)) => {
                calls.iter().try_for_each(|call| params(&call.params, &call.params_json).map(drop))
            }
            (Some(_), None) => params(&self.params, &self.params_json).map(drop),
        }
    }

    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        let mut methods: Vec<&str> = self.method.iter().map(String::as_str).collect();
        methods.extend(self.calls.iter().flatten().map(|call| call.method.as_str()));
        let (plugin, is_batch) = (self.plugin.as_str(), self.calls.is_some());
        Ok(rules.judge(Request::Plugin { plugin, methods: &methods, is_batch })?)
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let call = |method: &String, given: &Option<Value>, text: &Option<String>, notification| {
            let params = params(given, text).map_err(SiyuanError::Arguments)?;
            Ok::<_, SiyuanError>(RpcCall { method: method.clone(), params, notification })
        };
        if let Some(calls) = &self.calls {
            let calls = calls
                .iter()
                .map(|typed| call(&typed.method, &typed.params, &typed.params_json, typed.notification))
                .collect::<Result<Vec<_>, _>>()?;
            let answers = way.connection.rpc_batch(&self.plugin, &calls, way.cancel).await?;
            let outcome = all(&answers);
            let answers: Vec<Value> = answers.into_iter().map(shown).collect();
            return Ok(Done { outcome, ..Done::new(json!({"answers": answers})) });
        }
        let method = self.method.as_ref().ok_or(SiyuanError::Internal)?;
        let call = call(method, &self.params, &self.params_json, self.notification)?;
        let answer = way.connection.rpc(&self.plugin, call, way.cancel).await?;
        let outcome = all(std::slice::from_ref(&answer));
        Ok(Done { outcome, ..Done::new(shown(answer)) })
    }
}

/// The arguments of a method, given as an object, or as text that holds an object or a list.
fn params(given: &Option<Value>, text: &Option<String>) -> Result<Option<Value>, String> {
    match (given, text) {
        (Some(_), Some(_)) => Err("give either params or paramsJson".into()),
        (given, None) => Ok(given.clone()),
        (None, Some(text)) => match serde_json::from_str(text) {
            Ok(params @ (Value::Object(_) | Value::Array(_))) => Ok(Some(params)),
            _ => Err("paramsJson must be the JSON text of a list or an object".into()),
        },
    }
}

/// How several calls came out together: a failure counts more than one that nothing is known of.
fn all(answers: &[Option<RpcAnswer>]) -> Outcome {
    if answers.iter().flatten().any(Result::is_err) {
        Outcome::Failed
    } else if answers.iter().any(Option::is_none) {
        Outcome::Sent
    } else {
        Outcome::Succeeded
    }
}

fn shown(answer: Option<RpcAnswer>) -> Value {
    match answer {
        None => json!({"sent": true}),
        Some(Ok(result)) => json!({"result": result}),
        Some(Err(fault)) => {
            json!({"error": {"code": fault.code, "message": fault.message, "data": fault.data}})
        }
    }
}
