use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::ClientService;
use plenum_kernel::ClientId;

use crate::clients::views::{ClientAnswer, ClientView};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::extract::SuperAdmin;

/// Returns one organization.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    responses(
        (status = 200, description = "The organization", body = ClientAnswer),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[get("/clients/{clientId}")]
pub(crate) async fn find_client(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    clients: Data<ClientService>,
) -> Result<Json<ClientAnswer>, ApiError> {
    let overview = clients.find(id).await?.ok_or_else(ClientId::missing)?;
    Ok(Json(ClientAnswer { success: true, data: ClientView::from(&overview) }))
}
