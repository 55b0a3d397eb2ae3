use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::web::Data;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};

use crate::live::proxy_flush::proxy_flush;
use crate::live::stream_quota::StreamPermit;
use crate::system::Stopping;

/// A response that lasts as long as the stream. If the process stops, the last event announces it.
pub(super) fn event_stream(
    frames: impl Stream<Item = Bytes> + 'static,
    permit: StreamPermit,
    stopping: Data<Stopping>,
) -> HttpResponse {
    // Evaluated after the last frame, not before.
    let last_event = stream::once(async move { stopping.last_event() }).filter_map(std::future::ready);
    let frames = proxy_flush(frames.chain(last_event)).map(move |frame| {
        // Released when the stream ends.
        let _permit = &permit;
        Ok::<_, std::convert::Infallible>(frame)
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        // Frames must not wait in the buffer of a compressor or proxy.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(frames)
}
