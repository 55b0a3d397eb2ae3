use actix_web::get;
use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::RoleName;
use crate::extract::AccountHolder;

/// The owner of the token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthDetails {
    user_role: RoleName,
    /// The id of the account.
    user_id: Uuid,
    /// The organization. Null for super administrators.
    #[schema(required)]
    client_id: Option<Uuid>,
}

/// A valid token.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "message": "The access token is valid.",
    "details": {
        "userRole": "CLIENT",
        "userId": "019a9d5e-0000-7000-8000-000000000001",
        "clientId": "019a9d5e-0000-7000-8000-000000000002",
    },
}))]
pub(crate) struct AuthTestView {
    success: bool,
    message: &'static str,
    details: AuthDetails,
}

/// Returns the owner of the access token. A missing, expired or invalid token is rejected as for every call.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The token is valid", body = AuthTestView),
    ),
)]
#[get("/test/auth")]
pub(crate) async fn test_auth(holder: AccountHolder) -> Json<AuthTestView> {
    let details = AuthDetails {
        user_role: if holder.client_id.is_some() { RoleName::Client } else { RoleName::SuperAdmin },
        user_id: holder.id.as_uuid(),
        client_id: holder.client_id.map(|client| client.as_uuid()),
    };
    Json(AuthTestView { success: true, message: "The access token is valid.", details })
}
