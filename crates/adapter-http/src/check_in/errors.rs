use plenum_kernel::{EndUserId, MeetingId};
use plenum_meetings::{CheckInRule, MakeDeskError, NotePresenceError};

use crate::error::ApiError;
use crate::extract::ApiId as _;

/// The code of a broken rule.
const fn code_of(rule: CheckInRule) -> &'static str {
    match rule {
        CheckInRule::Off => "check_in_off",
        CheckInRule::MeetingOver => "meeting_over",
        CheckInRule::NotEligible => "may_not_vote_here",
        CheckInRule::Full => "attendance_full",
        CheckInRule::NoSelfCheckIn => "no_self_check_in",
        CheckInRule::WrongCode => "wrong_check_in_code",
    }
}

/// The code and the text of an entry that a rule or a missing person refuses. An error of its own for other failures.
pub(crate) fn refusal_of(error: NotePresenceError) -> Result<(&'static str, String), ApiError> {
    match error {
        NotePresenceError::Rule(rule) => Ok((code_of(rule), rule.to_string())),
        NotePresenceError::EndUserNotFound => Ok(("end_user_not_found", error.to_string())),
        NotePresenceError::MeetingNotFound | NotePresenceError::Port(_) => Err(error.into()),
    }
}

impl From<NotePresenceError> for ApiError {
    fn from(error: NotePresenceError) -> Self {
        match error {
            NotePresenceError::MeetingNotFound => MeetingId::missing(),
            NotePresenceError::EndUserNotFound => EndUserId::missing(),
            NotePresenceError::Rule(rule) => Self::conflict(code_of(rule), rule),
            NotePresenceError::Port(failure) => failure.into(),
        }
    }
}

impl From<MakeDeskError> for ApiError {
    fn from(error: MakeDeskError) -> Self {
        match error {
            MakeDeskError::MeetingNotFound => MeetingId::missing(),
            MakeDeskError::MeetingOver => Self::conflict("meeting_over", error),
            MakeDeskError::NameTaken => Self::taken("desk_name_taken", "name", error),
            MakeDeskError::TooMany => Self::conflict("too_many_desks", error),
            MakeDeskError::Port(failure) => failure.into(),
        }
    }
}
