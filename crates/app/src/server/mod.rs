//! The process that serves: its listeners, their encryption, signals, limits, memory and readiness.

mod connection_limits;
mod encryption;
mod listener;
mod memory;
mod readiness;
mod stop_signals;

pub(crate) use connection_limits::{limits_of, raise_open_files};
pub(crate) use encryption::{Certificates, ENDS_SOON, check_files};
pub(crate) use listener::{listen_for_redirects, listen_on};
pub(crate) use memory::{OwnMemory, use_small_pages};
pub(crate) use readiness::ProductReadiness;
pub(crate) use stop_signals::StopSignals;
