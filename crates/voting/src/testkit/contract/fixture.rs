use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, DecisionRule, DeskId, EndUserId, GroupId, MeetingId, MeetingQuorum, NamedGroup, PresenceRule,
    QuestionId, Quorum, RoundId, Secrecy, WeightKind, WeightKindId, is_test_name,
};
use rust_decimal::Decimal;

use crate::testkit::InMemoryUrnKeys;
use crate::{
    Archives, BallotBox, CurationStore, LogEntry, PaperVotes, ProxyStore, PurgeDocuments, PurgeStore, RecordTimestamps,
    RegisterChanges, ResultRecords, ResultStore, RoundStore, UrnStore, Wording,
};

/// A running meeting, and its client if that is new.
#[derive(Clone, Debug)]
pub struct SeedMeeting {
    /// The client that owns it.
    pub client: ClientId,
    /// Its id.
    pub id: MeetingId,
    /// Whether it has a participant list.
    pub has_participant_list: bool,
}

/// A question on an agenda.
#[derive(Clone, Debug)]
pub struct SeedQuestion {
    /// The meeting, which is there already.
    pub meeting: MeetingId,
    /// Its id.
    pub id: QuestionId,
    /// Its position, from 1.
    pub position: u32,
    /// The text of the question.
    pub wording: Wording,
}

/// The terms of a question on an agenda.
#[derive(Clone, Debug, Default)]
pub struct SeedTerms {
    /// Its rule.
    pub rule: Option<DecisionRule>,
    /// A quorum of its own.
    pub quorum: Option<Quorum>,
    /// Who can learn how a person voted.
    pub secrecy: Secrecy,
    /// Whether every vote counts one.
    pub counts_heads: bool,
}

/// An end user, and their client if that is new.
#[derive(Clone, Debug)]
pub struct SeedVoter {
    /// The client.
    pub client: ClientId,
    /// Their id.
    pub id: EndUserId,
    /// The username, unique in the client.
    pub username: String,
    /// The full name.
    pub name: String,
    /// The voting weight.
    pub weight: Decimal,
    /// Whether they may vote.
    pub is_active: bool,
}

/// The kinds of weight by which a meeting and one of its questions count.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeedKinds {
    /// That of the meeting.
    pub meeting: Option<WeightKindId>,
    /// A kind of the question's own.
    pub question: Option<WeightKindId>,
    /// The second weight of the question.
    pub second: Option<WeightKindId>,
}

/// A password that an organizer sets.
#[derive(Clone, Debug)]
pub struct SeedPassword {
    /// The organizer.
    pub by: AccountId,
    /// The reason, if one is given.
    pub reason: Option<String>,
    /// The time.
    pub now: DateTime<Utc>,
}

impl SeedVoter {
    /// Whether they are test data.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name) || is_test_name(&self.username)
    }
}

/// The stores under test, and methods to add data of other domains.
#[async_trait]
pub trait VotingFixture: Send + Sync {
    /// The rounds.
    fn rounds(&self) -> Arc<dyn RoundStore>;

    /// The results over the same data.
    fn results(&self) -> Arc<dyn ResultStore>;

    /// The records of declared results over the same data.
    fn result_records(&self) -> Arc<dyn ResultRecords>;

    /// The timestamps of the same records.
    fn timestamps(&self) -> Arc<dyn RecordTimestamps>;

    /// The curations of answers over the same data.
    fn curations(&self) -> Arc<dyn CurationStore>;

    /// Votes on paper over the same data.
    fn paper_votes(&self) -> Arc<dyn PaperVotes>;

    /// Adds a desk to an existing meeting.
    async fn add_desk(&self, client: ClientId, meeting: MeetingId, desk: DeskId, name: &str);

    /// The urns of secret rounds over the same data.
    fn urns(&self) -> Arc<dyn UrnStore>;

    /// The keys that the stores use.
    fn urn_keys(&self) -> Arc<InMemoryUrnKeys>;

    /// The imported archives.
    fn archives(&self) -> Arc<dyn Archives>;

    /// The purges of the same data.
    fn purges(&self) -> Arc<dyn PurgeStore>;

    /// The documents of those purges.
    fn purge_documents(&self) -> Arc<dyn PurgeDocuments>;

    /// Removes the record of a result, as if it had been declared before there were records.
    async fn forget_record(&self, round: RoundId);

    /// The box over the same data.
    fn ballot_box(&self) -> Arc<dyn BallotBox>;

    /// The proxies of the same meetings.
    fn proxies(&self) -> Arc<dyn ProxyStore>;

    /// The changes of registers of the same rounds.
    fn register_changes(&self) -> Arc<dyn RegisterChanges>;

    /// The log of a round, the earliest entry first.
    async fn log_of(&self, round: RoundId) -> Vec<LogEntry>;

    /// Whether an end user is on the participant list.
    async fn is_listed(&self, meeting: MeetingId, voter: EndUserId) -> bool;

    /// Adds a meeting.
    async fn add_meeting(&self, meeting: SeedMeeting);

    /// Adds an administrator to an existing client.
    async fn add_account(&self, client: ClientId, account: AccountId, first_name: &str, last_name: &str);

    /// Renames a client, whose default name is Rowing club.
    async fn rename_client(&self, client: ClientId, name: &str);

    /// Renames a meeting, whose default title is General assembly.
    async fn rename_meeting(&self, meeting: MeetingId, title: &str);

    /// Adds a question.
    async fn add_question(&self, question: SeedQuestion);

    /// Adds an end user.
    async fn add_voter(&self, voter: SeedVoter);

    /// Puts an end user on the participant list.
    async fn invite(&self, meeting: MeetingId, voter: EndUserId);

    /// Adds a group of a client with members who are there.
    async fn add_group(&self, client: ClientId, group: NamedGroup, members: &[EndUserId]);

    /// Adds an end user to a group, or removes them from it.
    async fn set_member(&self, group: GroupId, voter: EndUserId, is_member: bool);

    /// Changes the groups that a meeting is for.
    async fn set_meeting_groups(&self, meeting: MeetingId, groups: &[GroupId]);

    /// Changes the groups that a question is for.
    async fn set_question_groups(&self, question: QuestionId, groups: &[GroupId]);

    /// Adds a kind of weight of a client, or replaces it, with the values of people who are there.
    async fn set_weight_kind(&self, client: ClientId, kind: &WeightKind, values: &[(EndUserId, Decimal)]);

    /// Changes the kinds of weight by which a meeting and one of its questions count.
    async fn set_kinds(&self, meeting: MeetingId, question: QuestionId, kinds: SeedKinds);

    /// Activates or deactivates an end user.
    async fn set_voter_active(&self, voter: EndUserId, is_active: bool);

    /// Deletes an end user.
    async fn remove_voter(&self, voter: EndUserId);

    /// Makes a meeting active or inactive, without other changes.
    async fn set_meeting_active(&self, meeting: MeetingId, is_active: bool);

    /// Changes the text of a question.
    async fn reword(&self, question: QuestionId, text: &str);

    /// Changes the text of an option.
    async fn rename_option(&self, question: QuestionId, position: u32, text: &str);

    /// Changes the terms of a question.
    async fn set_terms(&self, question: QuestionId, terms: SeedTerms);

    /// Calls a meeting a second time, or takes that back.
    async fn set_second_call(&self, meeting: MeetingId, is_second_call: bool);

    /// Changes the quorum of a meeting.
    async fn set_meeting_quorum(&self, meeting: MeetingId, quorum: Option<MeetingQuorum>);

    /// Changes the rule by which a round counts its present voters. The product never does.
    async fn set_presence_rule(&self, round: RoundId, rule: PresenceRule);

    /// Switches check-in on with these people present, or off.
    async fn set_check_in(&self, meeting: MeetingId, present: Option<Vec<EndUserId>>);

    /// Sets passwords of end users of the client, and returns whether that was permitted.
    async fn set_passwords(&self, client: ClientId, voters: &[EndUserId], password: SeedPassword) -> bool;

    /// Changes the password of an end user of the client by their own session.
    async fn change_own_password(&self, client: ClientId, voter: EndUserId);

    /// Gives an end user another username.
    async fn rename_voter(&self, voter: EndUserId, username: &str);

    /// Changes the voting weight of an end user.
    async fn set_weight(&self, voter: EndUserId, weight: Decimal);

    /// Changes whether rounds without a decision rule are counted at their end. They are not in a meeting of
    /// [`Self::add_meeting`].
    async fn set_counting_at_end(&self, meeting: MeetingId, counts: bool);

    /// Declares the result of a round that has ended.
    async fn declare(&self, round: RoundId);
}
