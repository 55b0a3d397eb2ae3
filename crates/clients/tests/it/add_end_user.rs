//! The creation of end users and super administrators.

use std::sync::Arc;

use plenum_clients::testkit::{InMemoryClients, InstantHasher, MockSheetWriter, Samples};
use plenum_clients::{
    AccountStore, AddEndUserError, ClientKey, ClientStore, CreateSuperAdminError, EndUserPorts, EndUserService,
    EndUserStore, NewEndUser, Password, PersonName, SuperAdminPorts, Username, create_super_admin,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{EmailAddress, Person, VotingWeight};

fn new_end_user(username: &str) -> NewEndUser {
    NewEndUser {
        username: Username::parse(username).unwrap(),
        name: PersonName::parse("Anna Voter").unwrap(),
        email: None,
        address: None,
        weights: plenum_kernel::KindWeights::default(),
        groups: Vec::new(),
        weight: VotingWeight::new("2.5".parse().unwrap()).unwrap(),
        is_active: true,
        password: Password::parse("a password").unwrap(),
    }
}

#[tokio::test]
async fn a_new_end_user_can_sign_in_with_the_returned_password() {
    let store = Arc::new(InMemoryClients::new());
    let samples = Samples::new();
    let client = samples.client("club");
    ClientStore::add(&*store, client.clone(), samples.admin_of(&client)).await.unwrap();
    let service = EndUserService::new(EndUserPorts {
        end_users: store.clone(),
        groups: Arc::new(InMemoryClients::new()),
        weight_kinds: Arc::new(InMemoryClients::new()),
        hasher: Arc::new(InstantHasher),
        sheets: Arc::new(MockSheetWriter::new()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    });

    let added = service.add(client.id, new_end_user("anna")).await.unwrap();
    assert_eq!(added.password.expose(), "a password");
    assert_eq!(added.end_user.client_id, client.id);
    let stored = EndUserStore::find(&*store, client.id, added.end_user.id).await.unwrap();
    assert_eq!(stored, Some(added.end_user));
    let username = Username::parse("anna").unwrap();
    let found = store.end_user_credentials(&ClientKey::Id(client.id), &username).await.unwrap().unwrap();
    assert_eq!(found.password_hash, InstantHasher::hash_of("a password"));

    let refused = service.add(client.id, new_end_user("Anna")).await;
    assert!(matches!(refused, Err(AddEndUserError::UsernameTaken)), "{refused:?}");
}

#[tokio::test]
async fn a_super_administrator_is_missing_until_one_is_created() {
    let store = Arc::new(InMemoryClients::new());
    let ports = SuperAdminPorts {
        accounts: store.clone(),
        hasher: Arc::new(InstantHasher),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
    };
    let email = EmailAddress::parse("root@example.org").unwrap();
    let password = Password::parse("a password").unwrap();
    assert!(!store.has_super_admin().await.unwrap());
    create_super_admin(&ports, email.clone(), password.clone()).await.unwrap();
    assert!(store.has_super_admin().await.unwrap());

    let found = store.account_credentials(&email).await.unwrap().unwrap();
    assert!(matches!(found.person, Person::SuperAdmin { .. }));
    assert!(found.may_sign_in);
    let refused = create_super_admin(&ports, email, password).await;
    assert!(matches!(refused, Err(CreateSuperAdminError::EmailTaken)), "{refused:?}");
}
