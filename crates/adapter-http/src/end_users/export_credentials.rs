use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{AuditLog, ClientService, EndUserService, NotedAct, SessionRevocation};
use plenum_kernel::{ClientId, EndUserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::end_users::credentials::{CredentialsView, PortalAddress, example_credentials};
use crate::end_users::password_reason::read_setter;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::OptionalBody;
use crate::extract::PathId;
use crate::live::Revocations;

/// Credentials in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_credentials() }))]
pub(crate) struct CredentialsAnswer {
    success: bool,
    data: CredentialsView,
}

/// The reason for a new password. The body may be missing or null.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "passwordReason": "Lost the letter with the password" }))]
pub(crate) struct ExportCredentialsBody {
    /// The reason for the new password, shown in the log of each open vote that the voter may vote in. Needed only then. At
    /// most 200 characters after trimming.
    #[schema(max_length = 200)]
    password_reason: Option<String>,
}

/// Sets a new random password for a voter and ends all their sessions. The old password cannot be read. The response
/// contains the credentials, which cannot be read again later.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    request_body = Option<ExportCredentialsBody>,
    responses(
        (status = 200, description = "The new credentials", body = CredentialsAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The voter may vote in an open question, and there is no reason", body = ApiErrorBody,
         example = json!({
             "code": "password_reason_needed",
             "error": "1 person may vote on “Approve the budget?” in “General assembly”, and voting is open. Give a reason: it is shown in the minutes, with your name. Or end the question first",
             "fields": { "passwordReason": ["Must be the reason for the new password, of 1 to 200 characters."] },
             "openVotes": [{ "meeting": "General assembly", "question": "Approve the budget?", "people": 1 }],
         })),
    ),
)]
#[post("/client/end-users/{endUserId}/export-credentials")]
pub(crate) async fn export_credentials(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    OptionalBody(body): OptionalBody<ExportCredentialsBody>,
    (end_users, clients): (Data<EndUserService>, Data<ClientService>),
    portal: PortalAddress,
    revocations: Data<Revocations>,
    audit: Data<AuditLog>,
) -> Result<Json<CredentialsAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let reason = body.and_then(|body| body.password_reason);
    let setter = read_setter(&mut check, &admin, reason.as_deref());
    let setter = check.finish(Some(setter))?;
    let client = clients.find(admin.client_id).await?.ok_or_else(ClientId::missing)?.client;
    let credentials = end_users.renew_password(admin.client_id, id, setter).await?;
    revocations.announce(SessionRevocation::EndUser(id));
    audit.note(NotedAct::CredentialsExported(admin.client_id, id)).await?;
    Ok(Json(CredentialsAnswer { success: true, data: CredentialsView::new(&client, &credentials, &portal) }))
}
