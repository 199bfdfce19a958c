//! A mail server: speaks SMTP, and stores what it receives.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
};

/// A received e-mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mailed {
    /// The sender of the envelope.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    /// Headers and text, without the dot-stuffing of the protocol.
    pub data: String,
}

#[derive(Default)]
struct Kept {
    mails: Mutex<Vec<Mailed>>,
    came: Notify,
}

/// A running mail server.
pub struct FakeSmtp {
    url: String,
    kept: Arc<Kept>,
    serving: JoinHandle<()>,
}

impl FakeSmtp {
    /// Starts the server on any free port, without encryption.
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("smtp://{}", listener.local_addr()?);
        let kept = Arc::new(Kept::default());
        let keeping = kept.clone();
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = keeping.clone();
                tokio::spawn(async move { drop(speak(stream, &kept).await) });
            }
        });
        Ok(Self { url, kept, serving })
    }

    /// The address of the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The received e-mails, oldest first.
    pub fn mails(&self) -> Vec<Mailed> {
        self.kept.mails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until this many have arrived.
    pub async fn until(&self, count: usize) -> Vec<Mailed> {
        loop {
            let coming = self.kept.came.notified();
            let mails = self.mails();
            if mails.len() >= count {
                return mails;
            }
            coming.await;
        }
    }
}

impl Drop for FakeSmtp {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn speak(stream: TcpStream, kept: &Kept) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut mail = Mailed::default();
    stream.write_all(b"220 mail.test ESMTP\r\n").await?;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let answer: &[u8] = match verb.as_str() {
            "EHLO" => b"250-mail.test\r\n250 8BITMIME\r\n",
            "HELO" | "RSET" | "NOOP" => b"250 ok\r\n",
            "MAIL" => {
                mail.from = address(line);
                b"250 ok\r\n"
            }
            "RCPT" => {
                mail.to.push(address(line));
                b"250 ok\r\n"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                mail.data = read_data(&mut stream).await?;
                kept.mails.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(&mut mail));
                kept.came.notify_waiters();
                b"250 kept\r\n"
            }
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => b"500 what?\r\n",
        };
        stream.write_all(answer).await?;
    }
}

async fn read_data(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut data = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 || line == ".\r\n" {
            return Ok(data);
        }
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}

/// The text between angle brackets.
fn address(line: &str) -> String {
    let inner = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map(|(address, _)| address.to_owned()).unwrap_or_default()
}
