//! The contract of every [`PasswordStore`](crate::PasswordStore).

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{Person, SessionId};

use super::{Stores, person, race};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    Account, Client, ClientChanges, ClientStatus, NewReset, NewSession, PasswordChange, ResetTokenHash,
    StoredCredentials,
};

const NEW: &str = "a better one";

/// A super administrator, a client's administrator, and a voter.
async fn people(stores: &Stores, samples: &Samples) -> [Person; 3] {
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(samples, &client, "anna").await;
    [root.person(), admin.person(), person(&voter)]
}

/// A change from the sample password to another one.
fn change(samples: &Samples, person: Person, kept: SessionId, new: &str) -> PasswordChange {
    let (checked, new) = (InstantHasher::hash_of(Samples::PASSWORD), InstantHasher::hash_of(new));
    PasswordChange { person, checked, new, kept, at: samples.now() }
}

/// With whether they may sign in.
pub async fn everybody_has_the_password_of_their_sign_in(stores: &Stores) {
    let samples = Samples::new();
    let password_hash = InstantHasher::hash_of(Samples::PASSWORD);
    for person in people(stores, &samples).await {
        let wanted = StoredCredentials { person, password_hash: password_hash.clone(), may_sign_in: true };
        assert_eq!(stores.passwords.of_person(person).await.unwrap(), Some(wanted));
    }
    let suspended = Client { status: ClientStatus::Suspended, ..samples.client("suspended") };
    let admin = samples.admin_of(&suspended);
    stores.clients.add(suspended.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &suspended, "anna").await;
    for person in [admin.person(), person(&voter)] {
        assert!(!stores.passwords.of_person(person).await.unwrap().unwrap().may_sign_in);
    }
    stores.clients.remove(suspended.id, samples.now()).await.unwrap();
    for person in [admin.person(), person(&voter)] {
        assert_eq!(stores.passwords.of_person(person).await.unwrap(), None);
    }
}

/// Other people keep their passwords.
pub async fn a_changed_password_replaces_the_old_one(stores: &Stores) {
    let samples = Samples::new();
    let people = people(stores, &samples).await;
    let hash_of = async |person| stores.passwords.of_person(person).await.unwrap().unwrap().password_hash;
    for (number, person) in people.into_iter().enumerate() {
        let kept = stores.with_session(&samples, person, &format!("{person:?}")).await;
        assert!(stores.passwords.change(change(&samples, person, kept, NEW)).await.unwrap());
        assert_eq!(hash_of(person).await, InstantHasher::hash_of(NEW));
        let by_the_old_one = samples.session(person, &format!("{person:?} again"));
        let by_the_new_one = NewSession { password_hash: InstantHasher::hash_of(NEW), ..by_the_old_one.clone() };
        assert!(!stores.sessions.open(by_the_old_one).await.unwrap());
        assert!(stores.sessions.open(by_the_new_one).await.unwrap());
        for other in &people[number + 1..] {
            assert_eq!(hash_of(*other).await, InstantHasher::hash_of(Samples::PASSWORD));
        }
    }
}

/// Sessions of other people stay.
pub async fn a_changed_password_ends_all_sessions_except_the_acting_one(stores: &Stores) {
    let samples = Samples::new();
    let people = people(stores, &samples).await;
    for person in people {
        let kept = stores.with_session(&samples, person, &format!("{person:?} here")).await;
        let elsewhere = stores.with_session(&samples, person, &format!("{person:?} elsewhere")).await;
        let other = people.into_iter().find(|other| *other != person).unwrap();
        let of_another = stores.passwords.of_person(other).await.unwrap().unwrap().password_hash;
        let of_another =
            NewSession { password_hash: of_another, ..samples.session(other, &format!("{person:?} other")) };
        assert!(stores.sessions.open(of_another.clone()).await.unwrap());
        assert!(stores.passwords.change(change(&samples, person, kept, NEW)).await.unwrap());
        assert!(stores.is_active(kept).await);
        assert!(!stores.is_active(elsewhere).await);
        assert!(stores.is_active(of_another.id).await);
    }
}

/// All sessions stay.
pub async fn a_password_that_was_changed_in_the_meantime_stays(stores: &Stores) {
    let samples = Samples::new();
    for person in people(stores, &samples).await {
        let elsewhere = stores.with_session(&samples, person, &format!("{person:?}")).await;
        let checked = InstantHasher::hash_of("the one before");
        let late = PasswordChange { checked, ..change(&samples, person, samples.session_id(), NEW) };
        assert!(!stores.passwords.change(late).await.unwrap());
        let hash = stores.passwords.of_person(person).await.unwrap().unwrap().password_hash;
        assert_eq!(hash, InstantHasher::hash_of(Samples::PASSWORD));
        assert!(stores.is_active(elsewhere).await);
    }
}

/// The losers get `false`.
pub async fn one_of_many_concurrent_changes_succeeds(stores: &Stores) {
    let samples = Samples::new();
    for person in people(stores, &samples).await {
        let racers = (0..8)
            .map(|number| {
                let passwords = Arc::clone(&stores.passwords);
                let change = change(&samples, person, samples.session_id(), &format!("password {number}"));
                async move { passwords.change(change).await.unwrap() }
            })
            .collect();
        let won = race(racers).await;
        assert_eq!(won.into_iter().filter(|won| *won).count(), 1);
    }
}

/// A reset link for this account, with this token.
fn reset_of(samples: &Samples, account: &Account, token: &str) -> NewReset {
    NewReset {
        token: token_hash(token),
        person: account.person(),
        email: account.email.clone(),
        password_hash: InstantHasher::hash_of(Samples::PASSWORD),
        made_at: samples.now(),
        expires_at: samples.now() + TimeDelta::hours(1),
    }
}

fn token_hash(token: &str) -> ResetTokenHash {
    ResetTokenHash(token.as_bytes().to_vec())
}

/// A super administrator and a client's administrator.
async fn accounts(stores: &Stores, samples: &Samples) -> (Client, [Account; 2]) {
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    (client, [root, admin])
}

async fn resets(stores: &Stores, samples: &Samples, token: &str) -> Option<Person> {
    let is_good = stores.passwords.has_reset(&token_hash(token), samples.now()).await.unwrap();
    let reset = stores.passwords.reset(&token_hash(token), InstantHasher::hash_of(NEW), samples.now()).await.unwrap();
    assert_eq!(reset.is_some(), is_good);
    reset
}

/// Other people keep their passwords and sessions.
pub async fn a_reset_link_sets_a_password_once_and_signs_out_everywhere(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    let hash_of = async |person| stores.passwords.of_person(person).await.unwrap().unwrap().password_hash;
    let sessions = [
        stores.with_session(&samples, root.person(), "root").await,
        stores.with_session(&samples, admin.person(), "admin").await,
    ];
    for (account, token) in [(&root, "first"), (&root, "second"), (&admin, "third")] {
        assert!(stores.passwords.store_reset(reset_of(&samples, account, token)).await.unwrap());
    }
    assert_eq!(resets(stores, &samples, "unknown").await, None);
    assert_eq!(resets(stores, &samples, "first").await, Some(root.person()));
    assert_eq!(hash_of(root.person()).await, InstantHasher::hash_of(NEW));
    assert_eq!(hash_of(admin.person()).await, InstantHasher::hash_of(Samples::PASSWORD));
    assert_eq!([stores.is_active(sessions[0]).await, stores.is_active(sessions[1]).await], [false, true]);
    for spent in ["first", "second"] {
        assert_eq!(resets(stores, &samples, spent).await, None, "{spent}");
    }
    assert_eq!(resets(stores, &samples, "third").await, Some(admin.person()));
    assert!(!stores.is_active(sessions[1]).await);
}

/// Also while it is still stored.
pub async fn a_reset_link_is_void_after_its_expiry(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    let reset = reset_of(&samples, &root, "first");
    let (token, over_at) = (reset.token.clone(), reset.expires_at);
    assert!(stores.passwords.store_reset(reset).await.unwrap());
    let (new, just_in_time) = (InstantHasher::hash_of(NEW), over_at - TimeDelta::seconds(1));
    assert!(!stores.passwords.has_reset(&token, over_at).await.unwrap());
    assert_eq!(stores.passwords.reset(&token, new.clone(), over_at).await.unwrap(), None);
    assert!(stores.passwords.has_reset(&token, just_in_time).await.unwrap());
    assert_eq!(stores.passwords.reset(&token, new, just_in_time).await.unwrap(), Some(root.person()));
}

/// A new password by its owner or by another person makes the link void.
pub async fn a_reset_link_is_void_after_another_change_of_the_password(stores: &Stores) {
    let samples = Samples::new();
    let (client, [root, admin]) = accounts(stores, &samples).await;
    assert!(stores.passwords.store_reset(reset_of(&samples, &root, "of root")).await.unwrap());
    assert!(stores.passwords.store_reset(reset_of(&samples, &admin, "of the admin")).await.unwrap());
    let change = change(&samples, root.person(), samples.session_id(), "remembered");
    assert!(stores.passwords.change(change).await.unwrap());
    let given = Some(InstantHasher::hash_of("given"));
    stores.clients.update(client.id, ClientChanges::default(), given, samples.now()).await.unwrap();
    for token in ["of root", "of the admin"] {
        assert_eq!(resets(stores, &samples, token).await, None, "{token}");
    }
}

/// A new password or a new address.
pub async fn no_reset_link_is_stored_for_an_account_that_has_changed(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, admin]) = accounts(stores, &samples).await;
    let late = NewReset { password_hash: InstantHasher::hash_of("before"), ..reset_of(&samples, &root, "late") };
    let elsewhere = NewReset { email: admin.email.clone(), ..reset_of(&samples, &root, "elsewhere") };
    for (reset, token) in [(late, "late"), (elsewhere, "elsewhere")] {
        assert!(!stores.passwords.store_reset(reset).await.unwrap(), "{token}");
        assert_eq!(resets(stores, &samples, token).await, None, "{token}");
    }
    let gone = samples.super_admin("gone@example.org");
    assert!(!stores.passwords.store_reset(reset_of(&samples, &gone, "gone")).await.unwrap());
}

/// Until the client is active again.
pub async fn a_reset_link_is_void_while_the_client_is_not_active(stores: &Stores) {
    let samples = Samples::new();
    let (client, [_, admin]) = accounts(stores, &samples).await;
    assert!(stores.passwords.store_reset(reset_of(&samples, &admin, "first")).await.unwrap());
    for (status, outcome) in [(ClientStatus::Suspended, None), (ClientStatus::Active, Some(admin.person()))] {
        let changes = ClientChanges { status: Some(status), ..ClientChanges::default() };
        stores.clients.update(client.id, changes, None, samples.now()).await.unwrap();
        assert_eq!(resets(stores, &samples, "first").await, outcome, "{status:?}");
    }
}

/// Also with its client.
pub async fn a_reset_link_is_removed_with_its_account(stores: &Stores) {
    let samples = Samples::new();
    let (client, [_, admin]) = accounts(stores, &samples).await;
    assert!(stores.passwords.store_reset(reset_of(&samples, &admin, "first")).await.unwrap());
    stores.clients.remove(client.id, samples.now()).await.unwrap();
    assert_eq!(resets(stores, &samples, "first").await, None);
}

/// The others are refused.
pub async fn one_of_many_concurrent_uses_of_a_reset_link_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let (_, [root, _]) = accounts(stores, &samples).await;
    assert!(stores.passwords.store_reset(reset_of(&samples, &root, "first")).await.unwrap());
    let now = samples.now();
    let racers = (0..8)
        .map(|number| {
            let passwords = Arc::clone(&stores.passwords);
            let new = InstantHasher::hash_of(&format!("password {number}"));
            async move { passwords.reset(&token_hash("first"), new, now).await.unwrap() }
        })
        .collect();
    let won = race(racers).await;
    assert_eq!(won.into_iter().flatten().collect::<Vec<_>>(), [root.person()]);
}
