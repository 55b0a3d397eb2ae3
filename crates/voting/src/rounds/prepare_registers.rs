use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::{EndUserId, MeetingId, NewIds, PortFailure, RoundId};

use crate::Presence;

/// The number of people from which a register is prepared. A smaller one is written in a few milliseconds.
const LARGE_REGISTER: u64 = 300;

/// A request to prepare the register of the next opening of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterPreparation {
    /// The meeting.
    pub meeting: MeetingId,
    /// The id of the next round, if nothing is prepared yet.
    pub new_round: RoundId,
    /// The voters connected to the meeting, eligible or not.
    pub connected: Vec<EndUserId>,
    /// The smallest number of people whose register is prepared.
    pub at_least: u64,
}

/// Prepares registers, so that openings take less time.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PreparedRegisters: Send + Sync {
    /// Prepares the register of the question that will probably be opened next. MUST change nothing that anybody sees, and no opening: each
    /// registers whoever is eligible at its moment, whether its register was prepared, long ago, for another question, or not at all.
    /// The round that opens next gets the prepared id. MUST not hold up an opening.
    ///
    /// Returns whether it did. It does not for a meeting that is not running, is for fewer people or has no question left, and while
    /// somebody else prepares the same register.
    async fn prepare(&self, preparation: RegisterPreparation) -> Result<bool, PortFailure>;
}

/// Prepares the registers of large meetings.
pub struct PreparationService {
    registers: Arc<dyn PreparedRegisters>,
    presence: Arc<dyn Presence>,
    ids: Arc<dyn NewIds>,
}

impl PreparationService {
    /// Creates the service on these ports.
    pub fn new(registers: Arc<dyn PreparedRegisters>, presence: Arc<dyn Presence>, ids: Arc<dyn NewIds>) -> Self {
        Self { registers, presence, ids }
    }

    /// Prepares the register of the next opening of a large meeting, with the voters who are connected now. Returns whether it did.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn prepare(&self, meeting: MeetingId) -> Result<bool, PortFailure> {
        let preparation = RegisterPreparation {
            meeting,
            new_round: RoundId::new(&*self.ids),
            connected: self.presence.connected(meeting),
            at_least: LARGE_REGISTER,
        };
        self.registers.prepare(preparation).await
    }
}
