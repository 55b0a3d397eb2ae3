use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_clients::{ClientCode, ClientDirectory, ClientStatus};
use plenum_kernel::ClientId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::rim::{ApiError, ApiErrorBody, PathId as _};

/// An organization, as far as everybody may know it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Rowing Club", "clientCode": "rowing-club" }))]
pub(crate) struct PublicClientView {
    name: String,
    client_code: String,
}

/// An organization, in its envelope.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublicClientAnswer {
    success: bool,
    client: PublicClientView,
}

/// Gives the organization with this code, in any case. No login. Organizations that are not active look missing.
#[utoipa::path(
    tag = "public",
    params(("clientCode" = String, Path)),
    responses(
        (status = 200, description = "The organization", body = PublicClientAnswer),
        (status = 404, description = "There is none with this code", body = ApiErrorBody),
    ),
)]
#[get("/public/client/{clientCode}")]
pub(crate) async fn find_public_client(
    code: Path<String>,
    clients: Data<ClientDirectory>,
) -> Result<Json<PublicClientAnswer>, ApiError> {
    let code = ClientCode::parse(&code).map_err(|_| ClientId::missing())?;
    let client = clients.find_by_code(&code).await?;
    let client = client.filter(|client| client.status == ClientStatus::Active).ok_or_else(ClientId::missing)?;
    let view = PublicClientView { name: client.name.to_string(), client_code: client.code.to_string() };
    Ok(Json(PublicClientAnswer { success: true, client: view }))
}
