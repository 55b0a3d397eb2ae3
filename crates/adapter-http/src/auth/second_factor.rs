use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use actix_web::{get, post};
use plenum_clients::{
    OwnPassword, RecoveryCode, SecondFactorError, SecondFactorService, SessionRevocation, SignInError,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::MAX_LOGIN_BODY;
use crate::auth::queue::waiting;
use crate::auth::views::note_unreadable;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::ErrorCode;
use crate::error::FieldCheck;
use crate::extract::AccountHolder;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::SignedIn;
use crate::live::Revocations;
use crate::middleware::CallerConnection;
use crate::views::DoneView;

impl From<SecondFactorError> for ApiError {
    fn from(error: SecondFactorError) -> Self {
        match error {
            // Not 401: screens would treat it as the end of their session.
            SecondFactorError::WrongPassword => Self::new(StatusCode::FORBIDDEN, "wrong_password", error),
            SecondFactorError::WrongCode => Self::new(StatusCode::FORBIDDEN, "second_factor_wrong", error),
            SecondFactorError::Unreadable => {
                note_unreadable();
                Self::new(StatusCode::FORBIDDEN, "second_factor_wrong", error)
            }
            SecondFactorError::On => Self::conflict("second_factor_on", error),
            SecondFactorError::Off => Self::conflict("second_factor_off", error),
            SecondFactorError::TooManyTries { retry_after } => SignInError::TooManyTries { retry_after }.into(),
            SecondFactorError::SessionEnded => Self::new(
                StatusCode::UNAUTHORIZED,
                ErrorCode::SESSION_ENDED,
                "The session has ended. Please sign in again.",
            ),
            SecondFactorError::Port(failure) => SignInError::Port(failure).into(),
        }
    }
}

/// The caller's own second factor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isOn": true, "recoveryCodesLeft": 9 }))]
pub(crate) struct SecondFactorView {
    /// Whether sign-in requires a code.
    is_on: bool,
    /// The number of unused recovery codes.
    #[schema(minimum = 0)]
    recovery_codes_left: usize,
}

/// Returns the state of the caller's own second factor.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The state", body = SecondFactorView),
    ),
)]
#[get("/auth/second-factor")]
pub(crate) async fn find_second_factor(
    holder: AccountHolder,
    second_factors: Data<SecondFactorService>,
) -> Result<Json<SecondFactorView>, ApiError> {
    let own = second_factors.own(holder.id).await?;
    Ok(Json(SecondFactorView { is_on: own.is_on, recovery_codes_left: own.recovery_codes_left }))
}

/// The caller's password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "currentPassword": "correct horse" }))]
pub(crate) struct BeginSecondFactorBody {
    /// The current password.
    #[schema(min_length = 1)]
    current_password: String,
}

/// The data for an authenticator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    "uri": "otpauth://totp/Plenum:anna@example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Plenum",
}))]
pub(crate) struct SecondFactorSetUpView {
    /// The secret in base32, for typing.
    secret: String,
    /// The same secret as the address of a QR code.
    uri: String,
}

/// Creates a secret for an authenticator and replaces an unconfirmed one. Sign-in requires codes only after the secret
/// is confirmed.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = BeginSecondFactorBody,
    responses(
        (status = 200, description = "The secret", body = SecondFactorSetUpView),
        (status = 403, description = "The current password is wrong, or the access token is not valid", body = ApiErrorBody,
         example = json!({ "code": "wrong_password", "error": "The current password is wrong" })),
        (status = 409, description = "The second factor is already on", body = ApiErrorBody,
         example = json!({ "code": "second_factor_on", "error": "The second factor is on already" })),
        (status = 429, description = "Too many failed attempts; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/second-factor")]
pub(crate) async fn begin_second_factor(
    _: AccountHolder,
    signed_in: SignedIn,
    from: CallerAddress,
    presence: CallerConnection,
    Body(body): Body<BeginSecondFactorBody, MAX_LOGIN_BODY>,
    second_factors: Data<SecondFactorService>,
) -> Result<Json<SecondFactorSetUpView>, ApiError> {
    let mut check = FieldCheck::default();
    let own = own_password(&mut check, body.current_password, OwnCaller { signed_in, from, presence });
    let set_up = second_factors.begin(check.finish(Some(own))?).await?;
    Ok(Json(SecondFactorSetUpView { secret: set_up.secret, uri: set_up.uri }))
}

/// A code of the authenticator.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "code": "123456" }))]
pub(crate) struct ConfirmSecondFactorBody {
    /// Six digits; spaces are ignored.
    #[schema(min_length = 1)]
    code: String,
}

/// Recovery codes. They are shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "recoveryCodes": ["abcd-efgh-ijkl-mnop", "qrst-uvwx-yzab-cdef"] }))]
pub(crate) struct RecoveryCodesView {
    /// Each code works once, instead of a code of the authenticator.
    recovery_codes: Vec<String>,
}

impl RecoveryCodesView {
    fn new(codes: &[RecoveryCode]) -> Self {
        Self { recovery_codes: codes.iter().map(RecoveryCode::grouped).collect() }
    }
}

/// Turns on the caller's second factor with a code of the newest secret. Ends all other sessions of the account.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = ConfirmSecondFactorBody,
    responses(
        (status = 200, description = "On", body = RecoveryCodesView),
        (status = 403, description = "The code is wrong, or the access token is not valid", body = ApiErrorBody,
         example = json!({ "code": "second_factor_wrong", "error": "The code is wrong, or was used already" })),
        (status = 409, description = "There is no unconfirmed secret, or the second factor is already on", body = ApiErrorBody,
         example = json!({ "code": "second_factor_off", "error": "There is no second factor" })),
        (status = 429, description = "Too many wrong codes; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/second-factor/confirm")]
pub(crate) async fn confirm_second_factor(
    _: AccountHolder,
    signed_in: SignedIn,
    Body(body): Body<ConfirmSecondFactorBody, MAX_LOGIN_BODY>,
    second_factors: Data<SecondFactorService>,
    revocations: Data<Revocations>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let mut check = FieldCheck::default();
    check.require("code", body.code.trim());
    let code = check.finish(Some(body.code))?;
    let codes = second_factors.confirm(signed_in.0, &code).await?;
    revocations.announce(SessionRevocation::of(signed_in.0.person));
    Ok(Json(RecoveryCodesView::new(&codes)))
}

/// Both factors of the caller.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "currentPassword": "correct horse", "code": "123456" }))]
pub(crate) struct BothFactorsBody {
    /// The current password.
    #[schema(min_length = 1)]
    current_password: String,
    /// A code of the authenticator, or a recovery code.
    #[schema(min_length = 1)]
    code: String,
}

impl BothFactorsBody {
    fn check(self, caller: OwnCaller) -> Result<(OwnPassword, String), ApiError> {
        let mut check = FieldCheck::default();
        check.require("code", self.code.trim());
        let own = own_password(&mut check, self.current_password, caller);
        check.finish(Some((own, self.code)))
    }
}

/// Creates new recovery codes. All earlier codes stop working.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = BothFactorsBody,
    responses(
        (status = 200, description = "The codes", body = RecoveryCodesView),
        (status = 403, description = "The password or code is wrong, or the access token is not valid", body = ApiErrorBody,
         example = json!({ "code": "second_factor_wrong", "error": "The code is wrong, or was used already" })),
        (status = 409, description = "The second factor is off", body = ApiErrorBody,
         example = json!({ "code": "second_factor_off", "error": "There is no second factor" })),
        (status = 429, description = "Too many failed attempts; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/second-factor/recovery-codes")]
pub(crate) async fn renew_recovery_codes(
    _: AccountHolder,
    signed_in: SignedIn,
    from: CallerAddress,
    presence: CallerConnection,
    Body(body): Body<BothFactorsBody, MAX_LOGIN_BODY>,
    second_factors: Data<SecondFactorService>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let (own, code) = body.check(OwnCaller { signed_in, from, presence })?;
    Ok(Json(RecoveryCodesView::new(&second_factors.renew_recovery_codes(own, &code).await?)))
}

/// Turns off the caller's own second factor.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    request_body = BothFactorsBody,
    responses(
        (status = 200, description = "Off", body = DoneView),
        (status = 403, description = "The password or code is wrong, or the access token is not valid", body = ApiErrorBody,
         example = json!({ "code": "second_factor_wrong", "error": "The code is wrong, or was used already" })),
        (status = 409, description = "The second factor is already off", body = ApiErrorBody,
         example = json!({ "code": "second_factor_off", "error": "There is no second factor" })),
        (status = 429, description = "Too many failed attempts; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/second-factor/remove")]
pub(crate) async fn remove_second_factor(
    _: AccountHolder,
    signed_in: SignedIn,
    from: CallerAddress,
    presence: CallerConnection,
    Body(body): Body<BothFactorsBody, MAX_LOGIN_BODY>,
    second_factors: Data<SecondFactorService>,
) -> Result<Json<DoneView>, ApiError> {
    let (own, code) = body.check(OwnCaller { signed_in, from, presence })?;
    second_factors.remove(own, &code).await?;
    Ok(Json(DoneView::DONE))
}

/// The person who changes their own factor, and the origin of the request.
struct OwnCaller {
    signed_in: SignedIn,
    from: CallerAddress,
    presence: CallerConnection,
}

/// Rejects an empty field. It does not count as a failed sign-in.
fn own_password(check: &mut FieldCheck, password: String, caller: OwnCaller) -> OwnPassword {
    check.require("currentPassword", &password);
    let OwnCaller { signed_in, from, presence } = caller;
    OwnPassword { acting: signed_in.0, password, from: from.0, waiting: waiting(None, presence) }
}
