//! What every store of this domain must keep, as one test for each rule.
//!
//! `clients_contract!(fresh)` expands to all of them, each on the stores that the async function `fresh` returns. It
//! runs on the fake (`tests/contract.rs`) and on PostgreSQL (`crates/adapter-postgres/tests/it/clients_contract.rs`).

pub mod account_store;
pub mod activity_source;
pub mod client_report_source;
pub mod client_store;
pub mod end_user_import;
pub mod end_user_store;
mod foreign_fixture;
pub mod password_store;
pub mod second_factor_store;
pub mod session_renewal;
pub mod session_store;
pub mod test_data;

use std::any::Any;
use std::sync::Arc;

use plenum_kernel::{Person, SearchText, SessionId};
use tokio::sync::Barrier;

use super::{InstantHasher, Samples};
use crate::{
    AccountStore, ActivitySource, Client, ClientReportSource, ClientStore, EndUser, EndUserStore, PasswordStore,
    SecondFactorStore, SessionStore,
};

pub use foreign_fixture::{ForeignFixture, SeedMeeting, SeedQuestion, SeedRound, SeedStatus};

/// Empty stores over one state.
pub struct Stores {
    /// Clients.
    pub clients: Arc<dyn ClientStore>,
    /// End users.
    pub end_users: Arc<dyn EndUserStore>,
    /// Everyone who signs in.
    pub accounts: Arc<dyn AccountStore>,
    /// Sign-ins.
    pub sessions: Arc<dyn SessionStore>,
    /// Passwords that are changed.
    pub passwords: Arc<dyn PasswordStore>,
    /// Second factors.
    pub factors: Arc<dyn SecondFactorStore>,
    /// What happened lately.
    pub activity: Arc<dyn ActivitySource>,
    /// How much clients use the product.
    pub reports: Arc<dyn ClientReportSource>,
    /// What other domains put beside all this.
    pub neighbours: Arc<dyn ForeignFixture>,
    /// What must live as long as the stores do.
    pub keeps_alive: Box<dyn Any + Send + Sync>,
}

impl Stores {
    /// Stores over a fake in memory.
    pub fn in_memory() -> Self {
        let fake = Arc::new(super::InMemoryClients::new());
        Self {
            clients: fake.clone(),
            end_users: fake.clone(),
            accounts: fake.clone(),
            sessions: fake.clone(),
            passwords: fake.clone(),
            factors: fake.clone(),
            activity: fake.clone(),
            reports: fake.clone(),
            neighbours: fake,
            keeps_alive: Box::new(()),
        }
    }

    /// Stores an active client with its administrator.
    async fn with_client(&self, samples: &Samples, code: &str) -> Client {
        let client = samples.client(code);
        self.add_client(samples, client.clone()).await;
        client
    }

    async fn add_client(&self, samples: &Samples, client: Client) {
        let admin = samples.admin_of(&client);
        self.clients.add(client, admin).await.expect("code and address are free");
    }

    /// Stores an active end user.
    async fn with_end_user(&self, samples: &Samples, client: &Client, username: &str) -> EndUser {
        let end_user = samples.end_user(client, username);
        self.add_end_user(end_user.clone()).await;
        end_user
    }

    async fn add_end_user(&self, end_user: EndUser) {
        let password = InstantHasher::hash_of(Samples::PASSWORD);
        self.end_users.add(end_user, password).await.expect("the username is free");
    }

    /// Opens a session with this refresh token.
    async fn with_session(&self, samples: &Samples, person: Person, refresh_token: &str) -> SessionId {
        let session = samples.session(person, refresh_token);
        let has_opened = self.sessions.open(session.clone()).await.expect("the store answers");
        assert!(has_opened, "the person is there, with the password of all samples");
        session.id
    }

    /// Whether the owner of the session may act by it.
    async fn stands(&self, session: SessionId) -> bool {
        let standing = self.sessions.standing(session).await.expect("the store answers");
        standing.is_some_and(|standing| standing.is_active)
    }
}

fn person(end_user: &EndUser) -> Person {
    Person::EndUser { end_user: end_user.id, client: end_user.client_id }
}

/// Starts all racers at the same moment and waits for what becomes of them.
async fn race<T, F>(racers: Vec<F>) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let start = Arc::new(Barrier::new(racers.len()));
    let running: Vec<_> = racers
        .into_iter()
        .map(|racer| {
            let start = start.clone();
            tokio::spawn(async move {
                start.wait().await;
                racer.await
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for racer in running {
        outcomes.push(racer.await.expect("no racer panics"));
    }
    outcomes
}

fn search(text: &str) -> Option<SearchText> {
    Some(SearchText::parse(text).expect("something to search for"))
}

/// One test for each rule of the contract, on the stores that the async function `$fresh` returns.
#[macro_export]
macro_rules! clients_contract {
    ($fresh:path) => {
        $crate::clients_contract!($fresh, client_store:
            a_client_is_found_with_its_administrator
            a_client_is_found_by_its_code
            an_unknown_client_is_not_found
            a_taken_code_is_refused_and_nothing_is_stored
            a_taken_address_is_refused_and_nothing_is_stored
            a_super_administrators_address_is_taken_too
            of_many_racers_for_one_code_one_wins
            of_many_racers_for_one_address_one_wins
            the_search_looks_at_name_code_and_contact_address_in_any_case
            percent_and_underscore_are_letters
            clients_are_filtered_by_status
            the_newest_client_comes_first_unless_sorted_by_name
            pages_carry_the_total_of_what_fits
            end_users_are_counted_for_each_client
            stats_count_by_status
            a_change_of_a_client_leaves_the_rest_as_it_was
            a_new_code_is_the_only_one
            a_code_of_another_client_is_refused_and_nothing_is_changed
            of_many_clients_that_race_for_one_new_code_one_wins
            a_client_that_is_not_there_is_not_changed
            the_contact_is_the_oldest_account
            a_new_password_signs_the_contact_out_and_nobody_else
            a_client_goes_with_everything_of_it_and_nothing_of_another
            what_a_removed_client_was_called_is_free_again
        );
        $crate::clients_contract!($fresh, end_user_store:
            every_field_is_kept_as_it_was
            weights_are_exact_decimals
            another_clients_end_user_looks_missing
            a_username_is_taken_in_any_case
            a_username_may_be_used_in_another_client
            of_many_racers_for_one_username_one_wins
            an_end_user_needs_a_client
            the_search_looks_at_name_username_and_address_in_any_case
            percent_and_underscore_are_letters
            end_users_are_filtered_by_activity
            end_users_are_sorted_by_name
            pages_carry_the_total_of_what_fits
            stats_weigh_those_who_are_active
            nothing_is_found_across_two_fields
            a_search_finds_what_was_changed_and_not_what_was_there_before
            a_change_of_an_end_user_leaves_the_rest_as_it_was
            what_may_be_missing_can_be_cleared
            another_end_users_username_is_refused_in_any_case_and_nothing_is_changed
            ones_own_username_may_be_written_in_another_case
            a_username_of_another_client_may_be_taken
            of_many_end_users_that_race_for_one_username_one_wins
            another_clients_end_user_is_neither_changed_nor_removed
            a_new_password_signs_the_end_user_out
            a_change_without_a_password_keeps_it_and_the_sessions
            deactivation_signs_the_end_user_out_for_good
            a_removed_end_user_is_gone_with_their_sessions
            a_username_is_free_again_after_its_owner
        );
        $crate::clients_contract!($fresh, end_user_import:
            an_import_adds_and_changes_many_at_once
            an_import_signs_out_whom_it_deactivates_or_gives_a_password
            an_import_with_a_taken_username_stores_nothing
            an_import_that_changes_somebody_who_is_not_there_stores_nothing
            an_import_changes_nobody_of_another_client
            of_imports_that_race_for_the_same_people_one_wins
            an_import_of_nobody_changes_nothing
        );
        $crate::clients_contract!($fresh, account_store:
            a_super_administrator_is_missed_until_there_is_one
            of_many_racers_one_makes_the_first_super_administrator
            an_account_signs_in_with_what_was_stored
            a_taken_address_is_refused
            of_many_racers_for_one_address_one_wins
            an_administrator_may_sign_in_only_while_the_client_is_active
            an_end_user_signs_in_by_code_or_id_in_any_case
            people_of_the_same_name_in_two_clients_are_two_people
            an_end_user_may_sign_in_only_while_they_and_the_client_are_active
            nobody_is_found_by_an_unknown_name
            everyone_has_a_profile
            nobody_has_a_profile_in_another_client
            accounts_of_every_client_and_super_administrators_are_listed
            the_search_looks_at_full_name_address_and_client_in_any_case
            the_newest_account_comes_first_unless_sorted_by_name
            pages_carry_the_total_of_what_fits
        );
        $crate::clients_contract!($fresh, session_store:
            an_opened_session_stands
            no_session_opens_for_someone_who_was_signed_out_meanwhile
            an_unknown_session_has_no_standing
            opening_a_session_is_the_last_sign_in
            an_ended_session_stands_no_longer
            a_session_stands_only_while_its_owner_may_act
            a_sign_in_long_after_the_last_one_leaves_sessions_of_others_alone
            the_sweep_removes_what_is_over_and_leaves_what_is_good
            the_sweep_goes_by_the_last_renewal
            the_sweep_keeps_used_tokens_until_they_expire
            the_sweep_removes_no_more_than_the_limit_of_each
            sessions_that_go_on_are_counted_by_kind
            sessions_that_are_over_are_not_counted
            people_see_their_own_sessions_that_go_on
            no_more_sessions_are_seen_than_asked_for
            a_session_is_ended_by_its_owner_and_by_nobody_else
            all_sessions_of_a_person_end_at_once_or_all_but_one
        );
        $crate::clients_contract!($fresh, session_renewal:
            a_refresh_token_is_renewed_for_its_owner
            an_unknown_refresh_token_is_refused
            a_refresh_token_that_expired_is_refused_and_its_session_stands
            a_refresh_token_lasts_as_long_as_was_asked_for
            a_used_refresh_token_is_good_for_a_moment
            a_used_refresh_token_has_one_successor
            a_token_whose_successor_was_used_on_another_device_ends_the_whole_family
            a_session_is_renewed_no_more_than_so_often
            a_used_refresh_token_that_comes_back_later_ends_the_whole_family
            tabs_that_race_with_one_token_are_all_renewed
            an_ended_session_is_not_renewed
            nobody_who_may_not_act_is_renewed
            a_renewal_that_races_with_the_end_of_all_sessions_brings_none_back
        );
        $crate::clients_contract!($fresh, password_store:
            everybody_has_the_password_that_they_sign_in_with
            a_changed_password_is_the_only_one
            a_changed_password_ends_all_sessions_but_the_one_that_asked
            a_password_that_was_changed_meanwhile_stays
            of_many_changes_at_once_one_wins
            a_reset_link_sets_a_password_once_and_signs_out_everywhere
            a_reset_link_is_void_after_its_time
            a_reset_link_is_void_after_another_change_of_the_password
            no_reset_link_is_kept_for_an_account_that_has_changed_meanwhile
            nobody_of_a_client_that_is_not_active_resets_a_password
            a_reset_link_goes_with_its_account
            of_many_who_use_one_reset_link_one_wins
        );
        $crate::clients_contract!($fresh, second_factor_store:
            what_is_begun_is_kept_and_not_asked_for
            what_is_begun_again_replaces_what_was_begun
            nothing_is_begun_by_another_password_or_where_one_is_on
            what_is_confirmed_is_asked_for
            what_is_confirmed_ends_all_sessions_but_the_one_that_asked
            a_code_opens_one_session_and_none_before_it_opens_another
            of_many_who_come_with_one_code_one_is_let_in
            a_recovery_code_opens_one_session
            of_many_who_come_with_one_recovery_code_one_is_let_in
            a_proof_is_good_for_its_account_alone
            no_proof_is_good_where_nothing_is_asked
            new_recovery_codes_replace_the_old_ones
            what_is_removed_is_asked_for_no_more
            nothing_is_renewed_or_removed_without_a_proof_that_is_good
            what_is_taken_away_ends_all_sessions
            a_second_factor_goes_with_its_account
            everybody_with_an_account_is_its_owner
        );
        $crate::clients_contract!($fresh, activity_source:
            where_nothing_happened_there_is_nothing_to_tell
            end_users_who_were_added_at_one_time_are_told_together
            end_users_who_were_added_within_ten_minutes_are_told_together
            a_meeting_is_told_when_it_was_created_started_and_ended
            a_round_is_told_with_how_many_voted
            the_last_sign_in_to_each_account_is_told_and_no_voters
            the_newest_comes_first_and_no_more_than_asked_for
            what_happened_at_one_moment_stands_in_the_order_of_its_course
            a_client_is_told_nothing_of_another
            the_platform_is_told_everything_and_where
            what_is_removed_is_told_no_more
        );
        $crate::clients_contract!($fresh, client_report_source:
            an_empty_client_is_reported_with_zeros
            everything_of_a_client_is_counted_and_nothing_of_another
            the_last_activity_is_the_newest_that_the_feed_tells
            reports_are_searched_filtered_sorted_and_paged_as_clients_are
        );
        $crate::clients_contract!($fresh, test_data:
            test_data_changes_no_figure_of_a_client_that_is_none
            a_client_that_is_test_data_counts_nowhere_but_in_itself
            what_is_test_data_counts_under_another_name
            what_is_only_called_a_test_counts
        );
    };
    ($fresh:path, $suite:ident: $($case:ident)*) => {
        mod $suite {
            use super::*;

            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    $crate::testkit::contract::$suite::$case(&$fresh().await).await;
                }
            )*
        }
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_rule_is_forgotten_in_the_macro() {
        let listed = include_str!("mod.rs");
        let suites = [
            include_str!("account_store.rs"),
            include_str!("activity_source.rs"),
            include_str!("client_report_source.rs"),
            include_str!("client_store.rs"),
            include_str!("end_user_import.rs"),
            include_str!("end_user_store.rs"),
            include_str!("password_store.rs"),
            include_str!("second_factor_store.rs"),
            include_str!("session_renewal.rs"),
            include_str!("session_store.rs"),
            include_str!("test_data.rs"),
        ];
        let is_listed = |case: &str| listed.lines().any(|line| line.trim() == case);
        for suite in suites {
            let cases = suite.lines().filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next());
            for case in cases {
                assert!(is_listed(case), "{case}");
            }
        }
    }
}
