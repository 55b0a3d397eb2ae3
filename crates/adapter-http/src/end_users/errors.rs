use plenum_clients::{AddEndUserError, ChangeEndUserError, RemoveEndUserError};
use plenum_kernel::EndUserId;

use crate::error::ApiError;
use crate::extract::ApiId as _;

impl From<AddEndUserError> for ApiError {
    fn from(error: AddEndUserError) -> Self {
        match error {
            AddEndUserError::UsernameTaken => username_taken(),
            AddEndUserError::Port(failure) => failure.into(),
        }
    }
}

impl From<ChangeEndUserError> for ApiError {
    fn from(error: ChangeEndUserError) -> Self {
        match error {
            ChangeEndUserError::NotFound => EndUserId::missing(),
            ChangeEndUserError::UsernameTaken => username_taken(),
            ChangeEndUserError::ReasonNeeded(needed) => needed.into(),
            ChangeEndUserError::Port(failure) => failure.into(),
        }
    }
}

impl From<RemoveEndUserError> for ApiError {
    fn from(error: RemoveEndUserError) -> Self {
        match error {
            RemoveEndUserError::NotFound => EndUserId::missing(),
            RemoveEndUserError::VotingNow => Self::conflict("end_user_in_open_round", error),
            RemoveEndUserError::Port(failure) => failure.into(),
        }
    }
}

fn username_taken() -> ApiError {
    ApiError::taken("username_taken", "username", "Another end user has this username.")
}
