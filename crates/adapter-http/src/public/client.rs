use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_clients::{ClientCode, ClientService, ClientStatus};
use plenum_kernel::ClientId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::CallerAddress;
use crate::middleware::LookupKind;
use crate::middleware::LookupRateLimit;

/// The public part of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Rowing Club", "clientCode": "rowing-club" }))]
pub(crate) struct PublicClientView {
    name: String,
    /// The current code, also for a former one.
    client_code: String,
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
) -> Result<Json<PublicClientAnswer>, ApiError> {
    let code = ClientCode::parse(&code).map_err(|_| ClientId::missing())?;
    let find = async {
        let client = clients.find_by_code(&code).await?;
        Ok(client.filter(|client| client.status == ClientStatus::Active))
    };
    let client = lookups.look_up(LookupKind::ClientCode, from.0, find).await?.ok_or_else(ClientId::missing)?;
    let view = PublicClientView { name: client.name.to_string(), client_code: client.code.to_string() };
    Ok(Json(PublicClientAnswer { success: true, client: view }))
}
