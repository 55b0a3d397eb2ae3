use actix_web::FromRequest;
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::BytesMut;
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::rim::wanted::read_value;
use crate::rim::{ApiError, ErrorCode};

/// The largest body that is read, in bytes. The longest legitimate one is a question with a hundred options, or a list
/// of some thousands of ids.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// A JSON body. Handlers take it after the acting person, so that nobody unknown learns what a body should look like.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(_: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut payload = payload.take();
        Box::pin(async move {
            let mut bytes = BytesMut::new();
            while let Some(chunk) = payload.next().await {
                let chunk = chunk.map_err(|_| bad_json("The body ended too early."))?;
                if bytes.len() + chunk.len() > MAX_BODY {
                    return Err(body_too_large());
                }
                bytes.extend_from_slice(&chunk);
            }
            read(&bytes).map(Body)
        })
    }
}

/// The error of a body that is too large.
pub(crate) fn body_too_large() -> ApiError {
    let text = format!("The body is larger than {} KiB.", MAX_BODY / 1024);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BODY_TOO_LARGE, text)
}

fn bad_json(text: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, ErrorCode::NOT_JSON, text)
}

/// Reads JSON in two steps, so that "no JSON" (400) and "not what is wanted" (422, with the field) stay apart.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|_| bad_json("The body is not valid JSON."))?;
    if !value.is_object() {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::INVALID_INPUT,
            "The body must be a JSON object.",
        ));
    }
    read_value(value)
}

#[cfg(test)]
mod tests {
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
    fn what_is_no_json_is_told_apart_from_what_is_not_wanted() {
        assert_eq!(error("{"), "The body is not valid JSON.");
        assert_eq!(error("[]"), "The body must be a JSON object.");
        assert_eq!(error("{}"), "firstName is required.");
        assert_eq!(error(r#"{"firstName": "A", "count": "x"}"#), "count must be a whole number of at least 0.");
    }
}
