//! A TCP proxy between a process and PostgreSQL. It counts messages and transactions, and cuts a connection at the
//! moment a test asks for.

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

/// Which message is lost when a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The request: the server never receives it.
    Request,
    /// The response: the server has done the work.
    Answer,
}

/// A pending cut: at the request that contains this text, after this many others that did.
struct Cut {
    text: &'static str,
    others: usize,
    lost: Lost,
}

/// The counts of what passed through a relay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passed {
    /// Messages that PostgreSQL answers: simple queries and synchronisation points of the extended protocol. Each is a
    /// round trip.
    pub messages: u64,
    /// Transactions that ended otherwise than by a rollback: explicit ones, and statements on their own.
    pub commits: u64,
}

/// A running relay. It stops when dropped.
pub struct Relay {
    address: SocketAddr,
    cut: Arc<Mutex<Option<Cut>>>,
    passed: Arc<Mutex<Passed>>,
    accepting: JoinHandle<()>,
}

impl Relay {
    /// Starts one in front of the server at this address.
    pub async fn start(server: &str) -> anyhow::Result<Self> {
        let server: Url = server.parse()?;
        let host = server.host_str().context("the address of PostgreSQL has no host")?.to_owned();
        let port = server.port().unwrap_or(5432);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (cut, passed) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(Passed::default())));
        let shared = (cut.clone(), passed.clone());
        let accepting = tokio::spawn(async move {
            // Dropped with this task, and with it every open connection.
            let mut open = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect((host.as_str(), port)).await else { continue };
                let (cut, passed) = shared.clone();
                open.spawn(async move { pass(client, server, &cut, &passed).await });
                while open.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, cut, passed, accepting })
    }

    /// The same address through the relay.
    pub fn before(&self, server: &str) -> anyhow::Result<String> {
        let mut url: Url = server.parse()?;
        url.set_host(Some("127.0.0.1"))?;
        url.set_port(Some(self.address.port()))
            .ok()
            .context("the address of PostgreSQL cannot have a port")?;
        Ok(url.into())
    }

    /// Cuts the connection that sends this text, after it was sent `others` times on any connection.
    pub fn cut(&self, text: &'static str, others: usize, lost: Lost) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = Some(Cut { text, others, lost });
    }

    /// The counts since the start.
    pub fn passed(&self) -> Passed {
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the requested cut was made.
    pub fn has_cut(&self) -> bool {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Forwards both directions until one side closes. Returning cuts the connection.
async fn pass(
    mut client: TcpStream,
    mut server: TcpStream,
    cut: &Mutex<Option<Cut>>,
    passed: &Mutex<Passed>,
) -> std::io::Result<()> {
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let (mut requests, mut answers) = (Messages::of_client(), Messages::of_server());
    let mut completed = false;
    loop {
        tokio::select! {
            length = client.read(&mut said) => {
                let said = said.get(..length?).unwrap_or_default();
                if said.is_empty() {
                    return Ok(());
                }
                for (kind, _) in requests.read(said) {
                    passed.lock().unwrap_or_else(PoisonError::into_inner).messages += u64::from(matches!(kind, b'Q' | b'S'));
                }
                let lost = take(cut, said);
                if lost == Some(Lost::Request) {
                    return Ok(());
                }
                server.write_all(said).await?;
                if lost == Some(Lost::Answer) {
                    // Whatever the response is, the work is done by then.
                    return server.read(&mut answered).await.map(drop);
                }
            }
            length = server.read(&mut answered) => {
                let answered = answered.get(..length?).unwrap_or_default();
                if answered.is_empty() {
                    return Ok(());
                }
                for (kind, body) in answers.read(answered) {
                    match kind {
                        // Command complete, with its name; a rollback leaves nothing behind.
                        b'C' => completed = !body.starts_with(b"ROLLBACK"),
                        // Ready for the next query, and outside a transaction.
                        b'Z' if body.first() == Some(&b'I') => {
                            let ended = std::mem::take(&mut completed);
                            passed.lock().unwrap_or_else(PoisonError::into_inner).commits += u64::from(ended);
                        }
                        _ => {}
                    }
                }
                client.write_all(answered).await?;
            }
        }
    }
}

/// Which message is lost, if the pending cut is for this request.
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

/// The code of the message with which a client requests TLS.
const TLS_WANTED: u32 = 80_877_103;

/// The messages of one direction, reassembled from the received bytes.
struct Messages {
    buffer: Vec<u8>,
    /// Whether the next message is the first of a client, which has no kind. There are two of them if the client
    /// requests TLS.
    greeting: bool,
    /// Whether the next message is the first response. To a client that requests TLS it is a single byte, here always a
    /// refusal.
    refusal: bool,
}

impl Messages {
    const fn of_client() -> Self {
        Self { buffer: Vec::new(), greeting: true, refusal: false }
    }

    const fn of_server() -> Self {
        Self { buffer: Vec::new(), greeting: false, refusal: true }
    }

    /// The messages that are complete now: kind, and the first bytes of the body.
    fn read(&mut self, bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
        self.buffer.extend_from_slice(bytes);
        let (mut found, mut at) = (Vec::new(), 0);
        if std::mem::take(&mut self.refusal) && self.buffer.first() == Some(&b'N') {
            at = 1;
        }
        loop {
            let head = usize::from(!self.greeting);
            let rest = self.buffer.get(at..).unwrap_or_default();
            let Some(Ok(length)) = rest.get(head..head + 4).map(<[u8; 4]>::try_from) else { break };
            let end = head + u32::from_be_bytes(length) as usize;
            if rest.len() < end {
                break;
            }
            if !self.greeting {
                let body = rest.get(5..end.min(5 + 16)).unwrap_or_default();
                found.push((rest[0], body.to_vec()));
            }
            self.greeting = self.greeting && rest.get(4..8) == Some(&TLS_WANTED.to_be_bytes()[..]);
            at += end;
        }
        self.buffer.drain(..at);
        found
    }
}
