use std::fmt;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderValue, LOCATION};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, HttpResponse};
use serde::Serialize;

use crate::config::HttpSettings;
use crate::extract::{UNKNOWN_FIELDS, UnknownFields};

/// The response to a request that created a resource. `address` is its path below the API.
pub(crate) fn created(address: impl fmt::Display, view: impl Serialize) -> HttpResponse {
    HttpResponse::Created().insert_header((LOCATION, address.to_string())).json(view)
}

/// Completes a response of the API: adds the base path to `Location`, and lists unknown fields of the body in a header.
pub(crate) async fn finish_response(
    settings: Data<HttpSettings>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    let unknown = response.request().extensions().get::<UnknownFields>().and_then(UnknownFields::header);
    if let Some(unknown) = unknown {
        response.headers_mut().insert(UNKNOWN_FIELDS, unknown);
    }
    let address = response.headers().get(LOCATION).and_then(|address| address.to_str().ok());
    if let Some(address) = address.and_then(|address| HeaderValue::from_str(&whole(&settings, address)).ok()) {
        response.headers_mut().insert(LOCATION, address);
    }
    Ok(response)
}

fn whole(settings: &HttpSettings, address: &str) -> String {
    format!("{}/api{address}", settings.base_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_names_are_encoded_in_the_header() {
        let unknown = UnknownFields(["isNaméd".to_owned(), "a, b\r\nx: y".to_owned()].into());
        assert_eq!(unknown.header().unwrap(), "a%2C%20b%0D%0Ax%3A%20y, isNam%C3%A9d");
        assert_eq!(UnknownFields::default().header(), None);
        let long = UnknownFields(["é".repeat(10_000)].into());
        assert!(long.header().unwrap().len() <= 300);
    }
}
