use plenum_kernel::{MeetingId, QuestionId, RoundId};
use plenum_meetings::{InviteError, MeetingRule, UpdateMeetingError};
use plenum_voting::{CountRoundError, OpenRoundError, OpeningRule};

use crate::rim::{ApiError, PathId as _};

impl From<UpdateMeetingError> for ApiError {
    fn from(error: UpdateMeetingError) -> Self {
        match error {
            UpdateMeetingError::NotFound => MeetingId::missing(),
            UpdateMeetingError::Rule(rule) => match rule {
                MeetingRule::NotStartable => Self::conflict("meeting_not_startable", rule),
                MeetingRule::NotActive => Self::conflict("meeting_not_active", rule),
                MeetingRule::StillActive => Self::conflict("meeting_active", rule),
                MeetingRule::LinkIsVoid => Self::conflict("invitation_link_void", rule),
                MeetingRule::EndsBeforeItStarts => {
                    Self::invalid_field("scheduledEndTime", "Must be later than the start time.")
                }
            },
            UpdateMeetingError::Port(failure) => failure.into(),
        }
    }
}

impl From<InviteError> for ApiError {
    fn from(error: InviteError) -> Self {
        match error {
            InviteError::MeetingNotFound => MeetingId::missing(),
            InviteError::UnknownEndUsers => {
                Self::invalid_field("endUserIds", "Must be ids of end users of your organization.")
            }
            InviteError::TooMany { .. } => Self::conflict("too_many_participants", error),
            InviteError::Port(failure) => failure.into(),
        }
    }
}

impl From<OpenRoundError> for ApiError {
    fn from(error: OpenRoundError) -> Self {
        match error {
            OpenRoundError::MeetingNotFound => MeetingId::missing(),
            OpenRoundError::QuestionNotFound => QuestionId::missing(),
            OpenRoundError::Rule(rule) => match rule {
                OpeningRule::MeetingNotActive => Self::conflict("meeting_not_active", rule),
                OpeningRule::AlreadyDeclared => Self::conflict("result_declared", rule),
            },
            OpenRoundError::Port(failure) => failure.into(),
        }
    }
}

impl From<CountRoundError> for ApiError {
    fn from(error: CountRoundError) -> Self {
        match error {
            CountRoundError::NotFound => RoundId::missing(),
            CountRoundError::StillOpen => Self::conflict("round_still_open", error),
            CountRoundError::Port(failure) => failure.into(),
        }
    }
}
