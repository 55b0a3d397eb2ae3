use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{GroupService, MAX_MEMBER_CHANGES, MemberChanges};
use plenum_kernel::{EndUserId, GroupId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::live::Revocations;

/// The largest body, in bytes: 40,000 ids.
const MAX_BODY: usize = 2 * 1024 * 1024;

/// The people who become members, and those who are no longer members.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "add": ["019a9d5e-0000-7000-8000-000000000003"], "remove": [] }))]
pub(crate) struct ChangeMembersBody {
    /// Ids of the organization's end users, at most 20,000. Members stay members.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 20000)]
    add: Option<Vec<String>>,
    /// Ids of end users, at most 20,000. People who are no members are ignored.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 20000)]
    remove: Option<Vec<String>>,
}

fn read_people(check: &mut FieldCheck, field: &str, ids: Option<&[String]>) -> Vec<EndUserId> {
    let ids = ids.unwrap_or_default();
    if ids.len() > MAX_MEMBER_CHANGES {
        check.note(field, "Must have at most 20,000 ids.".to_owned());
        return Vec::new();
    }
    let read: Result<Vec<EndUserId>, _> = ids.iter().map(|id| id.parse()).collect();
    read.unwrap_or_else(|_| {
        check.note(field, "Must be ids of end users of your organization.".to_owned());
        Vec::new()
    })
}

/// The outcome of a change of members.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "added": 3, "removed": 0, "members": 43 }))]
pub(crate) struct MembersChangedView {
    success: bool,
    /// The number of new members.
    added: u64,
    /// The number of former members.
    removed: u64,
    /// The number of members afterwards.
    members: u64,
}

/// Adds members and then removes others: all, or nothing. The registers of open questions stay as they are. Streams of people
/// who lose a meeting by it end at once.
#[utoipa::path(
    tag = "groups",
    security(("bearer" = [])),
    params(("groupId" = Uuid, Path)),
    request_body = ChangeMembersBody,
    responses(
        (status = 200, description = "Changed", body = MembersChangedView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "group_not_found", "error": "The group does not exist" })),
        (status = 409, description = "Somebody to add is in 50 other groups; nothing has changed", body = ApiErrorBody,
         example = json!({
             "code": "too_many_groups_of_person",
             "error": "A person can be in at most 50 groups, and Ben Otto (ben) is in as many already",
         })),
    ),
)]
#[post("/client/groups/{groupId}/members")]
pub(crate) async fn change_members(
    admin: ClientAdmin,
    PathId(id): PathId<GroupId>,
    Body(body): Body<ChangeMembersBody, MAX_BODY>,
    groups: Data<GroupService>,
    revocations: Data<Revocations>,
) -> Result<Json<MembersChangedView>, ApiError> {
    let mut check = FieldCheck::default();
    let add = read_people(&mut check, "add", body.add.as_deref());
    let remove = read_people(&mut check, "remove", body.remove.as_deref());
    let changes = check.finish(Some(MemberChanges { add, remove: remove.clone() }))?;
    let changed = groups.change_members(admin.client_id, id, changes).await?;
    revocations.announce_removed_participants(admin.client_id, &remove);
    let (added, removed, members) = (changed.added, changed.removed, changed.members);
    Ok(Json(MembersChangedView { success: true, added, removed, members }))
}
