use std::collections::HashMap;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;
use plenum_kernel::{ClientId, EndUserId, InstanceId, MeetingId, PortFailure, QuestionId, RoundId};
use rust_decimal::Decimal;

use crate::live::{LiveChange, LiveCheckIn, LiveFacts, LiveState};

/// The weight of each eligible voter.
pub type Weights = HashMap<EndUserId, Decimal>;

/// The holder of each principal.
pub type Holders = HashMap<EndUserId, EndUserId>;

/// Loads snapshots.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait LiveSource: Send + Sync {
    /// The whole snapshot of a meeting, from one snapshot of the data. `None` when there is no such meeting, or its
    /// client is not active.
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure>;

    /// As [`Self::load`], and the voters eligible for the quorum of that snapshot, as of the same moment. Empty without
    /// a quorum. Called once for each watched meeting.
    async fn load_with_weights(&self, meeting: MeetingId) -> Result<Option<(LiveFacts, Weights)>, PortFailure>;

    /// Counts the votes of a round. The time MUST not grow with the number of votes.
    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure>;

    /// Adds the weights of the votes of a round. The time may grow with the number of votes: it is called at most once
    /// a second, and only for a quorum by weight.
    async fn weight_cast(&self, round: RoundId) -> Result<Decimal, PortFailure>;

    /// The people of the meeting who are checked in and may vote, and all who may vote, for a meeting with check-in. Zero for
    /// another one.
    async fn checked_in(&self, meeting: MeetingId) -> Result<LiveCheckIn, PortFailure>;

    /// Whether this voter has voted in the round.
    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure>;

    /// All voters who have voted in the round. Called once when a round with votes is reopened.
    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure>;
}

/// Reports that a snapshot is out of date. Services call it after the change is stored, never before.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait LiveSignals: Send + Sync {
    /// Something about the meeting, its agenda or its current question changed. MUST not fail: after a missed signal,
    /// the next one brings the screens up to date.
    async fn meeting_changed(&self, meeting: MeetingId);

    /// The client was renamed, got another status or was deleted, which all of its meetings show. MUST not fail.
    async fn client_changed(&self, client: ClientId);

    /// A person was checked in or out. MUST not fail.
    async fn presence_changed(&self, meeting: MeetingId, end_user: EndUserId, is_in: bool);
}

/// A message between instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiveNotice {
    /// The snapshot of this meeting is out of date.
    MeetingChanged(MeetingId),
    /// The snapshots of all meetings of this client are out of date.
    ClientChanged(ClientId),
    /// Votes of this meeting came in.
    VotesChanged(MeetingId),
    /// A person was checked in or out.
    PresenceChanged {
        /// The meeting.
        meeting: MeetingId,
        /// The person.
        end_user: EndUserId,
        /// Whether the person came.
        is_in: bool,
    },
    /// A result was declared.
    ResultDeclared {
        /// The meeting.
        meeting: MeetingId,
        /// The round.
        round: RoundId,
        /// The question.
        question: QuestionId,
    },
}

/// A stream of notices. `None` means that notices were lost, so that every snapshot is out of date.
pub type NoticeStream = Pin<Box<dyn Stream<Item = Option<LiveNotice>> + Send>>;

/// Carries notices to every instance, this one included.
#[async_trait]
pub trait LiveBus: Send + Sync {
    /// Sends a notice to all instances. MUST reach this one at once, and MUST not wait for the others.
    async fn publish(&self, notice: LiveNotice);

    /// Streams every notice from now on.
    fn subscribe(&self) -> NoticeStream;

    /// Whether messages of other instances arrive. On each change, the stream MUST yield `None`. An instance that runs
    /// alone misses nothing.
    fn receives_others(&self) -> bool {
        true
    }
}

/// A message to other instances about the voters connected to a meeting through this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceReport {
    /// The instance that sends it.
    pub instance: InstanceId,
    /// The meeting.
    pub meeting: MeetingId,
    /// A number that grows with every report of the instance. All parts of one report have the same number.
    pub number: u64,
    /// The content.
    pub update: PresenceUpdate,
}

/// The content of a presence report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresenceUpdate {
    /// All connected voters, or one part of them if they are too many for one message.
    All {
        /// The index of this part, from 0.
        part: u32,
        /// The number of parts.
        parts: u32,
        /// Connected voters.
        voters: Vec<EndUserId>,
    },
    /// The difference from the previous report.
    Changed {
        /// The number of that report. An instance that missed it waits for the next full report.
        since: u64,
        /// Voters who connected.
        came: Vec<EndUserId>,
        /// Voters who disconnected.
        left: Vec<EndUserId>,
    },
}

/// A stream of reports of other instances. `None` means that another instance may have missed reports of this one, and
/// needs a full report.
pub type ReportStream = Pin<Box<dyn Stream<Item = Option<PresenceReport>> + Send>>;

/// Exchanges presence reports with other instances.
pub trait PresenceBus: Send + Sync {
    /// Sends a report. MUST not wait; a report that cannot be sent is dropped.
    fn report(&self, report: PresenceReport);

    /// The greatest number of voters in one report, at least one.
    fn max_voters_in_report(&self) -> usize {
        usize::MAX
    }

    /// Streams the reports of other instances from now on.
    fn reports(&self) -> ReportStream;
}

/// A watcher of a meeting. The caller has checked the permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watcher {
    /// An administrator of the meeting's client; not counted as connected.
    Organizer,
    /// A voter; counted once, however many screens they have open.
    Voter(EndUserId),
    /// The presentation.
    Public,
}

/// The audience of a frame. No audience gets more than its screens show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Administrators of the meeting's client.
    Organizer,
    /// Voters who have not voted in the open round.
    Voter,
    /// Voters who have voted in the open round.
    VoterWhoVoted,
    /// The presentation.
    Public,
}

impl Audience {
    /// Every audience.
    pub const ALL: [Self; 4] = [Self::Organizer, Self::Voter, Self::VoterWhoVoted, Self::Public];
}

/// Encodes frames. Called once for each change and audience; all watchers share the result.
pub trait LiveFrames: Send + Sync {
    /// Encodes `change` for `audience`, where `state` is the snapshot after it.
    fn encode(&self, change: LiveChange, state: &LiveState, audience: Audience) -> Bytes;
}

/// Frames for one watcher, beginning with [`LiveChange::Connected`]. Ends when the server stops or the meeting is
/// deleted.
pub type FrameStream = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// Reports the connected voters.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait Presence: Send + Sync {
    /// The voters who watch a meeting at this moment, each once. MUST not block.
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId>;
}

/// Holds the snapshots, and streams them to watchers.
#[async_trait]
pub trait LiveStreams: Send + Sync {
    /// Watches a meeting. `None` when there is no such meeting.
    async fn watch(&self, meeting: MeetingId, watcher: Watcher) -> Result<Option<FrameStream>, PortFailure>;

    /// The snapshot of a meeting as it is now. `None` when there is no such meeting.
    async fn state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure>;

    /// Whether this watcher has voted in the round that is open in `state`.
    async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure>;
}
