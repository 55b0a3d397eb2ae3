use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError as _};

use super::{ApiError, ErrorCode};

/// Returns 404 for an unknown address. Nested scopes also need it, because they would fall back to the page of the
/// front end.
pub(crate) async fn no_such_path() -> HttpResponse {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NOT_FOUND, "There is nothing at this address.").error_response()
}
