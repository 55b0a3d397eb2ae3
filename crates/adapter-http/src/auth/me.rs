use actix_web::get;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use plenum_clients::SignInService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::views::UserView;
use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::SignedIn;

/// The signed-in person.
#[derive(Serialize, ToSchema)]
pub(crate) struct CurrentUserView {
    user: UserView,
}

/// Returns the signed-in person.
#[utoipa::path(
    tag = "auth",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The signed-in person", body = CurrentUserView),
    ),
)]
#[get("/auth/me")]
pub(crate) async fn current_user(
    signed_in: SignedIn,
    sign_in: Data<SignInService>,
) -> Result<Json<CurrentUserView>, ApiError> {
    let profile = sign_in.profile(signed_in.0.person).await?.ok_or_else(|| {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            ErrorCode::SESSION_ENDED,
            "The session has ended. Please sign in again.",
        )
    })?;
    Ok(Json(CurrentUserView { user: profile.into() }))
}
