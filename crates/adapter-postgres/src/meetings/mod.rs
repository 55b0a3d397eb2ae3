//! Meetings, their questions, participants, invitations and remarks.

pub(crate) mod closings;
pub(crate) mod invitation_links;
pub(crate) mod invitations;
pub(crate) mod invited;
pub(crate) mod participants;
pub(crate) mod planning;
pub(crate) mod questions;
pub(crate) mod records;
pub(crate) mod remarks;
pub(crate) mod rows;
pub(crate) mod starts;
pub(crate) mod voter_meetings;
mod weight_kinds;
