use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use tokio::time::timeout;

/// The smallest proxy buffer in use has 4 KiB, including a few bytes of the proxy itself.
const SMALLEST_BUFFER: usize = 4_000;
const PUSH_AFTER: Duration = Duration::from_millis(100);
/// A comment, which browsers ignore.
const PUSH: Bytes = Bytes::from_static(b":\n\n");

/// Appends a short comment to each long frame. A proxy that buffers would otherwise keep the end of a long frame until
/// the next heartbeat.
pub(super) fn proxy_flush(frames: impl Stream<Item = Bytes> + 'static) -> impl Stream<Item = Bytes> + 'static {
    stream::unfold((Box::pin(frames), 0), |(mut frames, unpushed)| async move {
        let next = if unpushed < SMALLEST_BUFFER {
            frames.next().await
        } else {
            timeout(PUSH_AFTER, frames.next()).await.unwrap_or(Some(PUSH))
        };
        next.map(|frame| {
            let unpushed = if frame == PUSH { 0 } else { unpushed + frame.len() };
            (frame, (frames, unpushed))
        })
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const SHORT: Bytes = Bytes::from_static(b"data: 1\n\n");

    fn long() -> Bytes {
        Bytes::from(format!("data: {}\n\n", "a".repeat(SMALLEST_BUFFER)))
    }

    #[tokio::test(start_paused = true)]
    async fn a_comment_follows_a_frame_that_a_proxy_may_hold_back() {
        let mut sent = Box::pin(proxy_flush(stream::iter([long(), SHORT]).chain(stream::pending())));
        assert_eq!(sent.next().await, Some(long()));
        assert_eq!(sent.next().await, Some(SHORT));
        assert_eq!(sent.next().await, Some(PUSH));
        assert_eq!(timeout(Duration::from_mins(1), sent.next()).await.ok(), None, "once");
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_frame_is_not_followed_by_a_comment() {
        let mut sent = Box::pin(proxy_flush(stream::iter([SHORT]).chain(stream::pending())));
        assert_eq!(sent.next().await, Some(SHORT));
        assert_eq!(timeout(Duration::from_mins(1), sent.next()).await.ok(), None);
    }

    #[tokio::test]
    async fn the_flush_ends_with_the_stream() {
        let sent = proxy_flush(stream::iter([long(), SHORT])).collect::<Vec<_>>().now_or_never();
        assert_eq!(sent, Some(vec![long(), SHORT]));
    }
}
