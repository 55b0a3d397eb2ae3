use actix_web::http::StatusCode;
use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_clients::{
    AccountService, ChangePasswordError, OwnPasswordChange, Password, SessionRevocation, SignInError, Waiting,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::MAX_LOGIN_BODY;
use crate::auth::queue::waiting;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::ErrorCode;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::SignedIn;
use crate::live::Revocations;
use crate::middleware::CallerConnection;
use crate::views::DoneView;

/// A change of the caller's own password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "currentPassword": "correct horse", "newPassword": "battery staple" }))]
pub(crate) struct PasswordBody {
    /// The current password.
    #[schema(min_length = 1)]
    current_password: String,
    /// At least 8 characters and at most 72 bytes.
    #[schema(min_length = 8, max_length = 72)]
    new_password: String,
}

impl PasswordBody {
    /// Rejects empty fields. They do not count as a failed sign-in.
    fn check(
        self,
        signed_in: &SignedIn,
        from: &CallerAddress,
        waiting: Waiting,
    ) -> Result<OwnPasswordChange, ApiError> {
        let mut check = FieldCheck::default();
        check.require("currentPassword", &self.current_password);
        let new = check.keep("newPassword", Password::parse(&self.new_password));
        let change = new.map(|new| OwnPasswordChange {
            acting: signed_in.0,
            current: self.current_password,
            new,
            from: from.0,
            waiting,
        });
        check.finish(change)
    }
}

impl From<ChangePasswordError> for ApiError {
    fn from(error: ChangePasswordError) -> Self {
        match error {
            // Not 401: screens would treat it as the end of their session.
            ChangePasswordError::WrongPassword => Self::new(StatusCode::FORBIDDEN, "wrong_password", error),
            ChangePasswordError::TooManyTries { retry_after } => SignInError::TooManyTries { retry_after }.into(),
            ChangePasswordError::SessionEnded => Self::new(
                StatusCode::UNAUTHORIZED,
                ErrorCode::SESSION_ENDED,
                "The session has ended. Please sign in again.",
            ),
            ChangePasswordError::Port(failure) => SignInError::Port(failure).into(),
        }
    }
}

/// Changes the caller's own password and ends all other sessions of the account. A wrong current password counts as a
/// failed sign-in.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = PasswordBody,
    responses(
        (status = 200, description = "Changed", body = DoneView),
        (status = 403, description = "The current password is wrong, or the access token is not valid", body = ApiErrorBody,
         example = json!({ "code": "wrong_password", "error": "The current password is wrong" })),
        (status = 429, description = "Too many failed attempts; try again after `Retry-After` seconds", body = ApiErrorBody),
        (status = 503, description = "Too many people are signing in; try again after `Retry-After` seconds", body = ApiErrorBody,
         example = json!({
             "code": "sign_in_busy", "error": "Many people are signing in. Please try again in 15 seconds.",
         })),
    ),
)]
#[put("/auth/password")]
pub(crate) async fn change_own_password(
    signed_in: SignedIn,
    from: CallerAddress,
    presence: CallerConnection,
    Body(body): Body<PasswordBody, MAX_LOGIN_BODY>,
    accounts: Data<AccountService>,
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    accounts.change_password(body.check(&signed_in, &from, waiting(None, presence))?).await?;
    revocations.announce(SessionRevocation::of(signed_in.0.person));
    Ok(Json(DoneView::DONE))
}
