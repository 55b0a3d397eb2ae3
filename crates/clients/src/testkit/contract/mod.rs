//! The contract of every store of this domain, as one test for each rule.
//!
//! `clients_contract!(fresh)` expands to all tests, each on the stores that the async function `fresh` returns. It runs
//! on the in-memory stores (`tests/it/contract.rs`) and on PostgreSQL
//! (`crates/adapter-postgres/tests/it/clients_contract.rs`).

pub mod account_store;
pub mod activity_source;
pub mod branding_store;
pub mod client_report_source;
pub mod client_store;
pub mod end_user_erasure;
pub mod end_user_import;
pub mod end_user_store;
mod foreign_fixture;
pub mod group_store;
pub mod join_link_store;
pub mod password_store;
pub mod second_factor_store;
pub mod session_renewal;
pub mod session_store;
pub mod test_data;
pub mod weight_kind_store;

use std::any::Any;
use std::sync::Arc;

use plenum_kernel::{Person, SearchText, SessionId};
use tokio::sync::Barrier;

use super::{InstantHasher, Samples};
use crate::{
    AccountStore, ActivitySource, BrandingStore, Client, ClientReportSource, ClientStore, EndUser, EndUserStore,
    GroupStore, JoinLinkStore, PasswordStore, SecondFactorStore, SessionStore, WeightKindStore,
};

pub use foreign_fixture::{ForeignFixture, SeedMeeting, SeedQuestion, SeedRound, SeedStatus};

/// Empty stores over one state.
pub struct Stores {
    /// Clients.
    pub clients: Arc<dyn ClientStore>,
    /// End users.
    pub end_users: Arc<dyn EndUserStore>,
    /// Groups.
    pub groups: Arc<dyn GroupStore>,
    /// Kinds of weight.
    pub weight_kinds: Arc<dyn WeightKindStore>,
    /// Accounts and profiles.
    pub accounts: Arc<dyn AccountStore>,
    /// Sessions.
    pub sessions: Arc<dyn SessionStore>,
    /// Passwords and reset links.
    pub passwords: Arc<dyn PasswordStore>,
    /// Second factors.
    pub factors: Arc<dyn SecondFactorStore>,
    /// Personal links.
    pub join_links: Arc<dyn JoinLinkStore>,
    /// Logos and accent colors.
    pub branding: Arc<dyn BrandingStore>,
    /// Recent events.
    pub activity: Arc<dyn ActivitySource>,
    /// Reports on clients.
    pub reports: Arc<dyn ClientReportSource>,
    /// Data of other domains.
    pub foreign: Arc<dyn ForeignFixture>,
    /// A value that must live as long as the stores.
    pub keeps_alive: Box<dyn Any + Send + Sync>,
}

impl Stores {
    /// Stores in memory.
    pub fn in_memory() -> Self {
        let fake = Arc::new(super::InMemoryClients::new());
        Self {
            clients: fake.clone(),
            end_users: fake.clone(),
            groups: fake.clone(),
            weight_kinds: fake.clone(),
            accounts: fake.clone(),
            sessions: fake.clone(),
            passwords: fake.clone(),
            factors: fake.clone(),
            join_links: fake.clone(),
            branding: fake.clone(),
            activity: fake.clone(),
            reports: fake.clone(),
            foreign: fake,
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

    /// Whether the session is active.
    async fn is_active(&self, session: SessionId) -> bool {
        let session_state = self.sessions.session_state(session).await.expect("the store answers");
        session_state.is_some_and(|session_state| session_state.is_active)
    }
}

fn person(end_user: &EndUser) -> Person {
    Person::EndUser { end_user: end_user.id, client: end_user.client_id }
}

/// Starts all racers at the same moment, and waits for their results.
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
            one_of_many_concurrent_calls_gets_a_code
            one_of_many_concurrent_calls_gets_an_address
            the_search_covers_name_code_and_contact_address_in_any_case
            percent_and_underscore_are_ordinary_characters
            clients_are_filtered_by_status
            the_newest_client_comes_first_unless_sorted_by_name
            pages_carry_the_total_of_all_matches
            end_users_are_counted_for_each_client
            stats_count_by_status
            a_change_of_a_client_leaves_all_other_fields
            a_former_code_still_leads_to_its_client
            nobody_else_gets_a_former_code
            the_owners_of_codes_are_found_together
            a_code_that_is_given_up_and_wanted_at_once_stays_with_its_client
            another_clients_code_is_refused_and_nothing_is_changed
            one_of_many_clients_gets_one_new_code_by_concurrent_changes
            an_unknown_client_is_not_changed
            the_contact_is_the_oldest_account
            a_new_password_signs_out_the_contact_only
            a_client_is_removed_with_all_its_data_and_no_other_data
            the_names_of_a_removed_client_are_free_again
        );
        $crate::clients_contract!($fresh, end_user_store:
            all_fields_are_returned_as_stored
            weights_are_exact_decimals
            another_clients_end_user_is_not_found
            a_username_is_taken_in_any_case
            a_username_is_taken_in_the_lower_case_of_the_program
            a_username_may_be_used_in_another_client
            one_of_many_concurrent_calls_gets_a_username
            an_end_user_needs_a_client
            the_search_covers_name_username_and_address_in_any_case
            percent_and_underscore_are_ordinary_characters
            end_users_are_filtered_by_activity
            end_users_are_sorted_by_name
            pages_carry_the_total_of_all_matches
            stats_sum_the_weights_of_active_end_users
            a_search_matches_within_one_field
            a_search_finds_new_values_and_not_old_ones
            a_change_of_an_end_user_leaves_all_other_fields
            optional_fields_can_be_cleared
            another_end_users_username_is_refused_in_any_case_and_nothing_is_changed
            the_case_of_ones_own_username_may_change
            a_username_of_another_client_may_be_taken
            one_of_many_end_users_gets_one_new_username_by_concurrent_changes
            another_clients_end_user_is_neither_changed_nor_removed
            a_new_password_signs_the_end_user_out
            a_change_without_a_password_keeps_it_and_the_sessions
            deactivation_signs_the_end_user_out_for_good
            an_end_user_is_removed_with_their_sessions
            the_username_of_a_removed_end_user_is_free_again
        );
        $crate::clients_contract!($fresh, end_user_erasure:
            an_erased_end_user_keeps_no_personal_data_and_no_session
            an_erasure_needs_the_own_username_and_happens_once
            inactive_end_users_are_found_once_in_the_order_of_ids
            the_rule_erases_nobody_who_came_back
            a_username_makes_nobody_erased
        );
        $crate::clients_contract!($fresh, end_user_import:
            an_import_adds_and_changes_many_at_once
            an_import_signs_out_end_users_with_a_deactivation_or_a_new_password
            an_import_with_a_taken_username_stores_nothing
            an_import_that_changes_a_missing_end_user_stores_nothing
            an_import_changes_no_end_user_of_another_client
            one_of_several_concurrent_imports_of_the_same_people_succeeds
            an_empty_import_changes_nothing
        );
        $crate::clients_contract!($fresh, group_store:
            groups_are_listed_by_name_with_their_numbers_of_members
            a_name_is_taken_in_any_case
            a_name_is_taken_in_the_lower_case_of_the_program
            a_name_is_taken_with_any_number_of_blanks
            one_of_many_concurrent_calls_gets_a_name
            no_client_has_more_groups_than_the_limit
            a_renamed_group_keeps_its_members
            members_are_added_and_removed_together_or_not_at_all
            no_person_is_in_more_groups_than_the_limit
            a_removed_group_leaves_its_members
            another_clients_group_is_neither_found_nor_changed
            end_users_are_stored_with_their_groups_and_filtered_by_one
            an_import_creates_groups_with_their_members_or_nothing
            an_erased_or_removed_end_user_is_in_no_group
        );
        $crate::clients_contract!($fresh, weight_kind_store:
            kinds_are_listed_by_name_with_their_sums
            a_kind_name_is_taken_in_any_case
            one_of_many_concurrent_calls_gets_a_kind_name
            no_client_has_more_kinds_than_the_limit
            a_changed_kind_keeps_its_values_and_never_has_fewer_decimals
            a_removed_kind_takes_its_values_along
            another_clients_kind_is_neither_found_nor_changed
            end_users_are_stored_with_exact_values
            values_of_an_unknown_kind_are_refused
            an_import_sets_some_values_or_nothing
            an_erased_end_user_has_no_values
            nobody_keeps_a_value_of_a_kind_that_is_removed_meanwhile
        );
        $crate::clients_contract!($fresh, account_store:
            a_super_administrator_is_missing_until_one_is_stored
            one_of_many_concurrent_calls_stores_the_first_super_administrator
            the_credentials_of_an_account_are_found_as_stored
            a_taken_address_is_refused
            one_of_many_concurrent_calls_gets_an_address
            an_administrator_may_sign_in_only_while_the_client_is_active
            an_end_user_signs_in_by_code_or_id_in_any_case
            people_with_one_name_in_two_clients_are_distinct
            an_end_user_may_sign_in_only_while_they_and_the_client_are_active
            an_unknown_name_finds_nobody
            everyone_has_a_profile
            a_person_has_no_profile_in_another_client
            accounts_of_every_client_and_super_administrators_are_listed
            the_search_covers_full_name_address_and_client_in_any_case
            the_newest_account_comes_first_unless_sorted_by_name
            pages_carry_the_total_of_all_matches
        );
        $crate::clients_contract!($fresh, session_store:
            an_opened_session_is_active
            no_session_opens_for_a_person_who_was_signed_out_in_the_meantime
            an_unknown_session_has_no_state
            the_active_among_many_sessions_are_known_with_their_owners
            opening_a_session_is_the_last_sign_in
            an_ended_session_is_not_active
            a_session_is_active_only_while_its_owner_may_act
            a_late_sign_in_leaves_sessions_of_others
            the_sweep_removes_ended_and_expired_rows_only
            the_sweep_goes_by_the_last_renewal
            the_sweep_keeps_used_tokens_until_they_expire
            the_sweep_removes_no_more_than_the_limit_of_each
            active_sessions_are_counted_by_kind
            inactive_sessions_are_not_counted
            people_see_their_own_active_sessions
            no_more_sessions_are_listed_than_the_limit
            a_session_is_ended_by_its_owner_only
            all_sessions_of_a_person_end_together_or_all_but_one
        );
        $crate::clients_contract!($fresh, session_renewal:
            a_refresh_token_is_renewed_for_its_owner
            an_unknown_refresh_token_is_refused
            an_expired_refresh_token_is_refused_and_its_session_stays_active
            a_refresh_token_has_the_requested_lifetime
            a_used_refresh_token_is_valid_for_the_grace_period
            a_used_refresh_token_has_one_successor
            a_token_whose_successor_another_device_used_ends_the_session
            the_same_renewal_is_repeated_at_any_time
            the_renewals_of_a_session_are_limited
            a_used_refresh_token_ends_the_session_after_the_grace_period
            concurrent_tabs_with_one_token_are_all_renewed
            an_ended_session_is_not_renewed
            a_person_who_may_not_act_is_not_renewed
            a_concurrent_renewal_restores_no_ended_session
        );
        $crate::clients_contract!($fresh, password_store:
            everybody_has_the_password_of_their_sign_in
            a_changed_password_replaces_the_old_one
            a_changed_password_ends_all_sessions_except_the_acting_one
            a_password_that_was_changed_in_the_meantime_stays
            one_of_many_concurrent_changes_succeeds
            a_reset_link_sets_a_password_once_and_signs_out_everywhere
            a_reset_link_is_void_after_its_expiry
            a_reset_link_is_void_after_another_change_of_the_password
            no_reset_link_is_stored_for_an_account_that_has_changed
            a_reset_link_is_void_while_the_client_is_not_active
            a_reset_link_is_removed_with_its_account
            one_of_many_concurrent_uses_of_a_reset_link_succeeds
        );
        $crate::clients_contract!($fresh, second_factor_store:
            a_begun_second_factor_is_stored_and_not_required
            a_second_setup_replaces_the_first_one
            no_setup_begins_with_another_password_or_while_one_is_on
            a_confirmed_second_factor_is_required
            a_confirmation_ends_all_sessions_except_the_acting_one
            a_code_opens_one_session_and_invalidates_earlier_codes
            one_of_many_concurrent_sign_ins_with_one_code_succeeds
            a_recovery_code_opens_one_session
            one_of_many_concurrent_sign_ins_with_one_recovery_code_succeeds
            a_proof_is_valid_for_its_account_only
            no_proof_is_valid_without_a_second_factor
            new_recovery_codes_replace_the_old_ones
            a_removed_second_factor_is_not_required
            renewal_and_removal_need_a_valid_proof
            a_removal_without_proof_ends_all_sessions
            a_second_factor_is_removed_with_its_account
            every_account_has_its_owner
        );
        $crate::clients_contract!($fresh, join_link_store:
            a_link_signs_in_its_owner_until_it_is_revoked
            a_link_that_works_once_opens_one_of_many_concurrent_sessions
            a_first_token_opens_one_session_and_finds_it
            one_of_many_concurrent_sign_ins_with_one_first_token_succeeds
            a_link_of_a_deactivated_person_is_not_used_up
            a_new_link_replaces_the_earlier_one_for_the_same_meeting
            a_link_is_void_after_its_meeting_its_expiry_and_a_new_password
            people_are_the_active_ones_of_the_client
            links_of_another_client_are_neither_listed_nor_revoked
            what_links_ask_for_is_stored_for_each_client
            a_code_is_right_in_its_time_and_for_its_link
            a_code_is_used_up_by_the_session_that_opens_with_it
            a_code_is_void_after_too_many_tries_and_after_a_new_one
            one_of_many_concurrent_uses_of_a_code_succeeds
        );
        $crate::clients_contract!($fresh, branding_store:
            branding_is_stored_for_each_client
            a_logo_and_an_accent_color_are_removed_on_their_own
            a_logo_has_a_version_of_its_content
            branding_is_removed_with_its_client
        );
        $crate::clients_contract!($fresh, activity_source:
            a_new_client_has_no_events
            end_users_added_at_one_time_are_one_event
            end_users_added_within_ten_minutes_are_one_event
            a_meeting_reports_its_creation_start_and_end
            a_round_reports_how_many_voted
            the_last_sign_in_of_each_account_is_an_event_and_of_voters_none
            the_newest_events_come_first_up_to_the_limit
            events_of_one_moment_are_in_their_natural_order
            a_client_sees_no_events_of_another
            the_platform_sees_all_events_with_their_clients
            removed_data_has_no_events
        );
        $crate::clients_contract!($fresh, client_report_source:
            an_empty_client_is_reported_with_zeros
            all_data_of_a_client_is_counted_and_no_other_data
            the_last_activity_is_the_newest_event_of_the_feed
            reports_are_searched_filtered_sorted_and_paged_as_clients_are
        );
        $crate::clients_contract!($fresh, test_data:
            test_data_changes_no_statistics_of_a_real_client
            a_test_client_counts_in_its_own_statistics_only
            renamed_test_data_counts
            a_client_in_which_a_round_was_opened_keeps_its_mark
            a_similar_name_is_no_test_data
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
            include_str!("branding_store.rs"),
            include_str!("client_report_source.rs"),
            include_str!("client_store.rs"),
            include_str!("end_user_erasure.rs"),
            include_str!("end_user_import.rs"),
            include_str!("end_user_store.rs"),
            include_str!("join_link_store.rs"),
            include_str!("password_store.rs"),
            include_str!("second_factor_store.rs"),
            include_str!("session_renewal.rs"),
            include_str!("session_store.rs"),
            include_str!("test_data.rs"),
            include_str!("weight_kind_store.rs"),
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
