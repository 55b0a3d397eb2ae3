use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::USER_AGENT;
use actix_web::{FromRequest, HttpRequest};

/// The `User-Agent` of the caller, if there is one. The caller can send any text.
pub(crate) struct CallerDevice(pub(crate) Option<String>);

impl FromRequest for CallerDevice {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let said = request.headers().get(USER_AGENT);
        ready(Ok(Self(said.map(|said| String::from_utf8_lossy(said.as_bytes()).into_owned()))))
    }
}
