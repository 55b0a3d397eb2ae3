use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_kernel::{Invalid, MeetingId};
use plenum_meetings::{AgendaOrder, AgendaService, MAX_QUESTIONS};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::questions::views::QuestionView;

/// The new position of a question.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "questionId": "019a9d5e-0000-7000-8000-000000000006", "orderIndex": 1 }))]
pub(crate) struct QuestionOrderBody {
    #[schema(value_type = uuid::Uuid)]
    question_id: String,
    /// From 1 to the number of questions.
    #[schema(minimum = 1, maximum = 500)]
    order_index: u32,
}

/// The new order of an agenda.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "questionOrders": [
    { "questionId": "019a9d5e-0000-7000-8000-000000000006", "orderIndex": 1 },
    { "questionId": "019a9d5e-0000-7000-8000-000000000005", "orderIndex": 2 },
] }))]
pub(crate) struct ReorderQuestionsBody {
    /// All questions of the meeting, each once, with the positions 1, 2, 3 and so on; at most 500.
    #[schema(max_items = 500)]
    question_orders: Vec<QuestionOrderBody>,
}

impl ReorderQuestionsBody {
    fn check(&self) -> Result<AgendaOrder, ApiError> {
        let mut check = FieldCheck::default();
        let order = check.keep("questionOrders", self.order());
        check.finish(order)
    }

    fn order(&self) -> Result<AgendaOrder, Invalid> {
        if self.question_orders.len() > MAX_QUESTIONS {
            return Err(Invalid::new(format!("Must have at most {MAX_QUESTIONS} questions.")));
        }
        let place = |order: &QuestionOrderBody| Ok((order.question_id.parse()?, order.order_index));
        let places = self.question_orders.iter().map(place).collect::<Result<_, uuid::Error>>();
        AgendaOrder::of_places(places.map_err(|_| Invalid::new("Must be ids of questions of the meeting."))?)
    }
}

/// Sets the order of all questions of a meeting.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = ReorderQuestionsBody,
    responses(
        (status = 200, description = "The agenda", body = Vec<QuestionView>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[put("/client/questions/meeting/{meetingId}/reorder")]
pub(crate) async fn reorder_questions(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<ReorderQuestionsBody>,
    agenda: Data<AgendaService>,
) -> Result<Json<Vec<QuestionView>>, ApiError> {
    let questions = agenda.reorder(admin.client_id, meeting, body.check()?).await?;
    Ok(Json(questions.iter().map(QuestionView::from).collect()))
}
