use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, VotingWeight, is_test_name};

use crate::{InviteError, Invitees, ParticipantCount, ParticipantFilter};

/// A person who is invited to a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The end user.
    pub id: EndUserId,
    /// The username.
    pub username: String,
    /// The full name.
    pub name: String,
    /// The e-mail address, if known.
    pub email: Option<String>,
    /// The postal address, if known.
    pub address: Option<String>,
    /// The voting weight.
    pub weight: VotingWeight,
    /// Whether the person may sign in and vote.
    pub is_active: bool,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

impl Participant {
    /// Whether they are test data, as long as they are called so.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name) || is_test_name(&self.username)
    }
}

/// Stores participant lists. Each call is one transaction and sees one client's rows only. Where everybody is meant,
/// test people ([`Participant::is_test`]) are so only where [`Meeting::is_for_tests`] says so.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ParticipantStore: Send + Sync {
    /// Locks the meeting and invites all of `invitees`, or none. Those who are invited already stay so. From then on
    /// the meeting has a participant list; where it has no limit, [`Invitees::AllActive`] takes the list away instead.
    ///
    /// # Errors
    /// `MeetingNotFound`; `UnknownEndUsers` when one of them is not of this client; `TooMany` when the meeting's limit
    /// would be passed.
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<ParticipantCount, InviteError>;

    /// Locks the meeting and takes people off the list; those who are not on it are passed over. A meeting without a list
    /// gets one of all others who take part, unless none of these people does.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client.
    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError>;

    /// Those who are invited and fit the filter, by name: of those listed, or of every active end user where there is no list.
    /// `None` when the client has no such meeting.
    async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure>;
}
