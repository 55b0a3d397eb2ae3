use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_clients::{BrandingStore, Client, ClientCode, ClientService, ClientStatus};
use plenum_kernel::ClientId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::branding::BrandingView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::CallerAddress;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// The public part of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Rowing Club", "clientCode": "rowing-club",
    "branding": {
        "accent": { "color": "#7a1f5c", "soft": "#f8f4f7", "dark": "#c49cb7", "darkSoft": "#302a2a" },
        "logoVersion": "3f786850e387550f",
    },
}))]
pub(crate) struct PublicClientView {
    name: String,
    /// The current code, also for a former one.
    client_code: String,
    branding: BrandingView,
}

/// An organization in its envelope.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublicClientAnswer {
    success: bool,
    client: PublicClientView,
}

/// Returns the organization that has this code or had it, in any case. No login. Inactive organizations are not found.
#[utoipa::path(
    tag = "public",
    params(("clientCode" = String, Path)),
    responses(
        (status = 200, description = "The organization", body = PublicClientAnswer),
        (status = 404, description = "There is no organization with this code", body = ApiErrorBody),
        (status = 429, description = "Too many unknown codes were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown organization codes were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/client/{clientCode}")]
pub(crate) async fn find_public_client(
    code: Path<String>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    clients: Data<ClientService>,
    branding: Data<dyn BrandingStore>,
) -> Result<Json<PublicClientAnswer>, ApiError> {
    let client = find_active(&code, from, &lookups, &clients).await?.ok_or_else(ClientId::missing)?;
    let branding = branding.branding(client.id).await?.into();
    let view = PublicClientView { name: client.name.to_string(), client_code: client.code.to_string(), branding };
    Ok(Json(PublicClientAnswer { success: true, client: view }))
}

/// The active organization that has this code or had it, within the rate limit of unknown codes.
pub(super) async fn find_active(
    code: &str,
    from: CallerAddress,
    lookups: &LookupRateLimit,
    clients: &ClientService,
) -> Result<Option<Client>, ApiError> {
    let Ok(code) = ClientCode::parse(code) else { return Ok(None) };
    let find = async {
        let client = clients.find_by_code(&code).await?;
        Ok(client.filter(|client| client.status == ClientStatus::Active))
    };
    let lookup = Lookup { kind: LookupKind::ClientCode, from: from.0, value: code.as_str() };
    lookups.look_up(lookup, find).await
}
