use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_clients::{SecondFactorRecoveryError, SecondFactorService, SessionRevocation};
use plenum_kernel::AccountId;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::extract::SuperAdmin;
use crate::live::Revocations;
use crate::views::DoneView;

impl From<SecondFactorRecoveryError> for ApiError {
    fn from(error: SecondFactorRecoveryError) -> Self {
        match error {
            SecondFactorRecoveryError::NoAccount => AccountId::missing(),
            SecondFactorRecoveryError::Off => Self::conflict("second_factor_off", error),
            SecondFactorRecoveryError::ByCommandOnly => Self::conflict("by_command_only", error),
            SecondFactorRecoveryError::Port(failure) => failure.into(),
        }
    }
}

/// Removes the second factor of an organization's administrator. Ends all sessions of that account. `plenum
/// remove-second-factor` does the same for a super administrator.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    params(("accountId" = Uuid, Path)),
    responses(
        (status = 200, description = "Removed", body = DoneView),
        (status = 404, description = "The account does not exist", body = ApiErrorBody),
        (status = 409, description = "The account has no second factor, or belongs to a super administrator", body = ApiErrorBody,
         example = json!({ "code": "second_factor_off", "error": "There is no second factor" })),
    ),
)]
#[delete("/accounts/{accountId}/second-factor")]
pub(crate) async fn take_second_factor(
    _: SuperAdmin,
    PathId(id): PathId<AccountId>,
    second_factors: Data<SecondFactorService>,
    revocations: Data<Revocations>,
) -> Result<Json<DoneView>, ApiError> {
    let person = second_factors.recover(id).await?;
    revocations.announce(SessionRevocation::of(person));
    Ok(Json(DoneView::DONE))
}
