use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{ClientId, MeetingId, RoundId};
use plenum_meetings::MeetingService;
use plenum_records::{ReceiptFilter, RecordedResults};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::Voter;
use crate::extract::read_page;

/// The filter and the page of receipts.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ReceiptsQuery {
    /// The first letters of receipts, in any case, with or without hyphens. All receipts if missing. A device that looks for
    /// its receipt sends four letters, so that the server does not learn which one it is.
    #[param(max_length = 19)]
    starts_with: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Receipts on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl ReceiptsQuery {
    fn read(&self) -> Result<ReceiptFilter, ApiError> {
        let mut check = FieldCheck::default();
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let starts_with = self.starts_with.clone().unwrap_or_default();
        if starts_with.chars().count() > 19 {
            check.note("startsWith", "Must have at most 19 characters.".to_owned());
        }
        check.finish(page.map(|page| ReceiptFilter { starts_with, page }))
    }
}

/// A page of the receipts of a secret vote.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "data": ["ABCD-EFGH-JKLM-NPQR"], "meta": { "page": 1, "pageSize": 50, "total": 1 },
}))]
pub(crate) struct ReceiptsAnswer {
    /// The receipts in alphabetical order.
    data: Vec<String>,
    meta: PageMeta,
}

async fn receipts_of(
    (client, meeting): (ClientId, MeetingId),
    round: RoundId,
    query: &ReceiptsQuery,
    results: &RecordedResults,
) -> Result<Json<ReceiptsAnswer>, ApiError> {
    let filter = query.read()?;
    let receipts = results.receipts(client, meeting, round, &filter).await?;
    let meta = PageMeta { page: filter.page.page, page_size: filter.page.page_size, total: receipts.total };
    Ok(Json(ReceiptsAnswer { data: receipts.rows, meta }))
}

/// Lists a page of the receipts of a declared secret vote: every envelope that was in the urn. A receipt tells nothing about an
/// answer. Votes that were not secret have none.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), ReceiptsQuery),
    responses(
        (status = 200, description = "The receipts", body = ReceiptsAnswer),
        (status = 404, description = "The voter's organization has no such meeting, or it has no such round", body = ApiErrorBody),
        (status = 409, description = "The result is not declared, or its record is damaged", body = ApiErrorBody,
         example = json!({ "code": "round_not_declared", "error": "The result of this vote is not declared yet" })),
    ),
)]
#[get("/voting/meetings/{meetingId}/rounds/{roundId}/receipts")]
pub(crate) async fn voter_receipts(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<ReceiptsQuery>,
    meetings: Data<MeetingService>,
    results: Data<RecordedResults>,
) -> Result<Json<ReceiptsAnswer>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    receipts_of((voter.client_id, meeting), round, &query, &results).await
}

/// Lists a page of the receipts of a declared secret vote, as voters see them.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), ReceiptsQuery),
    responses(
        (status = 200, description = "The receipts", body = ReceiptsAnswer),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The result is not declared, or its record is damaged", body = ApiErrorBody,
         example = json!({ "code": "round_not_declared", "error": "The result of this vote is not declared yet" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/receipts")]
pub(crate) async fn round_receipts(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<ReceiptsQuery>,
    results: Data<RecordedResults>,
) -> Result<Json<ReceiptsAnswer>, ApiError> {
    receipts_of((admin.client_id, meeting), round, &query, &results).await
}
