use plenum_kernel::MeetingId;
use plenum_meetings::live::{Audience, LiveState, LiveStreams, Watcher};
use plenum_meetings::{MeetingService, SeeMeetingError};

use crate::error::ApiError;
use crate::extract::ApiId as _;
use crate::extract::MeetingViewer;

/// Checks whether a person may watch a meeting, and in which audience.
pub(super) async fn admit(
    viewer: MeetingViewer,
    meeting: MeetingId,
    meetings: &MeetingService,
) -> Result<Watcher, ApiError> {
    match viewer {
        MeetingViewer::Organizer(_, client) => {
            meetings.find(client, meeting).await?.ok_or_else(MeetingId::missing)?;
            Ok(Watcher::Organizer)
        }
        MeetingViewer::Voter(_, voter) => {
            meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
            Ok(Watcher::Voter(voter.id))
        }
    }
}

/// The current audience of a watcher.
pub(super) async fn audience_of(
    streams: &dyn LiveStreams,
    state: &LiveState,
    watcher: Watcher,
) -> Result<Audience, ApiError> {
    Ok(match watcher {
        Watcher::Organizer => Audience::Organizer,
        Watcher::Public => Audience::Public,
        Watcher::Voter(_) if streams.has_voted(state, watcher).await? => Audience::VoterWhoVoted,
        Watcher::Voter(_) => Audience::Voter,
    })
}

impl From<SeeMeetingError> for ApiError {
    fn from(error: SeeMeetingError) -> Self {
        match error {
            SeeMeetingError::NotFound => MeetingId::missing(),
            SeeMeetingError::NotOpenYet => Self::new(
                actix_web::http::StatusCode::NOT_FOUND,
                "meeting_not_open_yet",
                "This meeting is not open yet. The organizer is still preparing it.",
            ),
            SeeMeetingError::NotInvited => {
                Self::new(actix_web::http::StatusCode::FORBIDDEN, "not_invited", "You are not invited to this meeting.")
            }
            SeeMeetingError::Port(failure) => failure.into(),
        }
    }
}
