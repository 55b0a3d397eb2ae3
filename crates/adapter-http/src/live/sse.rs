use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};

use crate::connections::{Frames, Handover, Socket};
use crate::live::proxy_flush::proxy_flush;
use crate::live::stream_quota::StreamPermit;
use crate::system::Stopping;

/// Responds with streams, each the last response of its connection.
pub(crate) struct StreamResponder {
    stopping: Data<Stopping>,
    /// The connection. `None` in tests that call the application without one.
    connection: Option<Rc<Handover<Socket>>>,
}

impl FromRequest for StreamResponder {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let connection = request.conn_data::<Rc<Handover<Socket>>>().cloned();
        let stopping = Data::from_request(request, payload).into_inner();
        ready(stopping.map(|stopping| Self { stopping, connection }))
    }
}

impl StreamResponder {
    /// A response that lasts as long as the frames. If the process stops, the last event announces it.
    pub(super) fn respond(self, frames: impl Stream<Item = Bytes> + 'static, permit: StreamPermit) -> HttpResponse {
        let Self { stopping, connection } = self;
        // Evaluated after the last frame, not before.
        let last_event = stream::once(async move { stopping.last_event() }).filter_map(ready);
        let frames = proxy_flush(frames.chain(last_event)).map(move |frame| {
            // Released when the stream ends.
            let _permit = &permit;
            frame
        });
        HttpResponse::Ok()
            .content_type("text/event-stream")
            // Frames must not wait in the buffer of a compressor or proxy.
            .insert_header((CONTENT_ENCODING, "identity"))
            .insert_header(("X-Accel-Buffering", "no"))
            .force_close()
            .body(StreamBody { frames: Some(frames.boxed_local().fuse()), connection })
    }
}

/// The body of a stream. Where the connection can be released, the frames never pass actix.
struct StreamBody {
    frames: Option<Frames>,
    connection: Option<Rc<Handover<Socket>>>,
}

impl MessageBody for StreamBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let this = self.get_mut();
        if let Some(handover) = &this.connection {
            // actix has passed the head of the response to the connection before it asks for the body.
            if let Some(frames) = this.frames.take() {
                handover.offer(frames);
            }
            return Poll::Pending;
        }
        match &mut this.frames {
            Some(frames) => frames.poll_next_unpin(context).map(|frame| frame.map(Ok)),
            None => Poll::Ready(None),
        }
    }
}
