use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError as _};

use super::{ApiError, ErrorCode};

/// Answers 404 for an unknown address. Nested scopes need it as well: they would fall back to the front end's page.
pub(crate) async fn no_such_path() -> HttpResponse {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NOT_FOUND, "There is nothing at this address.").error_response()
}
