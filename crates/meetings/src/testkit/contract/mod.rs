//! The contract of the stores of meetings. `meetings_contract!(fresh)` expands to one test for each rule, where `fresh` is
//! an expression that makes an empty [`MeetingsFixture`].

pub mod agenda;
pub mod attendance;
pub mod check_ins;
pub mod closings;
mod fixture;
pub mod groups;
pub mod invitations;
pub mod meetings;
pub mod participants;
pub mod questions;
pub mod rehearsals;
pub mod remarks;
mod scene;
pub mod test_data;
pub mod voters;
pub mod weight_kinds;

pub use fixture::{Amended, MeetingsFixture};
pub use scene::Scene;

/// Runs the contract suites of [`crate::MeetingStore`], [`crate::ParticipantStore`], [`crate::QuestionStore`],
/// [`crate::VoterMeetings`], [`crate::InvitationStore`], [`crate::AttendanceStore`],
/// [`crate::RemarkStore`] and [`crate::RehearsalStore`].
#[macro_export]
macro_rules! meetings_contract {
    ($fresh:expr) => {
        $crate::meetings_contract! { @cases $fresh;
            meetings:
                an_added_meeting_is_found_as_it_was
                a_meeting_is_stored_with_its_agenda
                a_copy_has_the_agenda_and_the_list_of_its_original
                erased_people_are_not_on_the_list_of_a_copy
                another_clients_meeting_is_not_copied
                every_field_can_be_changed_and_cleared
                another_clients_meeting_is_not_found
                a_refused_decision_stores_nothing
                one_of_many_racers_starts_the_meeting
                one_of_several_steps_on_the_same_state_is_made
                an_invitation_link_is_made_once_by_many_racers
                a_link_leads_to_its_meeting_and_client
                the_latest_come_first_unless_titles_are_asked_for
                search_treats_percent_and_underscore_as_letters
                search_looks_into_title_and_description_in_any_case
                a_status_filters_the_list
                a_page_shows_a_part_and_the_total
                stats_count_every_status
                counts_follow_the_participant_list_and_the_agenda
                a_removed_meeting_takes_what_is_in_it_and_nothing_else
                a_running_meeting_is_not_removed
                another_clients_meeting_is_not_removed
                one_of_many_racers_removes_the_meeting;
            participants:
                without_a_list_every_active_end_user_is_invited_by_name
                from_the_first_invitation_on_the_list_decides
                all_active_opens_the_meeting_to_everybody
                all_active_with_a_limit_are_the_active_people_of_this_moment
                removing_people_from_everybody_creates_a_list_of_all_others
                an_invitation_tells_whether_the_meeting_got_or_lost_its_list
                inviting_nobody_returns_the_number_of_participants
                a_meeting_for_more_than_its_limit_does_not_run
                inviting_twice_counts_once
                an_unknown_or_foreign_person_prevents_the_invitation
                the_limit_refuses_the_whole_addition
                concurrent_additions_never_exceed_the_limit
                removed_people_leave_the_list_and_others_stay
                removing_the_last_does_not_open_the_meeting_to_everybody
                inviting_nobody_excludes_nobody
                another_clients_list_is_not_found
                a_page_and_a_search_contain_participants_only
                weights_are_exact;
            questions:
                questions_are_kept_in_the_order_of_their_addition
                every_type_is_kept_with_its_fields
                terms_are_kept_exactly
                two_questions_added_at_once_get_two_positions
                questions_are_added_together_in_order_or_not_at_all
                another_clients_agenda_is_not_found;
            agenda:
                a_question_may_change_into_every_type_and_back
                options_may_swap_places_and_those_that_stay_keep_their_ids
                a_change_moves_no_question_elsewhere
                a_refused_change_stores_nothing
                a_change_is_decided_knowing_how_far_voting_has_come
                a_question_with_votes_asks_the_same_for_good
                an_open_question_asks_the_same_until_it_is_ended
                a_question_with_votes_keeps_its_terms
                questions_after_a_removed_one_move_up
                a_question_without_votes_is_removed_with_its_rounds
                a_question_with_votes_is_not_removed
                a_copy_stands_right_behind_its_original
                a_copy_of_a_question_with_votes_has_none
                a_ballot_of_an_election_is_continued_once
                an_agenda_is_put_into_another_order
                an_order_of_other_questions_changes_nothing
                positions_stay_without_gaps_in_any_mix
                positions_stay_without_gaps_when_all_change_at_once
                a_full_agenda_takes_no_more
                a_question_of_another_client_is_not_found
                one_of_many_racers_removes_the_question;
            voters:
                a_voter_sees_what_is_running_and_what_is_next_before_what_is_over
                a_voter_sees_the_meetings_that_they_are_invited_to
                a_voter_sees_that_they_are_not_invited
                the_register_of_an_open_round_invites_whatever_the_list_says
                a_draft_is_found_and_asks_nobody_in
                a_voter_sees_where_a_rehearsal_runs
                another_clients_meeting_is_not_found;
            groups:
                a_meeting_for_groups_is_for_their_members_only
                members_on_the_list_take_part_and_others_do_not
                a_group_narrows_the_list_of_participants
                people_outside_the_groups_are_listed_on_request
                groups_are_kept_with_meetings_and_questions_and_in_copies
                groups_of_others_are_refused_and_nothing_is_stored
                a_question_with_votes_keeps_its_groups;
            weight_kinds:
                kinds_are_kept_with_meetings_and_questions_and_in_copies
                kinds_of_others_are_refused_and_nothing_is_stored
                a_question_with_votes_keeps_its_kinds;
            invitations:
                everyone_who_can_be_written_to_is_queued_once
                the_list_of_the_invited_decides_who_is_meant
                the_link_is_made_once_and_stays
                a_claimed_invitation_contains_its_data
                a_claimed_invitation_to_a_meeting_with_check_in_says_so
                a_personal_link_is_in_the_invitation_that_it_was_made_for
                those_who_never_signed_in_are_queued_alone
                the_longest_due_comes_first
                each_invitation_is_claimed_by_one_of_many_racers
                each_person_is_queued_once_by_many_concurrent_orders
                outcomes_are_stored_and_listed
                an_invited_person_gets_another_invitation_only_by_name
                an_undelivered_invitation_waits_and_is_retried
                stopping_makes_each_what_it_was_before
                an_abandoned_invitation_counts_as_perhaps_sent
                a_late_outcome_tells_the_truth_unless_it_was_queued_anew
                outdated_recipients_get_no_mail
                an_order_with_an_uninvited_person_is_refused
                a_meeting_that_is_over_takes_no_order
                the_list_can_be_searched_filtered_and_paged
                another_clients_invitations_are_not_found
                invitations_go_with_their_meeting_and_their_end_user;
            check_ins:
                a_person_comes_and_goes_with_times_and_authors
                who_is_in_already_stays_in_by_the_first_entry
                a_repeated_entry_is_the_same_entry
                an_entry_of_a_desk_without_a_network_has_both_times
                two_desks_with_one_person_at_once_make_one_entry
                only_people_of_the_meeting_are_checked_in
                nobody_is_checked_in_without_check_in_or_after_the_end
                check_in_is_not_switched_while_a_round_is_open
                the_list_is_searched_filtered_and_paged
                a_desk_reads_people_in_parts_and_what_changed_since
                codes_change_and_are_of_one_meeting
                desks_are_made_listed_found_and_revoked
                another_clients_meeting_is_not_found;
            attendance:
                present_people_are_noted_in_heads_and_in_weight
                people_on_the_list_are_eligible
                changes_are_noted_once_a_minute
                the_end_is_noted_and_nothing_after_it
                notes_keep_the_quorum_of_their_moment
                a_meeting_that_is_not_running_has_no_notes
                another_clients_meeting_is_not_found
                notes_go_with_their_meeting;
            remarks:
                remarks_come_the_earliest_first_with_the_name_of_who_wrote_them
                before_the_first_opening_a_struck_remark_is_gone
                from_the_first_opening_on_a_struck_remark_stays
                a_meeting_holds_so_many_remarks_and_no_more
                another_clients_remarks_are_not_found
                remarks_go_with_their_meeting;
            closings:
                a_meeting_that_ends_gets_a_closing_record
                a_second_end_writes_a_second_closing_record
                one_of_many_racers_closes_the_meeting
                a_change_after_the_end_is_told
                remarks_and_questions_after_the_end_are_told
                a_meeting_that_ended_earlier_is_closed_later
                closing_records_outlive_their_meeting_unless_it_is_test_data;
            test_data:
                a_test_meeting_is_in_the_list_and_not_in_the_numbers
                an_opened_round_settles_whether_a_meeting_is_test_data
                a_client_that_is_test_data_counts_its_own
                everybody_means_test_people_only_among_test_data
                inviting_all_who_are_active_means_everybody_too
                people_on_the_list_count_whatever_their_names
                no_test_person_is_written_to_of_a_meeting_for_everybody;
            rehearsals:
                a_rehearsal_has_the_name_of_its_organizer
                no_rehearsal_runs_before_or_after_its_time_or_beside_a_round
                the_next_rehearsal_takes_the_place_of_the_one_before
                ending_twice_is_ending_once
                a_discarded_rehearsal_is_gone_with_its_answers
                the_first_times_of_an_answer_stay
                an_answer_to_another_rehearsal_is_not_recorded
                only_eligible_voters_are_asked
                a_rehearsal_ends_with_its_meeting
                the_report_tells_how_each_stands_by_name
                the_report_is_searched_filtered_and_shown_in_pages
                devices_that_cannot_seal_a_ballot_are_counted_and_found
                presence_is_reported_without_a_rehearsal_too
                one_of_many_racers_starts_the_rehearsal
                a_whole_hall_answers_at_once_and_each_repeats
                another_clients_rehearsal_is_not_found
                rehearsals_go_with_their_meeting_and_answers_with_their_end_user;
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
