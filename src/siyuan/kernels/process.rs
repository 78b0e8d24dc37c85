//! Whether a process lives, and whether a port of this computer is its own.
//!
//! How far this goes. On Linux the kernel's tables say which process listens where, and a token is
//! given to a port only after they named the bound process; what lies between that look and the
//! connection is some milliseconds in which the process would have to end and another one of the same
//! user take its port. Elsewhere no such table can be read without unsafe code or another program: there
//! the port file's word is taken, once the port answers as a kernel, and a check says so.

/// What is known of a port and a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PortOwner {
    /// Whatever listens at the port belongs to the process.
    Process,
    /// Nothing listens there, or not the process alone.
    NotProcess,
    /// This system does not tell.
    Unknown,
}

/// Who listens at a port of a loopback address. Blocks on the disk.
#[cfg(target_os = "linux")]
pub(super) fn port_owner(pid: u32, port: u16) -> PortOwner {
    let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(std::fs::read_to_string);
    let listening: Vec<u64> =
        tables.into_iter().flatten().flat_map(|table| listening(&table, port)).collect();
    if listening.is_empty() {
        return PortOwner::NotProcess;
    }
    let sockets = sockets(pid);
    if listening.iter().all(|inode| sockets.contains(inode)) {
        PortOwner::Process
    } else {
        PortOwner::NotProcess
    }
}

/// Elsewhere only whether the process lives.
#[cfg(not(target_os = "linux"))]
pub(super) fn port_owner(pid: u32, _port: u16) -> PortOwner {
    if is_alive(pid) { PortOwner::Unknown } else { PortOwner::NotProcess }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_alive(pid: u32) -> bool {
    let Ok(pid) = i32::try_from(pid) else { return false };
    !matches!(nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None), Err(nix::errno::Errno::ESRCH))
}

#[cfg(windows)]
fn is_alive(_pid: u32) -> bool {
    true // not to be learnt without unsafe code; the port is asked all the same
}

/// The inodes of the sockets in a table of `/proc/net` that would take a connection to the port of a
/// loopback address.
#[cfg(target_os = "linux")]
fn listening(table: &str, port: u16) -> Vec<u64> {
    const LISTEN: &str = "0A";
    let inode = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, found) = fields.get(1)?.split_once(':')?;
        let fits = *fields.get(3)? == LISTEN
            && u16::from_str_radix(found, 16).ok()? == port
            && takes_loopback(&hex::decode(address).ok()?);
        if fits { fields.get(9)?.parse().ok() } else { None }
    };
    table.lines().skip(1).filter_map(inode).collect()
}

/// Addresses stand there in words of four bytes, each in the computer's own order.
#[cfg(target_os = "linux")]
fn takes_loopback(written: &[u8]) -> bool {
    let word =
        |word: &[u8]| <[u8; 4]>::try_from(word).map(|word| u32::from_be_bytes(word).to_ne_bytes()).ok();
    let bytes: Option<Vec<[u8; 4]>> = written.chunks(4).map(word).collect();
    let address: std::net::IpAddr = match bytes.as_deref() {
        Some(&[v4]) => std::net::Ipv4Addr::from(v4).into(),
        Some(&[a, b, c, d]) => match <[u8; 16]>::try_from([a, b, c, d].concat()) {
            Ok(v6) => std::net::Ipv6Addr::from(v6).to_canonical(),
            Err(_) => return false,
        },
        _ => return false,
    };
    address.is_loopback() || address.is_unspecified()
}

/// The inodes of a process's sockets; none where they cannot be looked at.
#[cfg(target_os = "linux")]
fn sockets(pid: u32) -> std::collections::BTreeSet<u64> {
    let Ok(files) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return Default::default() };
    let inode = |file: std::io::Result<std::fs::DirEntry>| {
        let target = std::fs::read_link(file.ok()?.path()).ok()?;
        target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    files.filter_map(inode).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_belongs_to_the_process_that_listens_there_and_to_no_other() {
        let own = std::process::id();
        for address in ["127.0.0.1:0", "0.0.0.0:0", "[::1]:0", "[::]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue }; // a system without IPv6
            let port = listener.local_addr().unwrap().port();
            assert_eq!(port_owner(own, port), PortOwner::Process, "{address}");
            assert_eq!(port_owner(1, port), PortOwner::NotProcess, "{address}");
            drop(listener);
            assert_eq!(port_owner(own, port), PortOwner::NotProcess, "{address}, closed");
        }
    }

    #[test]
    fn a_port_that_two_processes_listen_at_belongs_to_neither() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1A96 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 x 100 0 0 10 0\n\
            1: 00000000:1A96 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 22 1 x 100 0 0 10 0\n\
            2: 0100007F:1A96 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 33 1 x 100 0 0 10 0\n\
            3: 0202A8C0:1A96 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 44 1 x 100 0 0 10 0\n\
            4: 0100007F:1A97 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 55 1 x 100 0 0 10 0\n";
        if cfg!(target_endian = "little") {
            assert_eq!(listening(table, 0x1A96), [11, 22]);
        }
    }
}
