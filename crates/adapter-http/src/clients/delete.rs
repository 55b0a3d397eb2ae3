use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_clients::{ClientService, SessionRevocation};
use plenum_kernel::ClientId;
use plenum_meetings::live::LiveSignals;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::extract::SuperAdmin;
use crate::live::Revocations;
use crate::views::DoneView;

/// Deletes an organization with its accounts, voters, meetings and votes, including a running meeting. This cannot be
/// undone.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[delete("/clients/{clientId}")]
pub(crate) async fn delete_client(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    clients: Data<ClientService>,
    revocations: Data<Revocations>,
    signals: Data<dyn LiveSignals>,
) -> Result<Json<DoneView>, ApiError> {
    if !clients.delete(id).await? {
        return Err(ClientId::missing());
    }
    revocations.announce(SessionRevocation::Client(id));
    // After the revocation, which ends the streams of its people with a reason.
    signals.client_changed(id).await;
    Ok(Json(DoneView::DONE))
}
