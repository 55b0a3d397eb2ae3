use plenum_clients::{AddClientError, ChangeClientError};
use plenum_kernel::ClientId;

use crate::error::ApiError;
use crate::extract::ApiId as _;

impl From<AddClientError> for ApiError {
    fn from(error: AddClientError) -> Self {
        match error {
            AddClientError::CodeTaken => code_taken(),
            AddClientError::EmailTaken => {
                Self::taken("email_taken", "email", "Another account signs in with this email address.")
            }
            AddClientError::Port(failure) => failure.into(),
        }
    }
}

impl From<ChangeClientError> for ApiError {
    fn from(error: ChangeClientError) -> Self {
        match error {
            ChangeClientError::NotFound => ClientId::missing(),
            ChangeClientError::CodeTaken => code_taken(),
            ChangeClientError::TestMarkSettled => Self::conflict("test_mark_settled", error)
                .with_field("name", "Can no longer gain or lose TEST_ at the beginning."),
            ChangeClientError::Port(failure) => failure.into(),
        }
    }
}

fn code_taken() -> ApiError {
    ApiError::taken("client_code_taken", "clientCode", "Another client has this code.")
}
