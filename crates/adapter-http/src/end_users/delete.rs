use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_clients::{EndUserService, SessionRevocation};
use plenum_kernel::EndUserId;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::live::Revocations;
use crate::views::DoneView;

/// Deletes a voter and ends all their sessions. Votes that the voter has cast remain and count.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The voter is in the register of an open question", body = ApiErrorBody,
         example = json!({
             "code": "end_user_in_open_round",
             "error": "This person may vote in a question that is open; end the question first",
         })),
    ),
)]
#[delete("/client/end-users/{endUserId}")]
pub(crate) async fn delete_end_user(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    end_users: Data<EndUserService>,
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    end_users.delete(admin.client_id, id).await?;
    revocations.announce(SessionRevocation::EndUser(id));
    Ok(Json(DoneView::DONE))
}
