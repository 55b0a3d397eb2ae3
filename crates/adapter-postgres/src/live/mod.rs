//! What live streams show of a meeting.

pub(crate) mod quorum;
pub(crate) mod state;
