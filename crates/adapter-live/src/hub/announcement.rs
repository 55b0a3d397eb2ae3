use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use plenum_kernel::{EndUserId, RoundId};
use plenum_meetings::live::{Audience, LiveChange, LiveFrames, LiveState};

/// One thing that is told to everyone who watches a meeting, with its frames.
pub(crate) struct Announcement {
    pub(crate) change: LiveChange,
    /// The picture after the change.
    pub(crate) state: LiveState,
    /// Everyone who has voted in the open round, where the change shows that anew.
    pub(crate) voted: Option<Arc<HashSet<EndUserId>>>,
    frames: [OnceLock<Bytes>; Audience::ALL.len()],
}

impl Announcement {
    pub(crate) fn new(change: LiveChange, state: LiveState, voted: Option<Arc<HashSet<EndUserId>>>) -> Self {
        Self { change, state, voted, frames: Default::default() }
    }

    /// The frame for `audience`: encoded when the first watcher asks for it, shared by all who ask later.
    pub(crate) fn frame(&self, frames: &dyn LiveFrames, audience: Audience) -> Bytes {
        let slot = &self.frames[audience as usize];
        slot.get_or_init(|| frames.encode(self.change, &self.state, audience)).clone()
    }
}

/// The round in which votes are taken right now.
pub(crate) fn open_round(state: &LiveState) -> Option<RoundId> {
    state.facts.open_question().map(|(_, round)| round.id)
}
