//! Messages between instances, over NATS. Only this crate depends on async-nats.
//!
//! The messages are notices (a snapshot is out of date), revocations (sessions may have ended) and presence reports
//! (connected voters). They contain ids only. The receiver of a notice or revocation asks the store. Presence reports are
//! counted as received. Shares of the keys of secret rounds are passed on as they come, encrypted by `adapter-security`.
//!
//! 1. [`NatsBus`] implements four ports: [`LiveBus`](plenum_meetings::live::LiveBus),
//!    [`PresenceBus`](plenum_meetings::live::PresenceBus), [`RevocationBus`](plenum_clients::RevocationBus) and
//!    [`ShareBus`](plenum_voting::ShareBus). The
//!    sending instance gets its own messages without NATS, so that its screens stay correct while NATS is away.
//! 2. Messages wait in an outbox of flags (`outbox.rs`). A flag that is set twice is sent once, so the outbox does not
//!    grow. It is cleared when NATS is away.
//! 3. One task (`connection.rs`) sends the outbox and receives messages. After each new connection it announces itself.
//!    All instances then load their snapshots and report their voters again.
//! 4. `codec.rs` has the format of messages. An instance ignores kinds that it does not know.
//!
//! NATS stores nothing (no JetStream). An instance that missed messages asks the store.

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
