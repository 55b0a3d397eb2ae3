use actix_web::HttpRequest;
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
        (None, None) => check.keep("publicUrl", address(&called_origin(request))),
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

/// The origin that the caller used, as the proxy reports it, if there is one.
pub(crate) fn called_origin(request: &HttpRequest) -> String {
    let connection = request.connection_info();
    // actix knows only what proxies say, not how the server itself listens.
    let scheme = if request.conn_data::<Encrypted>().is_some() { "https" } else { connection.scheme() };
    format!("{scheme}://{}", connection.host())
}
