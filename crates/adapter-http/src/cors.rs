use actix_cors::Cors;
use actix_web::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};

use crate::request_name::REQUEST_ID;

/// Lets pages of these origins call the API. Without any, only the product's own pages can.
pub(crate) fn policy(origins: &[String]) -> Cors {
    let policy = Cors::default()
        .allowed_methods(["GET", "POST", "PUT", "DELETE"])
        .allowed_headers([ACCEPT, AUTHORIZATION, CONTENT_TYPE])
        .expose_headers([RETRY_AFTER, REQUEST_ID])
        .block_on_origin_mismatch(false)
        .max_age(600);
    origins.iter().fold(policy, |policy, origin| policy.allowed_origin(origin))
}
