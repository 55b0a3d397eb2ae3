use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, RoundId, SearchText};
use plenum_records::RecordedResults;
use plenum_result_format::TextAnswer;
use plenum_voting::AnswerFilter;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::read_page;

/// The filter and the page of answers.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct AnswersQuery {
    /// Plain text to find in the answers. The first 200 characters count. `%` and `_` match themselves.
    search: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Answers on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl AnswersQuery {
    fn read(&self) -> Result<AnswerFilter, ApiError> {
        let mut check = FieldCheck::default();
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let search = self.search.as_deref().and_then(SearchText::parse);
        check.finish(page.map(|page| AnswerFilter { search, page }))
    }
}

/// A page of the answers to an OPEN_TEXT question.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "data": [{ "text": "A longer break", "heads": 3, "weight": 3.5 }],
    "meta": { "page": 1, "pageSize": 50, "total": 12 },
}))]
pub(crate) struct TextAnswersAnswer {
    /// The answers in alphabetical order.
    data: Vec<TextAnswer>,
    meta: PageMeta,
}

/// Lists a page of the texts given in a counted round of an OPEN_TEXT question. Other types have none.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), AnswersQuery),
    responses(
        (status = 200, description = "The answers", body = TextAnswersAnswer),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open, nobody has counted it, or its record is damaged", body = ApiErrorBody,
         example = json!({ "code": "round_not_counted", "error": "The votes have not been counted yet: count them first" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/answers")]
pub(crate) async fn round_answers(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<AnswersQuery>,
    results: Data<RecordedResults>,
) -> Result<Json<TextAnswersAnswer>, ApiError> {
    let filter = query.read()?;
    let answers = results.answers(admin.client_id, meeting, round, &filter).await?;
    let meta = PageMeta { page: filter.page.page, page_size: filter.page.page_size, total: answers.total };
    Ok(Json(TextAnswersAnswer { data: answers.rows, meta }))
}
