use plenum_meetings::MeetingStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The status of a meeting.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = MeetingStatus)]
pub(crate) enum MeetingStatusName {
    Draft,
    Scheduled,
    Active,
    Completed,
    Cancelled,
}

impl From<MeetingStatus> for MeetingStatusName {
    fn from(status: MeetingStatus) -> Self {
        match status {
            MeetingStatus::Draft => Self::Draft,
            MeetingStatus::Scheduled => Self::Scheduled,
            MeetingStatus::Active => Self::Active,
            MeetingStatus::Completed => Self::Completed,
            MeetingStatus::Cancelled => Self::Cancelled,
        }
    }
}

impl From<MeetingStatusName> for MeetingStatus {
    fn from(status: MeetingStatusName) -> Self {
        match status {
            MeetingStatusName::Draft => Self::Draft,
            MeetingStatusName::Scheduled => Self::Scheduled,
            MeetingStatusName::Active => Self::Active,
            MeetingStatusName::Completed => Self::Completed,
            MeetingStatusName::Cancelled => Self::Cancelled,
        }
    }
}
