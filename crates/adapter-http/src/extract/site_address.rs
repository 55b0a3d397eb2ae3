use actix_web::HttpRequest;
use actix_web::http::header::HOST;
use plenum_meetings::SiteAddress;

use crate::config::HttpSettings;
use crate::connections::Encrypted;
use crate::error::FieldCheck;

/// The path of the page that checks files.
const VERIFY_PAGE: &str = "/verify";

/// Finds the origin of links: the configured one, or that of the page, or that of the request. Rejects a page origin
/// that is not valid in any case.
pub(crate) fn read_site(
    check: &mut FieldCheck,
    request: &HttpRequest,
    settings: &HttpSettings,
    given: Option<&str>,
) -> Option<SiteAddress> {
    let address = |origin: &str| SiteAddress::new(origin, &settings.base_path);
    let given = given.filter(|origin| !origin.is_empty()).map(|origin| check.keep("publicUrl", address(origin)));
    match (&settings.public_url, given) {
        (Some(configured), None | Some(Some(_))) => check.keep("publicUrl", address(configured)),
        (_, Some(given)) => given,
        (None, None) => check.keep("publicUrl", address(&called_origin(request, settings))),
    }
}

/// The address of the page that checks files. Empty if `given` is no origin, which `check` refuses then.
pub(crate) fn verify_address(
    check: &mut FieldCheck,
    request: &HttpRequest,
    settings: &HttpSettings,
    given: Option<&str>,
) -> String {
    let site = read_site(check, request, settings, given);
    site.map(|site| format!("{site}{VERIFY_PAGE}")).unwrap_or_default()
}

/// The origin that the caller used: as a trusted proxy reports it, or otherwise by the `Host` of the request. What other
/// peers report in headers of proxies is ignored.
pub(crate) fn called_origin(request: &HttpRequest, settings: &HttpSettings) -> String {
    // actix knows only what proxies say, not how the server itself listens.
    let is_encrypted = request.conn_data::<Encrypted>().is_some();
    if request.peer_addr().is_some_and(|peer| settings.trusted_proxies.trust(peer.ip())) {
        let connection = request.connection_info();
        let scheme = if is_encrypted { "https" } else { connection.scheme() };
        return format!("{scheme}://{}", connection.host());
    }
    let scheme = if is_encrypted { "https" } else { "http" };
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    format!("{scheme}://{}", host.unwrap_or_else(|| request.app_config().host()))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use actix_web::test::TestRequest;

    use super::*;
    use crate::config::TrustedProxies;

    /// The origin of a request to `inner.example:8080` from this peer with these headers, where 10.0.0.0/8 are proxies.
    fn origin_from(peer: &str, headers: &[(&'static str, &'static str)]) -> String {
        let trusted_proxies = TrustedProxies::parse("10.0.0.0/8").unwrap();
        let settings = HttpSettings { trusted_proxies, ..HttpSettings::default() };
        let peer: SocketAddr = peer.parse().unwrap();
        let request = TestRequest::default().peer_addr(peer).insert_header((HOST, "inner.example:8080"));
        let request = headers.iter().fold(request, |request, header| request.append_header(*header));
        called_origin(&request.to_http_request(), &settings)
    }

    #[test]
    fn only_a_trusted_proxy_reports_the_origin() {
        let of_old_proxies = [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "vote.example.org")];
        let of_new_ones = [("Forwarded", "for=192.0.2.7;proto=https;host=vote.example.org")];
        for headers in [&of_old_proxies[..], &of_new_ones[..]] {
            assert_eq!(origin_from("10.0.0.1:4711", headers), "https://vote.example.org");
            assert_eq!(origin_from("[::ffff:10.0.0.1]:4711", headers), "https://vote.example.org");
            assert_eq!(origin_from("192.0.2.1:4711", headers), "http://inner.example:8080");
        }
    }

    #[test]
    fn a_request_without_headers_of_proxies_names_its_host() {
        for peer in ["10.0.0.1:4711", "192.0.2.1:4711"] {
            assert_eq!(origin_from(peer, &[]), "http://inner.example:8080");
        }
        let settings = HttpSettings::default();
        assert_eq!(called_origin(&TestRequest::default().to_http_request(), &settings), "http://localhost:8080");
    }
}
