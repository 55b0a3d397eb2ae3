use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use plenum_kernel::{EndUserId, RoundId};
use plenum_meetings::live::{Audience, LiveChange, LiveFrames, LiveState};

/// A change that is sent to all watchers of a meeting, with its encoded frames.
pub(super) struct Announcement {
    pub(super) change: LiveChange,
    /// The state after the change.
    pub(super) state: LiveState,
    /// Everyone who has voted in the open round, if the change makes each screen show that again.
    pub(super) voted: Option<Arc<HashSet<EndUserId>>>,
    frames: [OnceLock<Bytes>; Audience::ALL.len()],
}

impl Announcement {
    pub(super) fn new(change: LiveChange, state: LiveState, voted: Option<Arc<HashSet<EndUserId>>>) -> Self {
        Self { change, state, voted, frames: Default::default() }
    }

    /// The frame for `audience`. The first call encodes it, and later calls share the bytes.
    pub(super) fn frame(&self, frames: &dyn LiveFrames, audience: Audience) -> Bytes {
        let slot = &self.frames[audience as usize];
        slot.get_or_init(|| frames.encode(self.change, &self.state, audience)).clone()
    }
}

/// The round that is open for votes, if any.
pub(super) fn open_round(state: &LiveState) -> Option<RoundId> {
    state.facts.open_question().map(|(_, round)| round.id)
}
