use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_clients::AccessCheck;
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::AccountHolder;
use crate::extract::SignedIn;

/// An expired access token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true,
    "message": "The token has expired. Every request with it must be rejected.",
    "token": "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJwbGVudW0ifQ.c2lnbmF0dXJl",
    "expiredAt": "2026-11-21T17:30:00Z",
}))]
pub(crate) struct ExpiredTokenView {
    success: bool,
    message: &'static str,
    /// A token of the caller's own session, signed by this server.
    token: String,
    /// The time at which the token expired.
    expired_at: DateTime<Utc>,
}

/// Creates an access token of the caller's own session that expired an hour ago. It shows that the server rejects
/// expired tokens. It gives no access, and cannot be refreshed.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The token", body = ExpiredTokenView),
    ),
)]
#[get("/test/expired-token")]
pub(crate) async fn test_expired_token(
    _: AccountHolder,
    SignedIn(acting): SignedIn,
    access: Data<AccessCheck>,
) -> Json<ExpiredTokenView> {
    let (token, expired_at) = access.expired_token(acting);
    let message = "The token has expired. Every request with it must be rejected.";
    Json(ExpiredTokenView { success: true, message, token, expired_at })
}
