use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use actix_web::FromRequest;
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::{BytesMut, Data};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::connections::Patience;
use crate::rim::wanted::{read_text, read_value};
use crate::rim::{ApiError, ErrorCode};
use crate::settings::HttpSettings;

/// The largest body that is read where nothing else is said, in bytes. The longest legitimate one is a question with a
/// hundred options, or a list of some thousands of ids.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// A JSON body of at most `MAX` bytes. Handlers take it after the acting person, so that nobody unknown learns what a
/// body should look like.
pub(crate) struct Body<T, const MAX: usize = MAX_BODY>(pub(crate) T);

impl<T: DeserializeOwned + 'static, const MAX: usize> FromRequest for Body<T, MAX> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut payload = payload.take();
        let settings = request.app_data::<Data<HttpSettings>>();
        let pause = settings.map_or_else(Patience::default, |settings| settings.limits.patience).body;
        Box::pin(async move {
            let mut bytes = BytesMut::new();
            let pace = Pace::begin(pause);
            while let Some(chunk) = pace.keep(bytes.len(), payload.next()).await? {
                let chunk = chunk.map_err(|_| bad_json("The body ended too early."))?;
                if bytes.len() + chunk.len() > MAX {
                    return Err(body_too_large(MAX));
                }
                bytes.extend_from_slice(&chunk);
            }
            read(&bytes).map(Body)
        })
    }
}

/// How slowly a body may come: somebody who sends a byte now and then would keep a connection, and what has come so far,
/// for as long as they like.
struct Pace {
    began: Instant,
    pause: Duration,
}

impl Pace {
    /// So many bytes a second at least, after the first pause: as much as the slowest mobile networks carry.
    const BYTES_PER_SECOND: usize = 16 * 1024;

    fn begin(pause: Duration) -> Self {
        Self { began: Instant::now(), pause }
    }

    /// Waits for what comes next, unless that takes too long after so many bytes.
    async fn keep<T>(&self, received: usize, next: impl Future<Output = T>) -> Result<T, ApiError> {
        let earned = Duration::from_secs((received / Self::BYTES_PER_SECOND) as u64);
        let end = (Instant::now() + self.pause).min(self.began + self.pause + earned);
        timeout_at(end, next).await.map_err(|_| body_too_slow())
    }
}

/// The error of a body that is too slow.
pub(crate) fn body_too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::BODY_TOO_SLOW, "The body came too slowly.")
}

/// The error of a body that is too large.
pub(crate) fn body_too_large(max: usize) -> ApiError {
    let text = format!("The body is larger than {} KiB.", max / 1024);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BODY_TOO_LARGE, text)
}

fn bad_json(text: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, ErrorCode::NOT_JSON, text)
}

/// Reads JSON in two steps, so that "no JSON" (400) and "not what is wanted" (422, with the field) stay apart.
///
/// What is larger than usual is not taken apart as a whole in the first step: that would need many times its memory.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    if bytes.len() > MAX_BODY {
        return read_unparsed(bytes);
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|_| bad_json("The body is not valid JSON."))?;
    if !value.is_object() {
        return Err(no_object());
    }
    read_value(value)
}

pub(super) fn read_unparsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let _: IgnoredAny = serde_json::from_slice(bytes).map_err(|_| bad_json("The body is not valid JSON."))?;
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(no_object());
    }
    read_text(bytes)
}

fn no_object() -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::INVALID_INPUT, "The body must be a JSON object.")
}

/// Reads a list of at most `MAX` values, and no further: `#[serde(deserialize_with = "read_at_most::<_, _, 100>")]`.
pub(crate) fn read_at_most<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_seq(AtMost::<T, MAX>(PhantomData))
}

struct AtMost<T, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for AtMost<T, MAX> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<Vec<T>, A::Error> {
        let mut values = Vec::new();
        while values.len() < MAX {
            let Some(value) = given.next_element()? else { return Ok(values) };
            values.push(value);
        }
        match given.next_element::<IgnoredAny>()? {
            None => Ok(values),
            Some(_) => Err(A::Error::invalid_length(MAX + 1, &format!("at most {MAX} rows").as_str())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use futures_util::stream;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        #[expect(dead_code, reason = "only the reading of it is tested")]
        first_name: String,
        #[expect(dead_code, reason = "only the reading of it is tested")]
        count: u32,
    }

    fn error(json: &str) -> String {
        read::<Sample>(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_large_body_is_judged_as_any_other() {
        let padding = " ".repeat(MAX_BODY);
        for json in ["{", "[]", "{}", r#"{"firstName": 5, "count": 1}"#, r#"{"firstName": "A", "count": "x"}"#] {
            assert_eq!(error(&format!("{json}{padding}")), error(json), "{json}");
        }
        assert!(read::<Sample>(format!(r#"{padding}{{"firstName": "A", "count": 1}}"#).as_bytes()).is_ok());
    }

    #[test]
    fn a_field_that_a_large_body_has_twice_is_named() {
        let twice = read_unparsed::<Sample>(br#"{"firstName": "A", "count": 1, "count": 2}"#);
        assert_eq!(twice.unwrap_err().to_string(), "count must be given at most once.");
    }

    #[test]
    fn a_list_that_is_too_long_is_not_read_to_its_end() {
        #[derive(Debug, Deserialize)]
        struct Listed {
            #[serde(deserialize_with = "read_at_most::<_, _, 2>")]
            rows: Vec<u32>,
        }
        let read = |json: &str| read::<Listed>(json.as_bytes()).map(|listed| listed.rows);
        assert_eq!(read(r#"{"rows": [1, 2]}"#).unwrap(), [1, 2]);
        for (json, expected) in [
            (r#"{"rows": [1, 2, 3, "x"]}"#, "rows must be at most 2 rows."),
            (r#"{"rows": 1}"#, "rows must be a list."),
            (r#"{"rows": [1, "x"]}"#, "rows.1 must be a whole number of at least 0."),
        ] {
            assert_eq!(read(json).unwrap_err().to_string(), expected, "{json}");
        }
    }

    /// After how many seconds the body is refused of which so many bytes come each second; none when it is taken.
    async fn refused_after(bytes_per_second: usize, length: usize) -> Option<u64> {
        let chunks = stream::unfold(0, move |sent| async move {
            let chunk = bytes_per_second.min(length - sent);
            tokio::time::sleep(Duration::from_secs(1)).await;
            (chunk > 0).then_some((chunk, sent + chunk))
        });
        let (mut chunks, mut received, pace) = (Box::pin(chunks), 0, Pace::begin(Duration::from_secs(10)));
        loop {
            match pace.keep(received, chunks.next()).await {
                Ok(Some(chunk)) => received += chunk,
                Ok(None) => return None,
                Err(_) => return Some(pace.began.elapsed().as_secs()),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_drips_is_refused_and_a_large_one_over_a_slow_network_is_not() {
        assert_eq!(refused_after(1, 1_000).await, Some(10));
        assert_eq!(refused_after(8 * 1024, MAX_BODY).await, Some(19));
        assert_eq!(refused_after(Pace::BYTES_PER_SECOND, 16 * MAX_BODY).await, None);
        assert_eq!(refused_after(1, 8).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_early_earns_no_longer_pause() {
        let pace = Pace::begin(Duration::from_secs(10));
        let refused = pace.keep(16 * MAX_BODY, pending::<()>()).await;
        assert!(refused.is_err() && pace.began.elapsed().as_secs() == 10);
    }

    #[test]
    fn what_is_no_json_is_told_apart_from_what_is_not_wanted() {
        assert_eq!(error("{"), "The body is not valid JSON.");
        assert_eq!(error("[]"), "The body must be a JSON object.");
        assert_eq!(error("{}"), "firstName is required.");
        assert_eq!(error(r#"{"firstName": "A", "count": "x"}"#), "count must be a whole number of at least 0.");
    }
}
