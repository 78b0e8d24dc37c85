//! A kernel in a process of its own, for what is told from the process that holds a port.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use super::Kernel;

/// A kernel in a process of its own. Dropping it kills it, so that its entry in the port file stays.
pub struct OtherProcess {
    child: Child,
    pub port: u16,
}

/// Says to the test's own program that it is to be a kernel.
const BE_A_KERNEL: &str = "NOTEGATE_TEST_KERNEL";

impl OtherProcess {
    pub fn start() -> Self {
        let module = module_path!().split_once("::").unwrap().1;
        let a_kernel = format!("{module}::a_kernel_of_its_own");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &a_kernel, "--nocapture"])
            .env(BE_A_KERNEL, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let port = lines.find_map(|line| line.split_once("port ")?.1.parse().ok()).expect("a port");
        // Its pipe stays open, or it would end of its writing.
        std::thread::spawn(move || lines.count());
        Self { child, port }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for OtherProcess {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// No test but the kernel of [`OtherProcess`]: serves until its standard input closes.
#[tokio::test]
async fn a_kernel_of_its_own() {
    if std::env::var_os(BE_A_KERNEL).is_none() {
        return;
    }
    let kernel = Kernel::start().await;
    let mut out = std::io::stdout();
    writeln!(out, "\nport {}", kernel.port()).and_then(|()| out.flush()).unwrap();
    let _ = tokio::task::spawn_blocking(|| std::io::stdin().lines().count()).await;
}
