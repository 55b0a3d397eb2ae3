use std::sync::Arc;

use plenum_kernel::{ClientId, VoteId};

use crate::{BallotBox, DiscardVoteError, RoundStatus, VotingSignals};

/// What the names of clients and meetings begin with that are there for tests.
const TEST_PREFIX: &str = "TEST_";

/// Whether a vote may be discarded: only test data, and nothing that was declared.
///
/// # Errors
/// Refuses real votes, and votes of a declared result.
pub fn check_discard(client_name: &str, meeting_title: &str, round: RoundStatus) -> Result<(), DiscardVoteError> {
    if ![client_name, meeting_title].iter().any(|name| name.starts_with(TEST_PREFIX)) {
        return Err(DiscardVoteError::NotTestData);
    }
    match round {
        RoundStatus::Open | RoundStatus::Ended => Ok(()),
        RoundStatus::Declared => Err(DiscardVoteError::Declared),
    }
}

/// Cleans up after tests that ran against a real installation.
pub struct TestVotes {
    ballot_box: Arc<dyn BallotBox>,
    signals: Arc<dyn VotingSignals>,
}

impl TestVotes {
    /// Cleans this box.
    pub fn new(ballot_box: Arc<dyn BallotBox>, signals: Arc<dyn VotingSignals>) -> Self {
        Self { ballot_box, signals }
    }

    /// Deletes a vote of test data, of `owner` only if there is one, and tells everyone who is watching.
    ///
    /// # Errors
    /// Fails when there is no such vote, or it is no test data.
    pub async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<(), DiscardVoteError> {
        let meeting = self.ballot_box.discard(owner, vote).await?;
        self.signals.votes_changed(meeting).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_data_is_discarded() {
        for (client, meeting, is_test) in [
            ("TEST_CLIENT_1", "Assembly", true),
            ("Rowing Club", "TEST_Assembly", true),
            ("Rowing Club", "Assembly", false),
            ("Rowing Club", "My TEST_Assembly", false),
            ("test_club", "test_meeting", false),
        ] {
            assert_eq!(check_discard(client, meeting, RoundStatus::Ended).is_ok(), is_test, "{client} {meeting}");
        }
    }

    #[test]
    fn a_declared_result_keeps_its_votes() {
        let refused = check_discard("TEST_", "TEST_", RoundStatus::Declared);
        assert!(matches!(refused, Err(DiscardVoteError::Declared)));
    }
}
