use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{ClientCode, ClientKey, ClientService, EndUserSignIn, SignInService, Username};
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

/// The credentials of a voter.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "clientCode": "rowing-club", "username": "ben", "password": "correct horse" }))]
pub(crate) struct EndUserLoginBody {
    /// The organization's code, or a former one; case does not matter.
    client_code: Option<String>,
    /// The organization's id, instead of its code. If both are given, they must belong to the same organization.
    client_id: Option<String>,
    /// Not empty after trimming.
    #[schema(min_length = 1)]
    username: String,
    #[schema(min_length = 1)]
    password: String,
    /// Keep the session for 30 days instead of one.
    remember_me: Option<bool>,
    /// A random id chosen by the caller. With it the caller asks `/auth/sign-in-queue` for their position. A repeated
    /// request with the same ticket keeps the position.
    ticket: Option<Uuid>,
    /// The `deviceToken`s of earlier sign-ins on this device, by any person. The server reads the first 20. With a
    /// token of this voter, failed sign-ins of others do not delay this one.
    #[schema(max_items = 20)]
    device_tokens: Option<Vec<String>>,
}

impl EndUserLoginBody {
    /// Rejects empty fields. They do not count as a failed sign-in.
    fn check(&self) -> Result<(), ApiError> {
        let mut check = FieldCheck::default();
        if self.code().is_none() && self.id().is_none() {
            check.require("clientCode", "");
        }
        check.require("username", self.username.trim());
        check.require("password", &self.password);
        check.finish(Some(()))
    }

    fn code(&self) -> Option<&str> {
        self.client_code.as_deref().filter(|code| !code.trim().is_empty())
    }

    fn id(&self) -> Option<&str> {
        self.client_id.as_deref().filter(|id| !id.trim().is_empty())
    }

    /// Finds the organization. `None` without a valid code or id, or if the code and the id belong to different
    /// organizations.
    async fn client(&self, clients: &ClientService) -> Result<Option<ClientKey>, ApiError> {
        let id = self.id().map(|id| id.parse().ok());
        let Some(code) = self.code() else { return Ok(id.flatten().map(ClientKey::Id)) };
        let Ok(code) = ClientCode::parse(code) else { return Ok(None) };
        let Some(id) = id else { return Ok(Some(ClientKey::Code(code))) };
        let found = clients.find_by_code(&code).await?;
        Ok(found.filter(|client| Some(client.id) == id).map(|client| ClientKey::Id(client.id)))
    }
}

/// Signs in a voter.
#[utoipa::path(
    tag = "auth",
    request_body = EndUserLoginBody,
    responses(
        (status = 200, description = "Signed in", body = SessionView),
        (status = 401, description = "The organization, username or password is wrong, or the voter is not active", body = ApiErrorBody,
         example = json!({
             "code": "invalid_credentials",
             "error": "The name or the password is wrong, or the account is not active.",
         })),
        (status = 429, description = "Too many failed sign-ins; try again after `Retry-After` seconds", body = ApiErrorBody),
        (status = 503, description = "Too many people are signing in; try again after `Retry-After` seconds", body = ApiErrorBody,
         example = json!({
             "code": "sign_in_busy", "error": "Many people are signing in. Please try again in 15 seconds.",
         })),
    ),
)]
#[post("/auth/end-user/login")]
pub(crate) async fn end_user_login(
    from: CallerAddress,
    device: CallerDevice,
    presence: CallerConnection,
    Body(body): Body<EndUserLoginBody, MAX_LOGIN_BODY>,
    sign_in: Data<SignInService>,
    clients: Data<ClientService>,
) -> Result<Json<SessionView>, ApiError> {
    body.check()?;
    let signed_in = sign_in
        .sign_in_end_user(EndUserSignIn {
            client: body.client(&clients).await?,
            username: Username::parse(&body.username).ok(),
            password: body.password,
            remember_me: body.remember_me.unwrap_or(false),
            from: from.0,
            device: device.0,
            device_tokens: body.device_tokens.unwrap_or_default(),
            waiting: waiting(body.ticket, presence),
        })
        .await?;
    Ok(Json(signed_in.into()))
}
