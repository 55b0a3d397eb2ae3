use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    ClientId, EndUserId, KindWeights, MeetingId, NamedGroup, Page, PortFailure, VotingWeight, is_test_name,
};

use crate::{InviteError, InviteOutcome, Invitees, ParticipantCount, ParticipantFilter};

/// A person who is invited to a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The end user.
    pub id: EndUserId,
    /// The username.
    pub username: String,
    /// The full name.
    pub name: String,
    /// The email address, if known.
    pub email: Option<String>,
    /// The postal address, if known.
    pub address: Option<String>,
    /// The voting weight.
    pub weight: VotingWeight,
    /// The values of kinds of weight.
    pub weights: KindWeights,
    /// The groups, by name.
    pub groups: Vec<NamedGroup>,
    /// Whether the person may sign in and vote.
    pub is_active: bool,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// Whether the personal data was erased.
    pub is_erased: bool,
}

impl Participant {
    /// Whether the person is test data by the current name.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name) || is_test_name(&self.username)
    }
}

/// Stores participant lists. Each call is one transaction and sees one client's rows only. In a meeting
/// for everybody, [`Meeting::is_for_tests`] decides whether test people ([`Participant::is_test`]) take part. In a meeting for
/// groups only their members take part, with a list and without: the others on its list stay on it, and do not count.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ParticipantStore: Send + Sync {
    /// Locks the meeting and invites all of `invitees`, or none. Earlier participants stay. From then on the meeting has a
    /// participant list. Without a limit, [`Invitees::AllActive`] removes the list instead.
    ///
    /// # Errors
    /// `MeetingNotFound`; `UnknownEndUsers` when one of them is not of this client; `TooMany` when the meeting's limit
    /// would be exceeded.
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<InviteOutcome, InviteError>;

    /// Locks the meeting and removes people from the list. People who are not on it are ignored. A meeting without a list
    /// gets one of all other participants, unless none of these people is a participant.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client.
    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError>;

    /// The participants that match the filter, by name: people on the list, or every active end user without a list. In a
    /// meeting for groups only their members, unless the filter includes the others.
    /// `None` when the client has no such meeting.
    async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure>;
}
