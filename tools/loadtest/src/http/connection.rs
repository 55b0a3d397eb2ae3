use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::response::{Head, Length, Response};
use super::target::Target;

/// A connection for many calls, one after another. A lost connection is opened again.
#[derive(Debug)]
pub struct Connection {
    target: Arc<Target>,
    number: usize,
    time_limit: Duration,
    stream: Option<TcpStream>,
    unread: Vec<u8>,
}

impl Connection {
    /// The connection with this number. The first call opens it, or [`Self::open`].
    pub fn new(target: Arc<Target>, number: usize) -> Self {
        Self { target, number, time_limit: Duration::from_secs(30), stream: None, unread: Vec::new() }
    }

    /// Sets the time limit of a response, instead of 30 seconds.
    #[must_use]
    pub fn with_timeout(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// The server.
    pub fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// Opens the connection if it is not open.
    ///
    /// # Errors
    /// Fails when the server does not accept the connection.
    pub async fn open(&mut self) -> io::Result<()> {
        if self.stream.is_none() {
            self.unread.clear();
            self.stream = Some(self.target.connect(self.number).await?);
        }
        Ok(())
    }

    /// Sends a request, and reads the response.
    ///
    /// # Errors
    /// Fails without a response. The request may have arrived.
    pub async fn call(&mut self, request: &[u8]) -> io::Result<Response> {
        self.notice_its_end();
        let time_limit = self.time_limit;
        let outcome = timeout(time_limit, self.exchange(request)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        if !matches!(outcome, Ok((_, false))) {
            self.stream = None;
        }
        outcome.map(|(response, _)| response)
    }

    /// A server closes idle connections. A client that notices it before it sends has lost nothing.
    fn notice_its_end(&mut self) {
        let has_ended = self.stream.as_ref().is_some_and(|stream| {
            let mut byte = [0];
            !matches!(stream.try_read(&mut byte), Err(error) if error.kind() == io::ErrorKind::WouldBlock)
        });
        if has_ended {
            self.stream = None;
        }
    }

    /// The response, and whether the connection has to be closed.
    async fn exchange(&mut self, request: &[u8]) -> io::Result<(Response, bool)> {
        self.open().await?;
        let stream = self.stream.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        stream.write_all(request).await?;
        let (head, end) = loop {
            if let Some(parsed) = Head::parse(&self.unread)? {
                break parsed;
            }
            read_more(stream, &mut self.unread).await?;
        };
        self.unread.drain(..end);
        let (status, retry_after, closes) = (head.status, head.retry_after, head.closes);
        let body = read_body(stream, &mut self.unread, head.length).await?;
        Ok((Response { status, retry_after, body }, closes))
    }
}

async fn read_body(stream: &mut TcpStream, unread: &mut Vec<u8>, length: Length) -> io::Result<Vec<u8>> {
    match length {
        Length::Bytes(length) => {
            while unread.len() < length {
                read_more(stream, unread).await?;
            }
            let rest = unread.split_off(length);
            Ok(std::mem::replace(unread, rest))
        }
        Length::Chunked(mut chunks) => {
            let mut body = Vec::new();
            loop {
                let taken = chunks.decode(unread, &mut body)?;
                unread.drain(..taken);
                if chunks.is_over() {
                    return Ok(body);
                }
                read_more(stream, unread).await?;
            }
        }
        Length::UntilTheEnd => {
            stream.read_to_end(unread).await?;
            Ok(std::mem::take(unread))
        }
    }
}

async fn read_more(stream: &mut TcpStream, unread: &mut Vec<u8>) -> io::Result<()> {
    unread.reserve(4096);
    match stream.read_buf(unread).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}
