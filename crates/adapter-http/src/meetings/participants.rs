use actix_web::web::{Data, Json};
use actix_web::{delete, get, post};
use plenum_clients::SessionRevocation;
use plenum_kernel::{EndUserId, MeetingId};
use plenum_meetings::{InvitationService, InviteOutcome, Invitees, ParticipantFilter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::end_users::{EndUserView, example_end_user};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::read_flag;
use crate::live::Revocations;
use crate::views::read_group_filter;

/// A participant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUser": example_end_user() }))]
pub(crate) struct ParticipantView {
    end_user: EndUserView,
}

/// The people to invite: either `addAllActive` true, or `endUserIds`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUserIds": ["019a9d5e-0000-7000-8000-000000000003"], "addAllActive": false }))]
pub(crate) struct AddParticipantsBody {
    /// Invites everybody who is active, now or later, and removes the list. A meeting with `maxParticipants` needs a
    /// list, so it gets a list of those active at this moment.
    #[serde(default)]
    add_all_active: bool,
    /// Ids of the organization's end users, as many as a body of 1 MiB can contain. Ignored if `addAllActive` is true.
    #[schema(value_type = Option<Vec<uuid::Uuid>>)]
    end_user_ids: Option<Vec<String>>,
}

/// The people to remove from the list.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUserIds": ["019a9d5e-0000-7000-8000-000000000003"] }))]
pub(crate) struct RemoveParticipantsBody {
    /// Ids of end users, as many as a body of 1 MiB can contain.
    #[schema(value_type = Vec<uuid::Uuid>)]
    end_user_ids: Vec<String>,
}

/// The outcome of an invitation of participants. `participantCount` is the number of people that the meeting is for,
/// with a list or without.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "success": true, "added": 3, "participantCount": 42 }))]
pub(crate) struct ParticipantsAddedView {
    success: bool,
    added: u64,
    participant_count: u64,
}

/// The outcome of a removal of participants.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "success": true, "removed": 1, "participantCount": 41 }))]
pub(crate) struct ParticipantsRemovedView {
    success: bool,
    removed: u64,
    participant_count: u64,
}

/// A page of participants.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "data": [{ "endUser": example_end_user() }], "meta": { "page": 1, "pageSize": 50, "total": 180 },
}))]
pub(crate) struct ParticipantPageAnswer {
    data: Vec<ParticipantView>,
    meta: PageMeta,
}

/// All participants, or a page of them.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!([{ "endUser": example_end_user() }]))]
pub(crate) enum ParticipantListAnswer {
    /// Without `page`.
    All(Vec<ParticipantView>),
    /// With `page`.
    Page(ParticipantPageAnswer),
}

/// The filter, the order and the page of participants.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ParticipantQuery {
    /// Plain text to find in name, username and email address. `%` and `_` match themselves.
    search: Option<String>,
    /// Only members of this group. Empty means missing.
    group_id: Option<String>,
    /// Whether people in none of the meeting's groups are included (`true`). They do not take part until the groups change.
    #[param(value_type = Option<bool>)]
    outside_groups: Option<String>,
    /// `name` or `-name`.
    sort: Option<String>,
    /// The page, from 1. Without it the response contains all rows.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl ParticipantQuery {
    fn read(self) -> Result<ParticipantFilter, ApiError> {
        let Self { search, group_id, outside_groups, sort, page, page_size } = self;
        let group = read_group_filter(group_id.as_deref())?;
        let mut check = FieldCheck::default();
        let outside = read_flag(&mut check, "outsideGroups", outside_groups.as_deref());
        let with_outside_groups = check.finish(Some(outside.unwrap_or(false)))?;
        let query = ListQuery { search, status: None, sort, page, page_size };
        let Listing { search, status: _, sort, page } =
            query.read::<(), _>(&[], &[("name", false), ("-name", true)])?;
        Ok(ParticipantFilter { search, group, with_outside_groups, is_descending: sort.unwrap_or_default(), page })
    }
}

fn read_ids(ids: &[String]) -> Result<Vec<EndUserId>, ApiError> {
    ids.iter()
        .map(|id| id.parse())
        .collect::<Result<_, _>>()
        .map_err(|_| ApiError::invalid_field("endUserIds", "Must be ids of end users of your organization."))
}

/// Lists the participants by name: the people on the list or, without a list, every active end user. If the meeting is for
/// groups, only their members, unless `outsideGroups` is true.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ParticipantQuery),
    responses(
        (status = 200, description = "The participants", body = ParticipantListAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/participants")]
pub(crate) async fn list_participants(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<ParticipantQuery>,
    invitations: Data<InvitationService>,
) -> Result<Json<ParticipantListAnswer>, ApiError> {
    let filter = query.into_inner().read()?;
    let found = invitations.participants(admin.client_id, id, &filter).await?.ok_or_else(MeetingId::missing)?;
    let meta = meta_of(filter.page, &found);
    let data = found.rows.into_iter().map(|participant| ParticipantView { end_user: participant.into() }).collect();
    Ok(Json(match meta {
        None => ParticipantListAnswer::All(data),
        Some(meta) => ParticipantListAnswer::Page(ParticipantPageAnswer { data, meta }),
    }))
}

/// Invites people: all of them, or none if the limit would be exceeded.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = AddParticipantsBody,
    responses(
        (status = 200, description = "Invited", body = ParticipantsAddedView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting's limit would be exceeded", body = ApiErrorBody,
         example = json!({ "code": "too_many_participants",
                           "error": "60 people would take part, and the meeting has room for 50: invite fewer, or raise the limit" })),
    ),
)]
#[post("/client/meetings/{meetingId}/participants")]
pub(crate) async fn add_participants(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    Body(body): Body<AddParticipantsBody>,
    invitations: Data<InvitationService>,
    revocations: Data<Revocations>,
) -> Result<Json<ParticipantsAddedView>, ApiError> {
    let invitees = match (body.add_all_active, body.end_user_ids) {
        (true, _) => Invitees::AllActive,
        (false, Some(ids)) => Invitees::These(read_ids(&ids)?),
        (false, None) => return Err(ApiError::invalid_field("endUserIds", "Is required unless addAllActive is true.")),
    };
    let InviteOutcome { count, is_list_switched } = invitations.invite(admin.client_id, id, invitees).await?;
    if is_list_switched {
        // Everybody who is not on a first list, and test people without their list, lose their streams.
        revocations.announce(SessionRevocation::Client(admin.client_id));
    }
    Ok(Json(ParticipantsAddedView { success: true, added: count.changed, participant_count: count.total }))
}

/// Removes people from the list. A meeting without a list gets a list of all others. A person in the register of an
/// open round can still vote in it. The live streams of all others end at once.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = RemoveParticipantsBody,
    responses(
        (status = 200, description = "Removed from the list", body = ParticipantsRemovedView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[delete("/client/meetings/{meetingId}/participants")]
pub(crate) async fn remove_participants(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    Body(body): Body<RemoveParticipantsBody>,
    invitations: Data<InvitationService>,
    revocations: Data<Revocations>,
) -> Result<Json<ParticipantsRemovedView>, ApiError> {
    let end_users = read_ids(&body.end_user_ids)?;
    let count = invitations.uninvite(admin.client_id, id, end_users.clone()).await?;
    revocations.announce_removed_participants(admin.client_id, &end_users);
    Ok(Json(ParticipantsRemovedView { success: true, removed: count.changed, participant_count: count.total }))
}
