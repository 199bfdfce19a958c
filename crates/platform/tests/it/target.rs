//! A server on loopback that answers with given bytes and records the requests.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

/// What to do with a request.
pub(crate) enum Answer {
    /// Write these bytes and close.
    Bytes(Vec<u8>),
    /// Close with a reset, without an answer.
    Reset,
    /// Keep the connection and never answer.
    Hang,
}

impl Answer {
    pub(crate) fn http(status: &str, headers: &str, body: &[u8]) -> Self {
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        Self::Bytes(bytes)
    }
}

/// The server; it stops when dropped.
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    connections: Arc<Mutex<usize>>,
    heads: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

impl Target {
    pub(crate) async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_on("127.0.0.1:0", answer).await
    }

    pub(crate) async fn start_on(
        address: &str,
        answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(Mutex::new(0));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let answer = Arc::new(answer);
        let mut tasks = JoinSet::new();
        let (seen, noted) = (connections.clone(), heads.clone());
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                *seen.lock().unwrap() += 1;
                let (noted, answer) = (noted.clone(), answer.clone());
                open.spawn(async move { serve(stream, &noted, &*answer).await });
            }
        });
        Self { address, connections, heads, _tasks: tasks }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, noted: &Mutex<Vec<String>>, answer: &(dyn Fn(&str) -> Answer + Sync)) {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    noted.lock().unwrap().push(head.clone());
    match answer(&head) {
        Answer::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Answer::Reset => {
            let _ = stream.set_zero_linger();
        }
        Answer::Hang => std::future::pending().await,
    }
}
