//! A meeting: its values and rules, its plan, its course, and the view of a voter.

pub(crate) mod copy_meeting;
pub(crate) mod meeting;
pub(crate) mod overview;
pub(crate) mod plan_meetings;
pub(crate) mod ports;
pub(crate) mod run_meeting;
pub(crate) mod schedule;
pub(crate) mod see_meetings;
