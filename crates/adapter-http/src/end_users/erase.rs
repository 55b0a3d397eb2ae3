use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{EndUserService, SessionRevocation, Username};
use plenum_kernel::EndUserId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::live::Revocations;
use crate::views::DoneView;

/// The confirmation of an erasure.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "username": "ben" }))]
pub(crate) struct EraseEndUserBody {
    /// The username of the voter, typed once more.
    #[schema(min_length = 1, max_length = 64)]
    username: String,
}

/// Erases the personal data of a voter: name, username, email and postal address, sessions and invitations. Registers and
/// records of declared results keep the names until their own time is over, and so do earlier entries of the audit log.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    request_body = EraseEndUserBody,
    responses(
        (status = 200, description = "Erased", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The voter takes part in a running meeting, may vote in an open question, or is erased already; or another voter has the username that this one would get (`erased_username_taken`)",
         body = ApiErrorBody,
         example = json!({
             "code": "end_user_in_running_meeting",
             "error": "This person takes part in a meeting that is running; end the meeting first",
         })),
    ),
)]
#[post("/client/end-users/{endUserId}/erase")]
pub(crate) async fn erase_end_user(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    Body(body): Body<EraseEndUserBody>,
    end_users: Data<EndUserService>,
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    let mut check = FieldCheck::default();
    let typed = check.keep("username", Username::parse(&body.username));
    let typed = check.finish(typed)?;
    end_users.erase(admin.client_id, id, typed).await?;
    revocations.announce(SessionRevocation::EndUser(id));
    Ok(Json(DoneView::DONE))
}
