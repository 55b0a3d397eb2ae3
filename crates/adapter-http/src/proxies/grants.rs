use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post};
use plenum_kernel::{MeetingId, PageRequest, ProxyId, SearchText};
use plenum_voting::{
    GrantRequest, HolderTotal, ProxyAuthor, ProxyFilter, ProxyNote, ProxyReference, ProxyService, ProxyTotals,
};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::views::{ProxyPersonView, ProxyView, example_proxy, read_scope};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::exact;
use crate::extract::read_flag;
use crate::extract::read_page;
use crate::middleware::created;
use crate::views::DoneView;

/// The filter and the page of a list of proxies.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct ProxiesQuery {
    /// Plain text to find in the names and usernames of principal and holder, and in the reference. The first 200 characters
    /// count. `%` and `_` match themselves.
    search: Option<String>,
    /// Whether revoked proxies are listed, too; false if missing.
    #[param(value_type = Option<bool>)]
    revoked: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl ProxiesQuery {
    fn read(&self) -> Result<ProxyFilter, ApiError> {
        let mut check = FieldCheck::default();
        let with_revoked = read_flag(&mut check, "revoked", self.revoked.as_deref()).unwrap_or(false);
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let search = self.search.as_deref().and_then(SearchText::parse);
        check.finish(page.map(|page| ProxyFilter { search, with_revoked, page }))
    }
}

/// A page of proxies.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "data": [example_proxy()], "meta": { "page": 1, "pageSize": 50, "total": 1 } }))]
pub(super) struct ProxiesAnswer {
    /// The proxies, by the names of the principals.
    data: Vec<ProxyView>,
    meta: PageMeta,
}

/// Lists a page of the proxies of a meeting.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ProxiesQuery),
    responses(
        (status = 200, description = "The proxies", body = ProxiesAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/proxies")]
pub(super) async fn list_proxies(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ProxiesQuery>,
    proxies: Data<ProxyService>,
) -> Result<Json<ProxiesAnswer>, ApiError> {
    let filter = query.read()?;
    let found = proxies.page(admin.client_id, meeting, &filter).await?.ok_or_else(MeetingId::missing)?;
    let PageRequest { page, page_size } = filter.page;
    let meta = PageMeta { page, page_size, total: found.total };
    Ok(Json(ProxiesAnswer { data: found.rows.into_iter().map(ProxyView::from).collect(), meta }))
}

/// A proxy to grant.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "principal": "ada", "holder": "ben", "questionIds": null, "note": "Yes to the budget",
    "reference": "Folder 3, letter of 2 November",
}))]
pub(super) struct GrantProxyBody {
    /// The username of the person whose vote is cast.
    principal: String,
    /// The username of the person who casts it.
    holder: String,
    /// The questions. The whole meeting if missing or null.
    #[schema(min_items = 1, max_items = 500)]
    question_ids: Option<Vec<Uuid>>,
    /// Instructions for the holder, at most 1,000 characters. Only principal, holder and organizers read them.
    #[schema(max_length = 1000)]
    note: Option<String>,
    /// The place of the written proof, at most 200 characters. It appears in the minutes.
    #[schema(max_length = 200)]
    reference: Option<String>,
}

impl GrantProxyBody {
    fn read(self) -> Result<GrantRequest, ApiError> {
        let mut check = FieldCheck::default();
        let scope = read_scope(&mut check, "questionIds", self.question_ids.as_deref());
        let note = read_text(&mut check, "note", self.note.as_deref(), ProxyNote::parse);
        let reference = read_text(&mut check, "reference", self.reference.as_deref(), ProxyReference::parse);
        let (principal, holder) = (Some(self.principal), self.holder);
        check.finish(Some(GrantRequest { principal, holder, scope, note, reference }))
    }
}

/// A text that may be missing or blank.
pub(super) fn read_text<T>(
    check: &mut FieldCheck,
    field: &str,
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, plenum_kernel::Invalid>,
) -> Option<T> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    check.keep(field, parse(text))
}

/// The id of a new proxy.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "id": "019a9d5e-0000-7000-8000-000000000011" }))]
pub(super) struct GrantedView {
    pub(super) id: Uuid,
}

/// Grants a proxy. It takes effect at the next opening.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = GrantProxyBody,
    responses(
        (status = 201, description = "Granted", body = GrantedView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting has no proxies, or the person has given one for the same question (`proxy_exists`)",
         body = ApiErrorBody, example = json!({ "code": "proxies_off", "error": "This meeting has no proxies." })),
        (status = 422, description = "A rule or a limit forbids it; `fields` names the field", body = ApiErrorBody,
         example = json!({
             "code": "proxy_limit", "error": "Ben Birch would vote for 4 people on one question, and the limit is 3.",
             "fields": { "holder": ["Ben Birch would vote for 4 people on one question, and the limit is 3."] },
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/proxies")]
pub(super) async fn grant_proxy(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<GrantProxyBody>,
    proxies: Data<ProxyService>,
) -> Result<HttpResponse, ApiError> {
    let by = ProxyAuthor::Organizer(admin.account_id);
    let id = proxies.grant(admin.client_id, meeting, body.read()?, by).await?;
    Ok(created(format_args!("/client/meetings/{meeting}/proxies"), GrantedView { id: id.as_uuid() }))
}

/// Revokes a proxy. A vote that was cast stands.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("proxyId" = Uuid, Path)),
    responses(
        (status = 200, description = "Revoked", body = DoneView),
        (status = 404, description = "The meeting has no such proxy", body = ApiErrorBody,
         example = json!({ "code": "proxy_not_found", "error": "The proxy does not exist" })),
        (status = 409, description = "The proxy is already revoked", body = ApiErrorBody,
         example = json!({ "code": "proxy_revoked", "error": "The proxy is already revoked" })),
    ),
)]
#[delete("/client/meetings/{meetingId}/proxies/{proxyId}")]
pub(super) async fn revoke_proxy(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(proxy): PathId<ProxyId>,
    proxies: Data<ProxyService>,
) -> Result<Json<DoneView>, ApiError> {
    proxies.revoke(admin.client_id, meeting, proxy, ProxyAuthor::Organizer(admin.account_id)).await?;
    Ok(Json(DoneView::DONE))
}

/// The proxies of one holder, beside the limits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "holder": { "id": "019a9d5e-0000-7000-8000-000000000008", "name": "Ben Birch", "username": "ben" },
    "principals": 3, "weight": 4.5, "isBeyondLimits": false, "mayHold": true,
}))]
pub(super) struct HolderTotalView {
    holder: ProxyPersonView,
    /// The most principals on one question.
    principals: u32,
    /// The largest sum of their weights on one question.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    /// Whether a limit is exceeded, because settings or weights changed since the grants.
    is_beyond_limits: bool,
    /// Whether the holder can sign in and may hold proxies.
    may_hold: bool,
}

impl From<HolderTotal> for HolderTotalView {
    fn from(total: HolderTotal) -> Self {
        Self {
            holder: total.holder.into(),
            principals: total.principals,
            weight: total.weight.normalize(),
            is_beyond_limits: total.is_beyond_limits,
            may_hold: total.may_hold,
        }
    }
}

/// The holders of a meeting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "holders": [{
        "holder": { "id": "019a9d5e-0000-7000-8000-000000000008", "name": "Ben Birch", "username": "ben" },
        "principals": 3, "weight": 4.5, "isBeyondLimits": false, "mayHold": true,
    }],
    "wholeWeight": 120,
}))]
pub(super) struct HoldersView {
    /// By name.
    holders: Vec<HolderTotalView>,
    /// The weight of everybody who may vote.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    whole_weight: Decimal,
}

/// Lists the holders of a meeting with their totals.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The holders", body = HoldersView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/proxies/holders")]
pub(super) async fn proxy_holders(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    proxies: Data<ProxyService>,
) -> Result<Json<HoldersView>, ApiError> {
    let totals = proxies.totals(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    let ProxyTotals { holders, whole_weight } = totals;
    let holders = holders.into_iter().map(HolderTotalView::from).collect();
    Ok(Json(HoldersView { holders, whole_weight }))
}
