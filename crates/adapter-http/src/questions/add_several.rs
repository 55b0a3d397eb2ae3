use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::MeetingId;
use plenum_meetings::AgendaService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;
use crate::questions::new_question::AddQuestionsBody;
use crate::questions::views::QuestionView;

/// Adds up to 100 questions at the end of a meeting's agenda, all or none.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = AddQuestionsBody,
    responses(
        (status = 201, description = "The new questions", body = Vec<QuestionView>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_found", "error": "The meeting does not exist" })),
        (status = 409, description = "The agenda has too little room", body = ApiErrorBody,
         example = json!({ "code": "agenda_full", "error": "The agenda is full; delete a question first" })),
    ),
)]
#[post("/client/questions/meeting/{meetingId}")]
pub(crate) async fn add_questions(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<AddQuestionsBody>,
    agenda: Data<AgendaService>,
) -> Result<HttpResponse, ApiError> {
    let questions = agenda.add_all(admin.client_id, meeting, body.check()?).await?;
    let views: Vec<QuestionView> = questions.iter().map(QuestionView::from).collect();
    Ok(created(format_args!("/client/questions/meeting/{meeting}"), views))
}
