use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_kernel::QuestionId;
use plenum_meetings::AgendaService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::views::DoneView;

/// Deletes a question without votes. An open round of the question ends. Later questions move up.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("questionId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The question has votes", body = ApiErrorBody,
         example = json!({
             "code": "question_has_votes",
             "error": "This question has votes, so it can be neither changed nor deleted; copy it instead",
         })),
    ),
)]
#[delete("/client/questions/{questionId}")]
pub(crate) async fn delete_question(
    admin: ClientAdmin,
    PathId(id): PathId<QuestionId>,
    agenda: Data<AgendaService>,
) -> Result<Json<DoneView>, ApiError> {
    agenda.delete(admin.client_id, id).await?;
    Ok(Json(DoneView::DONE))
}
