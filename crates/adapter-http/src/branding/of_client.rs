use actix_web::web::{Data, Json};
use actix_web::{delete, get, put};
use plenum_clients::{BrandingStore, ClientService};
use plenum_kernel::ClientId;

use super::change::{AccentColorBody, LogoBody, current};
use crate::branding::BrandingView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::SuperAdmin;

/// The branding after a change; not found if the organization is gone.
async fn changed(branding: &dyn BrandingStore, id: ClientId, is_stored: bool) -> Result<Json<BrandingView>, ApiError> {
    if is_stored { Ok(current(branding, id).await?) } else { Err(ClientId::missing()) }
}

/// Returns the logo and the accent color of an organization.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    responses(
        (status = 200, description = "The branding", body = BrandingView),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[get("/clients/{clientId}/branding")]
pub(crate) async fn find_client_branding(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    clients: Data<ClientService>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    // The store has no branding of an unknown organization either.
    clients.find(id).await?.ok_or_else(ClientId::missing)?;
    Ok(current(&**branding, id).await?)
}

/// Changes or removes the accent color of an organization. Phones and presentations show it after they load the page again.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    request_body = AccentColorBody,
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[put("/clients/{clientId}/branding/accent-color")]
pub(crate) async fn change_client_accent_color(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    Body(body): Body<AccentColorBody>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    let is_stored = branding.set_accent(id, body.read()?).await?;
    changed(&**branding, id, is_stored).await
}

/// Stores the logo of an organization in place of an earlier one. Phones and presentations show it after they load the page again.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    request_body = LogoBody,
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
        (status = 422, description = "The file cannot be used; `fields` contains the requirements", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input", "error": "content must be a PNG, JPEG or WebP image.",
             "fields": { "content": ["Must be a PNG, JPEG or WebP image."] },
         })),
    ),
)]
#[put("/clients/{clientId}/branding/logo")]
pub(crate) async fn change_client_logo(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    Body(body): Body<LogoBody>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    let is_stored = branding.set_logo(id, Some(body.read()?)).await?;
    changed(&**branding, id, is_stored).await
}

/// Removes the logo of an organization.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[delete("/clients/{clientId}/branding/logo")]
pub(crate) async fn remove_client_logo(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    let is_stored = branding.set_logo(id, None).await?;
    changed(&**branding, id, is_stored).await
}
