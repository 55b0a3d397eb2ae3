use std::collections::BTreeSet;
use std::fmt;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue, LOCATION};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, HttpResponse};
use serde::Serialize;

use crate::settings::HttpSettings;

/// Where an answer names the fields of the body that the server does not know.
pub(crate) const UNKNOWN_FIELDS: HeaderName = HeaderName::from_static("plenum-unknown-fields");

/// The answer to a call that made something, which can be read at `address`, a path below that of the API.
pub(crate) fn created(address: impl fmt::Display, view: impl Serialize) -> HttpResponse {
    HttpResponse::Created().insert_header((LOCATION, address.to_string())).json(view)
}

/// The fields of a body that were not read, because nothing has their names.
#[derive(Clone, Debug, Default)]
pub(super) struct UnknownFields(pub(super) BTreeSet<String>);

impl UnknownFields {
    /// More are not named: the header must stay one that every proxy passes on.
    pub(super) const MOST: usize = 20;
    /// The bytes of a name that are told.
    const LONGEST: usize = 100;

    /// Those that are told.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    fn header(&self) -> Option<HeaderValue> {
        let names: Vec<String> = self.0.iter().map(|name| visible(name)).collect();
        HeaderValue::from_str(&names.join(", ")).ok().filter(|_| !names.is_empty())
    }
}

/// The name with everything percent-encoded that could mean something in a header.
fn visible(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes().take(UnknownFields::LONGEST) {
        if byte.is_ascii_alphanumeric() || b"-._~$".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Completes an answer of the API: puts the base path before the address of what was made, and names the fields of the
/// body that were not read.
pub(crate) async fn finish_answer(
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
    fn a_name_of_a_field_cannot_be_anything_else_in_a_header() {
        let unknown = UnknownFields(["isNaméd".to_owned(), "a, b\r\nx: y".to_owned()].into());
        assert_eq!(unknown.header().unwrap(), "a%2C%20b%0D%0Ax%3A%20y, isNam%C3%A9d");
        assert_eq!(UnknownFields::default().header(), None);
        let long = UnknownFields(["é".repeat(10_000)].into());
        assert!(long.header().unwrap().len() <= 300);
    }
}
