//! What every store of meetings must do. `meetings_contract!(fresh)` expands to one test for each rule, where `fresh` is
//! an expression that makes an empty [`MeetingsFixture`].

pub mod agenda;
mod fixture;
pub mod meetings;
pub mod participants;
pub mod questions;
mod scene;
pub mod voters;

pub use fixture::MeetingsFixture;
pub use scene::Scene;

/// Runs the contract suites of [`crate::MeetingStore`], [`crate::ParticipantStore`], [`crate::QuestionStore`] and
/// [`crate::VoterMeetings`].
#[macro_export]
macro_rules! meetings_contract {
    ($fresh:expr) => {
        $crate::meetings_contract! { @cases $fresh;
            meetings:
                an_added_meeting_is_found_as_it_was
                every_field_can_be_changed_and_cleared
                another_clients_meeting_looks_missing
                a_refused_decision_stores_nothing
                one_of_many_racers_starts_the_meeting
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
                all_active_invites_those_of_this_moment
                inviting_twice_counts_once
                someone_unknown_or_of_another_client_invites_nobody
                the_limit_refuses_the_whole_addition
                racers_never_pass_the_limit
                those_taken_off_the_list_are_gone_and_the_rest_stays
                removing_the_last_does_not_open_the_meeting_to_everybody
                inviting_nobody_does_not_shut_everybody_out
                another_clients_list_looks_missing
                weights_are_exact;
            questions:
                questions_are_kept_in_the_order_of_their_addition
                every_type_is_kept_with_what_belongs_to_it
                two_questions_added_at_once_get_two_places
                another_clients_agenda_looks_missing;
            agenda:
                a_question_may_change_into_every_type_and_back
                options_may_swap_places_and_those_that_stay_keep_their_ids
                a_change_moves_no_question_elsewhere
                a_refused_change_stores_nothing
                a_change_is_decided_knowing_how_far_voting_has_come
                a_question_with_votes_asks_the_same_for_good
                an_open_question_asks_the_same_until_it_is_ended
                those_behind_a_removed_question_move_up
                a_question_without_votes_is_removed_with_its_rounds
                a_question_with_votes_is_not_removed
                a_copy_stands_right_behind_its_original
                a_copy_of_a_question_with_votes_has_none
                an_agenda_is_put_into_another_order
                an_order_of_other_questions_changes_nothing
                places_stay_without_gaps_in_any_mix
                places_stay_without_gaps_when_all_change_at_once
                a_full_agenda_takes_no_more
                another_clients_question_looks_missing
                one_of_many_racers_removes_the_question;
            voters:
                a_voter_sees_what_is_running_and_what_is_next_before_what_is_over
                a_voter_sees_the_meetings_that_they_are_invited_to
                a_voter_is_told_that_they_are_not_invited
                the_register_of_an_open_round_invites_whatever_the_list_says
                a_draft_looks_missing
                another_clients_meeting_looks_missing;
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
