//! Changes and deletions of clients and end users.

use std::sync::Arc;

use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockClientStore, MockEndUserStore, MockPasswordHasher, MockSheetWriter, Samples,
};
use plenum_clients::{
    AccountStore, ChangeClientError, ChangeEndUserError, Client, ClientChanges, ClientKey, ClientName, ClientPorts,
    ClientService, ClientStore, EndUser, EndUserChanges, EndUserPorts, EndUserService, EndUserStore, Password,
    RemoveEndUserError, SessionStore,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{AccountId, Clock, OpenVote, PasswordSetter, Person, PortFailure, ReasonNeeded, SessionId};

/// A client with an end user, both signed in.
struct Club {
    store: Arc<InMemoryClients>,
    client: Client,
    admin: plenum_clients::Account,
    voter: EndUser,
    /// The sessions of the administrator and of the end user.
    sessions: [SessionId; 2],
}

impl Club {
    async fn new() -> Self {
        let store = Arc::new(InMemoryClients::new());
        let samples = Samples::new();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        ClientStore::add(&*store, client.clone(), admin.clone()).await.unwrap();
        let voter = samples.end_user(&client, "anna");
        EndUserStore::add(&*store, voter.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
        let of_voter = Person::EndUser { end_user: voter.id, client: client.id };
        let sessions = [samples.session(admin.person(), "admin"), samples.session(of_voter, "voter")];
        for session in &sessions {
            store.open(session.clone()).await.unwrap();
        }
        Self { store, client, admin, voter, sessions: sessions.map(|session| session.id) }
    }

    fn clients(&self) -> ClientService {
        clients(self.store.clone(), Arc::new(InstantHasher))
    }

    fn end_users(&self) -> EndUserService {
        end_users(self.store.clone(), Arc::new(InstantHasher))
    }

    /// Whether the administrator and the end user are signed in.
    async fn signed_in(&self) -> [bool; 2] {
        let mut signed_in = [false; 2];
        for (place, session) in self.sessions.into_iter().enumerate() {
            signed_in[place] =
                self.store.session_state(session).await.unwrap().is_some_and(|session_state| session_state.is_active);
        }
        signed_in
    }

    async fn can_sign_in_with(&self, password: &str) -> bool {
        let key = ClientKey::Id(self.client.id);
        let found = self.store.end_user_credentials(&key, &self.voter.username).await.unwrap();
        found.is_some_and(|found| found.may_sign_in && found.password_hash == InstantHasher::hash_of(password))
    }
}

fn clients(store: Arc<dyn ClientStore>, hasher: Arc<dyn plenum_clients::PasswordHasher>) -> ClientService {
    ClientService::new(ClientPorts {
        clients: store,
        hasher,
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    })
}

fn end_users(store: Arc<dyn EndUserStore>, hasher: Arc<dyn plenum_clients::PasswordHasher>) -> EndUserService {
    EndUserService::new(EndUserPorts {
        end_users: store,
        groups: Arc::new(InMemoryClients::new()),
        weight_kinds: Arc::new(InMemoryClients::new()),
        hasher,
        sheets: Arc::new(MockSheetWriter::new()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    })
}

fn password(text: &str) -> Password {
    Password::parse(text).unwrap()
}

/// An organizer who gives no reason.
fn setter() -> PasswordSetter {
    PasswordSetter { by: AccountId::new(&CountingIds::new()), reason: None }
}

#[tokio::test]
async fn a_new_password_of_a_client_signs_out_its_contact_and_a_new_name_nobody() {
    let club = Club::new().await;
    let name = ClientName::parse("Another club").unwrap();
    let changes = ClientChanges { name: Some(name.clone()), ..ClientChanges::default() };
    club.clients().change(club.client.id, changes, None).await.unwrap();
    let found = ClientStore::find(&*club.store, club.client.id).await.unwrap().unwrap().client;
    assert_eq!((found.name, found.code), (name, club.client.code.clone()), "a new name makes no new code");
    assert_eq!(club.signed_in().await, [true, true]);

    let new = Some(password("a new password"));
    club.clients().change(club.client.id, ClientChanges::default(), new).await.unwrap();
    assert_eq!(club.signed_in().await, [false, true]);
    let found = club.store.account_credentials(&club.admin.email).await.unwrap().unwrap();
    assert_eq!(found.password_hash, InstantHasher::hash_of("a new password"));
}

#[tokio::test]
async fn a_client_is_deleted_once() {
    let club = Club::new().await;
    assert!(club.clients().delete(club.client.id).await.unwrap());
    assert!(!club.clients().delete(club.client.id).await.unwrap());
    let refused = club.clients().change(club.client.id, ClientChanges::default(), None).await;
    assert!(matches!(refused, Err(ChangeClientError::NotFound)), "{refused:?}");
}

#[tokio::test]
async fn the_store_gets_the_time_of_the_change() {
    let mut store = MockClientStore::new();
    let now = StillClock::new().now();
    store.expect_update().withf(move |_, _, _, at| *at == now).times(1).returning(|_, _, _, _| Ok(()));
    store.expect_remove().withf(move |_, at| *at == now).times(1).returning(|_, _| Ok(true));
    let keeping = clients(Arc::new(store), Arc::new(InstantHasher));
    let client = Samples::new().client("club").id;
    keeping.change(client, ClientChanges::default(), None).await.unwrap();
    keeping.delete(client).await.unwrap();
}

#[tokio::test]
async fn nothing_is_changed_when_the_new_password_cannot_be_hashed() {
    let hasher = || {
        let mut hasher = MockPasswordHasher::new();
        hasher.expect_hash().returning(|_| Err(PortFailure::busy("the hasher")));
        Arc::new(hasher)
    };
    let samples = Samples::new();
    let client = samples.client("club");
    let new = || Some(password("a new password"));
    let refused = clients(Arc::new(MockClientStore::new()), hasher());
    let refused = refused.change(client.id, ClientChanges::default(), new()).await;
    assert!(matches!(refused, Err(ChangeClientError::Port(_))), "{refused:?}");
    let mut store = MockEndUserStore::new();
    store.expect_open_votes().returning(|_, _| Ok(Vec::new()));
    let refused = end_users(Arc::new(store), hasher());
    let voter = samples.end_user(&client, "anna").id;
    let new = Some((password("a new password"), setter()));
    let refused = refused.change(client.id, voter, EndUserChanges::default(), new).await;
    assert!(matches!(refused, Err(ChangeEndUserError::Port(_))), "{refused:?}");
}

#[tokio::test]
async fn a_new_password_replaces_the_old_one() {
    let club = Club::new().await;
    let changes = EndUserChanges { email: Some(None), ..EndUserChanges::default() };
    let changed = club.end_users().change(club.client.id, club.voter.id, changes.clone(), None).await.unwrap();
    assert_eq!(changed.id, club.voter.id);
    assert_eq!(club.signed_in().await, [true, true]);
    assert!(club.can_sign_in_with(Samples::PASSWORD).await);

    let new = Some((password("a new password"), setter()));
    club.end_users().change(club.client.id, club.voter.id, changes, new).await.unwrap();
    assert_eq!(club.signed_in().await, [true, false]);
    assert!(club.can_sign_in_with("a new password").await);
    assert!(!club.can_sign_in_with(Samples::PASSWORD).await);
}

#[tokio::test]
async fn renewed_credentials_are_random_and_valid() {
    let club = Club::new().await;
    let first = club.end_users().renew_password(club.client.id, club.voter.id, setter()).await.unwrap();
    assert_eq!(first.end_user.username, club.voter.username);
    assert!(club.can_sign_in_with(first.password.expose()).await);
    assert_eq!(club.signed_in().await, [true, false]);

    let keeping = club.end_users();
    let (one, other) = (
        keeping.renew_password(club.client.id, club.voter.id, setter()).await.unwrap(),
        keeping.renew_password(club.client.id, club.voter.id, setter()).await.unwrap(),
    );
    assert_ne!(one.password.expose(), other.password.expose());
    assert!(club.can_sign_in_with(other.password.expose()).await);
}

#[tokio::test]
async fn nothing_is_hashed_for_an_end_user_of_another_client() {
    let club = Club::new().await;
    let stranger = Samples::new().client("stranger").id;
    // A hasher that must not be called.
    let keeping = end_users(club.store.clone(), Arc::new(MockPasswordHasher::new()));
    let refused = keeping.renew_password(stranger, club.voter.id, setter()).await;
    assert!(matches!(refused, Err(ChangeEndUserError::NotFound)), "{refused:?}");
    let refused = keeping.delete(stranger, club.voter.id).await;
    assert!(matches!(refused, Err(RemoveEndUserError::NotFound)), "{refused:?}");
    assert_eq!(club.signed_in().await, [true, true]);
}

#[tokio::test]
async fn an_end_user_is_deleted_once() {
    let club = Club::new().await;
    club.end_users().delete(club.client.id, club.voter.id).await.unwrap();
    let refused = club.end_users().delete(club.client.id, club.voter.id).await;
    assert!(matches!(refused, Err(RemoveEndUserError::NotFound)), "{refused:?}");
    assert!(!club.can_sign_in_with(Samples::PASSWORD).await);
    let refused = club.end_users().renew_password(club.client.id, club.voter.id, setter()).await;
    assert!(matches!(refused, Err(ChangeEndUserError::NotFound)), "{refused:?}");
}

#[tokio::test]
async fn a_password_during_a_vote_is_not_hashed_without_a_reason() {
    let (samples, vote) = (
        Samples::new(),
        OpenVote { meeting: "General assembly".to_owned(), question: "Approve the budget?".to_owned(), people: 1 },
    );
    let client = samples.client("club");
    let voter = samples.end_user(&client, "anna");
    let mut store = MockEndUserStore::new();
    let (open, found) = (vec![vote.clone()], voter.clone());
    store.expect_open_votes().withf(move |_, people| people == [voter.id]).returning(move |_, _| Ok(open.clone()));
    store.expect_find().returning(move |_, _| Ok(Some(found.clone())));
    // A hasher that must not be called.
    let service = end_users(Arc::new(store), Arc::new(MockPasswordHasher::new()));
    let new = Some((password("a new password"), setter()));
    let refused = service.change(client.id, voter.id, EndUserChanges::default(), new).await;
    assert!(matches!(refused, Err(ChangeEndUserError::ReasonNeeded(ReasonNeeded(votes))) if votes == [vote.clone()]));
    let refused = service.renew_password(client.id, voter.id, setter()).await;
    assert!(matches!(refused, Err(ChangeEndUserError::ReasonNeeded(ReasonNeeded(votes))) if votes == [vote]));
}
