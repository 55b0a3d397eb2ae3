use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::QuestionId;
use plenum_meetings::AgendaService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;
use crate::questions::views::QuestionView;

/// Adds a copy of a question after it. Rounds and votes are not copied.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("questionId" = Uuid, Path)),
    responses(
        (status = 201, description = "The copy", body = QuestionView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The agenda is full", body = ApiErrorBody,
         example = json!({ "code": "agenda_full", "error": "The agenda is full; delete a question first" })),
    ),
)]
#[post("/client/questions/{questionId}/duplicate")]
pub(crate) async fn duplicate_question(
    admin: ClientAdmin,
    PathId(id): PathId<QuestionId>,
    agenda: Data<AgendaService>,
) -> Result<HttpResponse, ApiError> {
    let copy = agenda.duplicate(admin.client_id, id).await?;
    Ok(created(format_args!("/client/questions/{}", copy.id), QuestionView::from(&copy)))
}
