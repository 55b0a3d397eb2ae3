use plenum_kernel::{MeetingId, QuestionId, RoundId};
use plenum_meetings::{InviteError, MeetingRule, QueueInvitationsError, UpdateMeetingError};
use plenum_records::{RecordDamage, ShowResultError};
use plenum_voting::{
    CountdownError, CountdownRule, OpenRoundError, OpeningRule, ResultStepError, ResultStepRule, ShowCountError,
};

use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::ApiId as _;
use crate::meetings::invitations::WANTED_IDS;
use crate::views::{WANTED_GROUPS, WANTED_WEIGHT_KIND};

impl From<UpdateMeetingError> for ApiError {
    fn from(error: UpdateMeetingError) -> Self {
        match error {
            UpdateMeetingError::NotFound => MeetingId::missing(),
            UpdateMeetingError::Rule(rule) => match rule {
                MeetingRule::NotStartable => Self::conflict("meeting_not_startable", rule),
                MeetingRule::NotActive => Self::conflict("meeting_not_active", rule),
                MeetingRule::StillActive => Self::conflict("meeting_active", rule),
                MeetingRule::TooManyParticipants { .. } => Self::conflict("too_many_participants", rule),
                MeetingRule::TestMarkSettled => Self::conflict("test_mark_settled", rule),
                MeetingRule::RestartUnconfirmed => Self::conflict("restart_unconfirmed", rule),
                MeetingRule::CheckInInUse => Self::conflict("check_in_in_use", rule),
                MeetingRule::StaleStep => Self::conflict(ErrorCode::STALE_STEP, rule),
                MeetingRule::LinkIsVoid => Self::conflict("invitation_link_void", rule),
                MeetingRule::EndsBeforeItStarts => {
                    Self::invalid_field("scheduledEndTime", "Must be later than the start time.")
                }
            },
            UpdateMeetingError::UnknownGroups => Self::invalid_field("groupIds", WANTED_GROUPS),
            UpdateMeetingError::UnknownWeightKind => Self::invalid_field("weightKindId", WANTED_WEIGHT_KIND),
            UpdateMeetingError::Agenda { field, requirement } => Self::invalid_field(&field, requirement),
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

impl From<QueueInvitationsError> for ApiError {
    fn from(error: QueueInvitationsError) -> Self {
        match error {
            QueueInvitationsError::MailNotConfigured => Self::conflict("mail_not_configured", error),
            QueueInvitationsError::MeetingNotFound => MeetingId::missing(),
            QueueInvitationsError::MeetingOver => Self::conflict("meeting_over", error),
            QueueInvitationsError::NotInvited => Self::invalid_field("endUserIds", WANTED_IDS),
            QueueInvitationsError::ReasonNeeded(needed) => needed.into(),
            QueueInvitationsError::Port(failure) => failure.into(),
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
                OpeningRule::AlreadyCounted => Self::conflict("round_counted", rule),
                OpeningRule::AlreadyDeclared => Self::conflict("result_declared", rule),
                OpeningRule::RoundOpen => Self::conflict("round_open", rule),
                OpeningRule::NextBallotWaits => Self::conflict("next_ballot_exists", rule),
                OpeningRule::NoRoundYet => Self::conflict("no_round_yet", rule),
                OpeningRule::WholeGroupsUnknown => Self::conflict("whole_groups_unknown", rule),
                OpeningRule::WeightsTooLarge => Self::conflict("weights_too_large", rule),
                OpeningRule::QuorumMissed(_) => Self::conflict("quorum_missed", rule),
                OpeningRule::TooManyParticipants { .. } => Self::conflict("too_many_participants", rule),
                OpeningRule::UsernameInRegister { .. } => Self::conflict("username_in_register", rule),
                OpeningRule::SecrecyAtRisk(_) => Self::conflict("secrecy_at_risk", rule),
                OpeningRule::Void => Self::conflict("round_void", rule),
                // The service prepares a key and repeats the request.
                OpeningRule::KeyNeeded => Self::conflict("key_needed", rule),
                OpeningRule::StaleStep => Self::conflict(ErrorCode::STALE_STEP, rule),
            },
            OpenRoundError::Port(failure) => failure.into(),
        }
    }
}

impl From<CountdownError> for ApiError {
    fn from(error: CountdownError) -> Self {
        match error {
            CountdownError::MeetingNotFound => MeetingId::missing(),
            CountdownError::Rule(rule) => match rule {
                CountdownRule::NoOpenRound => Self::conflict("no_open_round", rule),
                CountdownRule::StaleStep => Self::conflict(ErrorCode::STALE_STEP, rule),
            },
            CountdownError::Port(failure) => failure.into(),
        }
    }
}

impl From<ResultStepError> for ApiError {
    fn from(error: ResultStepError) -> Self {
        match error {
            ResultStepError::MeetingNotFound => MeetingId::missing(),
            ResultStepError::RoundNotFound => RoundId::missing(),
            ResultStepError::Rule(rule) => match rule {
                ResultStepRule::StillOpen => Self::conflict("round_still_open", rule),
                ResultStepRule::SecrecyAtRisk(_) => Self::conflict("secrecy_at_risk", rule),
                ResultStepRule::Void => Self::conflict("round_void", rule),
                ResultStepRule::TieOpen | ResultStepRule::CastingVoteOpen => Self::conflict("tie_is_open", rule),
                ResultStepRule::BatchesWaiting => Self::conflict("batches_waiting", rule),
                ResultStepRule::UrnClosed => Self::conflict("urn_closed", rule),
                ResultStepRule::StaleStep => Self::conflict(ErrorCode::STALE_STEP, rule),
            },
            ResultStepError::KeyMissing => Self::conflict("round_void", ResultStepRule::Void),
            ResultStepError::KeyAway => Self::conflict("vote_key_away", error),
            ResultStepError::Port(failure) => failure.into(),
        }
    }
}

impl From<ShowResultError> for ApiError {
    fn from(error: ShowResultError) -> Self {
        match error {
            ShowResultError::Damaged(damage) => damage.into(),
            ShowResultError::NotDeclared => Self::conflict("round_not_declared", error),
            ShowResultError::Count(error) => error.into(),
        }
    }
}

impl From<RecordDamage> for ApiError {
    fn from(damage: RecordDamage) -> Self {
        let text = format!(
            "the record of this result is damaged and the result is not shown: {damage}. The operator finds out more with \
             `plenum verify --database`"
        );
        Self::conflict("record_damaged", text)
    }
}

impl From<ShowCountError> for ApiError {
    fn from(error: ShowCountError) -> Self {
        match error {
            ShowCountError::NotFound => RoundId::missing(),
            ShowCountError::StillOpen => Self::conflict("round_still_open", error),
            ShowCountError::NotCounted => Self::conflict("round_not_counted", error),
            ShowCountError::Declared => Self::conflict("result_declared", error),
            ShowCountError::Port(failure) => failure.into(),
        }
    }
}
