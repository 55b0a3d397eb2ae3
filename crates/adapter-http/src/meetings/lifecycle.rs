use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::{MeetingService, StartRequest};
use plenum_voting::RoundService;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::find::view_of;
use crate::meetings::steps::{ControlledMeeting, StepQuery};
use crate::meetings::views::MeetingView;

/// The parameters of a start.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct StartQuery {
    /// The step number of the meeting when the organizer decided, as for all steps.
    #[param(value_type = Option<u64>, minimum = 0)]
    step: Option<String>,
    /// `true` confirms that a meeting that has ended starts again. Its closing record stays, the restart is recorded as
    /// an amendment, and the next end writes a second closing record.
    #[param(value_type = Option<bool>)]
    confirm_restart: Option<String>,
}

impl StartQuery {
    fn read(self) -> Result<StartRequest, ApiError> {
        let confirms_restart = match self.confirm_restart.as_deref() {
            None | Some("" | "false") => false,
            Some("true") => true,
            Some(_) => return Err(ApiError::invalid_field("confirmRestart", "Must be true or false.")),
        };
        Ok(StartRequest { seen: StepQuery { step: self.step, accept_risk: None }.read()?, confirms_restart })
    }
}

/// Starts a draft or scheduled meeting. A running meeting does not change. A completed meeting starts again if that is
/// confirmed.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StartQuery),
    responses(
        (status = 200, description = "The meeting is running", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting has ended and the restart is not confirmed, the meeting is cancelled, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "restart_unconfirmed", "error": "This meeting has ended and has a closing record. If it starts again, the record stays, the restart is told beside it, and the next end writes a second closing record. Confirm this to start the meeting again" })),
    ),
)]
#[post("/client/meetings/{meetingId}/start")]
pub(crate) async fn start_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<StartQuery>,
    meetings: Data<MeetingService>,
    rounds: Data<RoundService>,
) -> Result<Json<MeetingView>, ApiError> {
    if let Err(error) = meetings.start(admin.client_id, id, query.into_inner().read()?).await {
        let controlled = ControlledMeeting { admin: &admin, id, rounds: &rounds, meetings: &meetings };
        return Err(controlled.refused_step(error.into()).await);
    }
    view_of(&admin, id, &meetings).await
}

/// Ends a running meeting and its open round.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The meeting has ended", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is not running, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_active", "error": "Only an active meeting can be ended" })),
    ),
)]
#[post("/client/meetings/{meetingId}/end")]
pub(crate) async fn end_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<StepQuery>,
    meetings: Data<MeetingService>,
    rounds: Data<RoundService>,
) -> Result<Json<MeetingView>, ApiError> {
    if let Err(error) = meetings.end(admin.client_id, id, admin.account_id, query.read()?).await {
        let controlled = ControlledMeeting { admin: &admin, id, rounds: &rounds, meetings: &meetings };
        return Err(controlled.refused_step(error.into()).await);
    }
    view_of(&admin, id, &meetings).await
}
