use actix_web::web::{Data, Json};
use actix_web::{delete, get, put};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plenum_clients::{AccentColor, BrandingStore, Logo};
use plenum_kernel::{ClientId, PortFailure};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::branding::BrandingView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;

/// An accent color.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "accentColor": "#7a1f5c" }))]
pub(crate) struct AccentColorBody {
    /// `#RRGGBB`, dark enough for a contrast of 4.5:1 to the light pages. Null removes it.
    #[schema(required, pattern = "^#[0-9A-Fa-f]{6}$")]
    accent_color: Option<String>,
}

impl AccentColorBody {
    pub(super) fn read(&self) -> Result<Option<AccentColor>, ApiError> {
        let mut check = FieldCheck::default();
        let accent = self.accent_color.as_deref().map(|color| check.keep("accentColor", AccentColor::parse(color)));
        check.finish(Some(accent.flatten()))
    }
}

/// The file of a logo.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({
    "content": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
}))]
pub(crate) struct LogoBody {
    /// A PNG, JPEG or WebP image in Base64. The file has at most 256 KiB, and the image at most 2000 x 2000 pixels.
    #[schema(min_length = 1)]
    content: String,
}

impl LogoBody {
    pub(super) fn read(&self) -> Result<Logo, ApiError> {
        let content = STANDARD.decode(self.content.as_bytes());
        let content = content.map_err(|_| ApiError::invalid_field("content", "Must be the file in Base64."))?;
        Logo::read(content).map_err(|invalid| ApiError::invalid_field("content", invalid))
    }
}

pub(super) async fn current(branding: &dyn BrandingStore, owner: ClientId) -> Result<Json<BrandingView>, PortFailure> {
    Ok(Json(branding.branding(owner).await?.into()))
}

/// Returns the logo and the accent color of the organization.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The branding", body = BrandingView),
    ),
)]
#[get("/client/branding")]
pub(crate) async fn find_branding(
    admin: ClientAdmin,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    Ok(current(&**branding, admin.client_id).await?)
}

/// Changes or removes the accent color of the organization. Phones and presentations show it after they load the page again.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    request_body = AccentColorBody,
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
    ),
)]
#[put("/client/branding/accent-color")]
pub(crate) async fn change_accent_color(
    admin: ClientAdmin,
    Body(body): Body<AccentColorBody>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    branding.set_accent(admin.client_id, body.read()?).await?;
    Ok(current(&**branding, admin.client_id).await?)
}

/// Stores the logo of the organization in place of an earlier one. Phones and presentations show it after they load the page
/// again.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    request_body = LogoBody,
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
        (status = 422, description = "The file cannot be used; `fields` contains the requirements", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input", "error": "content must be a PNG, JPEG or WebP image.",
             "fields": { "content": ["Must be a PNG, JPEG or WebP image."] },
         })),
    ),
)]
#[put("/client/branding/logo")]
pub(crate) async fn change_logo(
    admin: ClientAdmin,
    Body(body): Body<LogoBody>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    branding.set_logo(admin.client_id, Some(body.read()?)).await?;
    Ok(current(&**branding, admin.client_id).await?)
}

/// Removes the logo of the organization.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The changed branding", body = BrandingView),
    ),
)]
#[delete("/client/branding/logo")]
pub(crate) async fn remove_logo(
    admin: ClientAdmin,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<BrandingView>, ApiError> {
    branding.set_logo(admin.client_id, None).await?;
    Ok(current(&**branding, admin.client_id).await?)
}
