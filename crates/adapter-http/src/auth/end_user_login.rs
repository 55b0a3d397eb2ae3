use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{ClientCode, ClientKey, EndUserSignIn, SignInService, Username};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::views::SessionView;
use crate::rim::{ApiError, ApiErrorBody, Body, CallerAddress};

/// What a voter types to sign in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "clientCode": "rowing-club", "username": "ben", "password": "correct horse" }))]
pub(crate) struct EndUserLoginBody {
    /// The organisation's code, in any case.
    client_code: Option<String>,
    /// The organisation's id, instead of its code.
    client_id: Option<String>,
    username: String,
    password: String,
    /// Stay signed in for 30 days instead of one.
    remember_me: Option<bool>,
}

impl EndUserLoginBody {
    fn client(&self) -> Result<Option<ClientKey>, ApiError> {
        match (&self.client_code, &self.client_id) {
            (Some(code), _) => Ok(ClientCode::parse(code).ok().map(ClientKey::Code)),
            (None, Some(id)) => Ok(id.parse().ok().map(ClientKey::Id)),
            (None, None) => Err(ApiError::invalid_field("clientCode", "Is required.")),
        }
    }
}

/// Signs in a voter.
#[utoipa::path(
    tag = "auth",
    request_body = EndUserLoginBody,
    responses(
        (status = 200, description = "Signed in", body = SessionView),
        (status = 401, description = "Wrong organisation, username or password, or not active", body = ApiErrorBody,
         example = json!({
             "code": "invalid_credentials",
             "error": "The name or the password is wrong, or the account is not active.",
         })),
        (status = 429, description = "Too many failed sign-ins; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/end-user/login")]
pub(crate) async fn end_user_login(
    from: CallerAddress,
    Body(body): Body<EndUserLoginBody>,
    sign_in: Data<SignInService>,
) -> Result<Json<SessionView>, ApiError> {
    let signed_in = sign_in
        .sign_in_end_user(EndUserSignIn {
            client: body.client()?,
            username: Username::parse(&body.username).ok(),
            password: body.password,
            remember_me: body.remember_me.unwrap_or(false),
            from: from.0,
        })
        .await?;
    Ok(Json(signed_in.into()))
}
