//! `notegate siyuan …` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::core::{KernelId, Permission};
use crate::siyuan::contract::{DEFAULT_LIMIT, RoleFilter};
use crate::siyuan::endpoint::Method;

#[derive(Debug, Subcommand)]
pub enum Siyuan {
    /// Switch SiYuan on
    Enable,
    /// Switch SiYuan off; calls that run are ended
    Disable,
    /// Add, list and change the kernels that can be reached
    #[command(subcommand)]
    Kernel(KernelVerb),
    /// Say what answers at a kernel, or exactly what is wrong; binds it if it is not bound
    Check {
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: KernelId,
    },
    /// Give a kernel its token, read from standard input
    Token(Token),
    /// Show what may be asked of a kernel, or set it for one endpoint
    Permission(PermissionOf),
    /// Ask a kernel's MCP server which tools it has; finding one permits nothing
    Discover {
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: KernelId,
    },
    /// Name endpoints that no contract names; naming one permits nothing
    #[command(subcommand)]
    Endpoint(Declaring),
    /// Say which kernel a session works on, as `notegate status` names it
    Choose {
        session: String,
        /// Left out: the default kernel
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: Option<KernelId>,
    },
    /// The contract: what a kernel's API offers, known without asking one
    #[command(subcommand)]
    Contract(Contract),
}

#[derive(Debug, Subcommand)]
pub enum KernelVerb {
    /// Add a kernel
    Add {
        /// What calls name it by; otherwise local, remote, local-2, …
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: Option<KernelId>,
        /// What you call it
        #[arg(long)]
        name: Option<String>,
        /// auto (on this computer, at the port that it registered), or an http(s) address
        #[arg(long, default_value = "auto")]
        address: String,
        #[command(flatten)]
        more: More,
    },
    /// List the kernels
    List,
    /// Change a kernel; another address, port file or process drops its permissions
    Edit {
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: KernelId,
        /// What you call it
        #[arg(long)]
        name: Option<String>,
        /// auto (on this computer, at the port that it registered), or an http(s) address
        #[arg(long)]
        address: Option<String>,
        #[command(flatten)]
        more: More,
        /// Look the kernel up in SiYuan's own port file again
        #[arg(long, conflicts_with = "port_file")]
        no_port_file: bool,
        /// Name no process
        #[arg(long, conflicts_with = "pid")]
        no_pid: bool,
        /// Take what answers at the next check for the kernel; drops its permissions
        #[arg(long)]
        rebind: bool,
    },
    /// Go on with a SiYuan that was restarted: its new process, if it serves the same workspace
    Resume {
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: KernelId,
        /// The process of the kernel, where several run
        #[arg(long)]
        pid: Option<u32>,
    },
    /// Remove a kernel and its token
    Remove {
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: KernelId,
        /// Leave the token in the keyring, if that cannot be reached any more
        #[arg(long)]
        keep_token: bool,
    },
    /// Set where calls go that name no kernel
    Default {
        #[arg(value_name = "ID", value_parser = kernel_id, required_unless_present = "none")]
        id: Option<KernelId>,
        /// Nowhere: such calls are refused
        #[arg(long, conflicts_with = "id")]
        none: bool,
    },
    /// Let a disabled kernel be used again
    Enable {
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: KernelId,
    },
    /// Send nothing to a kernel any more; calls that run are ended
    Disable {
        #[arg(value_name = "ID", value_parser = kernel_id)]
        id: KernelId,
    },
}

#[derive(Debug, Args)]
pub struct More {
    /// How long an answer may take; 15 if not set
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u32>,
    /// The file in which kernels register their ports, in place of SiYuan's own
    #[arg(long, value_name = "FILE")]
    pub port_file: Option<PathBuf>,
    /// The process of the kernel, where several run
    #[arg(long)]
    pub pid: Option<u32>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "SiYuan shows the token under Settings, About. It is kept in the system's keyring alone, and is read from \
                  standard input; never from an argument, which others could see."
)]
pub struct Token {
    #[arg(value_name = "KERNEL", value_parser = kernel_id)]
    pub kernel: KernelId,
    /// Remove the token from the keyring
    #[arg(long)]
    pub clear: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "ask              you are asked each time; with full access it is refused (the default)
ask-full-access  you are asked each time; with full access it is granted
deny             refused
allow            granted

Without KEY, or with list as KEY: shows what is set."
)]
pub struct PermissionOf {
    #[arg(value_name = "KERNEL", value_parser = kernel_id)]
    pub kernel: KernelId,
    /// An endpoint, as 'http POST /api/block/updateBlock'
    pub key: Option<String>,
    /// ask, ask-full-access, deny or allow
    pub permission: Option<Permission>,
}

#[derive(Debug, Subcommand)]
pub enum Declaring {
    /// Add an endpoint of your own to a kernel's list
    Declare {
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: KernelId,
        /// As 'plugin my-plugin example.echo'
        key: String,
        /// What it is for
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Take one away again, with the permission that it had
    Forget {
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: KernelId,
        key: String,
    },
    /// List what was declared and what was discovered
    List {
        #[arg(value_name = "KERNEL", value_parser = kernel_id)]
        kernel: KernelId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Contract {
    /// Find endpoints
    Search(ContractSearch),
    /// Show the endpoints of a path, with the schemas of body and answer
    Show {
        /// As /api/block/updateBlock
        path: String,
    },
    /// Print the whole contract in use
    Export,
    /// Show what a kernel's own contract changes and, with --yes, put it in the place of the one in use
    Import {
        /// kernel/apicontract/schema.json of SiYuan's sources
        file: PathBuf,
        /// The kernel's version, as 3.8.6
        #[arg(value_name = "VERSION")]
        kernel: String,
        /// Replace the contract in use
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub struct ContractSearch {
    /// Each must stand in path, note or fields
    pub words: Vec<String>,
    /// How the path begins
    #[arg(long, value_name = "PREFIX")]
    pub path: Option<String>,
    /// GET, POST …
    #[arg(long)]
    pub method: Option<Method>,
    /// reads, writes, public or admin
    #[arg(long)]
    pub role: Option<RoleFilter>,
    /// With the schemas of body and answer
    #[arg(long)]
    pub schema: bool,
    /// Skip this many
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    pub offset: usize,
    /// Show at most this many, up to 100
    #[arg(long, default_value_t = DEFAULT_LIMIT, value_name = "COUNT")]
    pub limit: usize,
}

fn kernel_id(typed: &str) -> Result<KernelId, String> {
    KernelId::new(typed).map_err(|error| error.problem)
}
