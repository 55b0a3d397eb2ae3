use actix_web::http::StatusCode;
use plenum_clients::{PersonProfile, SignInError, SignedIn};
use plenum_kernel::{Person, Role};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::rim::ApiError;

/// What someone may do at large.
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

/// Someone who is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserView {
    /// The id of the account or of the end user.
    id: Uuid,
    /// An end user may have none.
    #[schema(required)]
    email: Option<String>,
    role: RoleName,
    /// The organisation; none for super administrators.
    #[schema(required)]
    client_id: Option<Uuid>,
    #[schema(required)]
    client_code: Option<String>,
    #[schema(required)]
    client_name: Option<String>,
    /// The full name.
    name: String,
    /// End users only.
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

/// A sign-in that succeeded.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    /// The access token, for 15 minutes.
    token: String,
    /// Good once, for a fresh pair.
    refresh_token: String,
    user: UserView,
}

impl From<SignedIn> for SessionView {
    fn from(signed_in: SignedIn) -> Self {
        Self { token: signed_in.tokens.access, refresh_token: signed_in.tokens.refresh, user: signed_in.profile.into() }
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
            SignInError::Port(failure) => failure.into(),
        }
    }
}
