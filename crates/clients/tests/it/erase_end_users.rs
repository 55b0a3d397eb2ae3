//! The erasure of people, confirmed and by rule.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_clients::testkit::{InMemoryClients, InstantHasher, MockEndUserStore, MockSheetWriter, Samples};
use plenum_clients::{
    Client, ClientStore, EndUser, EndUserChanges, EndUserPorts, EndUserService, EndUserStore, EndUserUpdate,
    EraseEndUserError, ErasedBy, FailedErasure, Username,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{ClientId, EndUserId, PortFailure};

/// A client with these people, the first one active.
struct Club {
    store: Arc<InMemoryClients>,
    client: Client,
    people: Vec<EndUser>,
}

impl Club {
    async fn new(usernames: &[&str]) -> Self {
        let (store, samples) = (Arc::new(InMemoryClients::new()), Samples::new());
        let client = samples.client("club");
        ClientStore::add(&*store, client.clone(), samples.admin_of(&client)).await.unwrap();
        let mut people = Vec::new();
        for username in usernames {
            let person = EndUser { is_active: people.is_empty(), ..samples.end_user(&client, username) };
            EndUserStore::add(&*store, person.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
            people.push(person);
        }
        Self { store, client, people }
    }

    fn service(&self) -> EndUserService {
        service(self.store.clone())
    }

    async fn erased(&self) -> Vec<bool> {
        let mut erased = Vec::new();
        for person in &self.people {
            let found = EndUserStore::find(&*self.store, self.client.id, person.id).await.unwrap();
            erased.push(found.is_some_and(|found| found.is_erased));
        }
        erased
    }
}

fn service(end_users: Arc<dyn EndUserStore>) -> EndUserService {
    EndUserService::new(EndUserPorts {
        end_users,
        groups: Arc::new(InMemoryClients::new()),
        weight_kinds: Arc::new(InMemoryClients::new()),
        hasher: Arc::new(InstantHasher),
        sheets: Arc::new(MockSheetWriter::new()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    })
}

#[tokio::test]
async fn an_erasure_needs_the_username_of_the_person() {
    let club = Club::new(&["anna", "bert"]).await;
    let (service, anna) = (club.service(), club.people[0].id);
    let typed = |text: &str| Username::parse(text).unwrap();
    let refused = service.erase(club.client.id, anna, typed("bert")).await;
    assert!(matches!(refused, Err(EraseEndUserError::OtherUsername)), "{refused:?}");
    service.erase(club.client.id, anna, typed("anna")).await.unwrap();
    assert_eq!(club.erased().await, [true, false]);
    let repeated = service.erase(club.client.id, anna, typed("anna")).await;
    assert!(matches!(repeated, Err(EraseEndUserError::AlreadyErased)), "{repeated:?}");
}

#[tokio::test]
async fn the_rule_erases_everybody_who_is_due_once() {
    let club = Club::new(&["anna", "bert", "carl"]).await;
    let service = club.service();
    let erase = async |text| service.erase_inactive(time(text)).await.unwrap().erased;
    assert_eq!(erase("1999-01-01T00:00:00Z").await, 0);
    assert_eq!(erase("2200-01-01T00:00:00Z").await, 2);
    assert_eq!(club.erased().await, [false, true, true], "anna is active");
    assert_eq!(erase("2200-01-01T00:00:00Z").await, 0);
}

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[tokio::test]
async fn the_rule_goes_on_behind_a_person_who_cannot_be_erased() {
    let club = Club::new(&["anna", "bert", "carl"]).await;
    let (anna, bert) = (&club.people[0], &club.people[1]);
    let changes = EndUserChanges { username: Some(bert.erased().username), ..EndUserChanges::default() };
    let update = EndUserUpdate { id: anna.id, changes, password: None };
    EndUserStore::update(&*club.store, club.client.id, update, time("2100-01-01T00:00:00Z")).await.unwrap();
    let outcome = club.service().erase_inactive(time("2200-01-01T00:00:00Z")).await.unwrap();
    assert_eq!((outcome.erased, club.erased().await), (1, vec![false, false, true]));
    let [failed] = &outcome.failed[..] else { panic!("{outcome:?}") };
    assert_eq!((failed.client, failed.end_user), (club.client.id, bert.id));
    assert!(matches!(failed.reason, EraseEndUserError::UsernameTaken), "{failed:?}");
}

#[tokio::test]
async fn the_rule_reaches_other_clients_after_a_failure_of_the_store() {
    let ids = CountingIds::new();
    let person = || (ClientId::new(&ids), EndUserId::new(&ids));
    let (one, other) = (person(), person());
    let mut store = MockEndUserStore::new();
    store.expect_inactive_since().returning(move |_, behind, _| match behind {
        None => Ok(vec![one, other]),
        Some(_) => Ok(Vec::new()),
    });
    let cutoff = time("2200-01-01T00:00:00Z");
    store.expect_erase().times(2).returning(move |client, erasure| {
        assert_eq!(erasure.by, ErasedBy::Rule(cutoff));
        if client == one.0 { Err(PortFailure::busy("the store").into()) } else { Ok(()) }
    });
    let outcome = service(Arc::new(store)).erase_inactive(cutoff).await.unwrap();
    assert_eq!(outcome.erased, 1);
    assert!(matches!(outcome.failed[..], [FailedErasure { end_user, .. }] if end_user == one.1), "{outcome:?}");
}
