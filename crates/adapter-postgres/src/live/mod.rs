//! The content of live streams about a meeting.

pub(crate) mod quorum;
pub(crate) mod state;
