//! Internal addresses in many spellings, and a server that counts requests to one: shared by the SSRF attacks.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};

/// Spellings of loopback.
pub const LOOPBACK: [&str; 27] = [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "127.1",
    "127.0.1",
    "127.000.000.001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7F000001",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "127。0。0。1",
    "１２７.０.０.１",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "0.0.0.0",
    "0",
    "[::]",
];

/// Other internal addresses that must not be reached.
pub const INSIDE: [&str; 34] = [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[::127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[fd00:ec2::254]",
    "[fd00::1]",
    "[fc00::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "metadata.google.internal.localhost",
    "user@127.0.0.1",
];

/// A server that counts requests, and redirects them if a target is given.
pub struct Door {
    pub port: u16,
    came: Arc<AtomicUsize>,
    serving: JoinHandle<()>,
}

impl Door {
    /// Starts one at an address, with a redirect if given.
    pub async fn open(address: &str, onward: Option<String>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let (port, came) = (listener.local_addr()?.port(), Arc::new(AtomicUsize::new(0)));
        let counted = came.clone();
        let serving = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let mut request = [0; 4_096];
                let _ = stream.read(&mut request).await;
                let answer = match &onward {
                    Some(target) => {
                        format!("HTTP/1.1 302 Found\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n")
                    }
                    None => "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n".to_owned(),
                };
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Ok(Self { port, came, serving })
    }

    /// The number of requests so far.
    pub fn came(&self) -> usize {
        self.came.load(Ordering::SeqCst)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
