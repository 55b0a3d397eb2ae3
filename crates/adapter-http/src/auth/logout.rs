use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{SessionRevocation, SignInService};
use serde::Serialize;
use utoipa::ToSchema;

use crate::live::Revocations;
use crate::rim::{ApiError, SignedIn};

/// It was done, and there is nothing more to say.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
pub(crate) struct DoneView {
    pub(crate) success: bool,
}

impl DoneView {
    pub(crate) const DONE: Self = Self { success: true };
}

/// Ends the session: its refresh tokens, its access token and its open streams. Where several instances run, the others
/// let the access token and the streams go on for a minute at most.
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
    departures: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    let session = signed_in.0.session;
    sign_in.sign_out(session).await?;
    departures.announce(SessionRevocation::Session(session));
    Ok(Json(DoneView::DONE))
}
