use std::collections::HashMap;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;
use plenum_kernel::{EndUserId, InstanceId, MeetingId, PortFailure, QuestionId, RoundId};
use rust_decimal::Decimal;

use crate::live::{LiveChange, LiveFacts, LiveState};

/// What each of those weighs who may vote.
pub type Weights = HashMap<EndUserId, Decimal>;

/// Where the picture is loaded from.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait LiveSource: Send + Sync {
    /// The whole picture of a meeting, from one snapshot of the data. `None` when there is no such meeting, or its client
    /// is not active.
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure>;

    /// As [`Self::load`], and who they are whom the quorum of that picture calls eligible, as of the same moment; nobody
    /// without a quorum. Asked where people are watching, not for each of them.
    async fn load_with_weights(&self, meeting: MeetingId) -> Result<Option<(LiveFacts, Weights)>, PortFailure>;

    /// How many have voted in a round. MUST not take longer the more votes there are.
    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure>;

    /// What those weigh together who have voted in a round. May take longer the more votes there are; asked at most once a
    /// second, and only where a quorum wants to know.
    async fn weight_cast(&self, round: RoundId) -> Result<Decimal, PortFailure>;

    /// Whether this voter has voted in the round.
    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure>;

    /// Everyone who has voted in the round; asked once when a round with votes is opened again.
    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure>;
}

/// Tells whoever keeps the pictures that one is out of date. Called after the change was stored, never before.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait LiveSignals: Send + Sync {
    /// Something about the meeting, its agenda or its current question changed. MUST not fail: who misses the signal
    /// catches up with the next one.
    async fn meeting_changed(&self, meeting: MeetingId);
}

/// What instances of the product tell one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiveNotice {
    /// The picture of this meeting is out of date.
    MeetingChanged(MeetingId),
    /// Votes came in, in this meeting.
    VotesChanged(MeetingId),
    /// A result was declared.
    ResultDeclared {
        /// In this meeting.
        meeting: MeetingId,
        /// Of this round.
        round: RoundId,
        /// On this question.
        question: QuestionId,
    },
}

/// Notices as they come in. An item of `None` says that some were missed, so that every picture is out of date.
pub type NoticeStream = Pin<Box<dyn Stream<Item = Option<LiveNotice>> + Send>>;

/// Carries notices to every instance, this one included.
#[async_trait]
pub trait LiveBus: Send + Sync {
    /// Sends a notice to all instances. MUST reach this one at once, and MUST not wait for the others.
    async fn publish(&self, notice: LiveNotice);

    /// Every notice from now on.
    fn subscribe(&self) -> NoticeStream;

    /// Whether what other instances send comes in at this moment. Whenever that changes, an item of `None` MUST come. An
    /// instance that works alone misses nothing.
    fn hears_others(&self) -> bool {
        true
    }
}

/// What one instance tells the others about those who are connected to a meeting through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceReport {
    /// Who tells it.
    pub instance: InstanceId,
    /// Of which meeting.
    pub meeting: MeetingId,
    /// Goes up with every report of the instance; the parts of one have the same.
    pub number: u64,
    /// What is told.
    pub news: PresenceNews,
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresenceNews {
    /// Everyone who is connected, or one part of them where they are too many for one message.
    All {
        /// Which part, from 0.
        part: u32,
        /// Of how many.
        parts: u32,
        /// Those who are connected.
        voters: Vec<EndUserId>,
    },
    /// What is other than in the report before.
    Changed {
        /// The number of that report. Whoever has not heard it waits for the next that tells everyone.
        since: u64,
        /// Who has come.
        came: Vec<EndUserId>,
        /// Who has left.
        left: Vec<EndUserId>,
    },
}

/// Reports of other instances as they come in. An item of `None` says that somebody may have missed reports of this
/// instance, and wants to be told everything.
pub type ReportStream = Pin<Box<dyn Stream<Item = Option<PresenceReport>> + Send>>;

/// Tells other instances who is connected through this one, and hears the same of them.
pub trait PresenceBus: Send + Sync {
    /// Tells the others. MUST not wait for anything; what cannot be told is left out.
    fn report(&self, report: PresenceReport);

    /// How many voters may be in one report, one at least.
    fn most_in_a_report(&self) -> usize {
        usize::MAX
    }

    /// What the others tell from now on.
    fn reports(&self) -> ReportStream;
}

/// Who watches a meeting. Whether they may is settled before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watcher {
    /// An administrator of the meeting's client; not counted as connected.
    Organizer,
    /// A voter; counted once, however many screens they have open.
    Voter(EndUserId),
    /// The big screen.
    Public,
}

/// For whom a frame is written: nobody is sent more than their screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Administrators of the meeting's client.
    Organizer,
    /// Voters who have not voted in the open round.
    Voter,
    /// Voters who have.
    VoterWhoVoted,
    /// The big screen.
    Public,
}

impl Audience {
    /// Every audience.
    pub const ALL: [Self; 4] = [Self::Organizer, Self::Voter, Self::VoterWhoVoted, Self::Public];
}

/// Writes what is sent. Called once for each change and audience; the result is shared by all watchers.
pub trait LiveFrames: Send + Sync {
    /// The frame that tells `audience` of `change`, where `state` is the picture after it.
    fn encode(&self, change: LiveChange, state: &LiveState, audience: Audience) -> Bytes;
}

/// Frames for one watcher, beginning with [`LiveChange::Connected`]. Ends when the server stops or the meeting is gone.
pub type FrameStream = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// Knows who is connected.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait Presence: Send + Sync {
    /// The voters who watch a meeting at this moment, each once. MUST not wait for anything.
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId>;
}

/// Where the pictures are kept and watched.
#[async_trait]
pub trait LiveRooms: Send + Sync {
    /// Watches a meeting. `None` when there is no such meeting.
    async fn watch(&self, meeting: MeetingId, watcher: Watcher) -> Result<Option<FrameStream>, PortFailure>;

    /// The picture of a meeting as it is now. `None` when there is no such meeting.
    async fn state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure>;

    /// Whether this watcher has voted in the round that is open in `state`.
    async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure>;
}
