use plenum_clients::{AddEndUserError, ChangeEndUserError, EraseEndUserError, RemoveEndUserError};
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
            ChangeEndUserError::Erased => Self::conflict("end_user_erased", error),
            ChangeEndUserError::ReasonNeeded(needed) => needed.into(),
            ChangeEndUserError::Port(failure) => failure.into(),
        }
    }
}

impl From<EraseEndUserError> for ApiError {
    fn from(error: EraseEndUserError) -> Self {
        match error {
            EraseEndUserError::NotFound => EndUserId::missing(),
            EraseEndUserError::AlreadyErased => Self::conflict("end_user_erased", error),
            EraseEndUserError::OtherUsername => Self::invalid_field("username", "Must be the username of this person."),
            EraseEndUserError::VotingNow => Self::conflict("end_user_in_open_round", error),
            EraseEndUserError::InRunningMeeting => Self::conflict("end_user_in_running_meeting", error),
            EraseEndUserError::UsernameTaken => Self::conflict("erased_username_taken", error),
            EraseEndUserError::Port(failure) => failure.into(),
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
