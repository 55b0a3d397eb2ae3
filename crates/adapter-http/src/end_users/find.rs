use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::EndUserService;
use plenum_kernel::EndUserId;

use crate::end_users::views::{EndUserAnswer, EndUserView};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// Returns one voter of the organization.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    responses(
        (status = 200, description = "The voter", body = EndUserAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
    ),
)]
#[get("/client/end-users/{endUserId}")]
pub(crate) async fn find_end_user(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    end_users: Data<EndUserService>,
) -> Result<Json<EndUserAnswer>, ApiError> {
    let end_user = end_users.find(admin.client_id, id).await?.ok_or_else(EndUserId::missing)?;
    Ok(Json(EndUserAnswer { success: true, data: EndUserView::from(&end_user) }))
}
