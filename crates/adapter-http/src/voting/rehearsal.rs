use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, RehearsalId};
use plenum_meetings::{AnswerRehearsalError, NewRehearsalAnswer, RehearsalService, RehearsalStep};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::views::DoneView;

/// The progress of a rehearsal for one voter.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RehearsalStep)]
pub(crate) enum RehearsalStepName {
    /// The voter's screen has received it and confirms it by itself.
    Received,
    /// The voter has tapped.
    Answered,
}

impl From<RehearsalStepName> for RehearsalStep {
    fn from(step: RehearsalStepName) -> Self {
        match step {
            RehearsalStepName::Received => Self::Received,
            RehearsalStepName::Answered => Self::Answered,
        }
    }
}

/// A voter's response to a rehearsal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "rehearsalId": "019a9d5e-0000-7000-8000-000000000009", "step": "received", "canSeal": true }))]
pub(crate) struct AnswerRehearsalBody {
    /// The rehearsal in the live state.
    #[schema(value_type = uuid::Uuid)]
    rehearsal_id: String,
    step: RehearsalStepName,
    /// Whether the device can seal a secret ballot by itself. Leave it out if that is not known.
    can_seal: Option<bool>,
}

impl From<AnswerRehearsalError> for ApiError {
    fn from(error: AnswerRehearsalError) -> Self {
        match error {
            AnswerRehearsalError::Meeting(error) => error.into(),
            AnswerRehearsalError::Over => Self::conflict("rehearsal_over", error),
        }
    }
}

/// Records that the voter's screen has received a rehearsal, or that the voter has tapped. Repeats keep the first
/// times. A tap also counts as received.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = AnswerRehearsalBody,
    responses(
        (status = 200, description = "Recorded", body = DoneView),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The rehearsal has ended, or the meeting has a newer one", body = ApiErrorBody,
         example = json!({ "code": "rehearsal_over", "error": "The rehearsal is over" })),
    ),
)]
#[put("/voting/meetings/{meetingId}/rehearsal")]
pub(crate) async fn answer_rehearsal(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<AnswerRehearsalBody>,
    rehearsals: Data<RehearsalService>,
) -> Result<Json<DoneView>, ApiError> {
    let rehearsal = body.rehearsal_id.parse::<RehearsalId>();
    let rehearsal = rehearsal.map_err(|_| ApiError::invalid_field("rehearsalId", "Must be the id of a rehearsal."))?;
    let (client, step, can_seal) = (voter.client_id, body.step.into(), body.can_seal);
    rehearsals.answer(NewRehearsalAnswer { client, voter: voter.id, meeting, rehearsal, step, can_seal }).await?;
    Ok(Json(DoneView::DONE))
}
