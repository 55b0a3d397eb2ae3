//! The creation of clients: the choice of codes, and refusals.

use std::sync::{Arc, Mutex};

use plenum_clients::testkit::{InMemoryClients, InstantHasher, MockClientStore, MockPasswordHasher};
use plenum_clients::{
    AccountStore, AddClientError, ClientCode, ClientFilter, ClientName, ClientPorts, ClientService, ClientStatus,
    ClientStore, CodeOwner, NewClient, Password, PersonName, SubscriptionPlan,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{ClientId, Clock, EmailAddress, Person, PortFailure};

fn ports(clients: Arc<dyn ClientStore>) -> ClientPorts {
    ClientPorts {
        clients,
        hasher: Arc::new(InstantHasher),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    }
}

fn service(clients: Arc<dyn ClientStore>) -> ClientService {
    ClientService::new(ports(clients))
}

fn new_client(name: &str, email: &str) -> NewClient {
    NewClient {
        name: ClientName::parse(name).unwrap(),
        code: None,
        plan: SubscriptionPlan::Pro,
        email: EmailAddress::parse(email).unwrap(),
        first_name: PersonName::parse("Ann").unwrap(),
        last_name: PersonName::parse("Admin").unwrap(),
        password: Password::parse("a password").unwrap(),
    }
}

fn code(text: &str) -> ClientCode {
    ClientCode::parse(text).unwrap()
}

#[tokio::test]
async fn a_new_client_is_active_and_its_administrator_can_sign_in() {
    let store = Arc::new(InMemoryClients::new());
    let client = service(store.clone()).add(new_client("The Club", "ann@example.org")).await.unwrap();

    assert_eq!(client.status, ClientStatus::Active);
    assert_eq!(client.plan, SubscriptionPlan::Pro);
    assert_eq!(client.contact_email.as_str(), "ann@example.org");
    assert_eq!(client.created_at, StillClock::new().now());
    let found = store.account_credentials(&client.contact_email).await.unwrap().unwrap();
    assert!(matches!(found.person, Person::ClientAdmin { client: of, .. } if of == client.id));
    assert_eq!(found.password_hash, InstantHasher::hash_of("a password"));
}

#[tokio::test]
async fn a_code_from_a_taken_name_gets_the_next_free_number_from_the_year_on() {
    let store = Arc::new(InMemoryClients::new());
    let service = service(store);
    for (number, expected) in ["club", "club-26", "club-27"].into_iter().enumerate() {
        let client = service.add(new_client("The Club", &format!("ann{number}@example.org"))).await.unwrap();
        assert_eq!(client.code.as_str(), expected);
    }
}

#[tokio::test]
async fn a_name_without_letters_gets_a_code_of_random_letters() {
    let client = service(Arc::new(InMemoryClients::new())).add(new_client("!!!", "ann@example.org")).await.unwrap();
    assert_eq!(client.code.as_str().len(), 8);
}

#[tokio::test]
async fn a_chosen_code_is_used_unchanged_or_refused() {
    let store = Arc::new(InMemoryClients::new());
    let service = service(store.clone());
    let chosen = |email: &str| NewClient { code: Some(code("our-code")), ..new_client("The Club", email) };
    let client = service.add(chosen("ann@example.org")).await.unwrap();
    assert_eq!(client.code.as_str(), "our-code");

    let refused = service.add(chosen("bea@example.org")).await;
    assert!(matches!(refused, Err(AddClientError::CodeTaken)), "{refused:?}");
    assert_eq!(ClientStore::list(&*store, &ClientFilter::default()).await.unwrap().total, 1);
}

#[tokio::test]
async fn a_taken_address_is_refused_at_once() {
    let store = Arc::new(InMemoryClients::new());
    let service = service(store.clone());
    service.add(new_client("One", "ann@example.org")).await.unwrap();
    let refused = service.add(new_client("Two", "ann@example.org")).await;
    assert!(matches!(refused, Err(AddClientError::EmailTaken)), "{refused:?}");
    assert_eq!(store.find_by_code(&code("two")).await.unwrap(), None);
}

#[tokio::test]
async fn random_letters_are_tried_after_free_numbers() {
    let tried = Arc::new(Mutex::new(Vec::new()));
    let mut store = MockClientStore::new();
    let owner = ClientId::new(&CountingIds::new());
    store.expect_code_owners().times(1).returning(move |codes| {
        let owners = codes[..2].iter().cloned();
        Ok(owners.map(|code| CodeOwner { code, client: owner, is_current: true }).collect())
    });
    let seen = tried.clone();
    store.expect_add().returning(move |client, _| {
        seen.lock().unwrap().push(client.code.as_str().to_owned());
        Err(AddClientError::CodeTaken)
    });
    let refused = service(Arc::new(store)).add(new_client("The Club", "ann@example.org")).await;
    assert!(matches!(refused, Err(AddClientError::CodeTaken)), "{refused:?}");

    let tried = tried.lock().unwrap();
    assert_eq!(tried[..2], ["club-27", "club-28"]);
    assert_eq!(tried.len(), 23);
    assert!(tried[20..].iter().all(|code| code.len() == 8 && !code.contains('-')), "{tried:?}");
}

#[tokio::test]
async fn the_password_is_hashed_once_however_many_codes_are_tried() {
    let store = Arc::new(InMemoryClients::new());
    service(store.clone()).add(new_client("The Club", "ann@example.org")).await.unwrap();
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_hash().times(1).returning(|password| Ok(InstantHasher::hash_of(password.expose())));
    let second = ClientService::new(ClientPorts { hasher: Arc::new(hasher), ..ports(store) });
    let client = second.add(new_client("The Club", "bea@example.org")).await.unwrap();
    assert_eq!(client.code.as_str(), "club-26");
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_not_asked_again() {
    let mut store = MockClientStore::new();
    store.expect_code_owners().times(1).returning(|_| Ok(Vec::new()));
    store.expect_add().times(1).returning(|_, _| Err(PortFailure::busy("the database").into()));
    let failed = service(Arc::new(store)).add(new_client("The Club", "ann@example.org")).await;
    assert!(matches!(failed, Err(AddClientError::Port(_))), "{failed:?}");
}
