use plenum_kernel::{ClientId, VoteId, is_test_name};

use crate::{BallotService, DiscardVoteError, RoundStatus};

/// Whether a round that opens under these names is for tests. This is decided once, when the round is frozen. A later
/// rename does not turn a real vote into a test vote, or a test vote into a real one.
pub fn is_test_round(client_name: &str, meeting_title: &str) -> bool {
    is_test_name(client_name) || is_test_name(meeting_title)
}

/// Whether a vote of a round can be discarded: only if the round was opened for tests and its result is not declared.
///
/// # Errors
/// Refuses real votes, and votes of a declared result.
pub fn check_discard(is_test: bool, round: RoundStatus) -> Result<(), DiscardVoteError> {
    if !is_test {
        return Err(DiscardVoteError::NotTestData);
    }
    match round {
        RoundStatus::Open | RoundStatus::Ended => Ok(()),
        RoundStatus::Declared => Err(DiscardVoteError::Declared),
    }
}

impl BallotService {
    /// Deletes a vote of test data, of `owner` only if there is one, and informs the live screens.
    ///
    /// # Errors
    /// Fails when there is no such vote, or it is not test data.
    pub async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<(), DiscardVoteError> {
        let meeting = self.ports.ballot_box.discard(owner, vote).await?;
        self.ports.signals.votes_changed(meeting).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_for_tests_if_a_name_starts_with_the_prefix() {
        for (client, meeting, is_test) in [
            ("TEST_CLIENT_1", "Assembly", true),
            ("Rowing Club", "TEST_Assembly", true),
            ("Rowing Club", "Assembly", false),
            ("Rowing Club", "My TEST_Assembly", false),
            ("test_club", "test_meeting", false),
        ] {
            assert_eq!(is_test_round(client, meeting), is_test, "{client} {meeting}");
        }
    }

    #[test]
    fn only_test_data_is_discarded() {
        for status in [RoundStatus::Open, RoundStatus::Ended] {
            assert!(check_discard(true, status).is_ok());
        }
        for status in [RoundStatus::Open, RoundStatus::Ended, RoundStatus::Declared] {
            assert!(matches!(check_discard(false, status), Err(DiscardVoteError::NotTestData)));
        }
    }

    #[test]
    fn a_declared_result_keeps_its_votes() {
        let refused = check_discard(true, RoundStatus::Declared);
        assert!(matches!(refused, Err(DiscardVoteError::Declared)));
    }
}
