//! The contract of every [`ClientStore`](crate::ClientStore).

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{EmailAddress, Page, PageRequest};

use super::{Stores, person, race, search};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    Account, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter, ClientName,
    ClientOverview, ClientSort, ClientStats, ClientStatus, CodeOwner, ContactAdmin, NewSession, PersonName,
    SubscriptionPlan,
};

fn codes(page: &Page<ClientOverview>) -> Vec<&str> {
    page.rows.iter().map(|row| row.client.code.as_str()).collect()
}

async fn found(stores: &Stores, filter: ClientFilter) -> Vec<String> {
    let page = stores.clients.list(&filter).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64);
    codes(&page).into_iter().map(str::to_owned).collect()
}

/// All fields are returned.
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

/// An address signs in to one account only.
pub async fn a_super_administrators_address_is_taken_too(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = crate::Account { email: root.email, ..samples.admin_of(&client) };
    let refused = stores.clients.add(client, admin).await;
    assert!(matches!(refused, Err(AddClientError::EmailTaken)), "{refused:?}");
}

/// The losers get an error and leave nothing behind.
pub async fn one_of_many_concurrent_calls_gets_a_code(stores: &Stores) {
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

/// The losers get an error and leave nothing behind.
pub async fn one_of_many_concurrent_calls_gets_an_address(stores: &Stores) {
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

/// In each of the three, at any position.
pub async fn the_search_covers_name_code_and_contact_address_in_any_case(stores: &Stores) {
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

/// A percent sign does not match everything.
pub async fn percent_and_underscore_are_ordinary_characters(stores: &Stores) {
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

/// By each status.
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

/// Names are compared without case.
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

/// Of all matches, on each page.
pub async fn pages_carry_the_total_of_all_matches(stores: &Stores) {
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

/// Also in a list of several clients.
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

fn new_code(code: &str) -> ClientChanges {
    ClientChanges { code: Some(ClientCode::from_stored(code.to_owned())), ..ClientChanges::default() }
}

/// One field after the other, of the client and of its contact.
pub async fn a_change_of_a_client_leaves_all_other_fields(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let other = stores.with_client(&samples, "other").await;
    let other = stores.clients.find(other.id).await.unwrap();
    let mut expected = stores.clients.find(client.id).await.unwrap().unwrap();

    let name = ClientName::parse("Ruderclub Zürich").unwrap();
    let contact_email = EmailAddress::parse("new@example.org").unwrap();
    let first_name = PersonName::parse("Grace").unwrap();
    let last_name = PersonName::parse("Hopper").unwrap();
    let steps = [
        ClientChanges::default(),
        ClientChanges { name: Some(name), ..ClientChanges::default() },
        ClientChanges { contact_email: Some(contact_email), ..ClientChanges::default() },
        ClientChanges { status: Some(ClientStatus::Suspended), ..ClientChanges::default() },
        ClientChanges { plan: Some(SubscriptionPlan::Enterprise), ..ClientChanges::default() },
        ClientChanges { first_name: Some(first_name), ..ClientChanges::default() },
        ClientChanges { last_name: Some(last_name), ..ClientChanges::default() },
        new_code("club-2"),
        ClientChanges { status: Some(ClientStatus::Active), ..ClientChanges::default() },
    ];
    for changes in steps {
        stores.clients.update(client.id, changes.clone(), None, samples.now()).await.unwrap();
        changes.apply_to(&mut expected.client);
        let mut contact = Account { first_name: expected.admins[0].first_name.clone(), ..admin.clone() };
        contact.last_name = expected.admins[0].last_name.clone();
        changes.apply_to_contact(&mut contact);
        expected.admins[0].first_name = contact.first_name;
        expected.admins[0].last_name = contact.last_name;
        assert_eq!(stores.clients.find(client.id).await.unwrap().as_ref(), Some(&expected), "{changes:?}");
    }
    let found = stores.accounts.account_credentials(&admin.email).await.unwrap().unwrap();
    assert_eq!(found.password_hash, admin.password_hash, "the sign-in is the same");
    assert_eq!(stores.clients.find(other.as_ref().unwrap().client.id).await.unwrap(), other);
}

fn parsed(code: &str) -> ClientCode {
    ClientCode::from_stored(code.to_owned())
}

/// Also after further changes. The owner may take it again.
pub async fn a_former_code_still_leads_to_its_client(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "old").await;
    for code in ["new", "new", "newest", "old", "newest"] {
        stores.clients.update(client.id, new_code(code), None, samples.now()).await.unwrap();
        for known in ["old", "new"] {
            let found = stores.clients.find_by_code(&parsed(known)).await.unwrap();
            assert_eq!(found.map(|found| (found.id, found.code)), Some((client.id, parsed(code))), "{known}");
        }
    }
    let unknown = stores.clients.find_by_code(&parsed("newer")).await.unwrap();
    assert_eq!(unknown, None);
}

/// Neither a new client nor another one, as long as the owner exists.
pub async fn nobody_else_gets_a_former_code(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "old").await;
    stores.clients.update(client.id, new_code("new"), None, samples.now()).await.unwrap();
    let other = stores.with_client(&samples, "other").await;
    let refused = stores.clients.update(other.id, new_code("old"), None, samples.now()).await;
    assert!(matches!(refused, Err(ChangeClientError::CodeTaken)), "{refused:?}");
    let late = samples.client("old");
    let mut admin = samples.admin_of(&late);
    admin.email = EmailAddress::parse("late@example.org").unwrap();
    let refused = stores.clients.add(late.clone(), admin.clone()).await;
    assert!(matches!(refused, Err(AddClientError::CodeTaken)), "{refused:?}");
    assert_eq!(stores.clients.find(late.id).await.unwrap(), None);
    let found = stores.clients.find_by_code(&parsed("old")).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(client.id));

    assert!(stores.clients.remove(client.id, samples.now()).await.unwrap());
    stores.clients.add(late.clone(), admin).await.unwrap();
    let found = stores.clients.find_by_code(&parsed("old")).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(late.id));
    assert_eq!(stores.clients.find_by_code(&parsed("new")).await.unwrap(), None);
}

/// Free codes have none.
pub async fn the_owners_of_codes_are_found_together(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "old").await;
    let other = stores.with_client(&samples, "other").await;
    stores.clients.update(client.id, new_code("new"), None, samples.now()).await.unwrap();
    let codes = ["old", "new", "free", "other"].map(parsed);
    let mut owners = stores.clients.code_owners(&codes).await.unwrap();
    owners.sort_by(|one, two| one.code.as_str().cmp(two.code.as_str()));
    let owner =
        |code: &str, client: &Client, is_current| CodeOwner { code: parsed(code), client: client.id, is_current };
    assert_eq!(owners, [owner("new", &client, true), owner("old", &client, false), owner("other", &other, true)]);
    assert_eq!(stores.clients.code_owners(&[]).await.unwrap(), []);
}

/// Whichever of the two comes first, the code leads to one client.
pub async fn a_code_that_is_given_up_and_wanted_at_once_stays_with_its_client(stores: &Stores) {
    let samples = Samples::new();
    let owner = stores.with_client(&samples, "wanted").await;
    let mut racers = vec![(owner.id, "given-up".to_owned())];
    for number in 0..5 {
        let other = stores.with_client(&samples, &format!("other-{number}")).await;
        racers.push((other.id, "wanted".to_owned()));
    }
    let now = samples.now();
    let racers = racers
        .into_iter()
        .map(|(id, code)| {
            let clients = Arc::clone(&stores.clients);
            async move { clients.update(id, new_code(&code), None, now).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let found = stores.clients.find_by_code(&parsed("wanted")).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(owner.id));
}

/// The client, its contact, the contact's password and the contact's sessions stay.
pub async fn another_clients_code_is_refused_and_nothing_is_changed(stores: &Stores) {
    let samples = Samples::new();
    stores.with_client(&samples, "taken").await;
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let session = stores.with_session(&samples, admin.person(), "first").await;
    let before = stores.clients.find(client.id).await.unwrap();

    let changes = ClientChanges {
        name: Some(ClientName::parse("New").unwrap()),
        first_name: Some(PersonName::parse("New").unwrap()),
        ..new_code("taken")
    };
    let password = Some(InstantHasher::hash_of("a new password"));
    let refused = stores.clients.update(client.id, changes, password, samples.now()).await;
    assert!(matches!(refused, Err(ChangeClientError::CodeTaken)), "{refused:?}");
    assert_eq!(stores.clients.find(client.id).await.unwrap(), before);
    let found = stores.accounts.account_credentials(&admin.email).await.unwrap().unwrap();
    assert_eq!(found.password_hash, admin.password_hash);
    assert!(stores.is_active(session).await);
}

/// The losers keep the old code.
pub async fn one_of_many_clients_gets_one_new_code_by_concurrent_changes(stores: &Stores) {
    let samples = Samples::new();
    let mut racers = Vec::new();
    for number in 0..8 {
        let client = stores.with_client(&samples, &format!("club-{number}")).await;
        let (clients, now) = (Arc::clone(&stores.clients), samples.now());
        racers.push(async move { clients.update(client.id, new_code("best"), None, now).await });
    }
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(ChangeClientError::CodeTaken))),
        "{outcomes:?}"
    );
    let kept = found(stores, ClientFilter { search: search("club-"), ..ClientFilter::default() }).await;
    let kept = kept.iter().filter(|code| code.starts_with("club-")).count();
    assert_eq!(kept, 7);
}

/// Other clients stay as they are.
pub async fn an_unknown_client_is_not_changed(stores: &Stores) {
    let samples = Samples::new();
    stores.with_client(&samples, "club").await;
    let unknown = samples.client("nowhere").id;
    for changes in [ClientChanges::default(), new_code("free"), new_code("club")] {
        let refused = stores.clients.update(unknown, changes, None, samples.now()).await;
        assert!(matches!(refused, Err(ChangeClientError::NotFound)), "{refused:?}");
    }
    assert!(!stores.clients.remove(unknown, samples.now()).await.unwrap());
    assert_eq!(stores.clients.stats().await.unwrap().total, 1);
}

/// By the time of creation. Newer accounts keep their name and password.
pub async fn the_contact_is_the_oldest_account(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let younger = samples.admin_of(&client);
    stores.clients.add(client.clone(), younger.clone()).await.unwrap();
    let email = EmailAddress::parse("oldest@example.org").unwrap();
    let mut oldest = Account { email, ..samples.admin_of(&client) };
    oldest.created_at = younger.created_at - TimeDelta::hours(1);
    stores.accounts.add(oldest.clone()).await.unwrap();
    let changes = ClientChanges { first_name: Some(PersonName::parse("Grace").unwrap()), ..ClientChanges::default() };
    let password = InstantHasher::hash_of("a new password");
    stores.clients.update(client.id, changes, Some(password.clone()), samples.now()).await.unwrap();

    let admins = stores.clients.find(client.id).await.unwrap().unwrap().admins;
    let names: Vec<_> = admins.iter().map(|admin| (admin.id, admin.first_name.as_str())).collect();
    assert_eq!(names, [(oldest.id, "Grace"), (younger.id, "Ada")]);
    for (email, expected) in [(&oldest.email, &password), (&younger.email, &younger.password_hash)] {
        let found = stores.accounts.account_credentials(email).await.unwrap().unwrap();
        assert_eq!(&found.password_hash, expected, "{email:?}");
    }
}

/// Other administrators, end users and other clients' contacts stay signed in.
pub async fn a_new_password_signs_out_the_contact_only(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let contact = samples.admin_of(&client);
    stores.clients.add(client.clone(), contact.clone()).await.unwrap();
    let email = EmailAddress::parse("second@example.org").unwrap();
    let second = Account { email, ..samples.admin_of(&client) };
    stores.accounts.add(second.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    let other = samples.client("other");
    let stranger = samples.admin_of(&other);
    stores.clients.add(other, stranger.clone()).await.unwrap();
    let mut sessions = Vec::new();
    for (number, person) in
        [contact.person(), contact.person(), second.person(), person(&voter), stranger.person()].into_iter().enumerate()
    {
        sessions.push(stores.with_session(&samples, person, &format!("first {number}")).await);
    }

    stores.clients.update(client.id, ClientChanges::default(), None, samples.now()).await.unwrap();
    assert!(stores.is_active(sessions[0]).await, "without a new password the contact stays signed in");
    let password = InstantHasher::hash_of("a new password");
    stores.clients.update(client.id, ClientChanges::default(), Some(password.clone()), samples.now()).await.unwrap();
    let mut active = Vec::new();
    for session in sessions {
        active.push(stores.is_active(session).await);
    }
    assert_eq!(active, [false, false, true, true, true]);
    let found = stores.accounts.account_credentials(&contact.email).await.unwrap().unwrap();
    assert_eq!(found.password_hash, password);
    let again = NewSession { password_hash: password, ..samples.session(contact.person(), "again") };
    assert!(stores.sessions.open(again.clone()).await.unwrap());
    assert!(stores.is_active(again.id).await);
}

/// Accounts, end users and their sessions.
pub async fn a_client_is_removed_with_all_its_data_and_no_other_data(stores: &Stores) {
    let samples = Samples::new();
    let mut people = Vec::new();
    for code in ["one", "two"] {
        let client = samples.client(code);
        let admin = samples.admin_of(&client);
        stores.clients.add(client.clone(), admin.clone()).await.unwrap();
        let voter = stores.with_end_user(&samples, &client, "anna").await;
        let sessions = [
            stores.with_session(&samples, admin.person(), &format!("{code} admin")).await,
            stores.with_session(&samples, person(&voter), &format!("{code} voter")).await,
        ];
        people.push((client, admin, voter, sessions));
    }
    let [(one, admin, voter, sessions), (two, other_admin, other_voter, other_sessions)] = people.try_into().unwrap();
    let before = stores.clients.find(two.id).await.unwrap();

    assert!(stores.clients.remove(one.id, samples.now()).await.unwrap());
    assert_eq!(stores.clients.find(one.id).await.unwrap(), None);
    assert_eq!(stores.clients.find_by_code(&one.code).await.unwrap(), None);
    assert_eq!(stores.accounts.account_credentials(&admin.email).await.unwrap(), None);
    assert_eq!(stores.accounts.profile(person(&voter)).await.unwrap(), None);
    assert_eq!(stores.end_users.find(one.id, voter.id).await.unwrap(), None);
    assert_eq!(stores.end_users.stats(one.id).await.unwrap().total, 0);
    for session in sessions {
        assert_eq!(stores.sessions.session_state(session).await.unwrap(), None);
    }

    assert_eq!(stores.clients.find(two.id).await.unwrap(), before);
    assert!(stores.accounts.account_credentials(&other_admin.email).await.unwrap().is_some());
    assert_eq!(
        stores.end_users.find(two.id, other_voter.id).await.unwrap().map(|found| found.id),
        Some(other_voter.id)
    );
    for session in other_sessions {
        assert!(stores.is_active(session).await);
    }
    assert!(!stores.clients.remove(one.id, samples.now()).await.unwrap(), "it is already removed");
}

/// The code, and the address of the administrator.
pub async fn the_names_of_a_removed_client_are_free_again(stores: &Stores) {
    let samples = Samples::new();
    let first = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &first, "anna").await;
    stores.clients.remove(first.id, samples.now()).await.unwrap();
    let second = stores.with_client(&samples, "club").await;
    let overview = stores.clients.find(second.id).await.unwrap().unwrap();
    assert_eq!((overview.admins.len(), overview.end_user_count), (1, 0));
}
