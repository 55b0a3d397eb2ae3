use std::future::ready;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::{BytesMut, Data};
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

use crate::config::HttpSettings;
use crate::connections::ConnectionTimeouts;
use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::read_body::read;

/// The default limit of a body, in bytes. The longest legitimate body is a question with a hundred options, or a list
/// of some thousands of ids.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// A JSON body of at most `MAX` bytes. Handlers take it after the role, so that callers without access do not learn the
/// form of the body.
pub(crate) struct Body<T, const MAX: usize = MAX_BODY>(pub(crate) T);

impl<T: DeserializeOwned + ToSchema + 'static, const MAX: usize> FromRequest for Body<T, MAX> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let Err(refusal) = check_form(request) {
            return Box::pin(ready(Err(refusal)));
        }
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let bytes = collect(&request, payload, MAX).await?;
            let (body, unknown) = read(&bytes)?;
            request.extensions_mut().insert(unknown);
            Ok(Body(body))
        })
    }
}

/// A JSON body that may be missing or `null`.
pub(crate) struct OptionalBody<T>(pub(crate) Option<T>);

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for OptionalBody<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let Err(refusal) = check_coding(request) {
            return Box::pin(ready(Err(refusal)));
        }
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let bytes = collect(&request, payload, MAX_BODY).await?;
            // A request without content has a media type in some programs.
            if matches!(bytes.trim_ascii(), b"" | b"null") {
                return Ok(Self(None));
            }
            check_form(&request)?;
            let (body, unknown) = read(&bytes)?;
            request.extensions_mut().insert(unknown);
            Ok(Self(Some(body)))
        })
    }
}

/// Reads a file that is the whole body, of at most `max` bytes and any media type.
///
/// # Errors
/// Rejects a body that is compressed, too large or too slow.
pub(crate) async fn read_file(request: &HttpRequest, payload: Payload, max: usize) -> Result<BytesMut, ApiError> {
    check_coding(request)?;
    collect(request, payload, max).await
}

async fn collect(request: &HttpRequest, mut payload: Payload, max: usize) -> Result<BytesMut, ApiError> {
    let settings = request.app_data::<Data<HttpSettings>>();
    let pause = settings.map_or_else(ConnectionTimeouts::default, |settings| settings.limits.timeouts).body;
    let mut bytes = BytesMut::new();
    let rate = MinimumRate::begin(pause);
    while let Some(chunk) = rate.keep(bytes.len(), payload.next()).await? {
        let chunk = chunk.map_err(|_| bad_json("The body ended too early."))?;
        if bytes.len() + chunk.len() > max {
            return Err(body_too_large(max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The minimum rate of a body. It keeps slow callers from holding a connection and memory without limit.
struct MinimumRate {
    began: Instant,
    pause: Duration,
}

impl MinimumRate {
    /// The minimum rate after the first pause: the speed of the slowest mobile networks.
    const BYTES_PER_SECOND: usize = 16 * 1024;

    fn begin(pause: Duration) -> Self {
        Self { began: Instant::now(), pause }
    }

    /// Waits for the next chunk, within the time that the received bytes allow.
    async fn keep<T>(&self, received: usize, next: impl Future<Output = T>) -> Result<T, ApiError> {
        let earned = Duration::from_secs((received / Self::BYTES_PER_SECOND) as u64);
        let end = (Instant::now() + self.pause).min(self.began + self.pause + earned);
        timeout_at(end, next).await.map_err(|_| body_too_slow())
    }
}

/// The error for a body that arrives too slowly.
pub(crate) fn body_too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::BODY_TOO_SLOW, "The body arrived too slowly.")
}

/// The error for a body that is too large.
pub(crate) fn body_too_large(max: usize) -> ApiError {
    let text = format!("The body is larger than {} KiB.", max / 1024);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BODY_TOO_LARGE, text)
}

pub(super) fn bad_json(text: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, ErrorCode::NOT_JSON, text)
}

/// Rejects a compressed body, and any form other than JSON in UTF-8. A body without a content type is read as JSON.
fn check_form(request: &HttpRequest) -> Result<(), ApiError> {
    check_coding(request)?;
    if !request.headers().contains_key(CONTENT_TYPE) || is_json(request) {
        return Ok(());
    }
    Err(unsupported("The body must be JSON in UTF-8, sent as application/json.")
        .with_header(ACCEPT, "application/json"))
}

/// Rejects a compressed body.
fn check_coding(request: &HttpRequest) -> Result<(), ApiError> {
    let codings =
        request.headers().get_all(CONTENT_ENCODING).flat_map(|coding| coding.as_bytes().split(|b| *b == b','));
    let mut codings = codings.map(<[u8]>::trim_ascii);
    if codings.any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity")) {
        return Err(body_compressed());
    }
    Ok(())
}

fn is_json(request: &HttpRequest) -> bool {
    let Ok(Some(form)) = request.mime_type() else { return false };
    let is_json = form.type_() == "application"
        && (form.subtype() == "json" || form.suffix().is_some_and(|suffix| suffix == "json"));
    let charset = form.get_param("charset");
    is_json && charset.is_none_or(|charset| charset == "utf-8" || charset == "us-ascii" || charset == "utf8")
}

/// The error for a compressed body.
pub(crate) fn body_compressed() -> ApiError {
    unsupported("Compressed bodies are not supported. Please send it without Content-Encoding.")
        .with_header(ACCEPT_ENCODING, "identity")
}

fn unsupported(text: &str) -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::UNSUPPORTED_MEDIA_TYPE, text)
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use actix_web::test::TestRequest;
    use futures_util::stream;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        #[expect(dead_code, reason = "the test only reads it")]
        first_name: String,
        #[expect(dead_code, reason = "the test only reads it")]
        count: u32,
    }

    fn error(json: &str) -> String {
        read::<Sample>(json.as_bytes()).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_large_body_gets_the_same_errors_as_a_small_one() {
        let padding = " ".repeat(MAX_BODY);
        for json in ["{", "[]", "{}", r#"{"firstName": 5, "count": 1}"#, r#"{"firstName": "A", "count": "x"}"#] {
            assert_eq!(error(&format!("{json}{padding}")), error(json), "{json}");
        }
        assert!(read::<Sample>(format!(r#"{padding}{{"firstName": "A", "count": 1}}"#).as_bytes()).is_ok());
    }

    /// The number of seconds until a body at this rate is rejected. `None` if it is accepted.
    async fn refused_after(bytes_per_second: usize, length: usize) -> Option<u64> {
        let chunks = stream::unfold(0, move |sent| async move {
            let chunk = bytes_per_second.min(length - sent);
            tokio::time::sleep(Duration::from_secs(1)).await;
            (chunk > 0).then_some((chunk, sent + chunk))
        });
        let (mut chunks, mut received, rate) = (Box::pin(chunks), 0, MinimumRate::begin(Duration::from_secs(10)));
        loop {
            match rate.keep(received, chunks.next()).await {
                Ok(Some(chunk)) => received += chunk,
                Ok(None) => return None,
                Err(_) => return Some(rate.began.elapsed().as_secs()),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_very_slow_body_is_rejected_and_a_large_one_over_a_slow_network_is_not() {
        assert_eq!(refused_after(1, 1_000).await, Some(10));
        assert_eq!(refused_after(8 * 1024, MAX_BODY).await, Some(19));
        assert_eq!(refused_after(MinimumRate::BYTES_PER_SECOND, 16 * MAX_BODY).await, None);
        assert_eq!(refused_after(1, 8).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn early_bytes_allow_no_longer_pause() {
        let rate = MinimumRate::begin(Duration::from_secs(10));
        let refused = rate.keep(16 * MAX_BODY, pending::<()>()).await;
        assert!(refused.is_err() && rate.began.elapsed().as_secs() == 10);
    }

    #[test]
    fn the_error_distinguishes_invalid_json_from_invalid_fields() {
        assert_eq!(error("{"), "The body is not valid JSON.");
        assert_eq!(error("[]"), "body must be a JSON object, not a list.");
        assert_eq!(error("{}"), "count is required. firstName is required.");
        let count = "count must be a whole number of at least 0, not a text.";
        assert_eq!(error(r#"{"firstName": "A", "count": "x"}"#), count);
    }

    #[test]
    fn only_json_in_utf_8_is_read() {
        let refused = |name: &'static str, value: &'static str| {
            let request = TestRequest::default().insert_header((name, value)).to_http_request();
            check_form(&request).is_err()
        };
        assert!(check_form(&TestRequest::default().to_http_request()).is_ok());
        for form in ["application/json", "Application/JSON; charset=UTF-8", "application/merge-patch+json"] {
            assert!(!refused("content-type", form), "{form}");
        }
        for form in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "nonsense"]
        {
            assert!(refused("content-type", form), "{form}");
        }
        assert!(!refused("content-encoding", "identity"));
        for coding in ["gzip", "br", "zstd", "deflate", "identity, gzip", "made-up"] {
            assert!(refused("content-encoding", coding), "{coding}");
        }
    }
}
