use std::net::IpAddr;

use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{AccountSignIn, Portal, SignInService};
use plenum_kernel::EmailAddress;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::MAX_LOGIN_BODY;
use crate::auth::queue::waiting;
use crate::auth::views::SessionView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::CallerDevice;
use crate::middleware::CallerConnection;

/// A portal for one role.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = Portal)]
pub(crate) enum PortalName {
    SuperAdmin,
    Client,
}

/// The credentials of an account.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "anna@example.org", "password": "correct horse", "rememberMe": true }))]
pub(crate) struct LoginBody {
    /// Not empty after trimming.
    #[schema(min_length = 1)]
    email: String,
    #[schema(min_length = 1)]
    password: String,
    /// Keep the session for 30 days instead of one.
    #[serde(default)]
    remember_me: Option<bool>,
    /// Reject accounts of the other role.
    portal: Option<PortalName>,
    /// A random id chosen by the caller. With it the caller asks `/auth/sign-in-queue` for their position. A repeated
    /// request with the same ticket keeps the position.
    ticket: Option<Uuid>,
    /// The `deviceToken`s of earlier sign-ins on this device, by any person. The server reads the first 20. With a
    /// token of this account, failed sign-ins of others do not delay this one.
    #[schema(max_items = 20)]
    device_tokens: Option<Vec<String>>,
    /// The code of the second factor: six digits of the authenticator, or a recovery code. The server requests it with
    /// the error `second_factor_required`.
    #[serde(default)]
    code: Option<String>,
}

impl LoginBody {
    /// Rejects empty fields. They do not count as a failed sign-in.
    fn check(self, from: IpAddr, device: CallerDevice, presence: CallerConnection) -> Result<AccountSignIn, ApiError> {
        let mut check = FieldCheck::default();
        check.require("email", self.email.trim());
        check.require("password", &self.password);
        check.finish(Some(AccountSignIn {
            email: EmailAddress::parse(&self.email).ok(),
            password: self.password,
            remember_me: self.remember_me.unwrap_or(false),
            portal: self.portal.map(|portal| match portal {
                PortalName::SuperAdmin => Portal::SuperAdmin,
                PortalName::Client => Portal::Client,
            }),
            from,
            device: device.0,
            device_tokens: self.device_tokens.unwrap_or_default(),
            code: self.code.filter(|code| !code.trim().is_empty()),
            waiting: waiting(self.ticket, presence),
        }))
    }
}

/// Signs in a super administrator or a client administrator.
#[utoipa::path(
    tag = "auth",
    request_body = LoginBody,
    responses(
        (status = 200, description = "Signed in", body = SessionView,
         example = json!({
             "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTlh.c2lnbmF0dXJl",
             "refreshToken": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY",
             "deviceToken": "Zm9yIHRoaXMgZGV2aWNlIGFuZCBuYW1lIGFsb25l",
             "user": {
                 "id": "019a9d5e-0000-7000-8000-000000000002", "email": "anna@example.org", "role": "CLIENT",
                 "clientId": "019a9d5e-0000-7000-8000-000000000001", "clientCode": "rowing-club",
                 "clientName": "Rowing Club", "name": "Anna Berg", "username": null,
             },
         })),
        (status = 401, description = "The address, password or code is wrong, the account is not active, or a code is required", body = ApiErrorBody,
         example = json!({
             "code": "invalid_credentials",
             "error": "The name or the password is wrong, or the account is not active.",
         })),
        (status = 403, description = "An account of the other role", body = ApiErrorBody,
         example = json!({ "code": "access_denied", "error": "Access denied" })),
        (status = 429, description = "Too many failed sign-ins; try again after `Retry-After` seconds", body = ApiErrorBody),
        (status = 503, description = "Too many people are signing in; try again after `Retry-After` seconds", body = ApiErrorBody,
         example = json!({
             "code": "sign_in_busy", "error": "Many people are signing in. Please try again in 15 seconds.",
         })),
    ),
)]
#[post("/auth/login")]
pub(crate) async fn login(
    from: CallerAddress,
    device: CallerDevice,
    presence: CallerConnection,
    Body(body): Body<LoginBody, MAX_LOGIN_BODY>,
    sign_in: Data<SignInService>,
) -> Result<Json<SessionView>, ApiError> {
    let signed_in = sign_in.sign_in_account(body.check(from.0, device, presence)?).await?;
    Ok(Json(signed_in.into()))
}
