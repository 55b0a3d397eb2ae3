//! Check-in: who came and went, and the desks.

pub(crate) mod check_ins;
pub(crate) mod desks;
mod entries;
mod people;
