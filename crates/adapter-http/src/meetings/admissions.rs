use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::{EndUserId, MeetingId, RoundId};
use plenum_result_format::{LogEntry, LogKind, LoggedPerson};
use plenum_voting::{AdmissionRule, AdmitError, RegisterChangeRequest, RegisterService};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::meetings::exclusions::read_reason;
use crate::middleware::created;

/// The person to admit to an open round, and the reason.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUserId": "019a9d5e-0000-7000-8000-000000000003", "reason": "Came late" }))]
pub(crate) struct AdmitBody {
    #[schema(value_type = uuid::Uuid)]
    end_user_id: String,
    /// 1 to 500 characters after trimming. It appears in the minutes.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

impl From<AdmitError> for ApiError {
    fn from(error: AdmitError) -> Self {
        match error {
            AdmitError::RoundNotFound => RoundId::missing(),
            AdmitError::EndUserNotFound => EndUserId::missing(),
            AdmitError::Rule(rule) => match rule {
                AdmissionRule::RoundOver => Self::conflict("round_over", rule),
                AdmissionRule::AlreadyInRegister => Self::conflict("already_in_register", rule),
                AdmissionRule::UsernameInRegister => Self::conflict("username_in_register", rule),
                AdmissionRule::EndUserInactive => Self::conflict("end_user_inactive", rule),
                AdmissionRule::TestPerson => Self::conflict("test_person", rule),
                AdmissionRule::OutsideGroups => Self::conflict("outside_groups", rule),
                AdmissionRule::TooManyParticipants { .. } => Self::conflict("too_many_participants", rule),
            },
            AdmitError::Port(failure) => failure.into(),
        }
    }
}

/// Admits a person to an open round with their current weight. If there is a participant list, the person joins it.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = AdmitBody,
    responses(
        (status = 201, description = "The entry in the log of the round", body = LogEntry),
        (status = 404, description = "There is no such meeting, round or end user", body = ApiErrorBody,
         example = json!({ "code": "end_user_not_found", "error": "The end user does not exist" })),
        (status = 409,
         description = "The round has ended, or the person is already in its register, not active, test data in a real meeting, or beyond the limit of the list",
         body = ApiErrorBody, example = json!({ "code": "round_over", "error": "The round is over" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/admissions")]
pub(crate) async fn admit_latecomer(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<AdmitBody>,
    registers: Data<RegisterService>,
) -> Result<HttpResponse, ApiError> {
    let end_user = body.end_user_id.parse().map_err(|_| EndUserId::missing())?;
    let request = RegisterChangeRequest { end_user, reason: read_reason(&body.reason)?, by: admin.account_id };
    let entry = registers.admit(admin.client_id, meeting, round, request).await?;
    Ok(created(format_args!("/client/meetings/{meeting}/rounds/{round}/register"), view_of(entry)))
}

/// The log entry of an admission. Admissions are visible only in the log.
fn view_of(entry: plenum_voting::LogEntry) -> LogEntry {
    let person = entry.person.map(|person| LoggedPerson {
        name: person.name,
        username: person.username,
        weight: person.weight.normalize(),
    });
    LogEntry { at: entry.at, kind: LogKind::Admitted, by: entry.by, person, reason: entry.reason }
}
