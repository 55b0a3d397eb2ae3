use actix_web::web::{Data, Json};
use actix_web::{get, put};
use chrono::{DateTime, Utc};
use plenum_kernel::{Clock, MeetingId, QuestionId};
use plenum_meetings::MeetingService;
use plenum_voting::{CurrentQuestion, RoundService, Screen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::steps::{ControlledMeeting, StepQuery};
use crate::views::{CurrentQuestionView, example_current_question};

/// The next content of the presentation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "questionId": "019a9d5e-0000-7000-8000-000000000005", "open": true }))]
pub(crate) struct SetCurrentQuestionBody {
    /// The question, or `null` for none. An open round ends first.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<Uuid>, required)]
    question_id: Option<String>,
    /// Whether to open the question for voting. True if missing; false only shows it.
    open: Option<bool>,
}

/// The content of the presentation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true, "currentQuestion": example_current_question(), "step": 12,
    "serverTime": "2026-11-21T18:04:20.500Z",
}))]
pub(crate) struct CurrentQuestionAnswer {
    success: bool,
    #[schema(required)]
    current_question: Option<CurrentQuestionView>,
    /// The number of steps in the meeting.
    step: u64,
    /// The server's time, for screens with a wrong clock.
    server_time: DateTime<Utc>,
}

impl CurrentQuestionAnswer {
    /// The response to a step: the content of the presentation, or the reason for the rejection.
    pub(crate) async fn after_step(
        outcome: Result<(), impl Into<ApiError>>,
        meeting: ControlledMeeting<'_>,
        clock: &dyn Clock,
    ) -> Result<Json<Self>, ApiError> {
        if let Err(error) = outcome {
            return Err(meeting.refused_step(error.into()).await);
        }
        let screen = meeting.screen().await?;
        let current_question = screen.question.as_ref().map(CurrentQuestionView::from);
        Ok(Json(Self { success: true, current_question, step: screen.step.0, server_time: clock.now() }))
    }
}

/// The counts of the question on the presentation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "hasActiveQuestion": true, "totalVotes": 132, "registerSize": 180 }))]
pub(crate) struct CurrentQuestionStatsView {
    /// Whether voting is open.
    has_active_question: bool,
    /// Received votes, in heads.
    total_votes: u64,
    /// The number of voters in the register.
    register_size: u64,
}

/// The current content of the presentation.
pub(super) async fn screen_of(
    admin: &ClientAdmin,
    meeting: MeetingId,
    rounds: &RoundService,
) -> Result<Screen, ApiError> {
    rounds.screen(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)
}

/// Sets the question on the presentation: opens it for voting, only shows it, or clears the screen. An open round ends
/// first, after ballots in progress are written.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    request_body = SetCurrentQuestionBody,
    responses(
        (status = 200, description = "The content of the presentation", body = CurrentQuestionAnswer),
        (status = 404, description = "There is no such meeting, or no such question in it", body = ApiErrorBody),
        (status = 409, description = "The meeting is not running, too few voters are connected, the result is declared, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_active", "error": "The meeting is not active" })),
    ),
)]
#[put("/client/meetings/{meetingId}/current-question")]
pub(crate) async fn set_current_question(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<StepQuery>,
    Body(body): Body<SetCurrentQuestionBody>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
    clock: Data<dyn Clock>,
) -> Result<Json<CurrentQuestionAnswer>, ApiError> {
    let question =
        body.question_id.map(|id| id.parse::<QuestionId>().map_err(|_| QuestionId::missing())).transpose()?;
    let step = query.read_step(&admin, meeting)?;
    let outcome = match question {
        Some(question) if body.open.unwrap_or(true) => rounds.open(step, question).await,
        shown => rounds.show(step, shown).await,
    };
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    CurrentQuestionAnswer::after_step(outcome, controlled, &**clock).await
}

/// Returns the question on the presentation. If there is none, the response is 404.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The question", body = CurrentQuestionView),
        (status = 404, description = "There is no such meeting, or no question on its presentation", body = ApiErrorBody,
         example = json!({ "code": "no_current_question", "error": "There is no current question" })),
    ),
)]
#[get("/client/meetings/{meetingId}/current-question")]
pub(crate) async fn find_current_question(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    rounds: Data<RoundService>,
) -> Result<Json<CurrentQuestionView>, ApiError> {
    let current = screen_of(&admin, meeting, &rounds).await?.question;
    let current = current.ok_or_else(|| ApiError::not_found("no_current_question", "there is no current question"))?;
    Ok(Json(CurrentQuestionView::from(&current)))
}

/// Returns the number of votes on the open question.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The numbers", body = CurrentQuestionStatsView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/current-question/stats")]
pub(crate) async fn current_question_stats(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    rounds: Data<RoundService>,
) -> Result<Json<CurrentQuestionStatsView>, ApiError> {
    let current = screen_of(&admin, meeting, &rounds).await?.question;
    let open = current.as_ref().and_then(CurrentQuestion::open_round);
    Ok(Json(CurrentQuestionStatsView {
        has_active_question: open.is_some(),
        total_votes: open.map_or(0, |overview| overview.votes_cast),
        register_size: open.map_or(0, |overview| overview.round.register.heads),
    }))
}
