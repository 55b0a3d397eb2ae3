//! `/sse` and the public presentation: the live state as a snapshot and as a stream of events.

mod access;
mod frames;
#[cfg(test)]
mod mock_services;
mod participant_count;
mod presentation;
mod presentation_stream;
mod proxy_flush;
mod quorum;
mod revocations;
mod sse;
mod state;
mod stream;
mod stream_quota;
mod until_revoked;
mod views;
mod watcher_checks;

pub use frames::JsonFrames;
pub use revocations::Revocations;
pub(crate) use stream_quota::StreamQuota;
pub(crate) use views::{SealingView, VoterQuestionType};
pub(crate) use watcher_checks::WatcherChecks;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(stream::live_stream)
        .service(state::live_state)
        .service(participant_count::participant_count)
        .service(presentation::presentation)
        .service(presentation_stream::presentation_stream);
}
