//! Imports of end users, on the stores in memory and on mocks.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockEndUserStore, MockPasswordHasher, MockSheetWriter, Samples,
};
use plenum_clients::{
    ClientStore, ERASED_NAME, EndUserFilter, EndUserPorts, EndUserService, EndUserStore, ErasedBy, Erasure,
    ImportError, ImportField, ImportRow, ImportStep, PasswordHash, PasswordHasher, RowFault,
};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, ClientId, OpenVote, Page, PasswordSetter, PortFailure, ReasonNeeded, Secrets};

/// Returns the same password each time.
struct OnePassword;

impl Secrets for OnePassword {
    fn token(&self) -> String {
        unreachable!("an import makes no tokens")
    }

    fn password(&self) -> String {
        "aB3$aB3$aB3$".to_owned()
    }

    fn letters(&self, _: usize) -> String {
        unreachable!("an import makes no letters")
    }
}

fn service(end_users: Arc<dyn EndUserStore>, hasher: Arc<dyn PasswordHasher>) -> EndUserService {
    EndUserService::new(EndUserPorts {
        end_users,
        groups: Arc::new(InMemoryClients::new()),
        weight_kinds: Arc::new(InMemoryClients::new()),
        hasher,
        sheets: Arc::new(MockSheetWriter::new()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(OnePassword),
    })
}

/// An organizer who gives no reason.
fn setter() -> PasswordSetter {
    PasswordSetter { by: AccountId::new(&CountingIds::new()), reason: None }
}

fn row(line: u32, name: &str, password: &str) -> ImportRow {
    let text = |text: &str| Some(text.to_owned());
    ImportRow { line, name: text(name), username: text(name), password: text(password), ..ImportRow::default() }
}

/// Stores in memory with one client and the end user Anna.
async fn club() -> (Arc<InMemoryClients>, ClientId) {
    let (store, samples) = (Arc::new(InMemoryClients::new()), Samples::new());
    let client = samples.client("club");
    ClientStore::add(&*store, client.clone(), samples.admin_of(&client)).await.unwrap();
    let anna = samples.end_user(&client, "anna");
    EndUserStore::add(&*store, anna, InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
    (store, client.id)
}

#[tokio::test]
async fn random_passwords_are_hashed_fast_and_chosen_ones_slowly() {
    let (store, owner) = club().await;
    let mut hasher = MockPasswordHasher::new();
    hasher
        .expect_hash()
        .times(2)
        .withf(|password| password.expose().starts_with("chosen"))
        .returning(|_| Ok(PasswordHash::new("slow".to_owned())));
    hasher
        .expect_hash_random()
        .times(1)
        .withf(|password| password.expose() == "aB3$aB3$aB3$")
        .returning(|_| Ok(PasswordHash::new("quick".to_owned())));
    let service = service(store, Arc::new(hasher));
    let rows = [row(2, "Bert", ""), row(3, "Cleo", "chosen by Cleo"), row(4, "anna", "chosen by Anna")];
    let outcome = service.import(owner, &rows, false, setter()).await.unwrap();
    let passwords: Vec<&str> = outcome.credentials.iter().map(|one| one.password.expose()).collect();
    assert_eq!(passwords, ["aB3$aB3$aB3$", "chosen by Cleo", "chosen by Anna"]);
    assert_eq!(outcome.signed_out.len(), 1);
}

#[tokio::test]
async fn nothing_is_hashed_or_stored_if_a_row_has_an_error() {
    let (store, owner) = club().await;
    let service = service(store.clone(), Arc::new(MockPasswordHasher::new()));
    let refused = service.import(owner, &[row(2, "Bert", ""), row(3, "Cleo", "short")], false, setter()).await;
    assert!(matches!(refused, Err(ImportError::HasErrors)), "{refused:?}");
    let listed = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap();
    assert_eq!(listed.total, 1);
}

#[tokio::test]
async fn rows_with_errors_are_skipped_on_request() {
    let (store, owner) = club().await;
    let service = service(store.clone(), Arc::new(InstantHasher));
    let rows = [row(2, "Bert", ""), row(3, "Cleo", "short"), row(4, "Dora", "")];
    let outcome = service.import(owner, &rows, true, setter()).await.unwrap();
    assert!(matches!(outcome.plan.rows[1].step, ImportStep::Refuse(_)));
    assert_eq!(outcome.credentials.len(), 2);
    assert_eq!(outcome.credentials[0].end_user.created_at, outcome.credentials[1].end_user.created_at);
    let listed = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap();
    assert_eq!(listed.total, 3);
    let refused = service.import(owner, &[row(2, "Eve", "short")], true, setter()).await;
    assert!(matches!(refused, Err(ImportError::HasErrors)), "there is nothing else to import: {refused:?}");
}

#[tokio::test]
async fn a_check_neither_hashes_nor_stores() {
    let (store, owner) = club().await;
    let service = service(store.clone(), Arc::new(MockPasswordHasher::new()));
    let plan = service.check_import(owner, &[row(2, "Bert", ""), row(3, "anna", "chosen by Anna")]).await.unwrap();
    assert!(matches!(plan.rows[0].step, ImportStep::Add(_)) && matches!(plan.rows[1].step, ImportStep::Change(_)));
    let listed = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap();
    assert_eq!(listed.total, 1);
}

#[tokio::test]
async fn an_import_without_changes_is_not_stored() {
    let (store, owner) = club().await;
    let present = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap();
    // The store expects only a read.
    let mut store = MockEndUserStore::new();
    store.expect_list().returning(move |_, _| Ok(Page { rows: present.rows.clone(), total: present.total }));
    let service = service(Arc::new(store), Arc::new(InstantHasher));
    let outcome = service.import(owner, &[row(2, "anna", "")], false, setter()).await.unwrap();
    assert!(outcome.credentials.is_empty() && outcome.signed_out.is_empty());
}

#[tokio::test]
async fn an_error_of_the_store_is_returned() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut store = MockEndUserStore::new();
    store.expect_list().returning(|_, _| Ok(Page { rows: Vec::new(), total: 0 }));
    let counted = Arc::clone(&calls);
    store.expect_import().returning(move |_, _, _| match counted.fetch_add(1, Ordering::Relaxed) {
        0 => Err(ImportError::Outdated),
        _ => Err(PortFailure::busy("the store").into()),
    });
    let service = service(Arc::new(store), Arc::new(InstantHasher));
    let owner = ClientId::new(&CountingIds::new());
    let rows = [row(2, "Bert", "")];
    let refused = service.import(owner, &rows, false, setter()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    let refused = service.import(owner, &rows, false, setter()).await;
    assert!(matches!(refused, Err(ImportError::Port(_))), "{refused:?}");
}

#[tokio::test]
async fn a_password_during_a_vote_refuses_the_whole_import_before_anything_is_hashed() {
    let (store, owner) = club().await;
    let present = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap();
    let anna = present.rows[0].id;
    let vote = OpenVote { meeting: "Assembly".to_owned(), question: "Approve?".to_owned(), people: 1 };
    let (mut store, open) = (MockEndUserStore::new(), vec![vote.clone()]);
    store.expect_list().returning(move |_, _| Ok(Page { rows: present.rows.clone(), total: present.total }));
    store.expect_open_votes().withf(move |_, people| people == [anna]).returning(move |_, _| Ok(open.clone()));
    let service = service(Arc::new(store), Arc::new(MockPasswordHasher::new()));
    let rows = [row(2, "Bert", ""), row(3, "anna", "chosen by Anna")];
    let refused = service.import(owner, &rows, false, setter()).await;
    assert!(matches!(refused, Err(ImportError::ReasonNeeded(ReasonNeeded(votes))) if votes == [vote]));
}

#[tokio::test]
async fn an_erased_person_stays_and_a_row_that_would_change_them_is_refused() {
    let (store, owner) = club().await;
    let anna = EndUserStore::list(&*store, owner, &EndUserFilter::default()).await.unwrap().rows.remove(0);
    let by = ErasedBy::Organizer(anna.username.clone());
    let erasure = Erasure { id: anna.id, by, password: PasswordHash::new("nobody knows it".to_owned()) };
    EndUserStore::erase(&*store, owner, erasure).await.unwrap();
    let service = service(store.clone(), Arc::new(InstantHasher));
    let erased = anna.erased();
    let row_of = |line, name: &str, password| ImportRow {
        username: Some(erased.username.to_string()),
        ..row(line, name, password)
    };
    let unchanged = row_of(2, ERASED_NAME, "");
    for changed in [row_of(3, "anna", ""), row_of(3, ERASED_NAME, "chosen by Anna")] {
        let rows = [unchanged.clone(), row(4, "Bert", "")];
        let plan = service.check_import(owner, &[rows[0].clone(), changed.clone()]).await.unwrap();
        assert!(matches!(plan.rows[0].step, ImportStep::Refuse(_)), "two rows describe one person: {plan:?}");
        let plan = service.check_import(owner, &rows).await.unwrap();
        assert_eq!(plan.rows[0].step, ImportStep::Keep);
        let plan = service.check_import(owner, &[changed]).await.unwrap();
        let wanted = "The personal data of this person was erased. Remove the row.".to_owned();
        let fault = RowFault { field: ImportField::Username, wanted };
        assert_eq!(plan.rows[0].step, ImportStep::Refuse(vec![fault]));
    }
    let rows = [row_of(2, "anna", ""), row(3, "Bert", "")];
    let refused = service.import(owner, &rows, false, setter()).await;
    assert!(matches!(refused, Err(ImportError::HasErrors)), "{refused:?}");
    let outcome = service.import(owner, &rows, true, setter()).await.unwrap();
    assert_eq!(outcome.credentials.len(), 1);
    assert_eq!(EndUserStore::find(&*store, owner, anna.id).await.unwrap(), Some(erased.clone()));
}

#[tokio::test]
async fn nobody_new_gets_the_username_of_an_erased_person() {
    let (store, owner) = club().await;
    let service = service(store, Arc::new(InstantHasher));
    let name = format!("ERASED-{}", "0A".repeat(16));
    let plan = service.check_import(owner, &[row(2, &name, ""), row(3, "erased-0a", "")]).await.unwrap();
    let ImportStep::Refuse(faults) = &plan.rows[0].step else { panic!("{plan:?}") };
    assert_eq!(faults.iter().map(|fault| fault.field).collect::<Vec<_>>(), [ImportField::Username]);
    assert!(matches!(plan.rows[1].step, ImportStep::Add(_)), "{plan:?}");
}
