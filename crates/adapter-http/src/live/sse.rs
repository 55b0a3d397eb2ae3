use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_ENCODING;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};

use crate::live::pushed_out::pushed_out;

/// An answer that goes on for as long as the stream does.
pub(super) fn event_stream(frames: impl Stream<Item = Bytes> + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/event-stream")
        // Frames must not wait in a compressor's or a proxy's buffer.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(pushed_out(frames).map(Ok::<_, std::convert::Infallible>))
}
