//! Takes secrets out of what is logged. Secrets are in types that do not print themselves; this is for those
//! that came in with what others said.

use std::io::{self, Write};
use std::sync::OnceLock;

use tracing_subscriber::fmt::MakeWriter;

use crate::secrets::filter::{Filters, mask_own_keys};

/// The filters of this process's core, once there is one. Logging begins before.
static FILTERS: OnceLock<Filters> = OnceLock::new();

/// From now on what these know is not logged. The first core counts; a process of ours has one.
pub fn keep_out(filters: &Filters) {
    let _ = FILTERS.set(filters.clone());
}

/// Makes writers that pass on clean lines.
#[derive(Debug, Clone)]
pub struct Clean<M>(pub M);

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Clean<M> {
    type Writer = CleanLine<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        CleanLine(self.0.make_writer())
    }
}

/// One line. It is written at once, so a secret never lies across two writes.
#[derive(Debug)]
pub struct CleanLine<W>(W);

impl<W: Write> Write for CleanLine<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let clean = FILTERS.get().map_or_else(|| mask_own_keys(&text), |filters| filters.written(&text));
        self.0.write_all(clean.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;
    use crate::secrets::{Purpose, Secret};

    #[test]
    fn nothing_that_is_secret_is_logged() {
        let (key, filters) = (Secret::generate(Purpose::RuntimeKey).unwrap(), Filters::default());
        let file = tempfile::tempfile().unwrap();
        let to_file = file.try_clone().unwrap();
        let writer = Clean(move || to_file.try_clone().unwrap());
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        tracing::warn!(said = key.reveal(), "before there is a core");
        filters.set("kernel", Secret::from_text("kernel token 1"));
        keep_out(&filters);
        tracing::warn!(said = hex::encode("kernel token 1"), "a \"kernel\\u0020token 1\" {}", key.reveal());
        let (mut file, mut logged) = (file, String::new());
        file.rewind().unwrap();
        file.read_to_string(&mut logged).unwrap();
        assert_eq!(logged.matches("[redacted]").count(), 4, "{logged}");
        assert!(!logged.contains(key.reveal()), "{logged}");
    }
}
