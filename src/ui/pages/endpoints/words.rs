//! What permissions, protocols, effects and reasons are called, and how they are marked.

use crate::core::{Closed, Effect, EndpointRow, Permission, Protocol};
use crate::ui::icons::Icon;
use crate::ui::widgets::{Look, Tone};

/// The key of a permission's name; its help has the same with `-help`.
pub(super) fn permission_key(permission: Permission) -> &'static str {
    match permission {
        Permission::Ask => "permission-ask",
        Permission::AskFullAccess => "permission-ask-full",
        Permission::Deny => "permission-deny",
        Permission::Allow => "permission-allow",
    }
}

/// How a permission that differs from the default stands out.
pub(super) fn permission_mark(permission: Permission) -> Option<(Icon, Tone)> {
    match permission {
        Permission::Ask => None,
        Permission::AskFullAccess => Some((Icon::Question, Tone::Waiting)),
        Permission::Deny => Some((Icon::Off, Tone::Danger)),
        Permission::Allow => Some((Icon::Success, Tone::Success)),
    }
}

pub(super) fn protocol_key(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Http => "protocol-http",
        Protocol::Mcp => "protocol-mcp",
        Protocol::Plugin => "protocol-plugin",
        Protocol::WebSocket => "protocol-ws",
        Protocol::Connection => "protocol-connection",
    }
}

pub(super) fn effect_key(effect: Effect) -> &'static str {
    match effect {
        Effect::Reads => "endpoint-effect-reads",
        Effect::Writes => "endpoint-effect-writes",
    }
}

pub(super) fn effect_icon(effect: Effect) -> Icon {
    match effect {
        Effect::Reads => Icon::Read,
        Effect::Writes => Icon::Write,
    }
}

/// The method, and where there is none the protocol.
pub(super) fn kind(row: &EndpointRow, look: Look<'_>) -> String {
    match row.method {
        Some(method) => method.as_str().to_owned(),
        None => look.text(protocol_key(row.protocol)),
    }
}

/// Why an endpoint is closed, as a part of a sentence.
pub(super) fn closed_why(closed: Closed, look: Look<'_>) -> String {
    look.text(match closed {
        Closed::Agent => "closed-agent",
        Closed::Archive => "closed-archive",
        Closed::Cloud => "closed-cloud",
        Closed::Code => "closed-code",
        Closed::Control => "closed-control",
        Closed::Credentials => "closed-credentials",
        Closed::Desktop => "closed-desktop",
        Closed::Fetch => "closed-fetch",
        Closed::Messages => "closed-messages",
        Closed::Method => "closed-method",
        Closed::Publish => "closed-publish",
        Closed::Proxy => "closed-proxy",
        Closed::Secrets => "closed-secrets",
        Closed::Templates => "closed-templates",
        Closed::Transactions => "closed-transactions",
        Closed::UploadAlias => "closed-upload-alias",
        Closed::WebDav => "closed-web-dav",
        Closed::Wholesale => "closed-wholesale",
        Closed::WrapperMcp => "closed-wrapper-mcp",
        Closed::WrapperPlugin => "closed-wrapper-plugin",
        Closed::WrapperWs => "closed-wrapper-ws",
    })
}
