//! The contract of the stores of rounds and results and of the ballot box. `voting_contract!(fresh)` expands to one test for each rule,
//! where `fresh` is an expression that makes an empty [`VotingFixture`].

pub mod archives;
pub mod ballot_box;
pub mod counting;
pub mod curations;
pub mod elections;
mod fixture;
pub mod groups;
pub mod paper_votes;
pub mod passwords;
pub mod presence;
pub mod proxies;
pub mod purges;
pub mod random_meetings;
pub mod records;
pub mod register;
pub mod register_changes;
pub mod results;
pub mod rounds;
pub mod rules;
mod scene;
pub mod secret_rounds;
pub mod steps;
pub mod timestamps;
pub mod urn_keys;
pub mod weight_kinds;

pub use fixture::{SeedKinds, SeedMeeting, SeedPassword, SeedQuestion, SeedTerms, SeedVoter, VotingFixture};
pub use scene::Scene;

/// Runs the contract suites of [`crate::RoundStore`], [`crate::ProxyStore`], [`crate::PaperVotes`], [`crate::RegisterChanges`], [`crate::ResultStore`],
/// [`crate::CurationStore`], [`crate::ResultRecords`], [`crate::UrnStore`], [`crate::PurgeStore`], [`crate::Archives`] and [`crate::BallotBox`].
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
                a_reopening_logs_everybody_who_joins_the_register
                a_reopening_never_registers_two_people_under_one_username
                only_active_participants_are_in_the_register
                test_people_are_in_the_register_only_among_test_data
                showing_a_question_ends_the_running_round_and_opens_nothing
                showing_nothing_works_in_any_meeting_and_twice
                one_of_many_racers_opens_the_round
                racers_for_different_questions_leave_one_open
                rounds_are_listed_the_earliest_first_with_their_votes
                votes_carry_the_weight_of_the_register
                a_voter_sees_the_last_round_of_each_question_in_the_order_of_the_agenda;
            elections:
                marks_are_counted_by_the_frozen_terms
                a_decision_of_a_tie_is_stored_once_with_its_people
                answers_of_the_elected_are_added_beside_the_result;
            steps:
                every_change_of_the_screen_is_a_step_and_nothing_else_is
                a_step_on_an_older_state_is_refused_and_changes_nothing
                a_meeting_that_has_ended_meanwhile_is_an_older_state
                a_repeated_step_succeeds_on_any_seen_state
                one_of_several_steps_on_the_same_state_is_made
                a_countdown_is_set_moved_and_taken_off
                without_an_open_round_there_is_no_countdown
                a_later_action_in_another_meeting_changes_no_time
                a_round_ends_when_its_time_has_come_and_not_before
                a_round_that_was_overdue_for_long_takes_votes_until_it_is_ended
                a_countdown_that_was_moved_or_taken_off_ends_nothing
                a_round_that_is_ended_and_opened_again_has_no_countdown
                closing_times_come_the_earliest_first
                another_clients_countdown_looks_missing;
            register:
                a_register_lists_by_name_whether_each_person_has_voted
                a_register_is_searched_and_shown_in_pages
                a_register_keeps_deleted_people
                another_clients_register_looks_missing
                a_vote_is_found_in_its_round_and_nowhere_else;
            register_changes:
                an_excluded_person_is_not_registered_when_the_question_opens
                a_person_excluded_from_an_open_question_can_no_longer_vote
                a_person_who_has_voted_is_not_excluded
                a_person_is_excluded_once
                an_exclusion_leaves_other_questions_and_past_rounds_alone
                exclusions_are_listed_by_name
                a_reopened_round_omits_people_excluded_meanwhile
                an_exclusion_is_lifted_for_the_next_opening
                an_exclusion_from_an_open_question_is_not_lifted
                a_latecomer_votes_with_the_weight_of_that_moment
                a_latecomer_comes_onto_the_participant_list
                an_excluded_person_is_admitted_to_the_running_round
                a_registered_person_is_not_admitted_again
                a_round_that_has_ended_admits_no_one
                a_person_without_a_vote_cannot_be_admitted
                exclusions_go_with_their_end_user
                an_excluded_person_is_logged_under_the_name_of_their_admission
                an_exclusion_is_logged_with_name_and_weight_of_the_register
                an_exclusion_from_a_round_that_counts_heads_is_logged_as_one
                one_of_many_concurrent_exclusions_and_admissions_succeeds
                another_clients_register_is_not_changed;
            results:
                terms_and_register_are_frozen_when_the_round_opens
                connected_voters_are_those_of_the_first_opening
                a_question_without_terms_has_none_in_its_round
                actions_on_a_round_are_logged_with_names
                later_actions_are_logged_later_on_any_clock
                an_open_round_gives_no_votes_and_its_count_is_taken_anew
                another_clients_result_looks_missing
                a_declared_result_stays_as_it_is
                an_open_or_changed_round_is_not_declared
                one_of_many_racers_declares
                a_re_vote_is_a_new_round_and_the_earlier_ones_stay
                a_re_vote_needs_a_round_with_votes_that_is_over
                a_re_vote_that_is_frozen_anew_keeps_its_reason
                a_missing_quorum_prevents_an_opening_if_the_meeting_requires_it
                the_quorum_of_question_or_meeting_prevents_an_opening
                ended_rounds_come_in_the_order_of_the_agenda
                papers_contain_the_whole_register_with_the_votes
                a_voter_sees_declared_rounds_only_with_the_own_vote
                the_big_screen_has_the_declared_result_of_the_question_on_it;
            counting:
                a_count_is_a_logged_step_and_a_repeat_changes_nothing
                a_counted_round_never_reopens_and_a_revote_is_possible
                an_open_round_and_an_older_state_are_refused
                another_clients_round_cannot_be_counted
                a_survey_with_votes_is_counted_at_its_end_where_the_meeting_says_so
                a_question_with_a_rule_is_never_counted_by_itself
                a_declaration_counts_a_round_that_nobody_has_counted;
            rules:
                a_casting_vote_is_stored_once_and_decides
                a_round_that_is_open_or_declared_takes_no_casting_vote
                on_a_second_call_its_own_quorum_is_frozen;
            curations:
                a_round_that_nobody_has_curated_has_version_0
                a_curation_is_read_as_it_was_stored
                a_curation_of_an_older_version_is_refused_and_changes_nothing
                one_of_many_concurrent_curations_is_stored
                a_declared_round_can_be_curated_and_its_record_stays
                a_round_that_was_voted_on_again_is_not_curated
                another_clients_curation_looks_missing;
            records:
                a_declaration_writes_one_record
                another_clients_record_looks_missing
                each_record_is_linked_to_the_one_before_it
                a_result_from_before_is_recorded_later_once
                meetings_with_records_come_the_latest_first
                a_record_is_found_by_its_hash_whoever_owns_it
                a_record_of_any_client_is_found_by_its_hash;
            purges:
                a_purge_removes_a_completed_meeting_under_a_document_that_names_its_records
                a_purge_leaves_everything_else
                a_running_meeting_is_never_due
                a_meeting_with_a_younger_record_is_not_due
                a_repeated_purge_finds_nothing
                one_of_many_purges_at_once_removes_it;
            timestamps:
                records_without_a_timestamp_wait_the_oldest_first
                the_first_timestamp_of_a_record_stays
                a_timestamp_of_a_record_that_is_gone_is_dropped
                another_clients_timestamps_look_missing;
            secret_rounds:
                a_secret_round_needs_a_key
                the_share_of_a_key_is_stored_until_the_urn_is_opened
                a_key_is_not_kept_for_a_question_that_is_not_secret
                a_register_in_which_votes_could_be_inferred_is_refused_unless_accepted
                a_crowd_of_five_equal_weights_opens_without_a_warning
                a_question_can_count_heads_and_its_register_has_the_weight_1
                texts_and_numbers_of_a_secret_round_count_heads
                a_sealed_vote_has_no_time_and_equal_bytes_are_the_same_vote
                the_same_envelope_many_times_at_once_is_one_vote
                the_urn_is_opened_once_and_only_sums_are_left
                envelopes_that_do_not_open_are_invalid_ballots
                different_weights_leave_sums_for_each_option
                texts_and_numbers_are_kept_sorted
                an_urn_in_which_votes_could_be_inferred_is_opened_only_if_accepted
                an_empty_urn_is_opened_without_a_warning
                a_secret_round_is_never_counted_by_itself
                a_closed_urn_cannot_be_declared
                without_its_key_a_round_is_not_counted_and_becomes_void
                a_void_round_without_votes_is_held_again
                a_forecast_knows_the_weights_of_those_who_may_vote
                another_clients_secret_round_is_not_void
                a_reopened_secret_round_keeps_its_key_and_envelopes
                a_re_vote_of_a_secret_round_has_a_key_of_its_own
                a_voter_sees_that_the_own_sealed_vote_is_there_and_no_answer
                other_rounds_have_no_urn;
            archives:
                an_imported_archive_is_read_as_it_was
                a_repeated_import_is_the_same_archive
                archives_come_in_pages_the_latest_import_first
                an_archive_is_removed_once;
            passwords:
                a_password_that_is_set_in_an_open_round_is_logged_with_its_reason
                without_a_reason_no_password_is_set_in_an_open_round
                only_open_rounds_log_a_password
                a_round_for_tests_needs_no_reason_and_logs_nothing
                a_password_that_was_set_while_a_round_was_closed_is_logged_when_it_reopens
                a_password_of_somebody_who_was_excluded_before_is_not_logged_at_a_reopening;
            groups:
                the_register_has_the_members_of_the_groups_of_meeting_and_question
                a_person_in_two_groups_is_registered_once
                a_round_keeps_the_names_of_its_groups
                a_question_for_an_empty_group_has_an_empty_register
                a_reopening_adds_new_members_and_keeps_those_who_left
                somebody_outside_the_groups_is_not_admitted
                a_member_who_is_not_in_the_register_casts_no_vote
                a_forecast_knows_the_weights_of_the_members
                a_rule_is_measured_in_each_of_its_groups;
            weight_kinds:
                a_round_counts_by_the_kind_of_its_question_or_else_of_its_meeting
                a_round_keeps_its_kinds_and_the_values_of_its_opening
                two_weights_are_counted_and_decide_together
                a_second_weight_is_counted_in_each_group
                with_check_in_the_absent_count_by_the_second_weight_as_well
                latecomers_and_those_who_join_have_the_weights_of_the_round
                a_quorum_by_weight_is_in_the_kind
                the_largest_weights_are_added_exactly
                a_register_that_cannot_be_counted_exactly_does_not_open
                a_vote_that_counts_heads_has_no_kind
                a_forecast_knows_the_weights_of_the_kind
                people_without_a_value_of_the_kind_are_named;
            proxies:
                a_holder_casts_the_vote_of_a_principal_once
                nobody_votes_for_somebody_without_a_proxy
                a_proxy_rests_once_the_principal_has_voted
                the_votes_of_many_principals_and_their_holder_at_once_are_one_each
                proxies_are_those_of_the_opening
                a_revocation_counts_at_once_unless_the_vote_is_cast
                a_principal_revokes_only_what_they_granted
                one_of_several_grants_at_the_limit_wins
                several_proxies_are_granted_together_or_not_at_all
                a_proxy_counts_on_its_questions
                represented_people_are_counted_beside_the_present
                a_reopening_keeps_who_was_represented_at_the_opening
                a_reopening_needs_a_quorum_of_those_who_attend_then_each_once
                a_represented_member_attends_in_each_group_of_a_rule
                with_check_in_the_represented_are_registered_and_a_proxy_rests_on_arrival
                an_admitted_holder_brings_the_principals_and_an_admitted_principal_the_proxy
                the_proxies_of_a_person_are_those_given_and_held
                a_voter_learns_whether_the_meeting_has_proxies
                only_questions_of_the_meeting_are_without_proxies
                another_clients_proxies_look_missing;
            paper_votes:
                a_batch_counts_once_another_teller_confirms_it
                the_result_says_how_many_votes_came_which_way
                an_earlier_vote_counts_and_the_paper_does_not
                a_phone_after_the_paper_learns_where_the_vote_was_cast
                phones_and_papers_at_once_are_one_vote_each
                one_of_several_confirmations_at_once_counts
                numbers_without_names_count_for_all_people_or_for_none
                a_discarded_batch_counts_nothing_and_frees_its_people
                a_repeated_entry_is_the_same_batch
                a_batch_is_for_people_of_the_register_without_a_vote
                somebody_who_may_not_vote_any_more_is_not_counted
                nothing_is_entered_or_confirmed_after_the_end
                a_round_in_which_votes_on_paper_wait_is_not_counted
                a_secret_vote_takes_no_paper
                a_round_has_a_largest_number_of_batches
                a_voting_place_gives_ballots_to_whoever_can_vote
                another_clients_batches_look_missing;
            presence:
                present_voters_were_connected_or_voted
                a_reopening_counts_the_connected_people_whom_it_registers
                an_excluded_person_is_present_only_with_a_vote
                a_round_of_the_older_rule_keeps_it
                with_check_in_the_register_has_those_who_are_present
                with_check_in_a_quorum_counts_everybody_who_could_vote
                who_comes_late_is_admitted_and_no_longer_absent
                a_reopening_adds_those_who_came_meanwhile;
            ballot_box:
                every_kind_of_answer_is_kept_exactly
                a_second_ballot_of_a_voter_shows_the_first
                twenty_ballots_of_one_voter_at_once_are_one_vote
                one_of_several_concurrent_ballots_of_a_voter_wins
                the_very_same_ballot_at_once_is_one_vote
                the_votes_of_many_voters_at_once_are_all_counted
                many_voters_who_all_repeat_at_once_are_counted_once_each
                ballots_for_several_rounds_at_once_are_kept_apart
                a_voter_who_is_not_in_the_register_is_refused
                a_voter_of_another_client_is_not_in_the_register
                a_round_that_has_ended_takes_no_votes
                a_round_that_does_not_exist_takes_no_votes
                a_round_that_is_opened_again_takes_votes
                a_person_deactivated_after_the_opening_is_refused
                a_person_removed_after_the_opening_is_refused
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

/// Runs the contract suite of [`crate::UrnKeys`]. `fresh` is an expression that makes a value that dereferences to keys without
/// any share.
#[macro_export]
macro_rules! urn_keys_contract {
    ($fresh:expr) => {
        $crate::urn_keys_contract! { @cases $fresh;
            a_key_opens_what_was_sealed_for_it_in_its_order
            an_envelope_opens_for_its_round_and_voter_only
            envelopes_of_a_question_have_one_size_and_are_never_the_same
            what_cannot_be_sealed_is_refused
            the_public_key_follows_from_both_shares
            a_share_of_the_database_that_does_not_fit_is_refused
            a_destroyed_share_is_lost_and_others_stay
            held_shares_are_listed
            a_key_that_is_prepared_again_replaces_nothing;
        }
    };
    (@cases $fresh:expr; $($case:ident)*;) => {$(
        #[tokio::test]
        async fn $case() {
            let keys = $fresh;
            $crate::testkit::contract::urn_keys::$case(&*keys).await;
        }
    )*};
}
