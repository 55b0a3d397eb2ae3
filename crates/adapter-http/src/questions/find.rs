use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::QuestionId;
use plenum_meetings::AgendaService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::questions::views::QuestionView;

/// Returns one question.
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
    PathId(id): PathId<QuestionId>,
    agenda: Data<AgendaService>,
) -> Result<Json<QuestionView>, ApiError> {
    let question = agenda.find(admin.client_id, id).await?.ok_or_else(QuestionId::missing)?;
    Ok(Json(QuestionView::from(&question)))
}
