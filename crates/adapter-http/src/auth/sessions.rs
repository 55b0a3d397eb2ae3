use actix_web::web::{Data, Json};
use actix_web::{delete, get, post};
use chrono::{DateTime, Utc};
use plenum_clients::{OwnSession, SessionRevocation, SessionService};
use plenum_kernel::SessionId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::device::device_words;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::SignedIn;
use crate::live::Revocations;
use crate::views::DoneView;

/// An active session of the caller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000010", "device": "Firefox on Windows", "address": "203.0.113.7",
    "startedAt": "2026-11-20T08:00:00Z", "lastUsedAt": "2026-11-21T18:00:00Z", "expiresAt": "2026-12-21T18:00:00Z",
    "rememberMe": true, "isCurrent": false,
}))]
pub(crate) struct OwnSessionView {
    id: Uuid,
    /// The browser and the operating system, as the browser reported them at sign-in.
    #[schema(required)]
    device: Option<String>,
    /// The IP address at sign-in, if known.
    #[schema(required)]
    address: Option<String>,
    /// The time of the sign-in.
    started_at: DateTime<Utc>,
    /// The time of the last use, to a quarter of an hour.
    last_used_at: DateTime<Utc>,
    /// The time at which the session ends without further use.
    expires_at: DateTime<Utc>,
    /// Whether the session lasts for 30 days.
    remember_me: bool,
    /// Whether this request belongs to the session.
    is_current: bool,
}

impl OwnSessionView {
    fn new(session: &OwnSession, current: SessionId) -> Self {
        Self {
            id: session.id.as_uuid(),
            device: session.origin.device.as_deref().and_then(device_words),
            address: session.origin.address.map(|address| address.to_string()),
            started_at: session.started_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
            remember_me: session.remember_me,
            is_current: session.id == current,
        }
    }
}

/// The caller's own sessions in their envelope.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnSessionsAnswer {
    success: bool,
    data: Vec<OwnSessionView>,
}

/// Lists the caller's active sessions, the last used first, at most 200.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The sessions", body = OwnSessionsAnswer),
    ),
)]
#[get("/auth/sessions")]
pub(crate) async fn list_own_sessions(
    signed_in: SignedIn,
    sessions: Data<SessionService>,
) -> Result<Json<OwnSessionsAnswer>, ApiError> {
    let acting = signed_in.0;
    let own = sessions.list(acting.person).await?;
    let data = own.iter().map(|session| OwnSessionView::new(session, acting.session)).collect();
    Ok(Json(OwnSessionsAnswer { success: true, data }))
}

/// Ends one of the caller's sessions: its refresh tokens, its access token and its open streams.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    params(("sessionId" = Uuid, Path)),
    responses(
        (status = 200, description = "Signed out", body = DoneView),
        (status = 404, description = "The session has ended, or belongs to another person", body = ApiErrorBody),
    ),
)]
#[delete("/auth/sessions/{sessionId}")]
pub(crate) async fn end_own_session(
    signed_in: SignedIn,
    PathId(id): PathId<SessionId>,
    sessions: Data<SessionService>,
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    if !sessions.end(signed_in.0.person, id).await? {
        return Err(SessionId::missing());
    }
    revocations.announce(SessionRevocation::Session(id));
    Ok(Json(DoneView::DONE))
}

/// The choice of sessions to end.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "keepThis": true }))]
pub(crate) struct SignOutEverywhereBody {
    /// Whether to keep the session of this request; false if missing.
    keep_this: Option<bool>,
}

/// The number of ended sessions.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "ended": 3 }))]
pub(crate) struct SignedOutView {
    success: bool,
    #[schema(minimum = 0)]
    ended: u64,
}

/// Ends all sessions of the caller, or all but the current one, with their access tokens and open streams.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = SignOutEverywhereBody,
    responses(
        (status = 200, description = "Signed out", body = SignedOutView),
    ),
)]
#[post("/auth/sessions/sign-out-everywhere")]
pub(crate) async fn sign_out_everywhere(
    signed_in: SignedIn,
    Body(body): Body<SignOutEverywhereBody>,
    sessions: Data<SessionService>,
    revocations: Data<Revocations>,
) -> Result<Json<SignedOutView>, ApiError> {
    let acting = signed_in.0;
    let ended = sessions.end_everywhere(acting, body.keep_this.unwrap_or(false)).await?;
    revocations.announce(SessionRevocation::of(acting.person));
    Ok(Json(SignedOutView { success: true, ended }))
}
