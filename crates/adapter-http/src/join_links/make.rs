use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{JoinLinkOrder, JoinLinkService, JoinPeople, MAX_JOIN_LINKS, MadeJoinLink, MakeJoinLinksError};
use plenum_kernel::{EndUserId, MeetingId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::end_users::read_setter;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;

/// The people who get links.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum JoinPeopleName {
    All,
    NeverSignedIn,
    Named,
}

/// The links to make.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "people": "NAMED", "endUserIds": ["019a9d5e-0000-7000-8000-000000000003"], "singleUse": false }))]
pub(crate) struct MakeJoinLinksBody {
    people: JoinPeopleName,
    /// The voters of `NAMED`, at most 20,000.
    #[schema(max_items = 20000)]
    end_user_ids: Option<Vec<Uuid>>,
    /// The meeting, whose end makes the links void. Only people who are invited to it get links. Without it the links are
    /// for the organization, and work for 90 days.
    meeting_id: Option<Uuid>,
    /// Whether each link signs in only once; false if missing.
    single_use: Option<bool>,
    /// The reason for the links, shown in the log of each open vote that one of these people may vote in. Needed only then.
    /// At most 200 characters after trimming.
    #[schema(max_length = 200)]
    password_reason: Option<String>,
}

impl MakeJoinLinksBody {
    fn people(&self, check: &mut FieldCheck) -> Option<JoinPeople> {
        match (self.people, &self.end_user_ids) {
            (JoinPeopleName::All, None) => Some(JoinPeople::All),
            (JoinPeopleName::NeverSignedIn, None) => Some(JoinPeople::NeverSignedIn),
            (JoinPeopleName::Named, Some(ids)) if ids.len() > MAX_JOIN_LINKS as usize => {
                check.note("endUserIds", "Must have at most 20,000 ids.".to_owned());
                None
            }
            (JoinPeopleName::Named, Some(ids)) => {
                Some(JoinPeople::Named(ids.iter().copied().map(EndUserId::from_uuid).collect()))
            }
            (JoinPeopleName::Named, None) => {
                check.note("endUserIds", "Is required for NAMED.".to_owned());
                None
            }
            (JoinPeopleName::All | JoinPeopleName::NeverSignedIn, Some(_)) => {
                check.note("endUserIds", "Must be missing unless people is NAMED.".to_owned());
                None
            }
        }
    }
}

/// A new link of a voter. The token is shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Otto", "username": "ben", "email": "ben@example.org",
    "token": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY",
}))]
pub(crate) struct MadeJoinLinkView {
    end_user_id: Uuid,
    name: String,
    username: String,
    #[schema(required)]
    email: Option<String>,
    /// The link is `{origin}/join#{token}`.
    token: String,
}

impl From<MadeJoinLink> for MadeJoinLinkView {
    fn from(link: MadeJoinLink) -> Self {
        Self {
            end_user_id: link.person.id.as_uuid(),
            name: link.person.name.to_string(),
            username: link.person.username.to_string(),
            email: link.person.email.map(|email| email.to_string()),
            token: link.token,
        }
    }
}

/// New links in the envelope, in the order of names.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeJoinLinksAnswer {
    success: bool,
    data: Vec<MadeJoinLinkView>,
}

impl From<MakeJoinLinksError> for ApiError {
    fn from(error: MakeJoinLinksError) -> Self {
        match error {
            MakeJoinLinksError::MeetingNotFound => MeetingId::missing(),
            MakeJoinLinksError::UnknownEndUsers => {
                Self::invalid_field("endUserIds", "Must be ids of end users of your organization.")
            }
            MakeJoinLinksError::MeetingOver => Self::conflict("meeting_over", error),
            MakeJoinLinksError::TooMany(_) => Self::conflict("too_many_join_links", error),
            MakeJoinLinksError::ReasonNeeded(needed) => needed.into(),
            MakeJoinLinksError::Port(failure) => failure.into(),
        }
    }
}

/// Makes personal links, in place of the earlier links of these people for the same meeting. Leaves out people who are
/// not active or not invited. The response contains the tokens, which cannot be read again later.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = MakeJoinLinksBody,
    responses(
        (status = 200, description = "The new links", body = MadeJoinLinksAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_found", "error": "the meeting does not exist" })),
        (status = 409, description = "The meeting is over (`meeting_over`), there are more than 20,000 people (`too_many_join_links`), or one of the people may vote in an open question and there is no reason", body = ApiErrorBody,
         example = json!({
             "code": "password_reason_needed",
             "error": "1 person may vote on “Approve the budget?” in “General assembly”, and voting is open. Give a reason: it is shown in the minutes, with your name. Or end the question first",
             "fields": { "passwordReason": ["Must be the reason for the new password, of 1 to 200 characters."] },
             "openVotes": [{ "meeting": "General assembly", "question": "Approve the budget?", "people": 1 }],
         })),
    ),
)]
#[post("/client/join-links")]
pub(crate) async fn make_join_links(
    admin: ClientAdmin,
    Body(body): Body<MakeJoinLinksBody>,
    links: Data<JoinLinkService>,
) -> Result<Json<MadeJoinLinksAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let people = body.people(&mut check);
    let setter = read_setter(&mut check, &admin, body.password_reason.as_deref());
    let order = people.map(|people| JoinLinkOrder {
        meeting: body.meeting_id.map(MeetingId::from_uuid),
        people,
        is_single_use: body.single_use.unwrap_or(false),
        setter,
    });
    let made = links.make(admin.client_id, check.finish(order)?).await?;
    Ok(Json(MadeJoinLinksAnswer { success: true, data: made.into_iter().map(MadeJoinLinkView::from).collect() }))
}
