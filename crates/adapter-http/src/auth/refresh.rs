use actix_web::http::StatusCode;
use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{RefreshError, SessionOrigin, SessionRevocation, SignInService};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::MAX_LOGIN_BODY;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::ErrorCode;
use crate::error::try_again_in;
use crate::error::whole_seconds;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::CallerDevice;
use crate::live::Revocations;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// A refresh token to exchange.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "refreshToken": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY", "renewalId": "7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a64",
}))]
pub(crate) struct RefreshBody {
    refresh_token: String,
    /// A random id of this exchange. Keep it and send it again until there is a response: such a repeat is allowed at any
    /// time.
    renewal_id: Option<Uuid>,
}

/// A new pair of tokens.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenPairView {
    /// The access token, valid for 15 minutes.
    #[schema(example = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTlh.c2lnbmF0dXJl")]
    token: String,
    /// The next refresh token. It works once.
    #[schema(example = "Qd8sWm1cT6vB3xN9kZ4pL7rYhG2fJ5aE0uIoXtVqKwM")]
    refresh_token: String,
}

impl From<RefreshError> for ApiError {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::SessionEnded | RefreshError::Stolen { .. } => Self::new(
                StatusCode::UNAUTHORIZED,
                ErrorCode::SESSION_ENDED,
                "The session has ended. Please sign in again.",
            ),
            RefreshError::TooOften { retry_after } => {
                let seconds = whole_seconds(retry_after.to_std().unwrap_or_default());
                Self::rate_limited(format!("This session is renewed too often. {}", try_again_in(seconds)), seconds)
            }
            RefreshError::Port(failure) => failure.into(),
        }
    }
}

/// Exchanges a refresh token for a new pair. A repeat within 30 seconds returns the same new refresh token, unless
/// another device has used that one already. So does a repeat with the same `renewalId` at any time, unless the new token was
/// used or has expired. Any other repeat ends the whole session.
#[utoipa::path(
    tag = "auth",
    request_body = RefreshBody,
    responses(
        (status = 200, description = "The new pair", body = TokenPairView),
        (status = 401, description = "The token is unknown, used or expired, or its person is no longer active", body = ApiErrorBody,
         example = json!({ "code": "session_ended", "error": "The session has ended. Please sign in again." })),
        (status = 429, description = "The session is refreshed too often, or too many refreshes fail and wait; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many ended sessions were used in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/auth/refresh")]
pub(crate) async fn refresh_tokens(
    from: CallerAddress,
    device: CallerDevice,
    Body(body): Body<RefreshBody, MAX_LOGIN_BODY>,
    lookups: Data<LookupRateLimit>,
    sign_in: Data<SignInService>,
    revocations: Data<Revocations>,
) -> Result<Json<TokenPairView>, ApiError> {
    let origin = SessionOrigin::new(from.0, device.0.as_deref());
    let renew = async {
        match sign_in.refresh(&body.refresh_token, body.renewal_id, &origin).await {
            Err(RefreshError::SessionEnded) => Ok(None),
            // Somebody with a copy may have an access token and open streams.
            Err(RefreshError::Stolen { session }) => {
                revocations.announce(SessionRevocation::Session(session));
                Ok(None)
            }
            outcome => Ok(Some(outcome?)),
        }
    };
    let lookup = Lookup { kind: LookupKind::RefreshToken, from: from.0, value: &body.refresh_token };
    let pair = lookups.look_up(lookup, renew).await?.ok_or(RefreshError::SessionEnded)?;
    Ok(Json(TokenPairView { token: pair.access, refresh_token: pair.refresh }))
}
