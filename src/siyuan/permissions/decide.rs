//! The table: permission × work mode.
//!
//! | permission | Ask or Execute | Full |
//! | --- | --- | --- |
//! | `ask` | a person is asked | refused |
//! | `ask-full-access` | a person is asked | passes by itself |
//! | `deny` | refused | refused |
//! | `allow` | passes | passes |
//!
//! In Ask mode, what writes is refused before that. Where a person would be asked, an approval policy of
//! `never` refuses; a call that comes from no execution has nobody to ask, and no mode to go by.

use super::effect::Effect;
use super::refusal::Reason;
use crate::settings::Permission;
use crate::settings::{ApprovalPolicy, WorkMode};

/// What a permission comes to for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is sent.
    Direct,
    /// It is sent, because the runtime has full access.
    AutoByFullAccess,
    /// A person is asked first.
    MustAsk,
}

/// Who calls, as far as the decision goes: the mode and policy of the runtime's grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub mode: WorkMode,
    pub approval: ApprovalPolicy,
}

/// Decides on one endpoint. Without `standing` the call comes from no execution of a tool.
///
/// # Errors
/// Why it is refused.
pub fn decide(
    permission: Permission,
    standing: Option<Standing>,
    effect: Effect,
) -> Result<Decision, Reason> {
    if permission == Permission::Deny {
        return Err(Reason::Denied);
    }
    if effect == Effect::Writes && standing.is_some_and(|standing| !standing.mode.may_write()) {
        return Err(Reason::ReadOnlyMode);
    }
    if permission == Permission::Allow {
        return Ok(Decision::Direct);
    }
    let Standing { mode, approval } = standing.ok_or(Reason::NoExecution)?;
    match (permission, mode) {
        (Permission::AskFullAccess, WorkMode::Full) => Ok(Decision::AutoByFullAccess),
        (_, WorkMode::Full) => Err(Reason::FullAccess),
        _ if approval == ApprovalPolicy::Never => Err(Reason::NeverAsks),
        _ => Ok(Decision::MustAsk),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXECUTE: WorkMode = WorkMode::Execute;

    fn check(permission: Permission, mode: WorkMode, effect: Effect, expected: Result<Decision, Reason>) {
        let standing = Standing { mode, approval: ApprovalPolicy::Prompt };
        assert_eq!(decide(permission, Some(standing), effect), expected, "{permission} {mode:?} {effect:?}");
    }

    #[test]
    fn each_row_of_the_table_holds() {
        use Permission::{Allow, Ask, AskFullAccess, Deny};
        for effect in [Effect::Reads, Effect::Writes] {
            check(Ask, EXECUTE, effect, Ok(Decision::MustAsk));
            check(Ask, WorkMode::Full, effect, Err(Reason::FullAccess));
            check(AskFullAccess, EXECUTE, effect, Ok(Decision::MustAsk));
            check(AskFullAccess, WorkMode::Full, effect, Ok(Decision::AutoByFullAccess));
            check(Deny, EXECUTE, effect, Err(Reason::Denied));
            check(Deny, WorkMode::Full, effect, Err(Reason::Denied));
            check(Allow, EXECUTE, effect, Ok(Decision::Direct));
            check(Allow, WorkMode::Full, effect, Ok(Decision::Direct));
        }
    }

    #[test]
    fn ask_mode_reads_under_the_same_table_and_writes_never() {
        use Permission::{Allow, Ask, AskFullAccess, Deny};
        check(Ask, WorkMode::Ask, Effect::Reads, Ok(Decision::MustAsk));
        check(AskFullAccess, WorkMode::Ask, Effect::Reads, Ok(Decision::MustAsk));
        check(Deny, WorkMode::Ask, Effect::Reads, Err(Reason::Denied));
        check(Allow, WorkMode::Ask, Effect::Reads, Ok(Decision::Direct));
        check(Ask, WorkMode::Ask, Effect::Writes, Err(Reason::ReadOnlyMode));
        check(AskFullAccess, WorkMode::Ask, Effect::Writes, Err(Reason::ReadOnlyMode));
        check(Deny, WorkMode::Ask, Effect::Writes, Err(Reason::Denied));
        check(Allow, WorkMode::Ask, Effect::Writes, Err(Reason::ReadOnlyMode));
    }

    #[test]
    fn the_default_asks_and_is_refused_with_full_access() {
        assert_eq!(Permission::default(), Permission::Ask);
        check(Permission::default(), EXECUTE, Effect::Writes, Ok(Decision::MustAsk));
        check(Permission::default(), WorkMode::Full, Effect::Writes, Err(Reason::FullAccess));
    }

    #[test]
    fn never_refuses_whatever_would_ask() {
        for permission in Permission::ALL {
            for mode in [WorkMode::Ask, EXECUTE, WorkMode::Full] {
                for effect in [Effect::Reads, Effect::Writes] {
                    let with = |approval| decide(permission, Some(Standing { mode, approval }), effect);
                    let expected = match with(ApprovalPolicy::Prompt) {
                        Ok(Decision::MustAsk) => Err(Reason::NeverAsks),
                        other => other,
                    };
                    assert_eq!(with(ApprovalPolicy::Never), expected);
                }
            }
        }
    }

    #[test]
    fn without_an_execution_both_asking_settings_refuse() {
        for effect in [Effect::Reads, Effect::Writes] {
            assert_eq!(decide(Permission::Ask, None, effect), Err(Reason::NoExecution));
            assert_eq!(decide(Permission::AskFullAccess, None, effect), Err(Reason::NoExecution));
            assert_eq!(decide(Permission::Deny, None, effect), Err(Reason::Denied));
            assert_eq!(decide(Permission::Allow, None, effect), Ok(Decision::Direct));
        }
    }

    #[test]
    fn permissions_are_written_as_the_settings_have_them() {
        for permission in Permission::ALL {
            assert_eq!(permission.as_str().parse::<Permission>(), Ok(permission));
            assert_eq!(serde_json::to_string(&permission).unwrap(), format!("\"{permission}\""));
        }
        assert!("never".parse::<Permission>().unwrap_err().contains("ask-full-access"));
    }
}
