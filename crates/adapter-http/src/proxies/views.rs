use std::collections::HashSet;

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use plenum_kernel::{MeetingId, ProxyId, QuestionId};
use plenum_voting::{
    GrantError, HeldState, HeldVote, Proxy, ProxyPerson, ProxyRule, ProxyScope, ProxyUse, RevokeError,
};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::ApiId;
use crate::extract::exact;

/// The most questions that a proxy names.
const MAX_QUESTIONS: usize = 500;

/// A person of a proxy.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben" }))]
pub(crate) struct ProxyPersonView {
    id: Uuid,
    name: String,
    username: String,
}

impl From<ProxyPerson> for ProxyPersonView {
    fn from(person: ProxyPerson) -> Self {
        Self { id: person.id.as_uuid(), name: person.name, username: person.username }
    }
}

/// A proxy: the holder casts the vote of the principal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_proxy)]
pub(crate) struct ProxyView {
    id: Uuid,
    principal: ProxyPersonView,
    /// The weight of the principal today.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    holder: ProxyPersonView,
    /// The questions. Null for the whole meeting.
    #[schema(required)]
    question_ids: Option<Vec<Uuid>>,
    /// Instructions for the holder.
    #[schema(required)]
    note: Option<String>,
    /// The place of the written proof.
    #[schema(required)]
    reference: Option<String>,
    granted_at: DateTime<Utc>,
    /// The name of the person who granted it.
    granted_by: String,
    /// Whether that was the principal.
    is_by_principal: bool,
    /// Null unless it is revoked.
    #[schema(required)]
    revoked_at: Option<DateTime<Utc>>,
    /// The name of the person who revoked it.
    #[schema(required)]
    revoked_by: Option<String>,
    /// Whether it rests, because the principal is present.
    rests: bool,
}

pub(crate) fn example_proxy() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000011",
        "principal": { "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Ash", "username": "ada" },
        "weight": 1.5,
        "holder": { "id": "019a9d5e-0000-7000-8000-000000000008", "name": "Ben Birch", "username": "ben" },
        "questionIds": null, "note": "Yes to the budget", "reference": "Folder 3, letter of 2 November",
        "grantedAt": "2026-11-20T09:00:00Z", "grantedBy": "Maria Keller", "isByPrincipal": false, "revokedAt": null,
        "revokedBy": null, "rests": false,
    })
}

impl From<Proxy> for ProxyView {
    fn from(proxy: Proxy) -> Self {
        let (revoked_at, revoked_by) = proxy.revoked.unzip();
        Self {
            id: proxy.id.as_uuid(),
            principal: proxy.principal.into(),
            weight: proxy.weight.normalize(),
            holder: proxy.holder.into(),
            question_ids: match proxy.scope {
                ProxyScope::Meeting => None,
                ProxyScope::Questions(questions) => Some(questions.into_iter().map(QuestionId::as_uuid).collect()),
            },
            note: proxy.note,
            reference: proxy.reference,
            granted_at: proxy.granted_at,
            granted_by: proxy.granted_by,
            is_by_principal: proxy.is_by_principal,
            revoked_at,
            revoked_by,
            rests: proxy.rests,
        }
    }
}

/// What happened to the vote of a principal.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum HeldStateName {
    /// The holder can cast it, while voting is open.
    Open,
    /// The holder has cast it.
    CastByHolder,
    /// The principal has voted, so the proxy rests.
    VotedByPrincipal,
    /// The principal is present, so the proxy rests.
    Resting,
}

impl From<HeldState> for HeldStateName {
    fn from(state: HeldState) -> Self {
        match state {
            HeldState::Open => Self::Open,
            HeldState::CastByHolder => Self::CastByHolder,
            HeldState::VotedByPrincipal => Self::VotedByPrincipal,
            HeldState::Resting => Self::Resting,
        }
    }
}

/// The vote of a principal, as the holder sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "principal": { "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Ash", "username": "ada" },
    "weight": 1.5, "note": "Yes to the budget", "state": "OPEN",
}))]
pub(crate) struct HeldVoteView {
    principal: ProxyPersonView,
    /// The weight in the register.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    /// Instructions.
    #[schema(required)]
    note: Option<String>,
    state: HeldStateName,
}

impl From<HeldVote> for HeldVoteView {
    fn from(vote: HeldVote) -> Self {
        Self {
            principal: vote.principal.into(),
            weight: vote.weight.normalize(),
            note: vote.note,
            state: vote.state.into(),
        }
    }
}

/// A round in which a proxy of the caller was in force.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000004",
    "questionText": "Do you approve the budget?", "number": 1, "holder": "Ben Birch", "state": "CAST_BY_HOLDER",
}))]
pub(crate) struct ProxyUseView {
    round_id: Uuid,
    question_id: Uuid,
    question_text: String,
    /// 1 for the first round of the question, 2 for its first re-vote.
    number: u32,
    /// The name of the holder.
    holder: String,
    state: HeldStateName,
}

impl From<ProxyUse> for ProxyUseView {
    fn from(used: ProxyUse) -> Self {
        Self {
            round_id: used.round.as_uuid(),
            question_id: used.question.as_uuid(),
            question_text: used.question_text,
            number: used.number,
            holder: used.holder,
            state: used.state.into(),
        }
    }
}

/// The error of a rule, at its field.
pub(super) fn refused(rule: &ProxyRule) -> ApiError {
    let text = plenum_kernel::capitalized(&format!("{rule}."));
    match rule {
        ProxyRule::Off => ApiError::conflict("proxies_off", text),
        ProxyRule::ByOrganizerOnly => ApiError::new(StatusCode::FORBIDDEN, "proxies_by_organizer", text),
        ProxyRule::AlreadyGranted { .. } => ApiError::taken("proxy_exists", rule.field(), text),
        rule => {
            let code = if rule.is_limit() { "proxy_limit" } else { "proxy_refused" };
            ApiError::invalid_field(rule.field(), &text).with_text(text).with_code(code)
        }
    }
}

impl From<GrantError> for ApiError {
    fn from(error: GrantError) -> Self {
        match error {
            GrantError::MeetingNotFound => MeetingId::missing(),
            GrantError::Rule(rule) => refused(&rule),
            GrantError::Port(failure) => failure.into(),
        }
    }
}

impl From<RevokeError> for ApiError {
    fn from(error: RevokeError) -> Self {
        match error {
            RevokeError::NotFound => ProxyId::missing(),
            RevokeError::ByOrganizer => Self::new(StatusCode::FORBIDDEN, "proxies_by_organizer", format!("{error}.")),
            RevokeError::AlreadyRevoked => Self::conflict("proxy_revoked", error),
            RevokeError::Port(failure) => failure.into(),
        }
    }
}

/// Reads the questions of a proxy. None for the whole meeting.
pub(super) fn read_scope(check: &mut FieldCheck, field: &str, ids: Option<&[Uuid]>) -> ProxyScope {
    if ids.is_some_and(<[Uuid]>::is_empty) {
        check.note(field, "Must name at least one question, or be null.".to_owned());
    }
    if ids.is_some_and(|ids| ids.len() > MAX_QUESTIONS) {
        check.note(field, format!("Must have at most {MAX_QUESTIONS} questions."));
    }
    let unique: Option<HashSet<Uuid>> = ids.map(|ids| ids.iter().copied().collect());
    ProxyScope::of(unique.map(|ids| ids.into_iter().map(QuestionId::from_uuid)))
}
