use actix_web::HttpRequest;
use plenum_meetings::SiteAddress;

use crate::config::HttpSettings;
use crate::error::FieldCheck;

/// Finds the origin of links: the configured one, or that of the page, or that of the request. Rejects a page origin
/// that is not valid in any case.
pub(crate) fn read_site(
    check: &mut FieldCheck,
    request: &HttpRequest,
    settings: &HttpSettings,
    said: Option<&str>,
) -> Option<SiteAddress> {
    let address = |origin: &str| SiteAddress::new(origin, &settings.base_path);
    let said = said.filter(|origin| !origin.is_empty()).map(|origin| check.keep("publicUrl", address(origin)));
    let named = || {
        let connection = request.connection_info();
        format!("{}://{}", connection.scheme(), connection.host())
    };
    match (&settings.public_url, said) {
        (Some(configured), None | Some(Some(_))) => check.keep("publicUrl", address(configured)),
        (_, Some(said)) => said,
        (None, None) => check.keep("publicUrl", address(&named())),
    }
}
