use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::AgendaService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::questions::views::QuestionView;

/// Lists the questions of a meeting in the order of the agenda.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The agenda", body = Vec<QuestionView>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/questions/meeting/{meetingId}")]
pub(crate) async fn list_questions(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    agenda: Data<AgendaService>,
) -> Result<Json<Vec<QuestionView>>, ApiError> {
    let questions = agenda.list(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(questions.iter().map(QuestionView::from).collect()))
}
