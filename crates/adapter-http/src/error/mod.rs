//! Error responses and their codes.

mod api_error;
mod codes;
mod no_such_path;

pub(crate) use api_error::{ApiError, ApiErrorBody, ErrorText, FieldCheck, FieldErrors, try_again_in, whole_seconds};
pub(crate) use codes::ErrorCode;
pub(crate) use no_such_path::no_such_path;
