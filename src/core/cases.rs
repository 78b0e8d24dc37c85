//! What failed with kernels and with the keyring, as commands say it: the case at hand is named by a word,
//! so that the window tells it in the person's language.

use std::time::Duration;

use super::CommandError;
use crate::secrets::CredentialError;
use crate::siyuan::kernels::KernelError;
use crate::siyuan::transport::{TlsFault, TransportError};

impl From<KernelError> for CommandError {
    fn from(error: KernelError) -> Self {
        let told = Self::new(error.code(), error.to_string());
        match error {
            KernelError::NoPortFile => told.about("no_user_folder", ""),
            KernelError::PortFile { path, reason } => {
                told.about("port_file", format!("{}: {reason}", path.to_string_lossy()))
            }
            KernelError::NotRunning(file) => told.about("none_registered", file.to_string_lossy()),
            KernelError::BoundGone { pid, .. } => told.about("process_gone", pid.to_string()),
            KernelError::PortOfAnother { port, .. } => told.about("port_not_its_own", port.to_string()),
            KernelError::NotAKernel(address) => told.about("answers_at", address),
            KernelError::Booting { progress } => told.about("boot_progress", progress.to_string()),
            KernelError::OtherWorkspace { found, .. } => told.about("workspace_found", found),
            KernelError::Throttled { retry_after: Some(wait) } => told.about("retry_after", seconds(wait)),
            KernelError::Tls(fault) => told.about(tls(fault), ""),
            KernelError::Timeout { after } => told.about("no_answer_within", seconds(after)),
            KernelError::Refused { code } => told.about("kernel_code", code.to_string()),
            KernelError::Unreachable(error) | KernelError::Answer(error) => on_the_way(told, &error),
            KernelError::Credential(error) => error.into(),
            _ => told,
        }
    }
}

fn on_the_way(told: CommandError, error: &TransportError) -> CommandError {
    match error.root() {
        TransportError::UnknownHost => told.about("host_unknown", ""),
        TransportError::Refused => told.about("nothing_listens", ""),
        TransportError::NotReachable(kind) => told.about("no_way_there", kind.to_string()),
        TransportError::ConnectTimeout { after } => told.about("no_connection_within", seconds(*after)),
        TransportError::Broken { .. } => told.about("connection_broken", ""),
        TransportError::Redirect { to, .. } => told.about("redirects_to", to.clone()),
        TransportError::Status { status } => told.about("http_status", status.to_string()),
        _ => told,
    }
}

fn tls(fault: TlsFault) -> &'static str {
    match fault {
        TlsFault::UnknownIssuer => "certificate_issuer",
        TlsFault::WrongName => "certificate_name",
        TlsFault::OutOfDate => "certificate_date",
        TlsFault::BadCertificate => "certificate_bad",
        TlsFault::NotTls => "not_tls",
        TlsFault::NoRoots => "no_root_certificates",
        TlsFault::NoAgreement => "tls_no_agreement",
    }
}

fn seconds(time: Duration) -> String {
    time.as_secs_f32().to_string()
}

impl From<CredentialError> for CommandError {
    fn from(error: CredentialError) -> Self {
        let told = Self::new(error.code(), error.to_string());
        match error {
            CredentialError::Unavailable { reason }
            | CredentialError::Locked { reason }
            | CredentialError::Failed { reason } => told.about("keyring_says", reason),
            CredentialError::NoAnswer { after } => told.about("no_answer_within", seconds(after)),
            CredentialError::Ambiguous => told.about("keyring_several", ""),
            CredentialError::NotKept => told.about("keyring_not_kept", ""),
            CredentialError::Missing => told,
        }
    }
}
