use std::fmt::Write as _;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf as _, BytesMut};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::time::timeout;

use crate::connections::handover::Released;

/// The time that the server reads from a closing connection. Otherwise the client may lose the last bytes.
pub(crate) const LINGER: Duration = Duration::from_secs(1);
/// The most bytes that a caller may send on a connection that serves no other request. A caller that sends more is disconnected,
/// because reading them would cost more than sending them.
const MOST_DISCARDED: usize = 4 * 1024;
/// The length from which a chunk takes no further frame.
const ENOUGH: usize = 16 * 1024;
/// The end of a chunked body (RFC 9112, 7.1).
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

impl<S: AsyncRead + AsyncWrite + Unpin> Released<S> {
    /// Sends the frames in chunks until they or the connection end. Then the connection is closed, as the head of the response
    /// announced.
    pub(crate) async fn relay(mut self) {
        if self.send_frames().await.is_err() {
            // The caller has disconnected or does not read.
            return;
        }
        let Self { mut socket, timeouts, frames, mut discarded, .. } = self;
        // Frees the permit of the stream before the wait.
        drop(frames);
        let closing = async {
            socket.write_all(LAST_CHUNK).await?;
            socket.shutdown().await
        };
        if let Ok(Ok(())) = timeout(timeouts.reader, closing).await {
            // A caller that does not close is closed.
            let _ = timeout(LINGER, closed(&mut socket, &mut discarded)).await;
        }
    }

    /// Sends all frames.
    ///
    /// # Errors
    /// The caller has disconnected, or has accepted no byte for too long.
    async fn send_frames(&mut self) -> io::Result<()> {
        while let Some(rest) = poll_fn(|context| self.poll_frames(context)).await? {
            self.send(rest).await?;
        }
        Ok(())
    }

    /// Sends frames as long as the socket accepts them at once. Ready with the rest of a chunk that has to wait for the socket,
    /// and with `None` after the last frame.
    ///
    /// An event reaches thousands of streams, so each of them asks for its frames as seldom as it can: frames that were not ready
    /// before a chunk was sent are not asked for again in the same poll, because they wake the task.
    fn poll_frames(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Option<BytesMut>>> {
        loop {
            let mut frames = BytesMut::new();
            let next = self.poll_ready(context, &mut frames);
            if let Some(rest) = self.send_at_once(context, chunk_of(&frames))? {
                return Poll::Ready(Ok(Some(rest)));
            }
            match next {
                Poll::Ready(Some(())) => {}
                Poll::Ready(None) => return Poll::Ready(Ok(None)),
                Poll::Pending => {
                    ready!(poll_closed(&mut self.socket, context, &mut self.discarded));
                    return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
                }
            }
        }
    }

    /// Adds the frames that are ready, because a step of a meeting may be several events, and one chunk is one call of the operating
    /// system. Ready with `Some` if there may be more of them, and with `None` after the last frame.
    fn poll_ready(&mut self, context: &mut Context<'_>, frames: &mut BytesMut) -> Poll<Option<()>> {
        while frames.len() < ENOUGH {
            match ready!(self.frames.poll_next_unpin(context)) {
                Some(frame) => frames.extend_from_slice(&frame),
                None => return Poll::Ready(None),
            }
        }
        Poll::Ready(Some(()))
    }

    /// Sends what the socket accepts at once. Returns the rest, which may be empty, if it has to wait for the socket.
    fn send_at_once(&mut self, context: &mut Context<'_>, mut bytes: BytesMut) -> io::Result<Option<BytesMut>> {
        while !bytes.is_empty() {
            match Pin::new(&mut self.socket).poll_write(context, &bytes)? {
                Poll::Ready(0) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(written) => bytes.advance(written),
                Poll::Pending => return Ok(Some(bytes)),
            }
        }
        let flushed = Pin::new(&mut self.socket).poll_flush(context)?;
        Ok(flushed.is_pending().then_some(bytes))
    }

    /// Waits for the socket.
    async fn send(&mut self, mut bytes: BytesMut) -> io::Result<()> {
        while bytes.has_remaining() {
            let written = timeout(self.timeouts.reader, self.socket.write_buf(&mut bytes)).await??;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        timeout(self.timeouts.reader, self.socket.flush()).await?
    }
}

/// These frames as one chunk of a body (RFC 9112, 7.1). Nothing if they are empty, because an empty chunk would end the body.
fn chunk_of(frames: &[u8]) -> BytesMut {
    if frames.is_empty() {
        return BytesMut::new();
    }
    // The length has at most 16 digits, and both lines end with two characters.
    let mut chunk = BytesMut::with_capacity(16 + 2 + frames.len() + 2);
    write!(chunk, "{:x}\r\n", frames.len()).expect("a buffer grows");
    chunk.extend_from_slice(frames);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

/// Waits until the caller closes the connection, or has sent too much. What it sends before is discarded: it was told that the
/// connection serves no other request.
async fn closed(socket: &mut (impl AsyncRead + Unpin), discarded: &mut usize) {
    poll_fn(|context| poll_closed(socket, context, discarded)).await;
}

fn poll_closed(socket: &mut (impl AsyncRead + Unpin), context: &mut Context<'_>, discarded: &mut usize) -> Poll<()> {
    loop {
        let mut space = [0; 64];
        let mut buffer = ReadBuf::new(&mut space);
        match ready!(Pin::new(&mut *socket).poll_read(context, &mut buffer)) {
            Ok(()) if !buffer.filled().is_empty() && *discarded < MOST_DISCARDED => {
                *discarded += buffer.filled().len();
            }
            _ => return Poll::Ready(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use bytes::Bytes;
    use futures_util::{Stream, stream};
    use tokio::io::{AsyncReadExt as _, BufWriter, DuplexStream, duplex};
    use tokio::task::LocalSet;
    use tokio::time::Instant;

    use super::*;
    use crate::connections::ConnectionTimeouts;

    /// A released connection that sends these frames, and the caller's end, which buffers 64 bytes.
    fn released(frames: impl Stream<Item = Bytes> + 'static) -> (Released<DuplexStream>, DuplexStream) {
        let (socket, caller) = duplex(64);
        (sending(socket, frames), caller)
    }

    fn sending<S>(socket: S, frames: impl Stream<Item = Bytes> + 'static) -> Released<S> {
        let timeouts = ConnectionTimeouts::default();
        let frames = frames.boxed_local().fuse();
        Released { socket, timeouts, frames, discarded: 0, _permit: None }
    }

    /// Frames that are ready at once.
    fn ready(all: &[&'static str]) -> impl Stream<Item = Bytes> + use<> {
        stream::iter(all.to_vec()).map(Bytes::from)
    }

    /// Frames with a second before each.
    fn slow(all: &[&'static str]) -> impl Stream<Item = Bytes> + use<> {
        ready(all).then(async |frame| {
            tokio::time::sleep(Duration::from_secs(1)).await;
            frame
        })
    }

    /// All that the connection sends.
    async fn sent(connection: Released<DuplexStream>, mut caller: DuplexStream) -> String {
        let mut sent = String::new();
        tokio::join!(connection.relay(), async { caller.read_to_string(&mut sent).await.unwrap() });
        sent
    }

    #[tokio::test(start_paused = true)]
    async fn frames_are_chunks_and_the_end_closes_the_connection() {
        let (connection, caller) = released(slow(&["data: 1\n\n", "", "data: a frame of 17\n\n"]));
        let sent = sent(connection, caller).await;
        assert_eq!(sent, "9\r\ndata: 1\n\n\r\n15\r\ndata: a frame of 17\n\n\r\n0\r\n\r\n");
    }

    #[tokio::test(start_paused = true)]
    async fn frames_that_are_ready_together_are_one_chunk() {
        let frames = ready(&["data: 1\n\n", "", "data: a frame of 17\n\n"]).chain(slow(&["data: 2\n\n"]));
        let (connection, caller) = released(frames);
        let sent = sent(connection, caller).await;
        assert_eq!(sent, "1e\r\ndata: 1\n\ndata: a frame of 17\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n");
    }

    /// Once for the frame, and once for the next one. An event asks thousands of streams.
    #[tokio::test(start_paused = true)]
    async fn a_frame_costs_two_questions() {
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        let mut waiting = Box::pin(slow(&["data: 1\n\n"]).chain(stream::pending()));
        let frames = stream::poll_fn(move |context| {
            count.set(count.get() + 1);
            waiting.poll_next_unpin(context)
        });
        let (connection, mut caller) = released(frames);
        let mut sent = [0; 14];
        // A task of its own, which the reading does not wake.
        let tasks = LocalSet::new();
        tasks.spawn_local(connection.relay());
        assert_eq!(tasks.run_until(caller.read_exact(&mut sent)).await.unwrap(), 14);
        assert_eq!(&sent, b"9\r\ndata: 1\n\n\r\n");
        // The first question found no frame.
        assert_eq!(asked.get(), 1 + 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_chunk_does_not_wait_for_frames_without_end() {
        let (connection, mut caller) = released(stream::repeat(Bytes::from_static(&[b'a'; 1000])));
        let mut sent = [0; 7];
        tokio::select! {
            () = connection.relay() => unreachable!("the frames do not end"),
            read = caller.read_exact(&mut sent) => assert_eq!(read.unwrap(), 7),
        }
        // 17 frames.
        assert_eq!(&sent, b"4268\r\na");
    }

    #[tokio::test(start_paused = true)]
    async fn frames_longer_than_the_buffer_arrive_whole() {
        let long = "a".repeat(10_000);
        let (connection, caller) = released(stream::iter([Bytes::from(long.clone())]));
        assert_eq!(sent(connection, caller).await, format!("2710\r\n{long}\r\n0\r\n\r\n"));
    }

    /// As an encrypted one may.
    #[tokio::test(start_paused = true)]
    async fn a_socket_that_keeps_bytes_back_is_flushed_after_each_chunk() {
        let (socket, mut caller) = duplex(64);
        let long = "a".repeat(100);
        let frames = stream::iter([Bytes::from(long.clone())]).chain(stream::pending());
        let connection = sending(BufWriter::new(socket), frames);
        let mut sent = [0; 106];
        tokio::select! {
            () = connection.relay() => unreachable!("the frames do not end"),
            read = timeout(LINGER, caller.read_exact(&mut sent)) => assert_eq!(read.unwrap().unwrap(), 106),
        }
        assert_eq!(sent[..], *format!("64\r\n{long}\r\n").as_bytes());
    }

    #[tokio::test(start_paused = true)]
    async fn a_disconnected_caller_ends_a_silent_stream_at_once() {
        let (connection, caller) = released(stream::pending());
        let begin = Instant::now();
        let leave = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            drop(caller);
        };
        tokio::join!(connection.relay(), leave);
        assert_eq!(begin.elapsed(), Duration::from_secs(5));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_keeps_sending_is_disconnected() {
        let (connection, mut caller) = released(stream::pending());
        let sending = async {
            let mut sent = 0;
            while caller.write_all(&[b'x'; 64]).await.is_ok() {
                sent += 64;
            }
            sent
        };
        let ((), sent) = tokio::join!(connection.relay(), sending);
        // The buffer between them holds 64 bytes.
        assert!((MOST_DISCARDED..=MOST_DISCARDED + 3 * 64).contains(&sent), "{sent} bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn a_little_that_the_caller_sends_is_discarded() {
        let waiting = stream::once(tokio::time::sleep(Duration::from_secs(1))).map(|()| Bytes::from("data: 1\n\n"));
        let (connection, mut caller) = released(waiting);
        let exchange = async {
            caller.write_all(&[b'x'; 1_000]).await.unwrap();
            let mut sent = String::new();
            caller.read_to_string(&mut sent).await.unwrap();
            sent
        };
        let ((), sent) = tokio::join!(connection.relay(), exchange);
        assert_eq!(sent, "9\r\ndata: 1\n\n\r\n0\r\n\r\n");
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_reads_nothing_is_disconnected() {
        let (connection, _caller) = released(stream::repeat(Bytes::from("data: 1\n\n")));
        let begin = Instant::now();
        connection.relay().await;
        assert_eq!(begin.elapsed(), ConnectionTimeouts::default().reader);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_gets_every_frame() {
        let (connection, mut caller) = released(ready(&["data: a frame that fills a part of the buffer\n\n"; 10]));
        let reading = async {
            let mut read = 0;
            while let Ok(count @ 1..) = caller.read(&mut [0; 10]).await {
                read += count;
                tokio::time::sleep(Duration::from_secs(20)).await;
            }
            read
        };
        let ((), read) = tokio::join!(connection.relay(), reading);
        assert_eq!(read, 5 + 10 * 47 + 2 + LAST_CHUNK.len());
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_does_not_close_is_closed() {
        let (connection, _caller) = released(ready(&["data: 1\n\n"]));
        let begin = Instant::now();
        connection.relay().await;
        assert_eq!(begin.elapsed(), LINGER);
    }
}
