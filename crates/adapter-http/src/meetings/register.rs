use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, PageRequest, RoundId, SearchText};
use plenum_result_format::CastOnName;
use plenum_voting::{RegisterEntry, RegisterFilter, RoundService};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::RegisterReader;
use crate::extract::exact;
use crate::extract::exact_option;
use crate::extract::read_flag;
use crate::extract::read_page;
use crate::views::cast_on_name;

/// The filter and the page of a register.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct RegisterQuery {
    /// Only people who have voted, or only people who have not.
    #[param(value_type = Option<bool>)]
    voted: Option<String>,
    /// Plain text to find in name and username. The first 200 characters count. `%` and `_` match themselves.
    search: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl RegisterQuery {
    fn read(&self) -> Result<RegisterFilter, ApiError> {
        let mut check = FieldCheck::default();
        let has_voted = read_flag(&mut check, "voted", self.voted.as_deref());
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let search = self.search.as_deref().and_then(SearchText::parse);
        check.finish(page.map(|page| RegisterFilter { search, has_voted, page }))
    }
}

/// A voter in the register of a round, as they were when they entered it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben", "weight": 1.5,
    "secondWeight": null, "hasVoted": false, "castOn": null, "holder": null,
}))]
pub(crate) struct RegisterEntryView {
    /// The end user, who may be deleted since.
    end_user_id: Uuid,
    name: String,
    username: String,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    /// The second weight. Null if the round has none.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    second_weight: Option<Decimal>,
    /// Whether the person has voted. The vote itself is never shown.
    has_voted: bool,
    /// Where the vote was cast. Null without a vote, and for a device of the person or the holder of the proxy.
    #[schema(required)]
    cast_on: Option<CastOnName>,
    /// The name of the holder of the person's proxy in this round. Null without one.
    #[schema(required)]
    holder: Option<String>,
}

impl From<RegisterEntry> for RegisterEntryView {
    fn from(entry: RegisterEntry) -> Self {
        Self {
            end_user_id: entry.end_user_id.as_uuid(),
            name: entry.name,
            username: entry.username,
            weight: entry.weight.normalize(),
            second_weight: entry.second_weight,
            has_voted: entry.has_voted,
            cast_on: entry.cast_on.map(cast_on_name),
            holder: entry.holder,
        }
    }
}

/// A page of a register.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "data": [{
        "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben", "weight": 1.5,
        "secondWeight": null, "hasVoted": false, "castOn": null, "holder": null,
    }],
    "meta": { "page": 1, "pageSize": 50, "total": 48 },
}))]
pub(crate) struct RegisterAnswer {
    /// The rows, by name.
    data: Vec<RegisterEntryView>,
    meta: PageMeta,
}

/// Lists a page of the register of a round, by name. It shows whether each person has voted, and never the votes. Also for the
/// desks of voting places and tellers.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), RegisterQuery),
    responses(
        (status = 200, description = "The entries", body = RegisterAnswer),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/register")]
pub(crate) async fn round_register(
    reader: RegisterReader,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<RegisterQuery>,
    rounds: Data<RoundService>,
) -> Result<Json<RegisterAnswer>, ApiError> {
    reader.in_meeting(meeting)?;
    let filter = query.read()?;
    let entries = rounds.register(reader.client, meeting, round, &filter).await?.ok_or_else(RoundId::missing)?;
    let PageRequest { page, page_size } = filter.page;
    let meta = PageMeta { page, page_size, total: entries.total };
    Ok(Json(RegisterAnswer { data: entries.rows.into_iter().map(RegisterEntryView::from).collect(), meta }))
}
