//! Leads callers over plain http to the encrypted address.

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use actix_http::error::DispatchError;
use actix_http::header::{HOST, HeaderValue, LOCATION};
use actix_http::{HttpMessage as _, HttpService, KeepAlive, Protocol, Request, Response, StatusCode};
use actix_server::ServerBuilder;
use actix_service::{ServiceFactoryExt as _, fn_service};
use actix_web::rt::net::TcpStream;

use crate::connections::{AdmissionBatches, ConnectionAcceptor};

/// Where callers over plain http are led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// This origin.
    Origin(String),
    /// The host that they called, over https on this port.
    Port(u16),
}

/// A listener for plain http that answers with the encrypted address only.
pub struct Redirect {
    /// The listener.
    pub listener: TcpListener,
    /// Where it leads.
    pub target: RedirectTarget,
}

/// Adds the listener. Its connections count towards the same quota.
pub(crate) fn listen_for_redirects(
    builder: ServerBuilder,
    redirect: Redirect,
    acceptor: Arc<ConnectionAcceptor>,
) -> io::Result<ServerBuilder> {
    let Redirect { listener, target } = redirect;
    builder.listen("redirect", listener, move || {
        let target = target.clone();
        let answering = fn_service(move |request: Request| ready(Ok::<_, Infallible>(response_to(&request, &target))));
        let http = HttpService::build().keep_alive(KeepAlive::Disabled).finish(answering);
        let (acceptor, batches) = (Arc::clone(&acceptor), AdmissionBatches::new());
        fn_service(move |stream: TcpStream| {
            let (acceptor, batches) = (Arc::clone(&acceptor), batches.clone());
            async move {
                let peer = stream.peer_addr().ok();
                let admitted = acceptor.admit(&batches, stream, None).await;
                Ok((admitted.map_err(DispatchError::Io)?, Protocol::Http1, peer))
            }
        })
        .and_then(http)
    })
}

fn response_to(request: &Request, target: &RedirectTarget) -> Response<&'static str> {
    const TEXT: &str = "This server is reached over https.\n";
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let location = address(target, host, path).and_then(|address| HeaderValue::try_from(address).ok());
    let Some(location) = location else { return Response::with_body(StatusCode::BAD_REQUEST, TEXT) };
    // The method stays, so that a script with a wrong address finds out at its first call.
    let mut response = Response::with_body(StatusCode::PERMANENT_REDIRECT, TEXT);
    response.headers_mut().insert(LOCATION, location);
    response
}

/// The encrypted address of a path. `None` if the request names no host.
fn address(target: &RedirectTarget, host: Option<&str>, path: &str) -> Option<String> {
    let path = if path.starts_with('/') { path } else { "/" };
    match target {
        RedirectTarget::Origin(origin) => Some(format!("{origin}{path}")),
        RedirectTarget::Port(port) => {
            let host = host_without_port(host?)?;
            let port = if *port == 443 { String::new() } else { format!(":{port}") };
            Some(format!("https://{host}{port}{path}"))
        }
    }
}

fn host_without_port(host: &str) -> Option<&str> {
    let name = match host.strip_prefix('[') {
        Some(rest) => &host[..rest.find(']')? + 2],
        None => host.split(':').next()?,
    };
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '[' | ']' | ':');
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_origin_is_used_whatever_host_the_caller_names() {
        let target = RedirectTarget::Origin("https://vote.example.org".to_owned());
        for host in [Some("foreign.example"), None] {
            let address = address(&target, host, "/participant/login/demo?to=1");
            assert_eq!(address.as_deref(), Some("https://vote.example.org/participant/login/demo?to=1"));
        }
        assert_eq!(address(&target, None, "*").as_deref(), Some("https://vote.example.org/"));
    }

    #[test]
    fn without_one_the_called_host_is_used() {
        for (host, port, expected) in [
            (Some("vote.example.org"), 443, Some("https://vote.example.org/a")),
            (Some("vote.example.org:80"), 443, Some("https://vote.example.org/a")),
            (Some("10.0.0.7:8080"), 8443, Some("https://10.0.0.7:8443/a")),
            (Some("[fd00::7]:80"), 8443, Some("https://[fd00::7]:8443/a")),
            (Some("[fd00::7"), 443, None),
            (Some("foreign.example/x@y"), 443, None),
            (Some(""), 443, None),
            (None, 443, None),
        ] {
            assert_eq!(address(&RedirectTarget::Port(port), host, "/a").as_deref(), expected, "{host:?}");
        }
    }
}
