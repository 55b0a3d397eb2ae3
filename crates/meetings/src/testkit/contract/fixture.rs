use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, NamedGroup, QuestionId, WeightKindId};

use crate::{
    AttendanceStore, CheckInStore, DeskStore, InvitationStore, MeetingClient, MeetingStore, Participant,
    ParticipantStore, QuestionStore, QuestionUse, RehearsalStore, RemarkStore, VoterMeetings,
};

/// An amendment, without its time, author and number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amended {
    /// MEETING, QUESTION, REMARK or RESULT.
    pub about: &'static str,
    /// The name of the field.
    pub field: &'static str,
    /// The text before.
    pub was: Option<String>,
    /// The text after.
    pub became: Option<String>,
}

/// The stores under test, and methods to add data of other domains.
#[async_trait]
pub trait MeetingsFixture: Send + Sync {
    /// The meetings.
    fn meetings(&self) -> Arc<dyn MeetingStore>;

    /// The participant lists of the same meetings.
    fn participants(&self) -> Arc<dyn ParticipantStore>;

    /// The agendas of the same meetings.
    fn questions(&self) -> Arc<dyn QuestionStore>;

    /// The voters' view of the same meetings.
    fn voter_meetings(&self) -> Arc<dyn VoterMeetings>;

    /// The invitations to the same meetings.
    fn invitations(&self) -> Arc<dyn InvitationStore>;

    /// The attendance of the same meetings.
    fn attendance(&self) -> Arc<dyn AttendanceStore>;

    /// Who came and went, over the same data.
    fn check_ins(&self) -> Arc<dyn CheckInStore>;

    /// The desks of the same meetings.
    fn desks(&self) -> Arc<dyn DeskStore>;

    /// The remarks of the same meetings.
    fn remarks(&self) -> Arc<dyn RemarkStore>;

    /// The rehearsals of the same meetings.
    fn rehearsals(&self) -> Arc<dyn RehearsalStore>;

    /// Adds an administrator of an existing client, with an address at `example.org`.
    async fn add_account(&self, client: ClientId, id: AccountId, first_name: &str, last_name: &str);

    /// Adds a client, whose contact address is `club@example.org`.
    async fn add_client(&self, client: MeetingClient);

    /// Adds an end user to a client that is there.
    async fn add_end_user(&self, client: ClientId, person: Participant);

    /// Changes name, username, email address and activity of an existing end user.
    async fn change_end_user(&self, changed: Participant);

    /// Adds a kind of weight of a client.
    async fn add_weight_kind(&self, client: ClientId, id: WeightKindId, name: &str);

    /// Adds a group of a client with members who are there.
    async fn add_group(&self, client: ClientId, group: NamedGroup, members: Vec<EndUserId>);

    /// Deletes an end user.
    async fn remove_end_user(&self, id: EndUserId);

    /// Gives a question that was never opened a round: one that has ended without votes, one that is open without votes,
    /// or one that has ended with a vote.
    async fn mark_used(&self, question: QuestionId, used: QuestionUse);

    /// The hashes of the closing records of a meeting, the first one first. Also of a deleted meeting.
    async fn closings(&self, meeting: MeetingId) -> Vec<String>;

    /// The amendments of a meeting, the first one first.
    async fn amendments(&self, meeting: MeetingId) -> Vec<Amended>;

    /// Removes the closing records of a meeting, as if it had ended with an earlier version.
    async fn forget_closings(&self, meeting: MeetingId);

    /// Puts an end user into the register of the round that [`Self::mark_used`] gave the question.
    async fn add_to_register(&self, question: QuestionId, voter: EndUserId);
}
