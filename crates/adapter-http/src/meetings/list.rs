use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_kernel::ClientId;
use plenum_meetings::{MeetingFilter, MeetingService, MeetingSort, MeetingStatus};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::status_parameter;
use crate::meetings::views::{MeetingView, example_meeting};

/// The owner of the meetings.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct OwnerQuery {
    /// The caller's organization. Any other id is not found.
    client_id: Option<String>,
}

/// A page of meetings.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "data": [example_meeting()], "meta": { "page": 1, "pageSize": 50, "total": 1 },
}))]
pub(crate) struct MeetingPageAnswer {
    data: Vec<MeetingView>,
    meta: PageMeta,
}

/// All meetings, or a page of them.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!([example_meeting()]))]
pub(crate) enum MeetingListAnswer {
    /// Without `page`.
    All(Vec<MeetingView>),
    /// With `page`.
    Page(MeetingPageAnswer),
}

/// The values of `status`.
const STATUSES: [(&str, MeetingStatus); 5] = [
    ("DRAFT", MeetingStatus::Draft),
    ("SCHEDULED", MeetingStatus::Scheduled),
    ("ACTIVE", MeetingStatus::Active),
    ("COMPLETED", MeetingStatus::Completed),
    ("CANCELLED", MeetingStatus::Cancelled),
];

/// The `status` parameter in the OpenAPI document.
struct StatusQuery;

impl IntoParams for StatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATUSES)]
    }
}

fn filter_of(query: &ListQuery) -> Result<MeetingFilter, ApiError> {
    let sorts = [("name", MeetingSort::TitleAscending), ("-name", MeetingSort::TitleDescending)];
    let Listing { search, status, sort, page } = query.read(&STATUSES, &sorts)?;
    Ok(MeetingFilter { search, statuses: status.into_iter().collect(), sort: sort.unwrap_or_default(), page })
}

/// Lists the organization's meetings, latest start first unless `sort` is given.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(ListQuery, StatusQuery, OwnerQuery),
    responses(
        (status = 200, description = "The meetings", body = MeetingListAnswer),
        (status = 404, description = "`clientId` is not the caller's organization", body = ApiErrorBody,
         example = json!({ "code": "client_not_found", "error": "The client does not exist" })),
    ),
)]
#[get("/client/meetings")]
pub(crate) async fn list_meetings(
    admin: ClientAdmin,
    query: Query<ListQuery>,
    owner: Query<OwnerQuery>,
    meetings: Data<MeetingService>,
) -> Result<HttpResponse, ApiError> {
    let asked_for = owner.client_id.as_deref().filter(|id| !id.is_empty());
    if asked_for.is_some_and(|id| id.parse::<ClientId>() != Ok(admin.client_id)) {
        return Err(ClientId::missing());
    }
    let filter = filter_of(&query)?;
    let page = meetings.list(admin.client_id, &filter).await?;
    let data = page.rows.iter().map(MeetingView::from).collect();
    Ok(HttpResponse::Ok().json(match meta_of(filter.page, &page) {
        None => MeetingListAnswer::All(data),
        Some(meta) => MeetingListAnswer::Page(MeetingPageAnswer { data, meta }),
    }))
}
