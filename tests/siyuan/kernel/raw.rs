//! What stands at a kernel's address and breaks rules that a web server keeps: it resets, it speaks
//! something else, it stops in the middle of a head.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What happens to each connection.
#[derive(Debug, Clone)]
pub enum Script {
    /// Closed before a byte was read: a reset.
    ResetAtOnce,
    /// The head of the request is read, then the connection is reset.
    ResetAfterHead,
    /// The head is read, these bytes are sent, and the connection closes.
    Say(&'static [u8]),
    /// The head is read, these bytes are sent, and then a reset.
    SayAndReset(&'static [u8]),
    /// The head is read, these bytes are sent, and then nothing more.
    SayAndHang(&'static [u8]),
    /// Nothing is ever read or said: as a port that takes connections and hangs.
    Hang,
}

/// A listener that follows its script. Dropping it closes it.
pub struct Raw {
    address: SocketAddr,
    accepted: Arc<AtomicUsize>,
    server: JoinHandle<()>,
}

impl Raw {
    pub async fn start(script: Script) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (address, accepted) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let count = accepted.clone();
        let server = tokio::spawn(async move {
            let mut hanging = Vec::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                // A connection that breaks off is the point here, not a failure.
                if let Ok(Some(stream)) = follow(&script, stream).await {
                    hanging.push(stream);
                }
            }
        });
        Self { address, accepted, server }
    }

    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections came, each a try of the client's.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn follow(script: &Script, mut stream: TcpStream) -> std::io::Result<Option<TcpStream>> {
    match script {
        Script::Hang => return Ok(Some(stream)),
        Script::ResetAtOnce => stream.set_zero_linger()?,
        Script::ResetAfterHead => {
            read_head(&mut stream).await?;
            stream.set_zero_linger()?;
        }
        Script::Say(bytes) => {
            read_head(&mut stream).await?;
            stream.write_all(bytes).await?;
            stream.shutdown().await?;
            // Until the client has closed as well: a socket closed over unread bytes is reset.
            while stream.read(&mut [0; 1024]).await? > 0 {}
        }
        Script::SayAndHang(bytes) => {
            read_head(&mut stream).await?;
            stream.write_all(bytes).await?;
            return Ok(Some(stream));
        }
        Script::SayAndReset(bytes) => {
            read_head(&mut stream).await?;
            stream.write_all(bytes).await?;
            stream.set_zero_linger()?;
        }
    }
    Ok(None)
}

async fn read_head(stream: &mut TcpStream) -> std::io::Result<()> {
    let (mut head, mut piece) = (Vec::new(), [0; 1024]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut piece).await? {
            0 => break,
            read => head.extend_from_slice(&piece[..read]),
        }
    }
    Ok(())
}
