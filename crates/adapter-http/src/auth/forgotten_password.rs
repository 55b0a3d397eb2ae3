use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, get, post};
use plenum_clients::{
    ForgottenPasswordError, Password, PasswordResetService, ResetPasswordError, ResetRequest, SessionRevocation,
    SignInService,
};
use plenum_kernel::EmailAddress;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::MAX_LOGIN_BODY;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::error::try_again_in;
use crate::error::whole_seconds;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::live::Revocations;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};
use crate::views::DoneView;

/// The options of a sign-in screen.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "canResetPassword": true }))]
pub(crate) struct SignInOptionsView {
    /// Whether an account's owner can get a reset link by email.
    can_reset_password: bool,
}

/// Returns the options of a sign-in screen. No login.
#[utoipa::path(
    tag = "auth",
    responses(
        (status = 200, description = "The options", body = SignInOptionsView),
    ),
)]
#[get("/auth/options")]
pub(crate) async fn sign_in_options(resets: Data<PasswordResetService>) -> Json<SignInOptionsView> {
    Json(SignInOptionsView { can_reset_password: resets.is_offered() })
}

/// The account for which a reset link is requested.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "anna@example.org" }))]
pub(crate) struct ForgottenPasswordBody {
    /// The email address of the account.
    #[schema(min_length = 1)]
    email: String,
    /// The device tokens of earlier sign-ins, as for `/auth/login`. With a token of this account, requests of others do
    /// not use up its limit of mails.
    #[schema(max_items = 20)]
    device_tokens: Option<Vec<String>>,
}

impl From<ForgottenPasswordError> for ApiError {
    fn from(error: ForgottenPasswordError) -> Self {
        match error {
            ForgottenPasswordError::NotOffered => Self::conflict("mail_not_configured", error),
            ForgottenPasswordError::TooManyTries { retry_after } => {
                let seconds = whole_seconds(retry_after.to_std().unwrap_or_default());
                Self::rate_limited(format!("Too many requests. {}", try_again_in(seconds)), seconds)
            }
            ForgottenPasswordError::Port(failure) => failure.into(),
        }
    }
}

/// Sends a reset link to the address, if an account has it. The response is always the same, so that it does not reveal
/// which accounts exist.
#[utoipa::path(
    tag = "auth",
    request_body = ForgottenPasswordBody,
    responses(
        (status = 202, description = "If the account exists, a mail will be sent", body = DoneView),
        (status = 409, description = "No mail server is configured", body = ApiErrorBody,
         example = json!({
             "code": "mail_not_configured", "error": "Passwords cannot be reset by email here",
         })),
        (status = 429, description = "Too many requests from this address; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({ "code": "too_many_tries", "error": "Too many requests. Please try again in 60 seconds." })),
        (status = 503, description = "Too many requests are waiting; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/forgotten-password")]
pub(crate) async fn forgotten_password(
    from: CallerAddress,
    Body(body): Body<ForgottenPasswordBody, MAX_LOGIN_BODY>,
    resets: Data<PasswordResetService>,
    sign_in: Data<SignInService>,
) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    let email = check.keep("email", EmailAddress::parse(&body.email));
    let reset_request = check.finish(email.map(|email| ResetRequest { email, from: from.0 }))?;
    let place = sign_in.known_place(&reset_request.email, reset_request.from, &body.device_tokens.unwrap_or_default());
    resets.request(reset_request, place)?;
    Ok(HttpResponse::Accepted().json(DoneView::DONE))
}

/// A new password and the token of a reset link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "token": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY", "newPassword": "battery staple",
}))]
pub(crate) struct ResetPasswordBody {
    /// The part of the reset link after `#token=`.
    #[schema(min_length = 1)]
    token: String,
    /// At least 8 characters and at most 72 bytes.
    #[schema(min_length = 8, max_length = 72)]
    new_password: String,
}

/// The outcome of a password reset.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "success": true, "deviceToken": "Zm9yIHRoaXMgZGV2aWNlIGFuZCBuYW1lIGFsb25l" }))]
pub(crate) struct PasswordResetView {
    success: bool,
    /// A device token, as after a sign-in. With it, failed sign-ins of others do not delay the next sign-in.
    #[schema(required)]
    device_token: Option<String>,
}

impl From<ResetPasswordError> for ApiError {
    fn from(error: ResetPasswordError) -> Self {
        match error {
            ResetPasswordError::Void => Self::conflict("reset_void", error),
            ResetPasswordError::Port(failure) => failure.into(),
        }
    }
}

/// Sets a new password with the token of a reset link. Ends all sessions of the account. The caller is not signed in.
#[utoipa::path(
    tag = "auth",
    request_body = ResetPasswordBody,
    responses(
        (status = 200, description = "The password is set", body = PasswordResetView),
        (status = 409, description = "The link is unknown, expired or used", body = ApiErrorBody,
         example = json!({ "code": "reset_void", "error": "This link is too old or was used already" })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/auth/reset-password")]
pub(crate) async fn reset_password(
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    Body(body): Body<ResetPasswordBody, MAX_LOGIN_BODY>,
    resets: Data<PasswordResetService>,
    sign_in: Data<SignInService>,
    revocations: Data<Revocations>,
) -> Result<Json<PasswordResetView>, ApiError> {
    let mut check = FieldCheck::default();
    check.require("token", &body.token);
    let new = check.keep("newPassword", Password::parse(&body.new_password));
    let new = check.finish(new)?;
    let reset = async {
        match resets.reset(&body.token, new).await {
            Ok(person) => Ok(Some(person)),
            Err(ResetPasswordError::Void) => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    let lookup = Lookup { kind: LookupKind::ResetLink, from: from.0, value: &body.token };
    let person = lookups.look_up(lookup, reset).await?.ok_or(ResetPasswordError::Void)?;
    revocations.announce(SessionRevocation::of(person));
    // The password is already set, so a failure here is ignored.
    let device_token = sign_in.device_token_of(person).await.unwrap_or_default();
    Ok(Json(PasswordResetView { success: true, device_token }))
}
