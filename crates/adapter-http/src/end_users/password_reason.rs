use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::views::OpenVoteView;
use plenum_kernel::{PasswordReason, PasswordSetter, ReasonNeeded};

/// The name of the field in requests.
const FIELD: &str = "passwordReason";

/// Reads the reason for which an organizer sets passwords. A missing or blank one is none.
pub(crate) fn read_setter(check: &mut FieldCheck, admin: &ClientAdmin, reason: Option<&str>) -> PasswordSetter {
    PasswordSetter { by: admin.account_id, reason: check.keep_text(FIELD, reason, PasswordReason::parse) }
}

impl From<ReasonNeeded> for ApiError {
    fn from(needed: ReasonNeeded) -> Self {
        /// More are a number in the text.
        const MOST: usize = 20;
        let error = Self::conflict("password_reason_needed", &needed);
        let votes = needed.0.into_iter().take(MOST).map(OpenVoteView::from).collect();
        error
            .with_field(FIELD, "Must be the reason for the new password, of 1 to 200 characters.")
            .with_open_votes(votes)
    }
}
