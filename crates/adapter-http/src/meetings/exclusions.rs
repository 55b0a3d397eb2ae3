use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post};
use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, MeetingId, QuestionId};
use plenum_voting::{
    ExcludeError, Exclusion, ExclusionRule, LiftExclusionError, Reason, RegisterChangeRequest, RegisterService,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;

/// The person to exclude, and the reason.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "endUserId": "019a9d5e-0000-7000-8000-000000000003", "reason": "The contract is with their own company",
}))]
pub(crate) struct ExcludeBody {
    #[schema(value_type = uuid::Uuid)]
    end_user_id: String,
    /// 1 to 500 characters after trimming. It appears in the minutes.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// An exclusion from a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben",
    "reason": "The contract is with their own company", "at": "2026-11-21T18:03:10Z", "by": "Maria Keller",
}))]
pub(crate) struct ExclusionView {
    end_user_id: Uuid,
    name: String,
    username: String,
    reason: String,
    /// The time of the exclusion.
    at: DateTime<Utc>,
    /// The name of the organizer.
    by: String,
}

impl From<Exclusion> for ExclusionView {
    fn from(exclusion: Exclusion) -> Self {
        Self {
            end_user_id: exclusion.end_user_id.as_uuid(),
            name: exclusion.name,
            username: exclusion.username,
            reason: exclusion.reason.to_string(),
            at: exclusion.at,
            by: exclusion.by,
        }
    }
}

impl From<ExcludeError> for ApiError {
    fn from(error: ExcludeError) -> Self {
        match error {
            ExcludeError::MeetingNotFound => MeetingId::missing(),
            ExcludeError::QuestionNotFound => QuestionId::missing(),
            ExcludeError::EndUserNotFound => EndUserId::missing(),
            ExcludeError::Rule(rule) => match rule {
                ExclusionRule::AlreadyExcluded => Self::conflict("already_excluded", rule),
                ExclusionRule::AlreadyVoted => Self::conflict("already_voted", rule),
            },
            ExcludeError::Port(failure) => failure.into(),
        }
    }
}

impl From<LiftExclusionError> for ApiError {
    fn from(error: LiftExclusionError) -> Self {
        match error {
            LiftExclusionError::MeetingNotFound => MeetingId::missing(),
            LiftExclusionError::QuestionNotFound => QuestionId::missing(),
            LiftExclusionError::NotExcluded => Self::not_found("exclusion_not_found", error),
            LiftExclusionError::RoundOpen => Self::conflict("round_open", error),
            LiftExclusionError::Port(failure) => failure.into(),
        }
    }
}

/// Lists the people excluded from a question, by name.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    responses(
        (status = 200, description = "The exclusions", body = Vec<ExclusionView>),
        (status = 404, description = "There is no such meeting, or no such question in it", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/questions/{questionId}/exclusions")]
pub(crate) async fn list_exclusions(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    registers: Data<RegisterService>,
) -> Result<Json<Vec<ExclusionView>>, ApiError> {
    let exclusions = registers.exclusions(admin.client_id, meeting, question).await?;
    let exclusions = exclusions.ok_or_else(QuestionId::missing)?;
    Ok(Json(exclusions.into_iter().map(ExclusionView::from).collect()))
}

/// Excludes a person from a question. This applies to later rounds, and to an open round in which the person has not
/// voted.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    request_body = ExcludeBody,
    responses(
        (status = 201, description = "Excluded", body = ExclusionView),
        (status = 404, description = "There is no such meeting, question or end user", body = ApiErrorBody),
        (status = 409, description = "The person has voted in the open round, or is already excluded", body = ApiErrorBody,
         example = json!({
             "code": "already_voted", "error": "This person has already voted on the question",
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/questions/{questionId}/exclusions")]
pub(crate) async fn exclude(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    Body(body): Body<ExcludeBody>,
    registers: Data<RegisterService>,
) -> Result<HttpResponse, ApiError> {
    let end_user = body.end_user_id.parse().map_err(|_| EndUserId::missing())?;
    let request = RegisterChangeRequest { end_user, reason: read_reason(&body.reason)?, by: admin.account_id };
    let exclusion = registers.exclude(admin.client_id, meeting, question, request).await?;
    let list = format!("/client/meetings/{meeting}/questions/{question}/exclusions");
    Ok(created(list, ExclusionView::from(exclusion)))
}

/// Ends the exclusion of a person from a question, from its next opening on.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path), ("endUserId" = Uuid, Path)),
    responses(
        (status = 204, description = "No longer excluded"),
        (status = 404, description = "There is no such meeting or question, or the person is not excluded from it",
         body = ApiErrorBody, example = json!({
             "code": "exclusion_not_found", "error": "This person is not excluded from the question",
         })),
        (status = 409, description = "Voting on the question is open", body = ApiErrorBody, example = json!({
             "code": "round_open", "error": "Voting on this question is open; admit the person to the round instead",
         })),
    ),
)]
#[delete("/client/meetings/{meetingId}/questions/{questionId}/exclusions/{endUserId}")]
pub(crate) async fn lift_exclusion(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    PathId(end_user): PathId<EndUserId>,
    registers: Data<RegisterService>,
) -> Result<HttpResponse, ApiError> {
    registers.lift(admin.client_id, meeting, question, end_user).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Reads the reason of an action for the log of a round.
pub(super) fn read_reason(text: &str) -> Result<Reason, ApiError> {
    Reason::parse(text).map_err(|requirement| ApiError::invalid_field("reason", requirement))
}
