use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::{EndUserFilter, EndUserService, EndUserSort};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use crate::end_users::{EndUserView, example_end_user};
use crate::error::ApiError;
use crate::extract::ClientAdmin;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::status_parameter;
use crate::views::read_group_filter;

/// A list of voters.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_end_user()] }))]
pub(crate) struct EndUserListAnswer {
    success: bool,
    data: Vec<EndUserView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// The values of `status`.
const STATUSES: [(&str, bool); 2] = [("active", true), ("inactive", false)];

/// The `status` parameter in the OpenAPI document.
struct StatusQuery;

impl IntoParams for StatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATUSES)]
    }
}

/// The filter, the order and the page of voters.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndUserQuery {
    search: Option<String>,
    status: Option<String>,
    sort: Option<String>,
    page: Option<String>,
    page_size: Option<String>,
    group_id: Option<String>,
}

/// The `groupId` parameter of a list of voters.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only for the OpenAPI document")]
pub(crate) struct GroupParameter {
    /// Only members of this group. Empty means missing.
    #[param(value_type = Option<String>)]
    group_id: Option<String>,
}

pub(super) fn filter_of(query: &ListQuery, group: Option<&str>) -> Result<EndUserFilter, ApiError> {
    let group = read_group_filter(group)?;
    let sorts = [("name", EndUserSort::NameAscending), ("-name", EndUserSort::NameDescending)];
    let Listing { search, status, sort, page } = query.read(&STATUSES, &sorts)?;
    Ok(EndUserFilter { search, is_active: status, group, counted_only: false, sort: sort.unwrap_or_default(), page })
}

/// Lists the organization's voters, by name.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(ListQuery, StatusQuery, GroupParameter),
    responses(
        (status = 200, description = "The voters", body = EndUserListAnswer),
    ),
)]
#[get("/client/end-users")]
pub(crate) async fn list_end_users(
    admin: ClientAdmin,
    query: Query<EndUserQuery>,
    end_users: Data<EndUserService>,
) -> Result<Json<EndUserListAnswer>, ApiError> {
    let EndUserQuery { search, status, sort, page, page_size, group_id } = query.into_inner();
    let filter = filter_of(&ListQuery { search, status, sort, page, page_size }, group_id.as_deref())?;
    let page = end_users.list(admin.client_id, &filter).await?;
    let meta = meta_of(filter.page, &page);
    Ok(Json(EndUserListAnswer { success: true, data: page.rows.iter().map(EndUserView::from).collect(), meta }))
}
