//! The contract of every [`AccountStore`](crate::AccountStore).

use std::sync::Arc;

use plenum_kernel::{EmailAddress, Page, PageRequest, Person};

use super::{Stores, person, race, search};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    Account, AccountFilter, AccountOverview, AccountSort, AddAccountError, Client, ClientChanges, ClientCode,
    ClientKey, ClientName, ClientReference, ClientStatus, PersonName, PersonProfile, StoredCredentials, Username,
};

fn username(text: &str) -> Username {
    Username::parse(text).expect("a username")
}

/// Administrators of clients do not count.
pub async fn a_super_administrator_is_missing_until_one_is_stored(stores: &Stores) {
    let samples = Samples::new();
    assert!(!stores.accounts.has_super_admin().await.unwrap());
    stores.with_client(&samples, "club").await;
    assert!(!stores.accounts.has_super_admin().await.unwrap());
    stores.accounts.add(samples.super_admin("root@example.org")).await.unwrap();
    assert!(stores.accounts.has_super_admin().await.unwrap());
}

/// Also for instances that start at once on an empty database, with the same or different addresses.
pub async fn one_of_many_concurrent_calls_stores_the_first_super_administrator(stores: &Stores) {
    let samples = Samples::new();
    let addresses = ["root@example.org", "root@example.org", "other@example.org", "another@example.org"];
    let racers: Vec<_> = addresses
        .iter()
        .map(|email| {
            let (accounts, account) = (Arc::clone(&stores.accounts), samples.super_admin(email));
            tokio::spawn(async move { accounts.add_first_super_admin(account).await })
        })
        .collect();
    let mut made = 0;
    for racer in racers {
        made += u32::from(racer.await.expect("no panic").expect("no address is taken"));
    }
    assert_eq!(made, 1);
    assert!(!stores.accounts.add_first_super_admin(samples.super_admin("late@example.org")).await.unwrap());
    let all = stores.accounts.list(&AccountFilter::default()).await.unwrap();
    assert_eq!(all.total, 1);
}

/// The person and the hash are returned, for both kinds of accounts.
pub async fn the_credentials_of_an_account_are_found_as_stored(stores: &Stores) {
    let samples = Samples::new();
    let mut root = samples.super_admin("root@example.org");
    root.password_hash = InstantHasher::hash_of("of root alone");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client, admin.clone()).await.unwrap();

    for account in [root, admin] {
        let found = stores.accounts.account_credentials(&account.email).await.unwrap();
        let expected =
            StoredCredentials { person: account.person(), password_hash: account.password_hash, may_sign_in: true };
        assert_eq!(found, Some(expected));
    }
}

/// The first account keeps it.
pub async fn a_taken_address_is_refused(stores: &Stores) {
    let samples = Samples::new();
    let first = samples.super_admin("root@example.org");
    stores.accounts.add(first.clone()).await.unwrap();
    let client = stores.with_client(&samples, "club").await;
    for email in [first.email.clone(), samples.admin_of(&client).email] {
        let refused = stores.accounts.add(samples.super_admin(email.as_str())).await;
        assert!(matches!(refused, Err(AddAccountError::EmailTaken)), "{refused:?}");
    }
    let found = stores.accounts.account_credentials(&first.email).await.unwrap().unwrap();
    assert_eq!(found.person, first.person());
}

/// The losers get an error.
pub async fn one_of_many_concurrent_calls_gets_an_address(stores: &Stores) {
    let samples = Samples::new();
    let racers = (0..8)
        .map(|_| {
            let account = samples.super_admin("root@example.org");
            let accounts = Arc::clone(&stores.accounts);
            async move { accounts.add(account).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(AddAccountError::EmailTaken))),
        "{outcomes:?}"
    );
}

/// INACTIVE and SUSPENDED alike.
pub async fn an_administrator_may_sign_in_only_while_the_client_is_active(stores: &Stores) {
    let samples = Samples::new();
    for (code, status, expected) in [
        ("on", ClientStatus::Active, true),
        ("off", ClientStatus::Inactive, false),
        ("barred", ClientStatus::Suspended, false),
    ] {
        let mut client = samples.client(code);
        client.status = status;
        let admin = samples.admin_of(&client);
        stores.clients.add(client, admin.clone()).await.unwrap();
        let found = stores.accounts.account_credentials(&admin.email).await.unwrap().unwrap();
        assert_eq!(found.may_sign_in, expected, "{status:?}");
    }
}

/// By both keys of the client, and by a former code.
pub async fn an_end_user_signs_in_by_code_or_id_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let end_user = samples.end_user(&client, "Änna");
    let hash = InstantHasher::hash_of("of Änna alone");
    stores.end_users.add(end_user.clone(), hash.clone()).await.unwrap();
    let expected = Some(StoredCredentials { person: person(&end_user), password_hash: hash, may_sign_in: true });
    let former = ClientKey::Code(client.code.clone());
    let code = ClientCode::parse("new").unwrap();
    let changes = ClientChanges { code: Some(code.clone()), ..ClientChanges::default() };
    stores.clients.update(client.id, changes, None, samples.now()).await.unwrap();
    for key in [ClientKey::Code(code), former, ClientKey::Id(client.id)] {
        for typed in ["Änna", "änna", "ÄNNA"] {
            assert_eq!(
                stores.accounts.end_user_credentials(&key, &username(typed)).await.unwrap(),
                expected,
                "{typed}"
            );
        }
    }
}

/// Each is found in their own client.
pub async fn people_with_one_name_in_two_clients_are_distinct(stores: &Stores) {
    let samples = Samples::new();
    for code in ["one", "two"] {
        let client = stores.with_client(&samples, code).await;
        let end_user = stores.with_end_user(&samples, &client, "anna").await;
        let key = ClientKey::Code(client.code);
        let found = stores.accounts.end_user_credentials(&key, &username("anna")).await.unwrap().unwrap();
        assert_eq!(found.person, person(&end_user));
    }
}

/// Both must be active.
pub async fn an_end_user_may_sign_in_only_while_they_and_the_client_are_active(stores: &Stores) {
    let samples = Samples::new();
    for (code, status, is_active, expected) in [
        ("a", ClientStatus::Active, true, true),
        ("b", ClientStatus::Active, false, false),
        ("c", ClientStatus::Inactive, true, false),
        ("d", ClientStatus::Suspended, true, false),
    ] {
        let mut client = samples.client(code);
        client.status = status;
        stores.add_client(&samples, client.clone()).await;
        let mut end_user = samples.end_user(&client, "anna");
        end_user.is_active = is_active;
        stores.add_end_user(end_user).await;
        let key = ClientKey::Id(client.id);
        let found = stores.accounts.end_user_credentials(&key, &username("anna")).await.unwrap().unwrap();
        assert_eq!(found.may_sign_in, expected, "{code}");
    }
}

/// For an unknown address, client or username, there are no credentials, and a pattern is not a name.
pub async fn an_unknown_name_finds_nobody(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "anna").await;
    let email = EmailAddress::parse("nobody@example.org").unwrap();
    assert_eq!(stores.accounts.account_credentials(&email).await.unwrap(), None);
    let unknown = ClientCode::parse("nowhere").unwrap();
    for (key, typed) in [
        (ClientKey::Id(client.id), "bert"),
        (ClientKey::Id(client.id), "ann_"),
        (ClientKey::Id(client.id), "%"),
        (ClientKey::Code(unknown), "anna"),
        (ClientKey::Id(samples.client("never-stored").id), "anna"),
    ] {
        let found = stores.accounts.end_user_credentials(&key, &username(typed)).await.unwrap();
        assert_eq!(found, None, "{key:?} {typed}");
    }
}

/// With the stored names.
pub async fn everyone_has_a_profile(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let mut client = samples.client("club");
    client.name = ClientName::parse("The Club").unwrap();
    let mut admin = samples.admin_of(&client);
    admin.first_name = PersonName::parse("Grace").unwrap();
    admin.last_name = PersonName::parse("Hopper").unwrap();
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let mut voter = samples.end_user(&client, "anna");
    voter.name = PersonName::parse("Anna Voter").unwrap();
    voter.email = Some(EmailAddress::parse("anna@example.org").unwrap());
    stores.add_end_user(voter.clone()).await;
    let silent = stores.with_end_user(&samples, &client, "silent").await;

    let organization = Some((client.id, client.code.clone(), "The Club".to_owned()));
    for expected in [
        PersonProfile {
            person: root.person(),
            name: "Ada Lovelace".to_owned(),
            email: Some(root.email.clone()),
            username: None,
            client: None,
        },
        PersonProfile {
            person: admin.person(),
            name: "Grace Hopper".to_owned(),
            email: Some(admin.email.clone()),
            username: None,
            client: organization.clone(),
        },
        PersonProfile {
            person: person(&voter),
            name: "Anna Voter".to_owned(),
            email: voter.email.clone(),
            username: Some(voter.username.clone()),
            client: organization.clone(),
        },
        PersonProfile {
            person: person(&silent),
            name: "silent".to_owned(),
            email: None,
            username: Some(silent.username.clone()),
            client: organization,
        },
    ] {
        assert_eq!(stores.accounts.profile(expected.person).await.unwrap(), Some(expected));
    }
}

/// Ids that do not belong together have no profile.
pub async fn a_person_has_no_profile_in_another_client(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let other = stores.with_client(&samples, "other").await;
    let end_user = stores.with_end_user(&samples, &client, "anna").await;
    for stranger in [
        Person::SuperAdmin { account: admin.id },
        Person::ClientAdmin { account: admin.id, client: other.id },
        Person::EndUser { end_user: end_user.id, client: other.id },
        Person::SuperAdmin { account: samples.super_admin("never@example.org").id },
    ] {
        assert_eq!(stores.accounts.profile(stranger).await.unwrap(), None, "{stranger:?}");
    }
}

/// The names of the accounts that match the filter.
async fn names(stores: &Stores, filter: AccountFilter) -> Vec<String> {
    let found = stores.accounts.list(&filter).await.unwrap().rows;
    found.into_iter().map(|account| format!("{} {}", account.first_name, account.last_name)).collect()
}

/// A super administrator named Ada Lovelace, Grace Hopper of the client Navy, and anna Berg of the client Rowing, in
/// this order.
async fn three_accounts(stores: &Stores, samples: &Samples) -> [Account; 3] {
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let mut accounts = vec![root];
    for (code, name, first_name, last_name) in [("n", "Navy", "Grace", "Hopper"), ("r", "Rowing", "anna", "Berg")] {
        let client = Client { name: ClientName::parse(name).unwrap(), ..samples.client(code) };
        let first_name = PersonName::parse(first_name).unwrap();
        let last_name = PersonName::parse(last_name).unwrap();
        let admin = Account { first_name, last_name, ..samples.admin_of(&client) };
        stores.clients.add(client, admin.clone()).await.unwrap();
        accounts.push(admin);
    }
    accounts.try_into().unwrap()
}

/// With their clients and the times of their last sign-ins. End users are not accounts.
pub async fn accounts_of_every_client_and_super_administrators_are_listed(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = Client { status: ClientStatus::Suspended, ..samples.client("club") };
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    stores.with_session(&samples, person(&voter), "of the voter").await;
    for number in 0..2 {
        stores.with_session(&samples, admin.person(), &format!("of the administrator {number}")).await;
    }

    let reference = ClientReference { id: client.id, name: client.name, code: client.code, status: client.status };
    let expected: Vec<_> = [(admin, Some(samples.now()), Some(reference)), (root, None, None)]
        .into_iter()
        .map(|(account, last_login_at, client)| AccountOverview {
            id: account.id,
            email: account.email,
            first_name: account.first_name,
            last_name: account.last_name,
            last_login_at,
            created_at: account.created_at,
            client,
        })
        .collect();
    let page = stores.accounts.list(&AccountFilter::default()).await.unwrap();
    assert_eq!(page, Page { rows: expected, total: 2 });
}

/// The first and the last name count together, and a pattern finds nothing.
pub async fn the_search_covers_full_name_address_and_client_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    three_accounts(stores, &samples).await;
    for (text, expected) in [
        ("ADA LOVE", ["Ada Lovelace"].as_slice()),
        ("hopper", &["Grace Hopper"]),
        ("Root@", &["Ada Lovelace"]),
        ("navy", &["Grace Hopper"]),
        ("admin@", &["anna Berg", "Grace Hopper"]),
        ("a", &["anna Berg", "Grace Hopper", "Ada Lovelace"]),
        ("_", &[]),
        ("%", &[]),
    ] {
        let filter = AccountFilter { search: search(text), ..AccountFilter::default() };
        assert_eq!(names(stores, filter).await, expected, "{text}");
    }
}

/// The first name decides. Case does not matter.
pub async fn the_newest_account_comes_first_unless_sorted_by_name(stores: &Stores) {
    let samples = Samples::new();
    three_accounts(stores, &samples).await;
    for (sort, expected) in [
        (AccountSort::Newest, ["anna Berg", "Grace Hopper", "Ada Lovelace"]),
        (AccountSort::NameAscending, ["Ada Lovelace", "anna Berg", "Grace Hopper"]),
        (AccountSort::NameDescending, ["Grace Hopper", "anna Berg", "Ada Lovelace"]),
    ] {
        assert_eq!(names(stores, AccountFilter { sort, ..AccountFilter::default() }).await, expected, "{sort:?}");
    }
}

/// Also beyond the last page.
pub async fn pages_carry_the_total_of_all_matches(stores: &Stores) {
    let samples = Samples::new();
    let accounts = three_accounts(stores, &samples).await;
    let newest_first: Vec<_> = accounts.iter().rev().map(|account| account.id).collect();
    for (page, expected) in [(1, &newest_first[..2]), (2, &newest_first[2..]), (3, &[])] {
        let page = Some(PageRequest { page, page_size: 2 });
        let found = stores.accounts.list(&AccountFilter { page, ..AccountFilter::default() }).await.unwrap();
        assert_eq!(found.rows.iter().map(|account| account.id).collect::<Vec<_>>(), expected);
        assert_eq!(found.total, 3);
    }
    let page = Some(PageRequest { page: 1, page_size: 1 });
    let filter = AccountFilter { search: search("admin@"), page, ..AccountFilter::default() };
    let found = stores.accounts.list(&filter).await.unwrap();
    assert_eq!((found.rows.len(), found.total), (1, 2));
}
