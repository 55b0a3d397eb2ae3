use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{AccessCheck, SignInService};
use serde::Serialize;
use utoipa::ToSchema;

use crate::rim::{ApiError, SignedIn};

/// It was done, and there is nothing more to say.
#[derive(Serialize, ToSchema)]
pub(crate) struct DoneView {
    pub(crate) success: bool,
}

impl DoneView {
    pub(crate) const DONE: Self = Self { success: true };
}

/// Ends the session: its refresh tokens at once, its access token within a minute.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Signed out", body = DoneView),
    ),
)]
#[post("/auth/logout")]
pub(crate) async fn logout(
    signed_in: SignedIn,
    sign_in: Data<SignInService>,
    access: Data<AccessCheck>,
) -> Result<Json<DoneView>, ApiError> {
    let session = signed_in.0.session;
    sign_in.sign_out(session).await?;
    access.forget(session);
    Ok(Json(DoneView::DONE))
}
