//! Rehearsals before a vote: a message to all connected voters, and their answers.

pub(crate) mod ports;
pub(crate) mod rehearsal;
pub(crate) mod rehearse;
