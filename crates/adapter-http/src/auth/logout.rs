use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{SessionRevocation, SignInService};

use crate::error::ApiError;
use crate::extract::SignedIn;
use crate::live::Revocations;
use crate::views::DoneView;

/// Ends the session: its refresh tokens, its access token and its open streams. Other instances may accept the access
/// token and continue the streams for up to a minute.
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
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    let session = signed_in.0.session;
    sign_in.sign_out(session).await?;
    revocations.announce(SessionRevocation::Session(session));
    Ok(Json(DoneView::DONE))
}
