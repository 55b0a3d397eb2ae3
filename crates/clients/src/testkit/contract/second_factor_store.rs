//! The contract of every [`SecondFactorStore`](crate::SecondFactorStore), and of the sessions that second factors open.

use std::sync::Arc;

use plenum_kernel::{AccountId, Person};

use super::{Stores, race};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    Account, Client, FactorConfirmation, NewFactor, NewSession, RecoveryCodeHash, SealedSecret, SecondFactorProof,
    StoredFactor, TotpStep,
};

/// The step of the code by which all second factors are confirmed.
const CONFIRMED_AT: TotpStep = TotpStep(1_000);

/// A super administrator and a client's administrator.
async fn accounts(stores: &Stores, samples: &Samples) -> (Client, [Account; 2]) {
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    (client, [root, admin])
}

fn secret(text: &str) -> SealedSecret {
    SealedSecret(text.as_bytes().to_vec())
}

fn code(text: &str) -> RecoveryCodeHash {
    RecoveryCodeHash(text.as_bytes().to_vec())
}

fn recovery(text: &str) -> SecondFactorProof {
    SecondFactorProof::Recovery(code(text))
}

fn step(number: i64) -> SecondFactorProof {
    SecondFactorProof::Step(TotpStep(number))
}

fn new(samples: &Samples, account: &Account, of: &str) -> NewFactor {
    let checked = InstantHasher::hash_of(Samples::PASSWORD);
    NewFactor { person: account.person(), checked, secret: secret(of), at: samples.now() }
}

fn confirmation(samples: &Samples, account: &Account, of: &str) -> FactorConfirmation {
    FactorConfirmation {
        person: account.person(),
        secret: secret(of),
        step: CONFIRMED_AT,
        codes: vec![code("first"), code("second")],
        kept: samples.session_id(),
        at: samples.now(),
    }
}

/// Turns the second factor on.
async fn turn_on(stores: &Stores, samples: &Samples, account: &Account) {
    assert!(stores.factors.begin(new(samples, account, "secret")).await.unwrap());
    assert!(stores.factors.confirm(confirmation(samples, account, "secret")).await.unwrap());
}

/// A sign-in with the right password and this proof.
fn session(samples: &Samples, person: Person, proof: SecondFactorProof) -> NewSession {
    let session = samples.session(person, "");
    // Each with its own token.
    let token = session.id.to_string();
    NewSession { second_factor: proof, ..samples.session(person, &token) }
}

async fn opens(stores: &Stores, samples: &Samples, person: Person, proof: SecondFactorProof) -> bool {
    let session = session(samples, person, proof);
    let id = session.id;
    let has_opened = stores.sessions.open(session).await.unwrap();
    assert_eq!(stores.sessions.session_state(id).await.unwrap().is_some(), has_opened);
    has_opened
}

async fn find(stores: &Stores, account: AccountId) -> Option<StoredFactor> {
    let found = stores.factors.find(account).await.unwrap();
    found.map(|mut factor| {
        factor.unused_codes.sort_by(|one, other| one.0.cmp(&other.0));
        factor
    })
}

/// Until it is confirmed.
pub async fn a_begun_second_factor_is_stored_and_not_required(stores: &Stores) {
    let samples = Samples::new();
    let (_, accounts) = accounts(stores, &samples).await;
    for account in &accounts {
        assert_eq!(find(stores, account.id).await, None);
        assert!(stores.factors.begin(new(&samples, account, account.email.as_str())).await.unwrap());
    }
    for account in accounts {
        let wanted = StoredFactor { secret: secret(account.email.as_str()), last_step: None, unused_codes: Vec::new() };
        assert!(!wanted.is_on());
        assert_eq!(find(stores, account.id).await, Some(wanted));
        assert!(opens(stores, &samples, account.person(), SecondFactorProof::NotAsked).await);
    }
}

/// The first one can no longer be confirmed.
pub async fn a_second_setup_replaces_the_first_one(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    assert!(stores.factors.begin(new(&samples, &root, "old")).await.unwrap());
    assert!(stores.factors.begin(new(&samples, &root, "new")).await.unwrap());
    assert!(!stores.factors.confirm(confirmation(&samples, &root, "old")).await.unwrap());
    assert_eq!(find(stores, root.id).await.map(|factor| factor.is_on()), Some(false));
    assert!(stores.factors.confirm(confirmation(&samples, &root, "new")).await.unwrap());
    assert_eq!(find(stores, root.id).await.map(|factor| factor.secret), Some(secret("new")));
}

/// A removed person cannot begin either.
pub async fn no_setup_begins_with_another_password_or_while_one_is_on(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    let late = NewFactor { checked: InstantHasher::hash_of("the one before"), ..new(&samples, &root, "late") };
    assert!(!stores.factors.begin(late).await.unwrap());
    assert_eq!(find(stores, root.id).await, None);
    turn_on(stores, &samples, &root).await;
    assert!(!stores.factors.begin(new(&samples, &root, "another")).await.unwrap());
    assert!(!stores.factors.confirm(confirmation(&samples, &root, "secret")).await.unwrap());
    assert_eq!(find(stores, root.id).await.map(|factor| factor.secret), Some(secret("secret")));
    let gone = samples.super_admin("gone@example.org");
    assert!(!stores.factors.begin(new(&samples, &gone, "gone")).await.unwrap());
    assert!(!stores.factors.confirm(confirmation(&samples, &gone, "gone")).await.unwrap());
}

/// Other accounts have none.
pub async fn a_confirmed_second_factor_is_required(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &admin).await;
    let wanted = StoredFactor {
        secret: secret("secret"),
        last_step: Some(CONFIRMED_AT),
        unused_codes: vec![code("first"), code("second")],
    };
    assert!(wanted.is_on());
    assert_eq!(find(stores, admin.id).await, Some(wanted));
    assert!(!opens(stores, &samples, admin.person(), SecondFactorProof::NotAsked).await);
    assert!(opens(stores, &samples, root.person(), SecondFactorProof::NotAsked).await);
    assert!(opens(stores, &samples, admin.person(), step(1_001)).await);
}

/// Sessions of other people stay.
pub async fn a_confirmation_ends_all_sessions_except_the_acting_one(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    let here = stores.with_session(&samples, admin.person(), "here").await;
    let elsewhere = stores.with_session(&samples, admin.person(), "elsewhere").await;
    let other = stores.with_session(&samples, root.person(), "other").await;
    assert!(stores.factors.begin(new(&samples, &admin, "secret")).await.unwrap());
    assert!(stores.is_active(elsewhere).await);
    let confirmation = FactorConfirmation { kept: here, ..confirmation(&samples, &admin, "secret") };
    assert!(stores.factors.confirm(confirmation).await.unwrap());
    let stand = [stores.is_active(here).await, stores.is_active(elsewhere).await, stores.is_active(other).await];
    assert_eq!(stand, [true, false, true]);
}

/// The code of the confirmation opens none either.
pub async fn a_code_opens_one_session_and_invalidates_earlier_codes(stores: &Stores) {
    let samples = Samples::new();
    let (_, accounts) = accounts(stores, &samples).await;
    for account in accounts {
        turn_on(stores, &samples, &account).await;
        for (number, is_good) in [(1_000, false), (1_002, true), (1_002, false), (1_001, false), (1_003, true)] {
            assert_eq!(opens(stores, &samples, account.person(), step(number)).await, is_good, "{number}");
        }
        assert_eq!(find(stores, account.id).await.and_then(|factor| factor.last_step), Some(TotpStep(1_003)));
        // A wrong password does not use the code up.
        let another = InstantHasher::hash_of("another");
        let refused = NewSession { password_hash: another, ..session(&samples, account.person(), step(1_004)) };
        assert!(!stores.sessions.open(refused).await.unwrap());
        assert!(opens(stores, &samples, account.person(), step(1_004)).await);
    }
}

/// The number of successes among 20 concurrent sign-ins.
async fn successes(stores: &Stores, samples: &Samples, account: &Account, proof: &SecondFactorProof) -> usize {
    let racers = (0..20)
        .map(|_| {
            let (sessions, session) = (Arc::clone(&stores.sessions), session(samples, account.person(), proof.clone()));
            async move { sessions.open(session).await.unwrap() }
        })
        .collect();
    race(racers).await.into_iter().filter(|is_in| *is_in).count()
}

/// The others are refused.
pub async fn one_of_many_concurrent_sign_ins_with_one_code_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    for account in [root, admin] {
        turn_on(stores, &samples, &account).await;
        assert_eq!(successes(stores, &samples, &account, &step(1_001)).await, 1);
    }
}

/// Each of the codes.
pub async fn a_recovery_code_opens_one_session(stores: &Stores) {
    let samples = Samples::new();
    let (_, [_, admin]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &admin).await;
    for (text, is_good) in [("first", true), ("first", false), ("unknown", false), ("second", true), ("second", false)]
    {
        assert_eq!(opens(stores, &samples, admin.person(), recovery(text)).await, is_good, "{text}");
        let left = find(stores, admin.id).await.unwrap().unused_codes;
        assert!(!left.contains(&code(text)), "{text}");
    }
    assert_eq!(find(stores, admin.id).await.unwrap().unused_codes, []);
    assert!(!opens(stores, &samples, admin.person(), SecondFactorProof::NotAsked).await);
}

/// The others are refused.
pub async fn one_of_many_concurrent_sign_ins_with_one_recovery_code_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &root).await;
    assert_eq!(successes(stores, &samples, &root, &recovery("first")).await, 1);
}

/// Another account refuses it.
pub async fn a_proof_is_valid_for_its_account_only(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &root).await;
    assert!(stores.factors.begin(new(&samples, &admin, "secret")).await.unwrap());
    let codes = vec![code("third")];
    let confirmation = FactorConfirmation { codes, ..confirmation(&samples, &admin, "secret") };
    assert!(stores.factors.confirm(confirmation).await.unwrap());
    assert!(!opens(stores, &samples, root.person(), recovery("third")).await);
    assert!(opens(stores, &samples, admin.person(), recovery("third")).await);
    assert!(opens(stores, &samples, root.person(), step(1_002)).await);
    assert!(opens(stores, &samples, admin.person(), step(1_001)).await);
}

/// Also when the second factor was just removed.
pub async fn no_proof_is_valid_without_a_second_factor(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    for proof in [step(1_001), recovery("first")] {
        assert!(!opens(stores, &samples, root.person(), proof).await);
    }
    assert!(stores.factors.begin(new(&samples, &root, "secret")).await.unwrap());
    assert!(!opens(stores, &samples, root.person(), step(1_001)).await);
}

/// Unused ones, too.
pub async fn new_recovery_codes_replace_the_old_ones(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &root).await;
    turn_on(stores, &samples, &admin).await;
    let (person, now) = (admin.person(), samples.now());
    assert!(stores.factors.renew_codes(person, step(1_001), vec![code("third")], now).await.unwrap());
    assert_eq!(find(stores, admin.id).await.unwrap().unused_codes, [code("third")]);
    assert!(!opens(stores, &samples, person, step(1_001)).await);
    assert!(!opens(stores, &samples, person, recovery("first")).await);
    assert!(stores.factors.renew_codes(person, recovery("third"), vec![code("fourth")], now).await.unwrap());
    assert!(!opens(stores, &samples, person, recovery("third")).await);
    assert!(opens(stores, &samples, person, recovery("fourth")).await);
    assert!(opens(stores, &samples, root.person(), recovery("first")).await);
}

/// A new setup can begin.
pub async fn a_removed_second_factor_is_not_required(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    for (account, proof) in [(&root, step(1_001)), (&admin, recovery("second"))] {
        turn_on(stores, &samples, account).await;
        assert!(stores.factors.remove(account.person(), proof, samples.now()).await.unwrap());
        assert_eq!(find(stores, account.id).await, None);
        assert!(opens(stores, &samples, account.person(), SecondFactorProof::NotAsked).await);
        turn_on(stores, &samples, account).await;
        assert!(!opens(stores, &samples, account.person(), SecondFactorProof::NotAsked).await);
    }
}

/// The proof is not used up.
pub async fn renewal_and_removal_need_a_valid_proof(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    let now = samples.now();
    turn_on(stores, &samples, &admin).await;
    for account in [&root, &admin] {
        let before = find(stores, account.id).await;
        for proof in [SecondFactorProof::NotAsked, step(1_000), step(999), recovery("unknown")] {
            let person = account.person();
            assert!(!stores.factors.renew_codes(person, proof.clone(), vec![code("new")], now).await.unwrap());
            assert!(!stores.factors.remove(person, proof, now).await.unwrap());
        }
        assert_eq!(find(stores, account.id).await, before);
    }
}

/// Sessions of other people stay.
pub async fn a_removal_without_proof_ends_all_sessions(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    let now = samples.now();
    assert_eq!(stores.factors.remove_without_proof(admin.id, now).await.unwrap(), None);
    assert!(stores.factors.begin(new(&samples, &admin, "secret")).await.unwrap());
    assert_eq!(stores.factors.remove_without_proof(admin.id, now).await.unwrap(), None);
    turn_on(stores, &samples, &admin).await;
    let signed_in = session(&samples, admin.person(), step(1_001));
    assert!(stores.sessions.open(signed_in.clone()).await.unwrap());
    let other = stores.with_session(&samples, root.person(), "other").await;
    assert_eq!(stores.factors.remove_without_proof(admin.id, now).await.unwrap(), Some(admin.person()));
    assert_eq!([stores.is_active(signed_in.id).await, stores.is_active(other).await], [false, true]);
    assert_eq!(find(stores, admin.id).await, None);
    assert!(opens(stores, &samples, admin.person(), SecondFactorProof::NotAsked).await);
    assert_eq!(stores.factors.remove_without_proof(admin.id, now).await.unwrap(), None);
}

/// Also with its client.
pub async fn a_second_factor_is_removed_with_its_account(stores: &Stores) {
    let samples = Samples::new();
    let (client, [root, admin]) = accounts(stores, &samples).await;
    turn_on(stores, &samples, &root).await;
    turn_on(stores, &samples, &admin).await;
    stores.clients.remove(client.id, samples.now()).await.unwrap();
    assert_eq!(find(stores, admin.id).await, None);
    assert!(find(stores, root.id).await.is_some());
    assert_eq!(stores.factors.remove_without_proof(admin.id, samples.now()).await.unwrap(), None);
}

/// Until the account is removed.
pub async fn every_account_has_its_owner(stores: &Stores) {
    let samples = Samples::new();
    let (client, [root, admin]) = accounts(stores, &samples).await;
    for account in [&root, &admin] {
        assert_eq!(stores.factors.owner(account.id).await.unwrap(), Some(account.person()));
    }
    stores.clients.remove(client.id, samples.now()).await.unwrap();
    assert_eq!(stores.factors.owner(admin.id).await.unwrap(), None);
}
