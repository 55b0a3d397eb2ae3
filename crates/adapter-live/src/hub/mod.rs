//! The hub's state, and the tasks and streams that work on it.

mod announcement;
mod attendance;
mod backoff;
mod channel;
mod dirty_set;
mod heartbeat;
mod meeting_task;
mod presence;
mod presence_set;
mod presence_sharing;
mod state;
mod watcher;

pub use state::{LiveHub, Watching};
