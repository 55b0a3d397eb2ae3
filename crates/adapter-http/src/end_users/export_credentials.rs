use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{AuditLog, ClientService, EndUserService, NotedAct, SessionRevocation};
use plenum_kernel::{ClientId, EndUserId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::end_users::credentials::{CredentialsView, example_credentials};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::live::Revocations;

/// Credentials in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_credentials() }))]
pub(crate) struct CredentialsAnswer {
    success: bool,
    data: CredentialsView,
}

/// Sets a new random password for a voter and ends all their sessions. The old password cannot be read. The response
/// contains the credentials, which cannot be read again later.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    responses(
        (status = 200, description = "The new credentials", body = CredentialsAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
    ),
)]
#[post("/client/end-users/{endUserId}/export-credentials")]
pub(crate) async fn export_credentials(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    end_users: Data<EndUserService>,
    clients: Data<ClientService>,
    revocations: Data<Revocations>,
    audit: Data<AuditLog>,
) -> Result<Json<CredentialsAnswer>, ApiError> {
    let client = clients.find(admin.client_id).await?.ok_or_else(ClientId::missing)?.client;
    let credentials = end_users.renew_password(admin.client_id, id).await?;
    revocations.announce(SessionRevocation::EndUser(id));
    audit.note(NotedAct::CredentialsExported(admin.client_id, id)).await?;
    Ok(Json(CredentialsAnswer { success: true, data: CredentialsView::new(&client, &credentials) }))
}
