use actix_web::get;
use actix_web::web::{Data, Json, Query};
use plenum_clients::{EndUserDirectory, EndUserFilter, EndUserSort};
use serde::Serialize;
use utoipa::ToSchema;

use crate::end_users::EndUserView;
use crate::rim::{ApiError, ClientAdmin, FieldCheck, ListQuery, PageMeta, checked, meta_of};

/// Voters.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndUserListAnswer {
    success: bool,
    data: Vec<EndUserView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

fn filter_of(query: &ListQuery) -> Result<EndUserFilter, ApiError> {
    let mut check = FieldCheck::default();
    let sorts = [("name", EndUserSort::NameAscending), ("-name", EndUserSort::NameDescending)];
    let filter = EndUserFilter {
        search: query.search(),
        is_active: ListQuery::choice(
            &mut check,
            "status",
            query.status.as_deref(),
            &[("active", true), ("inactive", false)],
        ),
        sort: ListQuery::choice(&mut check, "sort", query.sort.as_deref(), &sorts).unwrap_or_default(),
        page: query.page(&mut check),
    };
    checked(check, filter)
}

/// Lists the organisation's voters, by name. `status` is `active` or `inactive`.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(ListQuery),
    responses(
        (status = 200, description = "The voters", body = EndUserListAnswer),
    ),
)]
#[get("/client/end-users")]
pub(crate) async fn list_end_users(
    admin: ClientAdmin,
    query: Query<ListQuery>,
    end_users: Data<EndUserDirectory>,
) -> Result<Json<EndUserListAnswer>, ApiError> {
    let filter = filter_of(&query)?;
    let page = end_users.list(admin.client_id, &filter).await?;
    let meta = meta_of(filter.page, &page);
    Ok(Json(EndUserListAnswer { success: true, data: page.rows.iter().map(EndUserView::from).collect(), meta }))
}
