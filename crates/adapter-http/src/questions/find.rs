use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::QuestionId;
use plenum_meetings::AgendaService;

use crate::questions::views::QuestionView;
use crate::rim::{ApiError, ApiErrorBody, At, ClientAdmin, PathId as _};

/// Gives one question.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("questionId" = Uuid, Path)),
    responses(
        (status = 200, description = "The question", body = QuestionView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
    ),
)]
#[get("/client/questions/{questionId}")]
pub(crate) async fn find_question(
    admin: ClientAdmin,
    At(id): At<QuestionId>,
    agenda: Data<AgendaService>,
) -> Result<Json<QuestionView>, ApiError> {
    let question = agenda.find(admin.client_id, id).await?.ok_or_else(QuestionId::missing)?;
    Ok(Json(QuestionView::from(&question)))
}
