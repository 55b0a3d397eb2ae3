//! Rounds: opening, countdown and end of voting on a question, and the log of these actions.

pub(crate) mod close_rounds;
pub(crate) mod countdown;
pub(crate) mod log;
pub(crate) mod opening;
pub(crate) mod organizer_step;
pub(crate) mod ports;
pub(crate) mod prepare_registers;
pub(crate) mod round;
pub(crate) mod run_rounds;
pub(crate) mod weight_names;
pub(crate) mod wording;
