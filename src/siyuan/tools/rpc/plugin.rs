//! Channel `plugin`: JSON-RPC to a plugin that runs inside the kernel, one call or a batch.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Outcome;
use crate::siyuan::permissions::{Request, Rules, Ruling};
use crate::siyuan::tools::way::{Done, Failed, Way};
use crate::siyuan::transport::{RpcAnswer, RpcCall};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::siyuan) struct Plugin {
    plugin: String,
    method: Option<String>,
    params: Option<Value>,
    #[serde(default)]
    notification: bool,
    calls: Option<Vec<TypedCall>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedCall {
    method: String,
    params: Option<Value>,
    #[serde(default)]
    notification: bool,
}

impl Plugin {
    pub fn check(&self) -> Result<(), String> {
        match (&self.method, &self.calls) {
            (None, None) => Err("it needs method, or calls for a batch".into()),
            (Some(_), Some(_)) => Err("give either method or calls".into()),
            (None, Some(_)) if self.params.is_some() || self.notification => {
                Err("params and notification stand in each of the calls".into())
            }
            (None, Some(calls)) if calls.is_empty() => Err("calls needs at least one call".into()),
            _ => Ok(()),
        }
    }

    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        let mut methods: Vec<&str> = self.method.iter().map(String::as_str).collect();
        methods.extend(self.calls.iter().flatten().map(|call| call.method.as_str()));
        let (plugin, is_batch) = (self.plugin.as_str(), self.calls.is_some());
        Ok(rules.judge(Request::Plugin { plugin, methods: &methods, is_batch })?)
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let call = |method: &String, params: &Option<Value>, notification| RpcCall {
            method: method.clone(),
            params: params.clone(),
            notification,
        };
        if let Some(calls) = &self.calls {
            let calls: Vec<RpcCall> =
                calls.iter().map(|typed| call(&typed.method, &typed.params, typed.notification)).collect();
            let answers = way.connection.rpc_batch(&self.plugin, &calls, way.cancel).await?;
            let outcome = all(&answers);
            let answers: Vec<Value> = answers.into_iter().map(shown).collect();
            return Ok(Done { outcome, ..Done::new(json!({"answers": answers})) });
        }
        let method = self.method.as_ref().ok_or(SiyuanError::Internal)?;
        let call = call(method, &self.params, self.notification);
        let answer = way.connection.rpc(&self.plugin, call, way.cancel).await?;
        let outcome = all(std::slice::from_ref(&answer));
        Ok(Done { outcome, ..Done::new(shown(answer)) })
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
