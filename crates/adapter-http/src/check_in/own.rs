use actix_web::web::{Data, Json};
use actix_web::{get, post};
use plenum_kernel::MeetingId;
use plenum_meetings::{CheckInRule, CheckInService, MeetingService, NotePresenceError, check_in_code};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::check_in::views::{CheckInName, PresenceEntryView, PresenceOutcomeView, example_entry};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::middleware::LookupRateLimit;

/// A voter's own check-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "checkIn": "ON", "selfCheckIn": true, "entry": example_entry(), "code": "PLENUM-IN:019A9D5E000070008000000000000003",
}))]
pub(crate) struct OwnCheckInView {
    check_in: CheckInName,
    /// Whether the voter can check in with the code on the presentation.
    self_check_in: bool,
    /// The entry by which the voter is checked in. Null if they are not.
    #[schema(required)]
    entry: Option<PresenceEntryView>,
    /// The content of the QR code with which a desk finds the voter. It names a person, and is no credential: nobody can sign in or vote with
    /// it.
    code: String,
}

/// Returns whether the voter is checked in, and the code that a desk scans.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The check-in", body = OwnCheckInView),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/voting/meetings/{meetingId}/check-in")]
pub(crate) async fn own_check_in(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    check_ins: Data<CheckInService>,
) -> Result<Json<OwnCheckInView>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let own = check_ins.own(voter.client_id, meeting, voter.id).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(OwnCheckInView {
        check_in: if own.is_on { CheckInName::On } else { CheckInName::Off },
        self_check_in: own.is_self,
        entry: own.present.map(PresenceEntryView::from),
        code: check_in_code(voter.id),
    }))
}

/// The code on the presentation.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "code": "482913" }))]
pub(crate) struct SelfCheckInBody {
    /// Six digits. Spaces are ignored.
    #[schema(min_length = 1)]
    code: String,
}

/// Checks the voter in with the code on the presentation, if the organizer has switched that on. The code changes every 30 seconds. A voter
/// who is in already stays in.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = SelfCheckInBody,
    responses(
        (status = 200, description = "The outcome", body = PresenceOutcomeView),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
        (status = 409,
         description = "The code is wrong (`wrong_check_in_code`), voters cannot check themselves in (`no_self_check_in`), or the meeting is over (`meeting_over`)",
         body = ApiErrorBody,
         example = json!({
             "code": "wrong_check_in_code",
             "error": "this is not the code on the presentation; it changes every 30 seconds",
         })),
        (status = 429, description = "Too many wrong codes were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "You tried too many wrong check-in codes. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/voting/meetings/{meetingId}/check-in")]
pub(crate) async fn check_self_in(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    Body(body): Body<SelfCheckInBody>,
    meetings: Data<MeetingService>,
    check_ins: Data<CheckInService>,
) -> Result<Json<PresenceOutcomeView>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let check = async {
        match check_ins.check_self_in((voter.client_id, meeting), voter.id, &body.code).await {
            Err(NotePresenceError::Rule(CheckInRule::WrongCode)) => Ok(None),
            outcome => Ok(Some(outcome?)),
        }
    };
    let outcome = lookups.try_check_in(voter.id, from.0, check).await?;
    let outcome = outcome.ok_or(NotePresenceError::Rule(CheckInRule::WrongCode))?;
    Ok(Json(outcome.into()))
}
