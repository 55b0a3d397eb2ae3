use std::io;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::chunks::Chunks;
use super::response::{Head, Length, Response};

/// The time limit of the response to a watcher.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A watched event stream. An idle one holds no buffer, so that many thousands of them fit into one process.
#[derive(Debug)]
pub struct EventStream {
    stream: TcpStream,
    /// `None` for a body without chunks.
    chunks: Option<Chunks>,
    /// The received part of an incomplete frame.
    pending: Vec<u8>,
    /// The bytes that arrived with the head.
    unseen: Vec<u8>,
    bytes: u64,
}

/// The response to the request of a watcher.
#[derive(Debug)]
pub enum Opened {
    /// The server sends events.
    Stream(EventStream),
    /// The server refuses, or asks to retry.
    Refused(Response),
}

impl EventStream {
    /// Requests events on a new connection.
    ///
    /// # Errors
    /// Fails without a response.
    pub async fn open(stream: TcpStream, request: &[u8]) -> io::Result<Opened> {
        timeout(TIMEOUT, ask(stream, request)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Waits for bytes, and passes each complete frame to `see`, without its empty line. Returns `false` at the end of
    /// the stream.
    ///
    /// # Errors
    /// Fails when the connection is lost.
    pub async fn read(&mut self, mut see: impl FnMut(&[u8])) -> io::Result<bool> {
        if !self.unseen.is_empty() {
            let unseen = std::mem::take(&mut self.unseen);
            self.take_in(&unseen, &mut see)?;
            return Ok(true);
        }
        self.stream.readable().await?;
        let mut buffer = [0_u8; 16 * 1024];
        let read = match self.stream.try_read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
            Err(error) => return Err(error),
        };
        self.take_in(&buffer[..read], &mut see)?;
        Ok(self.chunks.as_ref().is_none_or(|chunks| !chunks.is_over()))
    }

    /// The number of received bytes, with framing.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn take_in(&mut self, input: &[u8], see: &mut impl FnMut(&[u8])) -> io::Result<()> {
        self.bytes += input.len() as u64;
        match &mut self.chunks {
            Some(chunks) => {
                chunks.decode(input, &mut self.pending)?;
            }
            None => self.pending.extend_from_slice(input),
        }
        let mut seen = 0;
        while let Some(end) = end_of_frame(&self.pending[seen..]) {
            see(&self.pending[seen..seen + end]);
            seen += end + 2;
        }
        if seen == self.pending.len() {
            self.pending = Vec::new();
        } else {
            self.pending.drain(..seen);
        }
        Ok(())
    }
}

fn end_of_frame(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|pair| pair == b"\n\n")
}

async fn ask(mut stream: TcpStream, request: &[u8]) -> io::Result<Opened> {
    stream.write_all(request).await?;
    let mut unread = Vec::new();
    let (head, end) = loop {
        read_some(&stream, &mut unread).await?;
        if let Some(parsed) = Head::parse(&unread)? {
            break parsed;
        }
    };
    let rest = unread.split_off(end);
    if head.status != 200 {
        return Ok(Opened::Refused(Response { status: head.status, retry_after: head.retry_after, body: rest }));
    }
    let chunks = if let Length::Chunked(chunks) = head.length { Some(chunks) } else { None };
    Ok(Opened::Stream(EventStream { stream, chunks, pending: Vec::new(), unseen: rest, bytes: end as u64 }))
}

async fn read_some(stream: &TcpStream, unread: &mut Vec<u8>) -> io::Result<()> {
    loop {
        stream.readable().await?;
        let mut buffer = [0_u8; 4096];
        match stream.try_read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                unread.extend_from_slice(&buffer[..read]);
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
