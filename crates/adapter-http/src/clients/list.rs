use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::{ClientFilter, ClientService, ClientSort, ClientStatus};
use serde::Serialize;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use crate::clients::views::{ClientView, example_client};
use crate::error::ApiError;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::meta_of;
use crate::extract::status_parameter;

/// A list of organizations.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_client()] }))]
pub(crate) struct ClientListAnswer {
    success: bool,
    data: Vec<ClientView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// The values of `status`.
const STATUSES: [(&str, ClientStatus); 3] =
    [("ACTIVE", ClientStatus::Active), ("INACTIVE", ClientStatus::Inactive), ("SUSPENDED", ClientStatus::Suspended)];

/// The `status` parameter in the OpenAPI document.
pub(crate) struct ClientStatusQuery;

impl IntoParams for ClientStatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATUSES)]
    }
}

/// Reads the filter of a query for organizations.
pub(crate) fn client_filter(query: &ListQuery) -> Result<ClientFilter, ApiError> {
    let sorts = [("name", ClientSort::NameAscending), ("-name", ClientSort::NameDescending)];
    let Listing { search, status, sort, page } = query.read(&STATUSES, &sorts)?;
    Ok(ClientFilter { search, status, sort: sort.unwrap_or_default(), page })
}

/// Lists organizations, newest first unless `sort` is given.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(ListQuery, ClientStatusQuery),
    responses(
        (status = 200, description = "The organizations", body = ClientListAnswer),
    ),
)]
#[get("/clients")]
pub(crate) async fn list_clients(
    _: SuperAdmin,
    query: Query<ListQuery>,
    clients: Data<ClientService>,
) -> Result<Json<ClientListAnswer>, ApiError> {
    let filter = client_filter(&query)?;
    let page = clients.list(&filter).await?;
    let meta = meta_of(filter.page, &page);
    Ok(Json(ClientListAnswer { success: true, data: page.rows.iter().map(ClientView::from).collect(), meta }))
}
