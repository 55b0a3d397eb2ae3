//! The fan-out hub: one picture for each watched meeting, one frame for all who watch it.
//!
//! What happens between a change and a screen:
//!
//! 1. A service stores the change and sends a signal ([`BusSignals`]), which the bus ([`InProcessBus`], or a message
//!    bus in its place) brings to every instance.
//! 2. The hub's dispatcher passes the notice to the meeting's room, by a flag: however many notices come, there is
//!    nothing to queue. A meeting that nobody watches here has no room and costs nothing.
//! 3. The meeting task of the room loads the facts, finds what is different, and announces each difference
//!    with the next version (`meeting_task.rs`).
//! 4. Every watcher's stream takes the announcement from a ring buffer. The first one encodes the frame for its
//!    audience, the others share the bytes (`announcement.rs`). Who is too slow for the ring buffer is sent the whole
//!    present picture instead of what was missed (`watching.rs`), and nobody waits for them.
//!
//! Heartbeats are no announcements: each stream has its own, at moments that are spread over the period (`heartbeat_schedule.rs`).
//!
//! Who is connected is kept apart from the rooms (`presence_set.rs`): through this instance, and through others, with which one
//! task exchanges reports (`sharing.rs`). Another one notes who was there in the course of all meetings (`attendance.rs`).
//!
//! While the bus does not reach the other instances, every room loads its picture every other second, and says so.
//!
//! Locks are held for a few instructions and never across an `await`. Only other weights of those who may vote make a
//! room count its voters anew under one.

mod bus;
mod hub;
mod settings;
mod signals;

pub use bus::InProcessBus;
pub use hub::{LiveHub, Watching};
pub use settings::LiveSettings;
pub use signals::BusSignals;
