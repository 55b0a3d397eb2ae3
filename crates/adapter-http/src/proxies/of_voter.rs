use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post};
use plenum_kernel::{MeetingId, ProxyId, QuestionId};
use plenum_meetings::MeetingService;
use plenum_voting::{GrantRequest, HeldVotes, ProxyAuthor, ProxyNote, ProxyService};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::grants::{GrantedView, read_text};
use super::views::{HeldVoteView, ProxyUseView, ProxyView, example_proxy, read_scope};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::middleware::created;
use crate::views::DoneView;

/// The proxies that the caller gave and holds in a meeting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "isOn": true, "mayGrant": true, "given": [example_proxy()], "held": [], "uses": [],
}))]
pub(super) struct OwnProxiesView {
    /// Whether the meeting has proxies.
    is_on: bool,
    /// Whether the caller can grant a proxy: the meeting allows it, and the caller holds none.
    may_grant: bool,
    /// Those that the caller gave.
    given: Vec<ProxyView>,
    /// Those that the caller holds.
    held: Vec<ProxyView>,
    /// The rounds in which a proxy of the caller was in force, the latest first.
    uses: Vec<ProxyUseView>,
}

/// Returns the proxies that the caller gave and holds in a meeting, and what became of the caller's vote in each round.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The proxies", body = OwnProxiesView),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/voting/meetings/{meetingId}/proxies")]
pub(super) async fn own_proxies(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    proxies: Data<ProxyService>,
) -> Result<Json<OwnProxiesView>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let settings = proxies.settings(voter.client_id, meeting).await?.unwrap_or_default();
    let (own, uses) = proxies.of_person(voter.client_id, meeting, voter.id).await?;
    let (given, held): (Vec<_>, Vec<_>) = own.into_iter().partition(|proxy| proxy.principal.id == voter.id);
    Ok(Json(OwnProxiesView {
        is_on: settings.is_on,
        may_grant: settings.is_on && settings.principals_may_grant && held.is_empty(),
        given: given.into_iter().map(ProxyView::from).collect(),
        held: held.into_iter().map(ProxyView::from).collect(),
        uses: uses.into_iter().map(ProxyUseView::from).collect(),
    }))
}

/// A proxy of the caller.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "holder": "ben", "questionIds": null, "note": "Yes to the budget" }))]
pub(super) struct GrantOwnProxyBody {
    /// The username of the person who casts the caller's vote.
    holder: String,
    /// The questions. The whole meeting if missing or null.
    #[schema(min_items = 1, max_items = 500)]
    question_ids: Option<Vec<Uuid>>,
    /// Instructions for the holder, at most 1,000 characters.
    #[schema(max_length = 1000)]
    note: Option<String>,
}

/// Grants a proxy of the caller, where the meeting allows it. It takes effect at the next opening.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = GrantOwnProxyBody,
    responses(
        (status = 201, description = "Granted", body = GrantedView),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting has no proxies, or the person has given one for the same question (`proxy_exists`)",
         body = ApiErrorBody, example = json!({ "code": "proxies_off", "error": "This meeting has no proxies." })),
        (status = 422, description = "A rule or a limit forbids it; `fields` names the field", body = ApiErrorBody,
         example = json!({
             "code": "proxy_limit", "error": "Ben Birch would vote for 4 people on one question, and the limit is 3.",
             "fields": { "holder": ["Ben Birch would vote for 4 people on one question, and the limit is 3."] },
         })),
    ),
)]
#[post("/voting/meetings/{meetingId}/proxies")]
pub(super) async fn grant_own_proxy(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<GrantOwnProxyBody>,
    meetings: Data<MeetingService>,
    proxies: Data<ProxyService>,
) -> Result<HttpResponse, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let mut check = FieldCheck::default();
    let scope = read_scope(&mut check, "questionIds", body.question_ids.as_deref());
    let note = read_text(&mut check, "note", body.note.as_deref(), ProxyNote::parse);
    let request = GrantRequest { principal: None, holder: body.holder, scope, note, reference: None };
    let request = check.finish(Some(request))?;
    let id = proxies.grant(voter.client_id, meeting, request, ProxyAuthor::Principal(voter.id)).await?;
    Ok(created(format_args!("/voting/meetings/{meeting}/proxies"), GrantedView { id: id.as_uuid() }))
}

/// Revokes a proxy that the caller granted. A vote that was cast stands.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("proxyId" = Uuid, Path)),
    responses(
        (status = 200, description = "Revoked", body = DoneView),
        (status = 404, description = "The caller gave no such proxy", body = ApiErrorBody,
         example = json!({ "code": "proxy_not_found", "error": "The proxy does not exist" })),
        (status = 409, description = "The proxy is already revoked", body = ApiErrorBody,
         example = json!({ "code": "proxy_revoked", "error": "The proxy is already revoked" })),
    ),
)]
#[delete("/voting/meetings/{meetingId}/proxies/{proxyId}")]
pub(super) async fn revoke_own_proxy(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(proxy): PathId<ProxyId>,
    proxies: Data<ProxyService>,
) -> Result<Json<DoneView>, ApiError> {
    proxies.revoke(voter.client_id, meeting, proxy, ProxyAuthor::Principal(voter.id)).await?;
    Ok(Json(DoneView::DONE))
}

/// The votes that the caller holds in the last round of a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007",
    "votes": [{
        "principal": { "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Ash", "username": "ada" },
        "weight": 1.5, "note": null, "state": "OPEN",
    }],
}))]
pub(crate) struct HeldVotesView {
    /// The round.
    round_id: Uuid,
    /// By the names of the principals.
    votes: Vec<HeldVoteView>,
}

/// Returns the votes of others that the caller can cast or has cast in the last round of a question.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    responses(
        (status = 200, description = "The votes", body = HeldVotesView),
        (status = 404, description = "The voter's organization has no such meeting, or no question in it that was opened", body = ApiErrorBody),
    ),
)]
#[get("/proxies")]
pub(crate) async fn held_votes(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    meetings: Data<MeetingService>,
    proxies: Data<ProxyService>,
) -> Result<Json<HeldVotesView>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let HeldVotes { round, votes } = proxies.held(voter.client_id, meeting, question, voter.id).await?;
    // Questions that were never opened are hidden from voters.
    let round = round.ok_or_else(QuestionId::missing)?;
    let votes = votes.into_iter().map(HeldVoteView::from).collect();
    Ok(Json(HeldVotesView { round_id: round.as_uuid(), votes }))
}
