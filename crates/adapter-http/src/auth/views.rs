use std::time::Duration;

use actix_web::http::StatusCode;
use chrono::TimeDelta;
use plenum_clients::{PersonProfile, SignInError, SignedIn};
use plenum_kernel::{Person, PortFailure, Role};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::try_again_in;
use crate::error::whole_seconds;

/// The role of a person.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = Role)]
pub(crate) enum RoleName {
    SuperAdmin,
    Client,
    EndUser,
}

impl From<Role> for RoleName {
    fn from(role: Role) -> Self {
        match role {
            Role::SuperAdmin => Self::SuperAdmin,
            Role::Client => Self::Client,
            Role::EndUser => Self::EndUser,
        }
    }
}

/// A signed-in person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000003", "email": "ben@example.org", "role": "END_USER",
    "clientId": "019a9d5e-0000-7000-8000-000000000001", "clientCode": "rowing-club", "clientName": "Rowing Club",
    "name": "Ben Otto", "username": "ben",
}))]
pub(crate) struct UserView {
    /// The id of the account or of the end user.
    id: Uuid,
    /// May be null for an end user.
    #[schema(required)]
    email: Option<String>,
    role: RoleName,
    /// The organization. Null for super administrators.
    #[schema(required)]
    client_id: Option<Uuid>,
    #[schema(required)]
    client_code: Option<String>,
    #[schema(required)]
    client_name: Option<String>,
    /// The full name.
    name: String,
    /// Only for end users.
    #[schema(required)]
    username: Option<String>,
}

impl From<PersonProfile> for UserView {
    fn from(profile: PersonProfile) -> Self {
        let id = match profile.person {
            Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => account.as_uuid(),
            Person::EndUser { end_user, .. } => end_user.as_uuid(),
        };
        let (client_id, client_code, client_name) = match profile.client {
            Some((id, code, name)) => (Some(id.as_uuid()), Some(code.to_string()), Some(name)),
            None => (None, None, None),
        };
        Self {
            id,
            email: profile.email.map(|email| email.to_string()),
            role: profile.person.role().into(),
            client_id,
            client_code,
            client_name,
            name: profile.name,
            username: profile.username.map(|username| username.to_string()),
        }
    }
}

/// A successful sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    /// The access token, valid for 15 minutes.
    #[schema(example = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTlh.c2lnbmF0dXJl")]
    token: String,
    /// The refresh token. It works once.
    #[schema(example = "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY")]
    refresh_token: String,
    /// A token for the device to keep, also after sign-out, and to send in `deviceTokens` at the next sign-in. It does
    /// not sign in.
    #[schema(example = "Zm9yIHRoaXMgZGV2aWNlIGFuZCBuYW1lIGFsb25l")]
    device_token: String,
    user: UserView,
}

impl From<SignedIn> for SessionView {
    fn from(signed_in: SignedIn) -> Self {
        Self {
            token: signed_in.tokens.access,
            refresh_token: signed_in.tokens.refresh,
            device_token: signed_in.device_token,
            user: signed_in.profile.into(),
        }
    }
}

impl From<SignInError> for ApiError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::WrongCredentials => Self::new(
                StatusCode::UNAUTHORIZED,
                "invalid_credentials",
                "The name or the password is wrong, or the account is not active.",
            ),
            SignInError::WrongPortal => Self::new(StatusCode::FORBIDDEN, "access_denied", "Access denied"),
            SignInError::SecondFactorRequired => Self::new(StatusCode::UNAUTHORIZED, "second_factor_required", error),
            SignInError::SecondFactorWrong => Self::new(StatusCode::UNAUTHORIZED, "second_factor_wrong", error),
            SignInError::SecondFactorUnreadable => {
                note_unreadable();
                Self::new(StatusCode::UNAUTHORIZED, "second_factor_wrong", error)
            }
            SignInError::TooManyTries { retry_after } => rate_limited(retry_after),
            SignInError::Port(failure) => match failure.retry_after() {
                Some(time) => too_many_at_once(&failure, time),
                None => failure.into(),
            },
        }
    }
}

/// Logs the problem for the operator. The person only learns that the codes are wrong.
pub(super) fn note_unreadable() {
    tracing::warn!(
        code = "second_factor_unreadable",
        "the secret of a second factor cannot be read: was PLENUM_JWT_SECRET changed? Recovery codes still work"
    );
}

fn rate_limited(retry_after: TimeDelta) -> ApiError {
    let seconds = whole_seconds(retry_after.to_std().unwrap_or_default());
    ApiError::rate_limited(format!("Too many failed sign-ins. {}", try_again_in(seconds)), seconds)
}

/// A full queue has its own code, on which screens repeat the sign-in.
fn too_many_at_once(failure: &PortFailure, retry_after: Duration) -> ApiError {
    let text = format!("Many people are signing in. {}", try_again_in(whole_seconds(retry_after)));
    ApiError::unavailable(failure).with_code("sign_in_busy").with_text(text)
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;
    use actix_web::http::header::RETRY_AFTER;

    use super::*;

    #[test]
    fn retry_after_a_failed_sign_in_is_in_whole_seconds() {
        for (milliseconds, seconds, text) in [
            (10_000, "10", "Too many failed sign-ins. Please try again in 10 seconds."),
            (9_001, "10", "Too many failed sign-ins. Please try again in 10 seconds."),
            (1_000, "1", "Too many failed sign-ins. Please try again in 1 second."),
            (1, "1", "Too many failed sign-ins. Please try again in 1 second."),
        ] {
            let retry_after = TimeDelta::milliseconds(milliseconds);
            let error = ApiError::from(SignInError::TooManyTries { retry_after });
            assert_eq!(error.to_string(), text);
            assert_eq!(error.status_code(), StatusCode::TOO_MANY_REQUESTS);
            assert_eq!(error.error_response().headers().get(RETRY_AFTER).unwrap(), seconds);
        }
    }

    #[test]
    fn a_full_sign_in_queue_has_a_text_a_code_and_retry_after() {
        let error = ApiError::from(SignInError::from(PortFailure::busy_for("hashing", Duration::from_millis(14_200))));
        assert_eq!(error.to_string(), "Many people are signing in. Please try again in 15 seconds.");
        assert!(error.has_code("sign_in_busy"));
        assert_eq!(error.status_code(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(error.error_response().headers().get(RETRY_AFTER).unwrap(), "15");
        let down = ApiError::from(SignInError::from(PortFailure::busy("the database")));
        assert!(!down.has_code("sign_in_busy"));
    }
}
