//! The command line as it is typed. Each verb turns its part into what is meant, once.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::lifetime::Lifetime;
use super::siyuan::Siyuan;
use crate::core::{KeyPlace, Outcome};
use crate::settings::{ApprovalPolicy, Capability, RuntimeId, RuntimeKind, VaultEngine, WorkMode};

/// One window and one local MCP endpoint between your notes and the chat programs that work on them
///
/// Without a command: opens the window and serves the endpoint. If Notegate runs already, its window comes to
/// the front.
#[derive(Debug, Parser)]
#[command(name = "notegate", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Typed {
    /// Print one JSON value instead of text, errors included
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub verb: Option<Verb>,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 Notegate does not run but must, 4 the tool answered an error.
NOTEGATE_HOME puts every file of Notegate into one folder of your choice; NOTEGATE_LOG sets what is logged.";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Serve the endpoint without a window, until stopped
    Serve(Serve),
    /// Try it out: a sample vault and a runtime in a temporary folder
    Demo(Demo),
    /// Add, list and change the chat programs that may connect
    #[command(subcommand)]
    Runtime(Runtime),
    /// Write a chat program's configuration, so that it connects
    Connect(Connect),
    /// Set and test which vaults can be reached
    #[command(subcommand)]
    Obsidian(Obsidian),
    /// Add and check SiYuan kernels, and set what may be asked of them
    #[command(subcommand)]
    Siyuan(Siyuan),
    /// Show the saved port of the endpoint, or save another one
    Port(SavedPort),
    /// List the tools, or show the arguments of one
    Tools(Tools),
    /// Call a tool yourself
    Call(Call),
    /// Show what was called, and how it came out
    Activity(Activity),
    /// Show what you are being asked, and answer
    Approvals(Approvals),
    /// Issue or end a one-off grant for a program that you start yourself
    Grant(Grant),
    /// Bridge for clients that only speak MCP over stdio
    Stdio(Stdio),
    /// Say what is found, what is missing, and what to do
    Doctor,
    /// Show what runs
    Status,
    /// End the running Notegate, after its calls have cleaned up
    Stop,
}

#[derive(Debug, Args)]
pub struct Serve {
    /// Listen on this port of 127.0.0.1 for this run; 0 takes any free one
    #[arg(long)]
    pub port: Option<u16>,
}

#[derive(Debug, Args)]
pub struct Demo {
    /// Open no window
    #[arg(long)]
    pub headless: bool,
    /// Listen on this port of 127.0.0.1; 0 takes any free one
    #[arg(long)]
    pub port: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub enum Runtime {
    /// Add a runtime and show its key, this once
    Add {
        /// model, opencode, continue, claude-code, codex, cursor, vscode, claude-desktop or custom; also dsh (DeepSeek
        /// Harness) and remote-acp (an agent on another computer), which cannot be given obsidian
        kind: RuntimeKind,
        /// What you call it
        #[arg(long)]
        name: Option<String>,
        /// ask (reading only), execute or full
        #[arg(long, default_value = "execute", value_name = "MODE")]
        mode: WorkMode,
        /// What happens when a call needs an answer: prompt (you are asked) or never (it is refused)
        #[arg(long, default_value = "prompt", value_name = "POLICY", value_parser = approval)]
        approval: ApprovalPolicy,
        /// Give it this capability; repeatable
        #[arg(long, value_name = "CAPABILITY")]
        assign: Vec<Capability>,
    },
    /// List the runtimes
    List,
    /// Remove a runtime; its key is dead at once
    Remove {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
    },
    /// Replace a runtime's key and show the new one, this once
    Rotate {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
    },
    /// Give a runtime another name; its id stays
    Rename {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
        /// What you call it
        name: String,
    },
    /// Set how freely a runtime may work
    Mode {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
        /// ask (reading only), execute or full
        mode: WorkMode,
    },
    /// Set what happens when a call of a runtime needs an answer
    Approval {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
        /// prompt (you are asked) or never (it is refused)
        #[arg(value_parser = approval)]
        policy: ApprovalPolicy,
    },
    /// Give a capability to a runtime, or take it away
    Assign {
        #[arg(value_name = "ID", value_parser = runtime_id)]
        id: RuntimeId,
        capability: Capability,
        /// Take it away
        #[arg(long)]
        off: bool,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "The file is edited in one place, a backup lies beside it, and the change is shown. A runtime that is there \
                  already gets a new key, unless the key is in the keyring; the old one is dead then."
)]
pub struct Connect {
    /// opencode, continue, claude-code, codex, cursor, vscode or claude-desktop
    pub program: RuntimeKind,
    /// The runtime that the program is; without it the one of this kind, which is added where there is none
    #[arg(long, value_name = "ID", value_parser = runtime_id)]
    pub runtime: Option<RuntimeId>,
    /// Give a new runtime this capability; repeatable
    #[arg(long, value_name = "CAPABILITY", conflicts_with = "runtime")]
    pub assign: Vec<Capability>,
    /// Where its key stays: file (the configuration, which must be yours alone), keyring (the program starts `notegate
    /// stdio`, which takes it from there) or environment (the variable NOTEGATE_KEY, which you set)
    #[arg(long, default_value = "file", value_name = "PLACE")]
    pub key: KeyPlace,
    /// Show the change and make none
    #[arg(long)]
    pub dry_run: bool,
    /// Take back what was written for this program
    #[arg(long, conflicts_with_all = ["runtime", "assign", "key", "dry_run"])]
    pub undo: bool,
}

#[derive(Debug, Subcommand)]
pub enum Obsidian {
    /// Show the saved scope, or save another one
    Scope(Folder),
    /// Switch Obsidian on
    Enable,
    /// Switch Obsidian off; calls that run are ended
    Disable,
    /// Try the connection, of the saved scope or of another one; saves nothing
    Test(Folder),
    /// List the vaults of the saved scope
    Vaults,
    /// Show what carries out the vault tools, or choose it; choosing ends calls that run
    Engine {
        /// native (built in, needs nothing installed) or upstream (MCPVault under Node)
        engine: Option<VaultEngine>,
    },
}

#[derive(Debug, Args)]
pub struct Folder {
    /// One folder
    #[arg(conflicts_with = "all")]
    pub path: Option<PathBuf>,
    /// Every vault that Obsidian knows on this computer
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct SavedPort {
    /// A port of 127.0.0.1, from 1 to 65535
    #[arg(value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
}

#[derive(Debug, Args)]
pub struct Tools {
    /// Show the arguments of this tool
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct Call {
    /// A name that `notegate tools` lists
    pub tool: String,
    /// The arguments as a JSON object; - reads them from standard input
    #[arg(default_value = "{}", value_name = "JSON")]
    pub arguments: String,
    /// ask (reading only), execute or full
    #[arg(long, default_value = "execute", value_name = "MODE")]
    pub mode: WorkMode,
}

#[derive(Debug, Args)]
pub struct Activity {
    /// Go on showing calls as they end, until stopped; needs a running Notegate
    #[arg(long, conflicts_with_all = ["before", "limit"])]
    pub follow: bool,
    /// Only calls of this runtime
    #[arg(long, value_name = "ID", value_parser = runtime_id)]
    pub runtime: Option<RuntimeId>,
    /// Only calls of this session
    #[arg(long)]
    pub session: Option<String>,
    /// Only calls to this kernel
    #[arg(long)]
    pub kernel: Option<String>,
    /// Only calls of this tool
    #[arg(long)]
    pub tool: Option<String>,
    /// running, succeeded, failed, refused, cancelled, sent or uncertain
    #[arg(long)]
    pub outcome: Option<Outcome>,
    /// Only calls with this text in a name, an id or the path of a note
    #[arg(long)]
    pub text: Option<String>,
    /// How many to show, 500 at most
    #[arg(long, default_value_t = 50, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=500))]
    pub limit: u16,
    /// Only calls before this one, by its number: where a page ended
    #[arg(long, value_name = "NUMBER")]
    pub before: Option<u64>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Approvals {
    /// Go on showing questions and asking for your answers, until stopped
    #[arg(long)]
    pub watch: bool,
    #[command(subcommand)]
    pub answer: Option<Answer>,
}

#[derive(Debug, Subcommand)]
pub enum Answer {
    /// Approve a question: its call goes on, once
    Allow {
        /// The number that is shown with it
        question: u64,
    },
    /// Refuse a question: nothing is sent
    Refuse {
        /// The number that is shown with it
        question: u64,
    },
    /// Let a session ask again whose questions are held back
    Lift {
        #[arg(value_name = "RUNTIME", value_parser = runtime_id)]
        runtime: RuntimeId,
        /// The session; without it those calls of the runtime that belong to none
        #[arg(long)]
        session: Option<String>,
    },
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Grant {
    /// The runtime that the grant is for
    #[arg(value_name = "RUNTIME", value_parser = runtime_id, required = true)]
    pub runtime: Option<RuntimeId>,
    /// ask (reading only), execute or full
    #[arg(long, default_value = "ask", value_name = "MODE")]
    pub mode: WorkMode,
    /// Only this capability; repeatable. Otherwise all that the runtime has
    #[arg(long, value_name = "CAPABILITY")]
    pub capability: Vec<Capability>,
    /// How long it lives: 90s, 10m, 8h, 2d
    #[arg(long, default_value = "1h")]
    pub ttl: Lifetime,
    #[command(subcommand)]
    pub end: Option<EndGrant>,
}

#[derive(Debug, Subcommand)]
pub enum EndGrant {
    /// End a one-off grant; its token is dead at once
    End {
        /// The number that was shown with it
        number: u64,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "The runtime key is read from NOTEGATE_KEY, from a file, or from the system's keyring; never from an argument, \
                  which others could see."
)]
pub struct Stdio {
    /// The file that holds the runtime key
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// The runtime whose key `notegate connect` has put into the keyring
    #[arg(long, value_name = "ID", value_parser = runtime_id, conflicts_with = "key_file")]
    pub runtime: Option<RuntimeId>,
    /// The address of the endpoint, in place of that of the running Notegate
    #[arg(long)]
    pub url: Option<String>,
}

fn runtime_id(typed: &str) -> Result<RuntimeId, String> {
    RuntimeId::new(typed).map_err(|error| error.problem)
}

fn approval(typed: &str) -> Result<ApprovalPolicy, String> {
    match typed {
        "prompt" => Ok(ApprovalPolicy::Prompt),
        "never" => Ok(ApprovalPolicy::Never),
        _ => Err(format!("{typed:?} is not an approval policy; the policies are prompt, never")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <Typed as clap::CommandFactory>::command().debug_assert();
    }
}
