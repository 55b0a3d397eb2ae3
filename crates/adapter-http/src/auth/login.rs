use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{AccountSignIn, Portal, SignInService};
use plenum_kernel::EmailAddress;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::views::SessionView;
use crate::rim::{ApiError, ApiErrorBody, Body};

/// A portal that only one role may use.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = Portal)]
pub(crate) enum PortalName {
    SuperAdmin,
    Client,
}

/// What someone with an account types to sign in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "anna@example.org", "password": "correct horse", "rememberMe": true }))]
pub(crate) struct LoginBody {
    email: String,
    password: String,
    /// Stay signed in for 30 days instead of one.
    #[serde(default)]
    remember_me: Option<bool>,
    /// Refuse accounts of the other role.
    portal: Option<PortalName>,
}

/// Signs in a super administrator or a client administrator.
#[utoipa::path(
    tag = "auth",
    request_body = LoginBody,
    responses(
        (status = 200, description = "Signed in", body = SessionView),
        (status = 401, description = "Wrong address or password, or not active", body = ApiErrorBody),
        (status = 403, description = "An account of the other role", body = ApiErrorBody),
    ),
)]
#[post("/auth/login")]
pub(crate) async fn login(
    Body(body): Body<LoginBody>,
    sign_in: Data<SignInService>,
) -> Result<Json<SessionView>, ApiError> {
    let signed_in = sign_in
        .sign_in_account(AccountSignIn {
            email: EmailAddress::parse(&body.email).ok(),
            password: body.password,
            remember_me: body.remember_me.unwrap_or(false),
            portal: body.portal.map(|portal| match portal {
                PortalName::SuperAdmin => Portal::SuperAdmin,
                PortalName::Client => Portal::Client,
            }),
        })
        .await?;
    Ok(Json(signed_in.into()))
}
