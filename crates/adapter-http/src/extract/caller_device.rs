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
        let user_agent = request.headers().get(USER_AGENT);
        ready(Ok(Self(user_agent.map(|user_agent| String::from_utf8_lossy(user_agent.as_bytes()).into_owned()))))
    }
}
