use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::GroupService;
use plenum_kernel::GroupId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::groups::views::{GroupAnswer, GroupView, example_group};

/// The groups of an organization, by name. There are at most 200.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_group()] }))]
pub(crate) struct GroupListAnswer {
    success: bool,
    data: Vec<GroupView>,
}

/// Lists the organization's groups of voters, by name. Their members are in the list of voters, by `groupId`.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    responses((status = 200, description = "The groups", body = GroupListAnswer)),
)]
#[get("/client/groups")]
pub(crate) async fn list_groups(
    admin: ClientAdmin,
    groups: Data<GroupService>,
) -> Result<Json<GroupListAnswer>, ApiError> {
    let known = groups.list(admin.client_id).await?;
    Ok(Json(GroupListAnswer { success: true, data: known.iter().map(GroupView::from).collect() }))
}

/// Returns one group.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    params(("groupId" = Uuid, Path)),
    responses(
        (status = 200, description = "The group", body = GroupAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "group_not_found", "error": "The group does not exist" })),
    ),
)]
#[get("/client/groups/{groupId}")]
pub(crate) async fn find_group(
    admin: ClientAdmin,
    PathId(id): PathId<GroupId>,
    groups: Data<GroupService>,
) -> Result<Json<GroupAnswer>, ApiError> {
    let known = groups.find(admin.client_id, id).await?.ok_or_else(GroupId::missing)?;
    Ok(Json(GroupAnswer::of(&known)))
}
