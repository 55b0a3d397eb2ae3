//! The erasure of people, confirmed and by rule.

use std::sync::Arc;

use plenum_clients::testkit::{InMemoryClients, InstantHasher, MockSheetWriter, Samples};
use plenum_clients::{
    Client, ClientStore, EndUser, EndUserPorts, EndUserService, EndUserStore, EraseEndUserError, Username,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};

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
        EndUserService::new(EndUserPorts {
            end_users: self.store.clone(),
            groups: Arc::new(InMemoryClients::new()),
            weight_kinds: Arc::new(InMemoryClients::new()),
            hasher: Arc::new(InstantHasher),
            sheets: Arc::new(MockSheetWriter::new()),
            clock: Arc::new(StillClock::new()),
            ids: Arc::new(CountingIds::new()),
            secrets: Arc::new(CountingSecrets::default()),
        })
    }

    async fn erased(&self) -> Vec<bool> {
        let mut erased = Vec::new();
        for person in &self.people {
            let found = EndUserStore::find(&*self.store, self.client.id, person.id).await.unwrap();
            erased.push(found.is_some_and(|found| found.is_erased()));
        }
        erased
    }
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
    let time = |text: &str| text.parse().unwrap();
    assert_eq!(service.erase_inactive(time("1999-01-01T00:00:00Z")).await.unwrap(), 0);
    assert_eq!(service.erase_inactive(time("2200-01-01T00:00:00Z")).await.unwrap(), 2);
    assert_eq!(club.erased().await, [false, true, true], "anna is active");
    assert_eq!(service.erase_inactive(time("2200-01-01T00:00:00Z")).await.unwrap(), 0);
}
