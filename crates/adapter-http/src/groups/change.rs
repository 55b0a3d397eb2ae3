use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, post, put};
use plenum_clients::{GroupName, GroupService};
use plenum_kernel::GroupId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::groups::views::GroupAnswer;
use crate::middleware::created;
use crate::views::DoneView;

/// The name of a group.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Delegates" }))]
pub(crate) struct GroupBody {
    /// Unique in the organization regardless of case. 1 to 100 characters after trimming, without a semicolon. Several blanks
    /// become one.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
}

impl GroupBody {
    fn check(&self) -> Result<GroupName, ApiError> {
        let mut check = FieldCheck::default();
        let name = check.keep("name", GroupName::parse(&self.name));
        check.finish(name)
    }
}

/// Creates a group without members.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    request_body = GroupBody,
    responses(
        (status = 201, description = "Created", body = GroupAnswer),
        (status = 409, description = "The name is taken, or there are 200 groups (`too_many_groups`)", body = ApiErrorBody,
         example = json!({
             "code": "group_name_taken", "error": "Another group has this name.",
             "fields": { "name": ["Another group has this name."] },
         })),
    ),
)]
#[post("/client/groups")]
pub(crate) async fn create_group(
    admin: ClientAdmin,
    Body(body): Body<GroupBody>,
    groups: Data<GroupService>,
) -> Result<HttpResponse, ApiError> {
    let made = groups.add(admin.client_id, body.check()?).await?;
    Ok(created(format_args!("/client/groups/{}", made.group.id), GroupAnswer::of(&made)))
}

/// Renames a group. Rounds that were opened before keep the name.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    params(("groupId" = Uuid, Path)),
    request_body(content = GroupBody, example = json!({ "name": "Board members" })),
    responses(
        (status = 200, description = "The renamed group", body = GroupAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "group_not_found", "error": "The group does not exist" })),
        (status = 409, description = "The name is taken", body = ApiErrorBody,
         example = json!({
             "code": "group_name_taken", "error": "Another group has this name.",
             "fields": { "name": ["Another group has this name."] },
         })),
    ),
)]
#[put("/client/groups/{groupId}")]
pub(crate) async fn rename_group(
    admin: ClientAdmin,
    PathId(id): PathId<GroupId>,
    Body(body): Body<GroupBody>,
    groups: Data<GroupService>,
) -> Result<Json<GroupAnswer>, ApiError> {
    let renamed = groups.rename(admin.client_id, id, body.check()?).await?;
    Ok(Json(GroupAnswer::of(&renamed)))
}

/// Deletes a group. Its members remain voters. A group that a meeting or a question is for, or that a decision rule
/// names, cannot be deleted.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    params(("groupId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "group_not_found", "error": "The group does not exist" })),
        (status = 409, description = "Meetings or questions use it; the text names them", body = ApiErrorBody,
         example = json!({
             "code": "group_in_use",
             "error": "This group is used by the meeting “General assembly”; change that first",
         })),
    ),
)]
#[delete("/client/groups/{groupId}")]
pub(crate) async fn delete_group(
    admin: ClientAdmin,
    PathId(id): PathId<GroupId>,
    groups: Data<GroupService>,
) -> Result<Json<DoneView>, ApiError> {
    groups.remove(admin.client_id, id).await?;
    Ok(Json(DoneView::DONE))
}
