//! Between a process and its PostgreSQL: passes everything on, and cuts a connection at the moment a test asks for.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use url::Url;

/// What is lost when a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// What was said: the server never hears of it.
    Request,
    /// The answer: the server has done it.
    Answer,
}

/// A cut that waits: for the request that holds this text, after so many others that did.
struct Cut {
    text: &'static str,
    others: usize,
    lost: Lost,
}

/// A running relay. It stops when dropped.
pub struct Relay {
    address: SocketAddr,
    cut: Arc<Mutex<Option<Cut>>>,
    accepting: JoinHandle<()>,
}

impl Relay {
    /// Starts one before the server of this address.
    pub async fn start(server: &str) -> anyhow::Result<Self> {
        let server: Url = server.parse()?;
        let host = server.host_str().context("the address names no host")?.to_owned();
        let port = server.port().unwrap_or(5432);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let cut = Arc::new(Mutex::new(None));
        let shared = cut.clone();
        let accepting = tokio::spawn(async move {
            // Dropped with this task, and with it every open connection.
            let mut open = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect((host.as_str(), port)).await else { continue };
                let cut = shared.clone();
                open.spawn(async move { pass(client, server, &cut).await });
                while open.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, cut, accepting })
    }

    /// The same address through the relay.
    pub fn before(&self, server: &str) -> anyhow::Result<String> {
        let mut url: Url = server.parse()?;
        url.set_host(Some("127.0.0.1"))?;
        url.set_port(Some(self.address.port())).ok().context("the address takes no port")?;
        Ok(url.into())
    }

    /// Cuts the connection on which this text is said, after it was said `others` times by anybody.
    pub fn cut(&self, text: &'static str, others: usize, lost: Lost) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = Some(Cut { text, others, lost });
    }

    /// Whether the cut that was asked for was made.
    pub fn has_cut(&self) -> bool {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Passes on what both say until one goes away, or the connection is cut: by returning.
async fn pass(mut client: TcpStream, mut server: TcpStream, cut: &Mutex<Option<Cut>>) -> std::io::Result<()> {
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            length = client.read(&mut said) => {
                let said = said.get(..length?).unwrap_or_default();
                if said.is_empty() {
                    return Ok(());
                }
                let lost = take(cut, said);
                if lost == Some(Lost::Request) {
                    return Ok(());
                }
                server.write_all(said).await?;
                if lost == Some(Lost::Answer) {
                    // Whatever it says, it has done it by then.
                    return server.read(&mut answered).await.map(drop);
                }
            }
            length = server.read(&mut answered) => {
                let answered = answered.get(..length?).unwrap_or_default();
                if answered.is_empty() {
                    return Ok(());
                }
                client.write_all(answered).await?;
            }
        }
    }
}

/// What is to be lost of this, if it is what the cut waits for.
fn take(cut: &Mutex<Option<Cut>>, said: &[u8]) -> Option<Lost> {
    let mut cut = cut.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = cut.as_mut()?;
    if !said.windows(waiting.text.len()).any(|at| at == waiting.text.as_bytes()) {
        return None;
    }
    if waiting.others > 0 {
        waiting.others -= 1;
        return None;
    }
    cut.take().map(|cut| cut.lost)
}
