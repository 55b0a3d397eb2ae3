//! What instances of the product tell one another, over NATS: that a picture is out of date, whose sessions have ended,
//! who is connected. Only ids travel, and nobody believes more than that it is time to ask the store; those who are
//! connected are counted as told.
//!
//! How it works:
//!
//! 1. [`NatsBus`] answers to three ports: [`LiveBus`](plenum_meetings::live::LiveBus),
//!    [`PresenceBus`](plenum_meetings::live::PresenceBus) and [`RevocationBus`](plenum_clients::RevocationBus). What concerns
//!    this instance itself never goes by way of NATS, so that an instance without NATS keeps its own screens right.
//! 2. What the others are to be told waits in an outbox of flags, which does not grow however often one is raised
//!    (`outbox.rs`), and is thrown away while NATS is away.
//! 3. A task of its own (`connection.rs`) sends it, and hears the others. Whenever it is connected anew it says so: then
//!    everybody loads what they may have missed, and tells who is connected.
//! 4. `codec.rs` is what the messages look like. Whoever does not know a kind of message leaves it out.
//!
//! NATS keeps nothing (no JetStream): what is missed is made up for by asking the store.

mod address;
mod bus;
mod codec;
mod connection;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod outbox;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use address::NatsAddress;
pub use bus::{NatsBus, NatsSettings};
