use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, post};
use plenum_clients::{FoundJoinLink, JoinAsk, JoinError, JoinSignIn, SignInService, masked_address};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::MAX_LOGIN_BODY;
use crate::auth::queue::waiting;
use crate::auth::views::SessionView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::error::try_again_in;
use crate::error::whole_seconds;
use crate::extract::Body;
use crate::extract::CallerAddress;
use crate::extract::CallerDevice;
use crate::middleware::CallerConnection;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};
use crate::views::{DoneView, JoinAskName};

/// The token of a personal link.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "token": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY" }))]
pub(crate) struct JoinLookUpBody {
    /// The part of the link after `#`.
    #[schema(min_length = 1)]
    token: String,
}

/// The owner of a personal link, to confirm before the sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Anna Berg", "organization": "Rowing Club", "clientCode": "rowing-club",
    "meetingId": "019a9d5e-0000-7000-8000-000000000004", "meetingTitle": "General assembly", "asks": "NOTHING", "codeTo": null,
}))]
pub(crate) struct JoinView {
    /// The full name.
    name: String,
    /// The name of the organization.
    organization: String,
    /// The organization's code, for a sign-in without the link.
    client_code: String,
    /// The meeting, if the link is for one.
    #[schema(required)]
    meeting_id: Option<Uuid>,
    #[schema(required)]
    meeting_title: Option<String>,
    /// What the sign-in asks for.
    asks: JoinAskName,
    /// Where the code is mailed, in part: "a…@example.org". Null if the link asks for no code.
    #[schema(required)]
    code_to: Option<String>,
}

impl From<FoundJoinLink> for JoinView {
    fn from(link: FoundJoinLink) -> Self {
        let email = link.email.filter(|_| link.asks == JoinAsk::EmailCode);
        let code_to = email.map(|email| masked_address(&email));
        let (meeting_id, meeting_title) = link.meeting.map(|(id, title)| (id.as_uuid(), title)).unzip();
        Self {
            name: link.name.to_string(),
            organization: link.client_name,
            client_code: link.client_code.to_string(),
            meeting_id,
            meeting_title,
            asks: link.asks.into(),
            code_to,
        }
    }
}

impl From<JoinError> for ApiError {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::Void => Self::not_found("join_link_void", error),
            JoinError::PasswordRequired => Self::new(StatusCode::UNAUTHORIZED, "join_password_required", error),
            JoinError::CodeRequired => Self::new(StatusCode::UNAUTHORIZED, "join_code_required", error),
            JoinError::WrongCode => Self::new(StatusCode::UNAUTHORIZED, "wrong_join_code", error),
            JoinError::CodeNotAsked => Self::conflict("join_code_not_asked", error),
            JoinError::TooManyCodes { retry_after } => {
                let seconds = whole_seconds(retry_after.to_std().unwrap_or_default());
                Self::rate_limited(format!("Too many codes were sent. {}", try_again_in(seconds)), seconds)
            }
            JoinError::SignIn(error) => error.into(),
            JoinError::Port(failure) => failure.into(),
        }
    }
}

/// Returns the owner of a personal link. No login. Does not use the link up.
#[utoipa::path(
    tag = "auth",
    request_body = JoinLookUpBody,
    responses(
        (status = 200, description = "The owner", body = JoinView),
        (status = 404, description = "The link does not work", body = ApiErrorBody,
         example = json!({
             "code": "join_link_void",
             "error": "this personal link no longer works; sign in with your username and password, or ask your organizer for a new link",
         })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/auth/join/look-up")]
pub(crate) async fn look_up_join_link(
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    Body(body): Body<JoinLookUpBody, MAX_LOGIN_BODY>,
    sign_in: Data<SignInService>,
) -> Result<Json<JoinView>, ApiError> {
    let mut check = FieldCheck::default();
    check.require("token", &body.token);
    check.finish(Some(()))?;
    let link = find_link(&lookups, &from, &sign_in, &body.token).await?;
    Ok(Json(link.into()))
}

/// Mails a new code to the owner of a personal link that asks for one. The earlier code is void.
#[utoipa::path(
    tag = "auth",
    request_body = JoinLookUpBody,
    responses(
        (status = 202, description = "The code will be sent", body = DoneView),
        (status = 404, description = "The link does not work", body = ApiErrorBody,
         example = json!({
             "code": "join_link_void",
             "error": "this personal link no longer works; sign in with your username and password, or ask your organizer for a new link",
         })),
        (status = 409, description = "The link asks for no code", body = ApiErrorBody,
         example = json!({ "code": "join_code_not_asked", "error": "this personal link asks for no code" })),
        (status = 429, description = "Too many codes were sent, or too many unknown links tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries", "error": "Too many codes were sent. Please try again in 600 seconds.",
         })),
        (status = 503, description = "Too many mails are waiting; try again after `Retry-After` seconds", body = ApiErrorBody),
    ),
)]
#[post("/auth/join/code")]
pub(crate) async fn send_join_code(
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    Body(body): Body<JoinLookUpBody, MAX_LOGIN_BODY>,
    sign_in: Data<SignInService>,
) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    check.require("token", &body.token);
    check.finish(Some(()))?;
    let link = find_link(&lookups, &from, &sign_in, &body.token).await?;
    sign_in.send_join_code(&link, &body.token).await?;
    Ok(HttpResponse::Accepted().json(DoneView::DONE))
}

/// The token of a personal link, and what it asks for.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "token": "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY", "attemptId": "7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a64",
}))]
pub(crate) struct JoinBody {
    /// The part of the link after `#`.
    #[schema(min_length = 1)]
    token: String,
    /// A random id of this sign-in. Keep it secret, and send it again until there is a response: such a repeat within ten
    /// minutes continues the session that was opened, as long as its tokens were not renewed.
    attempt_id: Option<Uuid>,
    /// The voter's password, if the link asks for it.
    password: Option<String>,
    /// The one-time code, if the link asks for it. Spaces are ignored.
    code: Option<String>,
    /// Keep the session for 30 days instead of one.
    remember_me: Option<bool>,
    /// As for `/auth/end-user/login`. Only a sign-in with a password waits in the queue.
    ticket: Option<Uuid>,
    /// As for `/auth/end-user/login`.
    #[schema(max_items = 20)]
    device_tokens: Option<Vec<String>>,
}

/// Signs in the owner of a personal link. A link that works once is used up, as is a code. A repeat with the same `attemptId`
/// gets the same session again.
#[utoipa::path(
    tag = "auth",
    request_body = JoinBody,
    responses(
        (status = 200, description = "Signed in", body = SessionView),
        (status = 401, description = "The password (`join_password_required`) or the code (`join_code_required`) is missing, or it is wrong (`wrong_join_code` for a code)", body = ApiErrorBody,
         example = json!({
             "code": "invalid_credentials",
             "error": "The name or the password is wrong, or the account is not active.",
         })),
        (status = 404, description = "The link does not work", body = ApiErrorBody,
         example = json!({
             "code": "join_link_void",
             "error": "this personal link no longer works; sign in with your username and password, or ask your organizer for a new link",
         })),
        (status = 429, description = "Too many unknown links or wrong passwords were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody),
        (status = 503, description = "Too many people are signing in; try again after `Retry-After` seconds", body = ApiErrorBody,
         example = json!({
             "code": "sign_in_busy", "error": "Many people are signing in. Please try again in 15 seconds.",
         })),
    ),
)]
#[post("/auth/join")]
pub(crate) async fn join(
    from: CallerAddress,
    device: CallerDevice,
    presence: CallerConnection,
    lookups: Data<LookupRateLimit>,
    Body(body): Body<JoinBody, MAX_LOGIN_BODY>,
    sign_in: Data<SignInService>,
) -> Result<Json<SessionView>, ApiError> {
    let mut check = FieldCheck::default();
    check.require("token", &body.token);
    check.finish(Some(()))?;
    let typed = JoinSignIn {
        token: body.token,
        attempt_id: body.attempt_id,
        password: body.password.filter(|password| !password.is_empty()),
        code: body.code.filter(|code| !code.is_empty()),
        remember_me: body.remember_me.unwrap_or(false),
        from: from.0,
        device: device.0,
        device_tokens: body.device_tokens.unwrap_or_default(),
        waiting: waiting(body.ticket, presence),
    };
    let find = async { Ok(sign_in.find_join(&typed).await?) };
    let lookup = Lookup { kind: LookupKind::PersonalLink, from: from.0, value: &typed.token };
    let found = lookups.look_up(lookup, find).await?.ok_or(JoinError::Void)?;
    let signed_in = sign_in.sign_in_by_link(found, typed).await?;
    Ok(Json(signed_in.into()))
}

/// The link with this token, within the limit of links that do not work.
async fn find_link(
    lookups: &LookupRateLimit,
    from: &CallerAddress,
    sign_in: &SignInService,
    token: &str,
) -> Result<FoundJoinLink, ApiError> {
    let find = async { Ok(sign_in.find_join_link(token).await?) };
    let lookup = Lookup { kind: LookupKind::PersonalLink, from: from.0, value: token };
    Ok(lookups.look_up(lookup, find).await?.ok_or(JoinError::Void)?)
}
