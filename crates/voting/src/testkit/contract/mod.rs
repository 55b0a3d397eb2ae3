//! What every store of rounds and every ballot box must do. `voting_contract!(fresh)` expands to one test for each rule,
//! where `fresh` is an expression that makes an empty [`VotingFixture`].

pub mod ballot_box;
mod fixture;
pub mod rounds;
mod scene;

pub use fixture::{SeedMeeting, SeedQuestion, SeedVoter, VotingFixture};
pub use scene::Scene;

/// Runs the contract suites of [`crate::RoundStore`] and [`crate::BallotBox`].
#[macro_export]
macro_rules! voting_contract {
    ($fresh:expr) => {
        $crate::voting_contract! { @cases $fresh;
            rounds:
                opening_freezes_the_question_and_the_register
                opening_makes_the_question_the_current_one
                the_screen_shows_the_words_of_the_round_while_it_is_open
                another_clients_meeting_looks_missing
                a_question_of_another_meeting_looks_missing
                nothing_opens_in_a_meeting_that_is_not_active
                a_refused_opening_changes_nothing
                opening_twice_is_one_round
                opening_another_question_ends_the_first
                a_round_without_votes_is_frozen_anew
                a_round_with_votes_is_opened_again
                only_active_participants_are_in_the_register
                showing_a_question_ends_the_running_round_and_opens_nothing
                showing_nothing_works_in_any_meeting_and_twice
                one_of_many_racers_opens_the_round
                racers_for_different_questions_leave_one_open
                rounds_are_listed_the_earliest_first_with_their_votes
                votes_carry_the_weight_of_the_register
                a_voter_sees_the_last_round_of_each_question_in_the_order_of_the_agenda;
            ballot_box:
                every_kind_of_answer_is_kept_exactly
                a_second_ballot_of_a_voter_shows_the_first
                twenty_ballots_of_one_voter_at_once_are_one_vote
                of_different_ballots_of_one_voter_at_once_one_wins
                the_very_same_ballot_at_once_is_one_vote
                the_votes_of_many_voters_at_once_are_all_counted
                many_voters_who_all_repeat_at_once_are_counted_once_each
                ballots_for_several_rounds_at_once_are_kept_apart
                a_voter_who_is_not_in_the_register_is_refused
                a_voter_of_another_client_is_not_in_the_register
                a_round_that_has_ended_takes_no_votes
                a_round_that_does_not_exist_takes_no_votes
                a_round_that_is_opened_again_takes_votes
                someone_deactivated_after_the_opening_is_refused
                someone_removed_after_the_opening_is_refused
                a_vote_stored_before_wins_over_every_other_reason
                a_withdrawn_vote_can_be_cast_again
                nothing_is_withdrawn_from_a_round_that_has_ended
                a_vote_of_test_data_is_discarded_from_an_open_round_and_from_one_that_has_ended
                a_discarded_vote_can_be_cast_again
                a_vote_of_no_test_data_is_not_discarded
                a_real_vote_stays_real_whatever_its_client_and_meeting_are_called_later
                a_vote_of_test_data_stays_that_whatever_its_client_and_meeting_are_called_later
                a_round_that_is_frozen_anew_goes_by_the_names_of_that_moment
                a_vote_of_a_declared_result_is_not_discarded
                another_clients_vote_looks_missing
                one_of_many_racers_discards_the_vote;
        }
    };
    (@cases $fresh:expr; $($module:ident: $($case:ident)*;)*) => {$(
        mod $module {
            use super::*;
            $(
                #[tokio::test]
                async fn $case() {
                    let fixture = $fresh;
                    $crate::testkit::contract::$module::$case(&fixture).await;
                }
            )*
        }
    )*};
}
