//! The contract of every [`SessionStore`](crate::SessionStore), except of renewals.

use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};

use super::{Stores, person};
use crate::EndUserUpdate;
use crate::testkit::{InstantHasher, PlainRefreshTokens, Samples};
use crate::{
    Client, ClientStatus, EndUser, EndUserChanges, NewSession, OwnSession, Rotation, SessionOrigin, SessionState,
    SessionStats,
};

/// A voter with an open session whose refresh token is `first`.
pub(super) async fn signed_in(stores: &Stores, samples: &Samples) -> NewSession {
    let client = stores.with_client(samples, "club").await;
    let voter = stores.with_end_user(samples, &client, "anna").await;
    let session = samples.session(person(&voter), "first");
    stores.sessions.open(session.clone()).await.unwrap();
    session
}

pub(super) async fn rotate(stores: &Stores, presented: &str, next: &str, now: DateTime<Utc>) -> Rotation {
    stores.sessions.rotate(PlainRefreshTokens::renewal(presented, next), now).await.unwrap()
}

/// For people of every role.
pub async fn an_opened_session_is_active(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    for person in [root.person(), admin.person(), person(&voter)] {
        let session = samples.session(person, &format!("{person:?}"));
        stores.sessions.open(session.clone()).await.unwrap();
        let session_state = stores.sessions.session_state(session.id).await.unwrap();
        assert_eq!(session_state, Some(SessionState { person, is_active: true }));
    }
}

/// After the check their password was changed, or they were deactivated or removed.
pub async fn no_session_opens_for_a_person_who_was_signed_out_in_the_meantime(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    for person in [root.person(), admin.person(), person(&voter)] {
        let password_hash = InstantHasher::hash_of("the one before");
        let session = NewSession { password_hash, ..samples.session(person, &format!("{person:?}")) };
        assert!(!stores.sessions.open(session.clone()).await.unwrap());
        assert_eq!(stores.sessions.session_state(session.id).await.unwrap(), None);
        assert_eq!(rotate(stores, &format!("{person:?}"), "next", samples.now()).await, Rotation::Refused);
    }
    let untouched = stores.end_users.find(client.id, voter.id).await.unwrap().unwrap();
    assert_eq!(untouched.last_login_at, None);
    let inactive = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
    stores
        .end_users
        .update(client.id, EndUserUpdate { id: voter.id, changes: inactive, password: None }, samples.now())
        .await
        .unwrap();
    assert!(!stores.sessions.open(samples.session(person(&voter), "of the inactive")).await.unwrap());
    stores.end_users.remove(client.id, voter.id).await.unwrap();
    assert!(!stores.sessions.open(samples.session(person(&voter), "of the removed")).await.unwrap());
}

/// The store does not know it.
pub async fn an_unknown_session_has_no_state(stores: &Stores) {
    let samples = Samples::new();
    signed_in(stores, &samples).await;
    assert_eq!(stores.sessions.session_state(samples.session_id()).await.unwrap(), None);
}

/// Those that ended, whose owners may not act, and unknown ones are left out.
pub async fn the_active_among_many_sessions_are_known_with_their_owners(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let mut opened = Vec::new();
    for (person, token) in
        [(root.person(), "root"), (person(&anna), "phone"), (person(&anna), "laptop"), (person(&bert), "bert")]
    {
        let session = samples.session(person, token);
        stores.sessions.open(session.clone()).await.unwrap();
        opened.push(session);
    }
    let mut asked: Vec<_> = opened.iter().map(|session| session.id).collect();
    asked.push(samples.session_id());
    let active = stores.sessions.active_among(asked.clone()).await.unwrap();
    assert_eq!(active, opened.iter().map(|session| (session.id, session.person)).collect());

    stores.sessions.end(opened[1].id, samples.now()).await.unwrap();
    let inactive = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
    let update = EndUserUpdate { id: bert.id, changes: inactive, password: None };
    stores.end_users.update(client.id, update, samples.now()).await.unwrap();
    let active = stores.sessions.active_among(asked).await.unwrap();
    assert_eq!(active, [&opened[0], &opened[2]].map(|session| (session.id, session.person)).into());
    assert!(stores.sessions.active_among(Vec::new()).await.unwrap().is_empty());
}

/// Other people keep theirs.
pub async fn opening_a_session_is_the_last_sign_in(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let session = samples.session(person(&anna), "first");
    stores.sessions.open(session.clone()).await.unwrap();

    let last_login_at = |end_user: Option<EndUser>| end_user.unwrap().last_login_at;
    let of_anna = last_login_at(stores.end_users.find(client.id, anna.id).await.unwrap());
    assert_eq!(of_anna, Some(session.first_token.issued_at));
    assert_eq!(last_login_at(stores.end_users.find(client.id, bert.id).await.unwrap()), None);
}

/// To end it twice, or to end an unknown session, changes nothing.
pub async fn an_ended_session_is_not_active(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let other = samples.session(session.person, "other");
    stores.sessions.open(other.clone()).await.unwrap();
    for _ in 0..2 {
        stores.sessions.end(session.id, samples.now()).await.unwrap();
        let session_state = stores.sessions.session_state(session.id).await.unwrap();
        assert_eq!(session_state, Some(SessionState { person: session.person, is_active: false }));
    }
    stores.sessions.end(samples.session_id(), samples.now()).await.unwrap();
    assert!(stores.is_active(other.id).await, "the person's other session stays active");
}

/// The person and the client must be active.
pub async fn a_session_is_active_only_while_its_owner_may_act(stores: &Stores) {
    let samples = Samples::new();
    for (code, status, is_active, expected) in [
        ("a", ClientStatus::Active, true, true),
        ("b", ClientStatus::Active, false, false),
        ("c", ClientStatus::Inactive, true, false),
        ("d", ClientStatus::Suspended, true, false),
    ] {
        let mut client = samples.client(code);
        client.status = status;
        let admin = samples.admin_of(&client);
        stores.clients.add(client.clone(), admin.clone()).await.unwrap();
        let mut voter = samples.end_user(&client, "anna");
        voter.is_active = is_active;
        stores.add_end_user(voter.clone()).await;
        for (person, expected) in [(person(&voter), expected), (admin.person(), status == ClientStatus::Active)] {
            let session = samples.session(person, &format!("{person:?}"));
            stores.sessions.open(session.clone()).await.unwrap();
            assert_eq!(stores.is_active(session.id).await, expected, "{code} {person:?}");
        }
    }
}

/// Also if the store cleans up in the meantime.
pub async fn a_late_sign_in_leaves_sessions_of_others(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let of_bert = samples.session(person(&bert), "of bert");
    stores.sessions.open(of_bert.clone()).await.unwrap();
    let renewed_lately = samples.session(person(&anna), "renewed lately");
    stores.sessions.open(renewed_lately.clone()).await.unwrap();
    let later = samples.now() + TimeDelta::hours(23);
    rotate(stores, "renewed lately", "still good", later).await;

    let mut much_later = samples.session(person(&anna), "much later");
    much_later.first_token.issued_at = later + TimeDelta::hours(2);
    much_later.first_token.expires_at = later + TimeDelta::hours(26);
    stores.sessions.open(much_later.clone()).await.unwrap();
    for session in [of_bert.id, renewed_lately.id, much_later.id] {
        assert!(stores.is_active(session).await);
    }
    let renewed = Rotation::Renewed { session: renewed_lately.id, person: renewed_lately.person };
    assert_eq!(rotate(stores, "still good", "next", later + TimeDelta::hours(3)).await, renewed);
}

/// Sessions that ended or expired, and expired tokens of other sessions.
pub async fn the_sweep_removes_ended_and_expired_rows_only(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let expired = stores.with_session(&samples, person(&anna), "expired").await;
    let ended = stores.with_session(&samples, person(&bert), "ended").await;
    let renewed = stores.with_session(&samples, person(&bert), "renewed").await;
    let much_later = samples.now() + TimeDelta::hours(23);
    rotate(stores, "renewed", "still good", much_later).await;
    stores.sessions.end(ended, samples.now()).await.unwrap();

    // Active sessions, and sessions that end at this moment.
    let nothing_is_over = samples.now() - TimeDelta::hours(1);
    assert_eq!(stores.sessions.sweep(nothing_is_over, 100).await.unwrap(), 0);
    assert_eq!(stores.sessions.sweep(samples.now(), 100).await.unwrap(), 0);
    assert!(stores.sessions.session_state(ended).await.unwrap().is_some());

    let just_ended = samples.now() + TimeDelta::seconds(1);
    assert_eq!(stores.sessions.sweep(just_ended, 100).await.unwrap(), 1);
    assert_eq!(stores.sessions.session_state(ended).await.unwrap(), None);
    assert!(stores.is_active(expired).await, "it has not expired yet");

    let next_day = much_later + TimeDelta::hours(2);
    assert_eq!(stores.sessions.sweep(next_day, 100).await.unwrap(), 2, "a session, and the first token of another");
    assert_eq!(stores.sessions.session_state(expired).await.unwrap(), None);
    assert_eq!(rotate(stores, "expired", "next", samples.now()).await, Rotation::Refused);
    assert_eq!(rotate(stores, "renewed", "next", much_later).await, Rotation::Refused);
    let good = Rotation::Renewed { session: renewed, person: person(&bert) };
    assert_eq!(rotate(stores, "still good", "next", next_day).await, good);
    assert_eq!(stores.sessions.sweep(next_day, 100).await.unwrap(), 0);
}

/// Also when the clock of another instance is slow: the last valid token decides.
pub async fn the_sweep_goes_by_the_last_renewal(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let (now, slow) = (samples.now() + TimeDelta::hours(10), samples.now() + TimeDelta::hours(9));
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed);
    assert_eq!(rotate(stores, "second", "third", slow).await, renewed);

    let between = slow + TimeDelta::days(1) + TimeDelta::minutes(30);
    stores.sessions.sweep(between, 100).await.unwrap();
    assert!(stores.is_active(session.id).await);
}

/// A reused token shows that it was stolen.
pub async fn the_sweep_keeps_used_tokens_until_they_expire(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let later = samples.now() + TimeDelta::hours(10);
    rotate(stores, "first", "second", later).await;
    let before_it_expires = session.first_token.expires_at;
    assert_eq!(stores.sessions.sweep(before_it_expires, 100).await.unwrap(), 0);
    assert!(stores.is_active(session.id).await);
    let stolen = Rotation::Stolen { session: session.id };
    assert_eq!(rotate(stores, "first", "stolen", before_it_expires).await, stolen);
    assert!(!stores.is_active(session.id).await, "the session ended");
}

/// In batches, until nothing is left.
pub async fn the_sweep_removes_no_more_than_the_limit_of_each(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let mut sessions = Vec::new();
    for number in 0..5 {
        let session = stores.with_session(&samples, person(&anna), &format!("first {number}")).await;
        stores.sessions.end(session, samples.now()).await.unwrap();
        sessions.push(session);
    }
    // All have ended, and no token has expired.
    let later = samples.now() + TimeDelta::hours(1);
    let mut swept = Vec::new();
    for _ in 0..4 {
        swept.push(stores.sessions.sweep(later, 2).await.unwrap());
        let mut left = 0;
        for session in &sessions {
            left += u64::from(stores.sessions.session_state(*session).await.unwrap().is_some());
        }
        assert_eq!(left, 5 - swept.iter().sum::<u64>());
    }
    assert_eq!(swept, [2, 2, 1, 0]);

    let renewed = stores.with_session(&samples, person(&anna), "renewed").await;
    let now = samples.now();
    for (number, presented) in ["renewed", "token 0", "token 1", "token 2", "token 3"].into_iter().enumerate() {
        rotate(stores, presented, &format!("token {number}"), now).await;
    }
    rotate(stores, "token 4", "good", now + TimeDelta::hours(23)).await;
    let mut swept = Vec::new();
    for _ in 0..4 {
        swept.push(stores.sessions.sweep(now + TimeDelta::hours(25), 2).await.unwrap());
    }
    assert_eq!(swept, [2, 2, 2, 0], "six tokens expired");
    assert!(stores.is_active(renewed).await);
}

/// Sessions of accounts, and of end users.
pub async fn active_sessions_are_counted_by_kind(stores: &Stores) {
    let samples = Samples::new();
    assert_eq!(stores.sessions.stats(samples.now()).await.unwrap(), SessionStats::default());
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    for code in ["one", "two"] {
        let client = samples.client(code);
        let admin = samples.admin_of(&client);
        stores.clients.add(client.clone(), admin.clone()).await.unwrap();
        let voter = stores.with_end_user(&samples, &client, "anna").await;
        for (number, person) in [admin.person(), person(&voter), person(&voter)].into_iter().enumerate() {
            stores.with_session(&samples, person, &format!("{code} {number}")).await;
        }
    }
    stores.with_session(&samples, root.person(), "of root").await;
    let stats = stores.sessions.stats(samples.now()).await.unwrap();
    assert_eq!(stats, SessionStats { accounts: 3, end_users: 4 });
    assert_eq!(stats.total(), 7);
}

/// Ended, expired, or of people who may no longer act.
pub async fn inactive_sessions_are_not_counted(stores: &Stores) {
    let samples = Samples::new();
    let mut last = None;
    for (code, status, is_active) in [
        ("on", ClientStatus::Active, true),
        ("half", ClientStatus::Active, false),
        ("off", ClientStatus::Inactive, true),
        ("barred", ClientStatus::Suspended, true),
    ] {
        let client = Client { status, ..samples.client(code) };
        let admin = samples.admin_of(&client);
        stores.clients.add(client.clone(), admin.clone()).await.unwrap();
        let voter = EndUser { is_active, ..samples.end_user(&client, "anna") };
        stores.add_end_user(voter.clone()).await;
        for (number, person) in [admin.person(), person(&voter)].into_iter().enumerate() {
            let session = samples.session(person, &format!("{code} {number}"));
            stores.sessions.open(session.clone()).await.unwrap();
            if stores.is_active(session.id).await {
                last = Some(session);
            }
        }
        if code == "on" {
            let ended = stores.with_session(&samples, admin.person(), "ended").await;
            stores.sessions.end(ended, samples.now()).await.unwrap();
        }
    }
    // The administrators of "on" and "half", and the voter of "on".
    assert_eq!(stores.sessions.stats(samples.now()).await.unwrap(), SessionStats { accounts: 2, end_users: 1 });
    let expiry = last.unwrap().first_token.expires_at;
    let before = stores.sessions.stats(expiry - TimeDelta::milliseconds(1)).await.unwrap();
    assert_eq!(before, SessionStats { accounts: 1, end_users: 0 });
    assert_eq!(stores.sessions.stats(expiry).await.unwrap(), SessionStats::default());
}

/// With all stored data, the most recently used first.
pub async fn people_see_their_own_active_sessions(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let (anna, bert) =
        (stores.with_end_user(&samples, &client, "anna").await, stores.with_end_user(&samples, &client, "bert").await);
    let origin = SessionOrigin::new(IpAddr::from([192, 0, 2, 7]), Some("Mozilla/5.0"));
    let phone = NewSession { origin: origin.clone(), ..samples.session(person(&anna), "on the phone") };
    let laptop = NewSession { remember_me: true, ..samples.session(person(&anna), "on the laptop") };
    let ended = samples.session(person(&anna), "ended");
    for session in [&phone, &laptop, &ended] {
        stores.sessions.open(session.clone()).await.unwrap();
    }
    stores.sessions.end(ended.id, samples.now()).await.unwrap();
    stores.with_session(&samples, person(&bert), "of another").await;
    let now = samples.now() + TimeDelta::minutes(15);
    rotate(stores, "on the phone", "next on the phone", now).await;

    let own = |session: &NewSession, last_used_at, expires_at| OwnSession {
        id: session.id,
        origin: session.origin.clone(),
        remember_me: session.remember_me,
        started_at: session.first_token.issued_at,
        last_used_at,
        expires_at,
    };
    let wanted = [
        own(&phone, now, now + TimeDelta::days(1)),
        own(&laptop, laptop.first_token.issued_at, laptop.first_token.expires_at),
    ];
    assert_eq!(stores.sessions.of_person(person(&anna), now, 10).await.unwrap(), wanted);
    let later = now + TimeDelta::days(1) - TimeDelta::seconds(1);
    assert_eq!(stores.sessions.of_person(person(&anna), later, 10).await.unwrap(), wanted[..1]);
}

/// The most recently used ones.
pub async fn no_more_sessions_are_listed_than_the_limit(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let mut opened = Vec::new();
    for token in ["first", "second", "third"] {
        opened.push(stores.with_session(&samples, root.person(), token).await);
    }
    let seen = stores.sessions.of_person(root.person(), samples.now(), 2).await.unwrap();
    assert_eq!(seen.iter().map(|session| session.id).collect::<Vec<_>>(), [opened[2], opened[1]]);
}

/// Not by others of the same client either.
pub async fn a_session_is_ended_by_its_owner_only(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let client = stores.clients.find(session.person.client().unwrap()).await.unwrap().unwrap().client;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let admin = stores.accounts.account_credentials(&samples.admin_of(&client).email).await.unwrap().unwrap().person;
    let now = samples.now();
    for other in [person(&bert), admin] {
        assert!(!stores.sessions.end_of_person(other, session.id, now).await.unwrap());
    }
    assert!(stores.is_active(session.id).await);
    assert!(stores.sessions.end_of_person(session.person, session.id, now).await.unwrap());
    assert!(!stores.is_active(session.id).await);
    assert_eq!(rotate(stores, "first", "second", now).await, Rotation::Refused);
    assert!(!stores.sessions.end_of_person(session.person, session.id, now).await.unwrap(), "it is over already");
    assert!(!stores.sessions.end_of_person(session.person, samples.session_id(), now).await.unwrap());
    let outdated = stores.with_session(&samples, session.person, "outdated").await;
    let later = samples.now() + TimeDelta::days(1);
    assert!(!stores.sessions.end_of_person(session.person, outdated, later).await.unwrap());
}

/// For people of every role. Other people's sessions stay.
pub async fn all_sessions_of_a_person_end_together_or_all_but_one(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    let other = stores.with_end_user(&samples, &client, "bert").await;
    let untouched = stores.with_session(&samples, person(&other), "untouched").await;
    for owner in [root.person(), admin.person(), person(&voter)] {
        let mut sessions = Vec::new();
        for number in 0..3 {
            sessions.push(stores.with_session(&samples, owner, &format!("{owner:?} {number}")).await);
        }
        assert_eq!(stores.sessions.end_all(owner, Some(sessions[1]), samples.now()).await.unwrap(), 2);
        let session_state = [stores.is_active(sessions[0]).await, stores.is_active(sessions[1]).await];
        assert_eq!((session_state, stores.is_active(sessions[2]).await), ([false, true], false), "{owner:?}");
        assert_eq!(stores.sessions.end_all(owner, None, samples.now()).await.unwrap(), 1);
        assert!(!stores.is_active(sessions[1]).await);
        assert_eq!(stores.sessions.end_all(owner, None, samples.now()).await.unwrap(), 0);
    }
    assert!(stores.is_active(untouched).await);
}
