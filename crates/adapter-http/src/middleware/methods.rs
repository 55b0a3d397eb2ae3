//! The methods of each address: 405 with `Allow` for unsupported ones, `OPTIONS`, and `HEAD` wherever `GET` works.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _};
use matchit::Router;
use utoipa::openapi::{OpenApi, PathItem};

use crate::config::HttpSettings;
use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::front_end::is_reserved;

/// Marks a `HEAD` request. Handlers receive it as a `GET`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadersOnly;

/// Whether the request is a `HEAD`. Handlers of streams then need not start one.
pub(crate) fn asks_for_headers_only(request: &HttpRequest) -> bool {
    request.extensions().get::<HeadersOnly>().is_some()
}

/// The methods of all addresses. If several patterns match, the one with the fewest parameters wins.
pub(crate) struct Methods {
    known: Router<Vec<Method>>,
    base_path: String,
}

impl Methods {
    /// The methods of the document's operations and of all other addresses.
    pub(crate) fn new(settings: &HttpSettings, document: &OpenApi) -> Self {
        let base_path = settings.base_path.clone();
        let api = format!("{base_path}/api");
        let operations = document.paths.paths.iter().map(|(path, item)| (format!("{api}{path}"), methods_of(item)));
        let read = ["/openapi.json", "/docs", "/docs/", "/docs/{*file}"].map(|path| format!("{api}{path}"));
        let beside = ["/health", "/health/ready", "/metrics", "/robots.txt", "/favicon.ico"].map(str::to_owned);
        let below = (!base_path.is_empty()).then(|| format!("{base_path}/metrics"));
        let read = read.into_iter().chain(beside).chain(below).map(|path| (path, vec![Method::GET]));
        let mut known = Router::new();
        for (path, methods) in operations.chain(read) {
            known.insert(path, methods).expect("no two operations have the same address");
        }
        Self { known, base_path }
    }

    /// The methods of a path. `None` for an unknown path.
    fn at(&self, path: &str) -> Option<&[Method]> {
        if let Ok(found) = self.known.at(path) {
            return Some(found.value);
        }
        let below = path.strip_prefix(self.base_path.as_str())?;
        let is_of_api = below == "/api" || below.starts_with("/api/");
        // Any other path is a file or a screen of the front end.
        (!is_of_api && !is_reserved(below)).then_some(&[Method::GET])
    }
}

fn methods_of(item: &PathItem) -> Vec<Method> {
    [(Method::GET, &item.get), (Method::POST, &item.post), (Method::PUT, &item.put), (Method::DELETE, &item.delete)]
        .into_iter()
        .filter_map(|(method, operation)| operation.as_ref().map(|_| method))
        .collect()
}

/// The methods in the form of `Allow`.
fn names_of(methods: &[Method]) -> Vec<&str> {
    let head = methods.contains(&Method::GET).then_some("HEAD");
    let mut names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    names.splice(1.min(names.len())..1.min(names.len()), head);
    names.push("OPTIONS");
    names
}

fn allow(methods: &[Method]) -> HeaderValue {
    HeaderValue::from_str(&names_of(methods).join(", ")).expect("methods are letters")
}

fn not_allowed(methods: &[Method]) -> HttpResponse {
    let names = names_of(methods);
    let (last, others) = names.split_last().expect("OPTIONS is always taken");
    let text = format!("This address supports only {} and {last}.", others.join(", "));
    let mut response =
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::METHOD_NOT_ALLOWED, text).error_response();
    response.headers_mut().insert(ALLOW, allow(methods));
    response
}

/// Rejects unsupported methods and answers `OPTIONS`. Passes `HEAD` on as `GET`, and removes the body of the response.
pub(crate) async fn check_method<B: MessageBody + 'static>(
    methods: Data<Methods>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_head = *request.method() == Method::HEAD;
    let allowed = methods.at(request.match_info().as_str());
    if let Some(allowed) = allowed {
        let is_taken = |method: &Method| allowed.contains(method);
        if *request.method() == Method::OPTIONS {
            let answer = HttpResponse::NoContent().insert_header((ALLOW, allow(allowed))).finish();
            return Ok(request.into_response(answer).map_into_right_body());
        }
        if !(is_taken(request.method()) || is_head && is_taken(&Method::GET)) {
            return Ok(request.into_response(not_allowed(allowed)).map_into_right_body());
        }
    }
    if is_head {
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(HeadersOnly);
    }
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| if is_head { LengthOnly::of(&body) } else { EitherBody::left(body) }))
}

/// The length of the removed body.
struct LengthOnly(BodySize);

impl LengthOnly {
    fn of<B: MessageBody>(body: &B) -> EitherBody<B> {
        EitherBody::right(BoxBody::new(Self(body.size())))
    }
}

impl MessageBody for LengthOnly {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allow_lists_the_methods_of_an_address() {
        assert_eq!(allow(&[Method::GET, Method::PUT]), "GET, HEAD, PUT, OPTIONS");
        assert_eq!(allow(&[Method::POST]), "POST, OPTIONS");
    }
}
