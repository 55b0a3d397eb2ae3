use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, ETAG, IF_NONE_MATCH};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use plenum_clients::{BrandingStore, ClientService, LogoFormat};
use plenum_kernel::ClientId;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::client::find_active;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::CallerAddress;
use crate::extract::Query;
use crate::middleware::LookupRateLimit;

/// The version of the logo.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogoQuery {
    /// The `logoVersion` of the organization. With the current one, browsers keep the image without asking again.
    v: Option<String>,
}

/// An image as it is.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "\u{89}PNG…")]
struct ImageBody(
    #[expect(dead_code, reason = "only the document needs it: the handler writes the body itself")] Vec<u8>,
);

/// Returns the logo of the organization that has this code or had it. No login.
#[utoipa::path(
    tag = "public",
    params(("clientCode" = String, Path), LogoQuery),
    responses(
        (status = 200, description = "The logo",
         headers(
             ("ETag" = String, description = "The version of the logo"),
             ("Content-Disposition" = String, description = "The name of the file"),
         ),
         content(
             (ImageBody = "image/png", example = json!("\u{89}PNG…")),
             (ImageBody = "image/jpeg", example = json!("\u{ff}\u{d8}\u{ff}…")),
             (ImageBody = "image/webp", example = json!("RIFF…WEBP…")),
         )),
        (status = 304, description = "The logo has the version of `If-None-Match`"),
        (status = 404, description = "There is no organization with this code (`client_not_found`), or it has no logo",
         body = ApiErrorBody,
         example = json!({ "code": "logo_not_found", "error": "The organization has no logo." })),
        (status = 429, description = "Too many unknown codes were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown organization codes were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/client/{clientCode}/logo")]
pub(crate) async fn find_logo(
    code: Path<String>,
    query: Query<LogoQuery>,
    from: CallerAddress,
    request: HttpRequest,
    lookups: Data<LookupRateLimit>,
    clients: Data<ClientService>,
    branding: Data<dyn BrandingStore>,
) -> Result<HttpResponse, ApiError> {
    let client = find_active(&code, from, &lookups, &clients).await?.ok_or_else(ClientId::missing)?;
    let logo = branding.logo(client.id).await?;
    let logo = logo.ok_or_else(|| ApiError::not_found("logo_not_found", "The organization has no logo."))?;
    let tag = format!("\"{}\"", logo.version);
    let is_known = request.headers().get_all(IF_NONE_MATCH).any(|known| has_tag(known.as_bytes(), &tag));
    let caching = if query.v.as_deref() == Some(logo.version.as_str()) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, caching));
    if is_known {
        return Ok(response.finish());
    }
    // A browser that opens the address saves the file instead of showing it as a page of this origin.
    let name = format!("attachment; filename=\"logo.{}\"", extension(logo.format));
    response.insert_header((CONTENT_DISPOSITION, name)).content_type(logo.format.media_type());
    Ok(response.body(logo.content))
}

/// Whether a list of entity tags contains this one (RFC 9110, 13.1.2). The comparison is weak.
fn has_tag(list: &[u8], tag: &str) -> bool {
    let list = std::str::from_utf8(list).unwrap_or_default();
    list.split(',').map(str::trim).any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

fn extension(format: LogoFormat) -> &'static str {
    match format {
        LogoFormat::Png => "png",
        LogoFormat::Jpeg => "jpg",
        LogoFormat::Webp => "webp",
    }
}
