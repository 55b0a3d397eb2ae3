use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::connections::handover::Released;
use crate::connections::progress::Progress;
use crate::connections::{ConnectionTimeouts, Handover, QuotaPermit, Socket};

/// A socket that fails when the peer keeps the server waiting too long.
pub(crate) struct Connection<S> {
    /// `None` after it was released.
    stream: Option<S>,
    progress: Rc<Progress>,
    handover: Rc<Handover<S>>,
    timeouts: ConnectionTimeouts,
    /// The time since which no byte could be sent.
    stuck_since: Option<Instant>,
    /// The latest time of the next check.
    alarm: Pin<Box<Sleep>>,
    /// Returned to the quota together with the socket.
    permit: Option<QuotaPermit<IpAddr>>,
}

impl<S> Connection<S> {
    /// A new connection.
    pub(crate) fn new(stream: S, timeouts: ConnectionTimeouts, permit: Option<QuotaPermit<IpAddr>>) -> Self {
        let (progress, handover) = (Rc::new(Progress::new()), Rc::new(Handover::new()));
        let alarm = Box::pin(sleep(timeouts.idle));
        Self { stream: Some(stream), progress, handover, timeouts, stuck_since: None, alarm, permit }
    }

    /// The progress of the connection, shared with its requests.
    pub(crate) fn progress(&self) -> Rc<Progress> {
        Rc::clone(&self.progress)
    }

    /// Where endless responses take the connection over.
    pub(crate) fn handover(&self) -> Rc<Handover<S>> {
        Rc::clone(&self.handover)
    }

    /// The time at which the current timeout ends.
    fn ends_at(&self) -> Option<Instant> {
        let sending = self.stuck_since.map(|since| since + self.timeouts.reader);
        let receiving = match self.progress.begun_at() {
            _ if self.progress.is_answering() => None,
            Some(begun_at) => Some(begun_at + self.timeouts.head),
            None => Some(self.progress.moved_at() + self.timeouts.idle),
        };
        sending.into_iter().chain(receiving).min()
    }

    /// Whether a timeout has ended. Also schedules the next check.
    fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        loop {
            let now = Instant::now();
            let ends_at = self.ends_at();
            if ends_at.is_some_and(|end| end <= now) {
                return true;
            }
            let wake_at = ends_at.unwrap_or(now + self.timeouts.idle);
            if wake_at < self.alarm.deadline() || self.alarm.is_elapsed() {
                self.alarm.as_mut().reset(wake_at);
            }
            if self.alarm.as_mut().poll(context).is_pending() {
                return false;
            }
        }
    }

    /// Returns an error if a timeout has ended, and otherwise stays pending.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if self.is_over(context) { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
    }
}

impl Connection<Socket> {
    /// Whether the server encrypts the connection.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.stream.as_ref().is_some_and(Socket::is_encrypted)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let filled = buffer.filled().len();
        let Some(stream) = &mut this.stream else { return Poll::Ready(Err(was_released())) };
        let Poll::Ready(outcome) = Pin::new(stream).poll_read(context, buffer) else {
            return this.wait(context);
        };
        if buffer.filled().len() > filled {
            this.progress.receive();
        }
        Poll::Ready(outcome)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let Some(stream) = &mut this.stream else { return Poll::Ready(Err(was_released())) };
        let Poll::Ready(outcome) = Pin::new(stream).poll_write(context, bytes) else {
            this.stuck_since.get_or_insert_with(Instant::now);
            return this.wait(context);
        };
        this.stuck_since = None;
        this.progress.send();
        Poll::Ready(outcome)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let Some(stream) = &mut this.stream else { return Poll::Ready(Ok(())) };
        ready!(Pin::new(stream).poll_flush(context))?;
        if let Some(frames) = this.handover.accept()
            && let Some(socket) = this.stream.take()
        {
            let (timeouts, permit) = (this.timeouts, this.permit.take());
            this.handover.release(Released { socket, timeouts, frames, discarded: 0, _permit: permit });
            // The next read tells actix.
            context.waker().wake_by_ref();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Some(stream) => Pin::new(stream).poll_shutdown(context),
            None => Poll::Ready(Ok(())),
        }
    }
}

fn was_released() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{StreamExt as _, stream};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::time::advance;

    use super::*;
    use crate::connections::progress::Answering;
    use crate::connections::{ConnectionQuota, Frames};

    const SECOND: Duration = Duration::from_secs(1);

    /// The server's end and the caller's end, which buffers 64 bytes.
    fn connected() -> (Connection<DuplexStream>, DuplexStream) {
        let (server, caller) = duplex(64);
        (Connection::new(server, ConnectionTimeouts::default(), None), caller)
    }

    /// Reads until the connection fails, and returns the number of seconds until then.
    async fn seconds_until_timeout(connection: &mut Connection<DuplexStream>) -> u64 {
        let began = Instant::now();
        let error = connection.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        began.elapsed().as_secs()
    }

    /// Sends one byte each second.
    fn send_slowly(mut caller: DuplexStream) {
        tokio::spawn(async move {
            while caller.write_all(b"a").await.is_ok() {
                tokio::time::sleep(SECOND).await;
            }
        });
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_times_out() {
        let (mut connection, _caller) = connected();
        assert_eq!(seconds_until_timeout(&mut connection).await, 90);
    }

    #[tokio::test(start_paused = true)]
    async fn a_very_slow_request_head_times_out_even_if_it_is_not_the_first() {
        for is_first in [true, false] {
            let (mut connection, caller) = connected();
            if !is_first {
                drop(Answering::begin(&connection.progress()));
            }
            send_slowly(caller);
            assert_eq!(seconds_until_timeout(&mut connection).await, 10, "first: {is_first}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_has_no_time_limit_and_restarts_the_idle_timeout() {
        let (mut connection, mut caller) = connected();
        let answering = Answering::begin(&connection.progress());
        caller.write_all(b"body").await.unwrap();
        tokio::task::LocalSet::new()
            .run_until(async {
                tokio::task::spawn_local(async move {
                    tokio::time::sleep(300 * SECOND).await;
                    drop(answering);
                });
                assert_eq!(seconds_until_timeout(&mut connection).await, 390);
            })
            .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_nothing_is_disconnected() {
        let (mut connection, _caller) = connected();
        let _answering = Answering::begin(&connection.progress());
        let began = Instant::now();
        let written = tokio::time::timeout(300 * SECOND, connection.write_all(&[0; 1_000])).await;
        let error = written.expect("the connection timed out").unwrap_err();
        assert_eq!((error.kind(), began.elapsed().as_secs()), (io::ErrorKind::TimedOut, 30));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_gets_the_whole_response() {
        let (mut connection, mut caller) = connected();
        let reading = tokio::spawn(async move {
            let mut read = 0;
            while let Ok(1..) = caller.read(&mut [0; 10]).await {
                read += 1;
                tokio::time::sleep(20 * SECOND).await;
            }
            read
        });
        connection.write_all(&[0; 1_000]).await.unwrap();
        drop(connection);
        assert_eq!(reading.await.unwrap(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_regular_traffic_stays_open() {
        let (mut connection, mut caller) = connected();
        for _ in 0..20 {
            connection.write_all(b"heartbeat").await.unwrap();
            caller.read_exact(&mut [0; 9]).await.unwrap();
            let read = tokio::time::timeout(15 * SECOND, connection.read_u8()).await;
            assert!(read.is_err(), "the connection failed");
        }
        advance(SECOND).await;
        assert_eq!(seconds_until_timeout(&mut connection).await, 90 - 16);
    }

    /// Frames of a stream that ends at once.
    fn no_frames() -> Frames {
        stream::empty().boxed_local().fuse()
    }

    #[tokio::test]
    async fn a_connection_is_released_as_soon_as_the_head_before_the_frames_is_sent() {
        let (mut connection, mut caller) = connected();
        let handover = connection.handover();
        connection.write_all(b"head").await.unwrap();
        connection.flush().await.unwrap();
        assert!(handover.take().is_none(), "nothing was offered");
        handover.offer(no_frames());
        assert!(handover.take().is_none(), "the head is not sent");
        handover.offer(no_frames());
        connection.flush().await.unwrap();
        for outcome in [connection.read_u8().await.map(drop), connection.write_all(b"more").await] {
            assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
        }
        connection.shutdown().await.unwrap();
        drop(connection);
        let released = handover.take().expect("the connection is released");
        assert!(handover.take().is_none(), "once");
        let mut sent = String::new();
        tokio::join!(released.relay(), async { caller.read_to_string(&mut sent).await.unwrap() });
        assert_eq!(sent, "head0\r\n\r\n");
    }

    #[tokio::test]
    async fn a_released_connection_keeps_its_place_in_the_quota() {
        let quota = ConnectionQuota::new(1, 1);
        let (server, _caller) = duplex(64);
        let mut connection = Connection::new(server, ConnectionTimeouts::default(), quota.take(None).ok());
        let handover = connection.handover();
        handover.offer(no_frames());
        connection.flush().await.unwrap();
        drop(connection);
        let released = handover.take();
        assert!(quota.take(None).is_err(), "the place is taken");
        drop(released);
        assert!(quota.take(None).is_ok(), "the place is free");
    }
}
