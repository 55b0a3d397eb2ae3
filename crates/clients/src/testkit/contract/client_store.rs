//! What every [`ClientStore`](crate::ClientStore) must keep.

use std::sync::Arc;

use plenum_kernel::{EmailAddress, Page, PageRequest};

use super::{Stores, race, search};
use crate::testkit::Samples;
use crate::{
    AddClientError, ClientCode, ClientFilter, ClientName, ClientOverview, ClientSort, ClientStats, ClientStatus,
    ContactAdmin, SubscriptionPlan,
};

fn codes(page: &Page<ClientOverview>) -> Vec<&str> {
    page.rows.iter().map(|row| row.client.code.as_str()).collect()
}

async fn found(stores: &Stores, filter: ClientFilter) -> Vec<String> {
    let page = stores.clients.list(&filter).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64);
    codes(&page).into_iter().map(str::to_owned).collect()
}

/// Every field comes back.
pub async fn a_client_is_found_with_its_administrator(stores: &Stores) {
    let samples = Samples::new();
    let mut client = samples.client("rowing-club");
    client.name = ClientName::parse("Ruderclub Zürich e.V.").unwrap();
    client.status = ClientStatus::Suspended;
    client.plan = SubscriptionPlan::Enterprise;
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();

    let overview = stores.clients.find(client.id).await.unwrap().unwrap();
    let contact =
        ContactAdmin { id: admin.id, email: admin.email, first_name: admin.first_name, last_name: admin.last_name };
    assert_eq!(overview, ClientOverview { client, admins: vec![contact], end_user_count: 0, meeting_count: 0 });
}

/// The code is the public name.
pub async fn a_client_is_found_by_its_code(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_client(&samples, "club-2").await;
    assert_eq!(stores.clients.find_by_code(&client.code).await.unwrap(), Some(client));
}

/// Neither by id nor by code.
pub async fn an_unknown_client_is_not_found(stores: &Stores) {
    let unknown = Samples::new().client("nowhere");
    assert_eq!(stores.clients.find(unknown.id).await.unwrap(), None);
    assert_eq!(stores.clients.find_by_code(&unknown.code).await.unwrap(), None);
}

/// The address of the refused administrator stays free.
pub async fn a_taken_code_is_refused_and_nothing_is_stored(stores: &Stores) {
    let samples = Samples::new();
    let first = stores.with_client(&samples, "club").await;
    let second = samples.client("club");
    let mut admin = samples.admin_of(&second);
    admin.email = EmailAddress::parse("second@example.org").unwrap();

    let refused = stores.clients.add(second.clone(), admin.clone()).await;
    assert!(matches!(refused, Err(AddClientError::CodeTaken)), "{refused:?}");
    assert_eq!(stores.clients.find(second.id).await.unwrap(), None);
    assert_eq!(stores.clients.find_by_code(&second.code).await.unwrap(), Some(first));
    assert_eq!(stores.accounts.account_credentials(&admin.email).await.unwrap(), None);
}

/// The code of the refused client stays free.
pub async fn a_taken_address_is_refused_and_nothing_is_stored(stores: &Stores) {
    let samples = Samples::new();
    let first = stores.with_client(&samples, "first").await;
    let second = samples.client("second");
    let mut admin = samples.admin_of(&second);
    admin.email = samples.admin_of(&first).email;

    let refused = stores.clients.add(second.clone(), admin).await;
    assert!(matches!(refused, Err(AddClientError::EmailTaken)), "{refused:?}");
    assert_eq!(stores.clients.find(second.id).await.unwrap(), None);
    assert_eq!(stores.clients.find_by_code(&second.code).await.unwrap(), None);
    assert_eq!(stores.clients.stats().await.unwrap().total, 1);
}

/// One address signs in at one place.
pub async fn a_super_administrators_address_is_taken_too(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = crate::Account { email: root.email, ..samples.admin_of(&client) };
    let refused = stores.clients.add(client, admin).await;
    assert!(matches!(refused, Err(AddClientError::EmailTaken)), "{refused:?}");
}

/// Whoever loses is told so, and leaves nothing behind.
pub async fn of_many_racers_for_one_code_one_wins(stores: &Stores) {
    let samples = Samples::new();
    let racers = (0..8)
        .map(|number| {
            let client = samples.client("club");
            let mut admin = samples.admin_of(&client);
            admin.email = EmailAddress::parse(&format!("admin{number}@example.org")).unwrap();
            let clients = Arc::clone(&stores.clients);
            async move { clients.add(client, admin).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(AddClientError::CodeTaken))), "{outcomes:?}");
    assert_eq!(stores.clients.stats().await.unwrap().total, 1);
}

/// Whoever loses is told so, and leaves nothing behind.
pub async fn of_many_racers_for_one_address_one_wins(stores: &Stores) {
    let samples = Samples::new();
    let racers = (0..8)
        .map(|number| {
            let client = samples.client(&format!("club-{number}"));
            let mut admin = samples.admin_of(&client);
            admin.email = EmailAddress::parse("admin@example.org").unwrap();
            let clients = Arc::clone(&stores.clients);
            async move { clients.add(client, admin).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(AddClientError::EmailTaken))), "{outcomes:?}");
    assert_eq!(stores.clients.stats().await.unwrap().total, 1);
}

/// In any of the three, anywhere in it.
pub async fn the_search_looks_at_name_code_and_contact_address_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let mut client = samples.client("abc-1");
    client.name = ClientName::parse("Ärzteverein").unwrap();
    client.contact_email = EmailAddress::parse("office@mail.example.org").unwrap();
    stores.add_client(&samples, client).await;
    stores.with_client(&samples, "other").await;
    for text in ["Ärzte", "äRZTEV", "ABC-1", "bc-", "OFFICE@mail", "mail.example"] {
        let filter = ClientFilter { search: search(text), ..ClientFilter::default() };
        assert_eq!(found(stores, filter).await, ["abc-1"], "{text}");
    }
    let filter = ClientFilter { search: search("nothing like it"), ..ClientFilter::default() };
    assert!(found(stores, filter).await.is_empty());
}

/// Nobody finds everything by a percent sign.
pub async fn percent_and_underscore_are_letters(stores: &Stores) {
    let samples = Samples::new();
    for (code, name) in
        [("percent", "100% for all"), ("underscore", "snake_case"), ("back", r"back\slash"), ("no", "x")]
    {
        let mut client = samples.client(code);
        client.name = ClientName::parse(name).unwrap();
        stores.add_client(&samples, client).await;
    }
    for (text, code) in
        [("%", "percent"), ("_", "underscore"), ("\\", "back"), ("0% f", "percent"), ("e_c", "underscore")]
    {
        let filter = ClientFilter { search: search(text), ..ClientFilter::default() };
        assert_eq!(found(stores, filter).await, [code], "{text}");
    }
}

/// Each status by itself.
pub async fn clients_are_filtered_by_status(stores: &Stores) {
    let samples = Samples::new();
    for (code, status) in
        [("on", ClientStatus::Active), ("off", ClientStatus::Inactive), ("barred", ClientStatus::Suspended)]
    {
        let mut client = samples.client(code);
        client.status = status;
        stores.add_client(&samples, client).await;
        let filter = ClientFilter { status: Some(status), ..ClientFilter::default() };
        assert_eq!(found(stores, filter).await, [code]);
    }
}

/// Names are compared without regard to case.
pub async fn the_newest_client_comes_first_unless_sorted_by_name(stores: &Stores) {
    let samples = Samples::new();
    for (code, name) in [("one", "beta"), ("two", "Alpha"), ("three", "Gamma")] {
        let mut client = samples.client(code);
        client.name = ClientName::parse(name).unwrap();
        stores.add_client(&samples, client).await;
    }
    for (sort, expected) in [
        (ClientSort::Newest, ["three", "two", "one"]),
        (ClientSort::NameAscending, ["two", "one", "three"]),
        (ClientSort::NameDescending, ["three", "one", "two"]),
    ] {
        assert_eq!(found(stores, ClientFilter { sort, ..ClientFilter::default() }).await, expected, "{sort:?}");
    }
}

/// Of what fits the filter, whatever page is asked for.
pub async fn pages_carry_the_total_of_what_fits(stores: &Stores) {
    let samples = Samples::new();
    for number in 1..=5 {
        stores.with_client(&samples, &format!("club-{number}")).await;
    }
    stores.with_client(&samples, "other").await;
    for (page, expected) in
        [(1, vec!["club-1", "club-2"]), (2, vec!["club-3", "club-4"]), (3, vec!["club-5"]), (4, vec![])]
    {
        let filter = ClientFilter {
            search: search("club"),
            status: Some(ClientStatus::Active),
            sort: ClientSort::NameAscending,
            page: Some(PageRequest { page, page_size: 2 }),
        };
        let listed = stores.clients.list(&filter).await.unwrap();
        assert_eq!(codes(&listed), expected);
        assert_eq!(listed.total, 5);
    }
}

/// Also in a list of several.
pub async fn end_users_are_counted_for_each_client(stores: &Stores) {
    let samples = Samples::new();
    let full = stores.with_client(&samples, "full").await;
    let empty = stores.with_client(&samples, "empty").await;
    stores.with_end_user(&samples, &full, "anna").await;
    stores.with_end_user(&samples, &full, "bert").await;
    let listed = stores.clients.list(&ClientFilter::default()).await.unwrap();
    let counts: Vec<_> = listed.rows.iter().map(|row| (row.client.id, row.end_user_count, row.admins.len())).collect();
    assert_eq!(counts, [(empty.id, 0, 1), (full.id, 2, 1)]);
    assert_eq!(stores.clients.find(full.id).await.unwrap().unwrap().end_user_count, 2);
}

/// SUSPENDED counts as inactive.
pub async fn stats_count_by_status(stores: &Stores) {
    assert_eq!(stores.clients.stats().await.unwrap(), ClientStats::default());
    let samples = Samples::new();
    for (code, status) in [
        ("a", ClientStatus::Active),
        ("b", ClientStatus::Active),
        ("c", ClientStatus::Inactive),
        ("d", ClientStatus::Suspended),
    ] {
        let mut client = samples.client(code);
        client.status = status;
        stores.add_client(&samples, client).await;
    }
    assert_eq!(stores.clients.stats().await.unwrap(), ClientStats { total: 4, active: 2, inactive: 2 });
    assert_eq!(stores.clients.find_by_code(&ClientCode::from_stored("z".into())).await.unwrap(), None);
}
