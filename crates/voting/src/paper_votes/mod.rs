//! Votes of people without a device: on paper, entered by one teller and confirmed by another, or at a voting place.

pub(crate) mod batch;
pub(crate) mod enter_and_confirm;
pub(crate) mod ports;
pub(crate) mod rules;
