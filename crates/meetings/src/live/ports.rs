use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;
use plenum_kernel::{EndUserId, MeetingId, PortFailure, RoundId};

use crate::live::{LiveChange, LiveFacts, LiveState};

/// Where the picture is loaded from.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait LiveSource: Send + Sync {
    /// The whole picture of a meeting, from one snapshot of the data. `None` when there is no such meeting, or its client
    /// is not active.
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure>;

    /// How many have voted in a round. MUST not take longer the more votes there are.
    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure>;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveNotice {
    /// The picture of this meeting is out of date.
    MeetingChanged(MeetingId),
    /// Votes came in, in this meeting.
    VotesChanged(MeetingId),
}

/// Notices as they come in. An item of `None` says that some were missed, so that every picture is out of date.
pub type NoticeStream = Pin<Box<dyn Stream<Item = Option<LiveNotice>> + Send>>;

/// Carries notices to every instance, this one included. In process first; a message bus can serve it.
#[async_trait]
pub trait LiveBus: Send + Sync {
    /// Sends a notice to all instances.
    async fn publish(&self, notice: LiveNotice);

    /// Every notice from now on.
    fn subscribe(&self) -> NoticeStream;
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
