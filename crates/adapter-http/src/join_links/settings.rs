use actix_web::web::{Data, Json};
use actix_web::{get, put};
use plenum_clients::{JoinLinkService, SetJoinAskError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ApiErrorBody};
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::views::JoinAskName;

/// The settings of the organization's personal links.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({ "asks": "PASSWORD" }))]
pub(crate) struct JoinLinkSettings {
    /// What each link asks for before it signs in.
    asks: JoinAskName,
}

impl From<SetJoinAskError> for ApiError {
    fn from(error: SetJoinAskError) -> Self {
        match error {
            SetJoinAskError::MailNotConfigured => Self::conflict("mail_not_configured", error),
            SetJoinAskError::Port(failure) => failure.into(),
        }
    }
}

/// Returns the settings of the organization's personal links.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The settings", body = JoinLinkSettings),
    ),
)]
#[get("/client/join-links/settings")]
pub(crate) async fn join_link_settings(
    admin: ClientAdmin,
    links: Data<JoinLinkService>,
) -> Result<Json<JoinLinkSettings>, ApiError> {
    Ok(Json(JoinLinkSettings { asks: links.asks(admin.client_id).await?.into() }))
}

/// Changes the settings of the organization's personal links, also for links that were made before.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = JoinLinkSettings,
    responses(
        (status = 200, description = "The changed settings", body = JoinLinkSettings),
        (status = 409, description = "Codes cannot be mailed (`mail_not_configured`)", body = ApiErrorBody,
         example = json!({
             "code": "mail_not_configured",
             "error": "codes cannot be sent, because no mail server is configured; the operator sets `PLENUM_SMTP_URL`",
         })),
    ),
)]
#[put("/client/join-links/settings")]
pub(crate) async fn change_join_link_settings(
    admin: ClientAdmin,
    Body(body): Body<JoinLinkSettings>,
    links: Data<JoinLinkService>,
) -> Result<Json<JoinLinkSettings>, ApiError> {
    links.set_asks(admin.client_id, body.asks.into()).await?;
    Ok(Json(body))
}
