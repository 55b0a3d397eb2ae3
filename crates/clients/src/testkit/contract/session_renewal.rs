//! What [`SessionStore::rotate`](crate::SessionStore::rotate) must keep.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use plenum_kernel::SessionId;

use super::session_store::{rotate, signed_in};
use super::{Stores, person, race};
use crate::testkit::{PlainRefreshTokens, Samples};
use crate::{ClientStatus, Rotation};

/// The same by this device.
async fn rotate_by(stores: &Stores, device: &str, presented: &str, next: &str, now: DateTime<Utc>) -> Rotation {
    stores.sessions.rotate(PlainRefreshTokens::renewal_by(device, presented, next), now).await.unwrap()
}

/// Again and again, within the same session.
pub async fn a_refresh_token_is_renewed_for_its_owner(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let mut now = samples.now();
    for (presented, next) in [("first", "second"), ("second", "third"), ("third", "fourth")] {
        now += TimeDelta::hours(20);
        let renewed = Rotation::Renewed { session: session.id, person: session.person };
        assert_eq!(rotate(stores, presented, next, now).await, renewed, "{presented}");
    }
    assert!(stores.stands(session.id).await);
}

/// And what was to follow it is not stored.
pub async fn an_unknown_refresh_token_is_refused(stores: &Stores) {
    let samples = Samples::new();
    signed_in(stores, &samples).await;
    assert_eq!(rotate(stores, "unknown", "next", samples.now()).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", samples.now()).await, Rotation::Refused);
}

/// Time alone is no theft.
pub async fn a_refresh_token_that_expired_is_refused_and_its_session_stands(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let too_late = session.first_token.expires_at;
    assert_eq!(rotate(stores, "first", "next", too_late).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", too_late).await, Rotation::Refused, "nothing was stored");
    assert!(stores.stands(session.id).await);
}

/// A day, or 30 days with "remember me", from each renewal on.
pub async fn a_refresh_token_lasts_as_long_as_was_asked_for(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    let moment = TimeDelta::seconds(1);
    for (remember_me, lifetime) in [(false, TimeDelta::days(1)), (true, TimeDelta::days(30))] {
        let mut session = samples.session(person(&voter), &format!("{remember_me} first"));
        session.remember_me = remember_me;
        session.first_token.expires_at = session.first_token.issued_at + lifetime;
        stores.sessions.open(session.clone()).await.unwrap();

        let renewed = Rotation::Renewed { session: session.id, person: session.person };
        let last_moment = session.first_token.expires_at - moment;
        let (first, second, third) =
            (format!("{remember_me} first"), format!("{remember_me} second"), format!("{remember_me} third"));
        assert_eq!(rotate(stores, &first, &second, last_moment).await, renewed);
        assert_eq!(rotate(stores, &second, &third, last_moment + lifetime).await, Rotation::Refused);
        assert_eq!(rotate(stores, &second, &third, last_moment + lifetime - moment).await, renewed);
    }
}

/// Two tabs, or an answer lost on bad Wi-Fi, perhaps on another network by then: all get the one successor.
pub async fn a_used_refresh_token_is_good_for_a_moment(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed);
    assert_eq!(rotate_by(stores, "a laptop", "first", "second", now + TimeDelta::seconds(20)).await, renewed);
    // The moment is counted from the first use, not from the last.
    assert_eq!(rotate(stores, "first", "second", now + TimeDelta::seconds(30)).await, renewed);
    assert!(stores.stands(session.id).await);
    assert_eq!(rotate(stores, "second", "third", now + TimeDelta::minutes(1)).await, renewed);
}

/// What is presented with another successor, as after a change of the server's key, gets none and ends nothing.
pub async fn a_used_refresh_token_has_one_successor(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed);
    assert_eq!(rotate(stores, "first", "another", now).await, Rotation::Refused);
    assert_eq!(rotate(stores, "another", "after", now).await, Rotation::Refused, "nothing was stored");
    assert_eq!(rotate(stores, "second", "third", now).await, renewed);
    // The device that went on may still come back with what it had before: its tabs are several.
    assert_eq!(rotate(stores, "first", "second", now + TimeDelta::seconds(30)).await, renewed);
}

/// Of two devices with one token, one has a copy. The moment is for answers that were lost, and theirs was not.
pub async fn a_token_whose_successor_was_used_on_another_device_ends_the_whole_family(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    let now = samples.now();
    for (owner, thief) in [("a phone", "a laptop"), ("a laptop", "a phone")] {
        let [first, second, third] = ["first", "second", "third"].map(|token| format!("{token} of {owner}"));
        let session = samples.session(person(&voter), &first);
        stores.sessions.open(session.clone()).await.unwrap();
        let renewed = Rotation::Renewed { session: session.id, person: session.person };
        assert_eq!(rotate_by(stores, owner, &first, &second, now).await, renewed);
        assert_eq!(rotate_by(stores, owner, &second, &third, now).await, renewed);
        assert_eq!(rotate_by(stores, thief, &first, &second, now).await, Rotation::Refused);
        assert!(!stores.stands(session.id).await);
        for token in [first, second, third] {
            assert_eq!(rotate_by(stores, owner, &token, "never", now).await, Rotation::Refused, "{token}");
        }
    }
}

/// At every use, also again; and nothing is used up by what comes too often.
pub async fn a_session_is_renewed_no_more_than_so_often(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let other = samples.session(session.person, "of another sign-in");
    stores.sessions.open(other.clone()).await.unwrap();
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    for number in 0..30 {
        assert_eq!(rotate(stores, "first", "second", now).await, renewed, "{number}");
    }
    let too_often = Rotation::TooOften { retry_after: TimeDelta::seconds(10) };
    assert_eq!(rotate(stores, "second", "third", now).await, too_often);
    let of_the_other = Rotation::Renewed { session: other.id, person: other.person };
    assert_eq!(rotate(stores, "of another sign-in", "next", now).await, of_the_other);
    let later = now + TimeDelta::seconds(10);
    assert_eq!(rotate(stores, "second", "third", later).await, renewed);
    assert_eq!(rotate(stores, "third", "fourth", later).await, too_often);
    assert!(stores.stands(session.id).await);
}

/// Somebody has a copy, and nobody knows which of them is the owner.
pub async fn a_used_refresh_token_that_comes_back_later_ends_the_whole_family(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let other = samples.session(session.person, "of another sign-in");
    stores.sessions.open(other.clone()).await.unwrap();
    let now = samples.now();
    let renewed = |session: SessionId| Rotation::Renewed { session, person: other.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed(session.id));

    let later = now + TimeDelta::seconds(31);
    assert_eq!(rotate(stores, "first", "stolen", later).await, Rotation::Refused);
    assert!(!stores.stands(session.id).await);
    for token in ["first", "second", "stolen"] {
        assert_eq!(rotate(stores, token, "never", later).await, Rotation::Refused, "{token}");
    }
    // The person's other sign-ins are not concerned.
    assert!(stores.stands(other.id).await);
    assert_eq!(rotate(stores, "of another sign-in", "next", later).await, renewed(other.id));
}

/// And all of them have the same to go on with.
pub async fn tabs_that_race_with_one_token_are_all_renewed(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    let racers = (0..8)
        .map(|_| {
            let sessions = Arc::clone(&stores.sessions);
            async move { sessions.rotate(PlainRefreshTokens::renewal("first", "second"), now).await }
        })
        .collect();
    for outcome in race(racers).await {
        assert_eq!(outcome.unwrap(), renewed);
    }
    let later = now + TimeDelta::hours(1);
    assert_eq!(rotate(stores, "second", "third", later).await, renewed);
}

/// Signing out is final.
pub async fn an_ended_session_is_not_renewed(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    stores.sessions.end(session.id, samples.now()).await.unwrap();
    assert_eq!(rotate(stores, "first", "next", samples.now()).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", samples.now()).await, Rotation::Refused);
}

/// A client that is suspended, a voter who is not active.
pub async fn nobody_who_may_not_act_is_renewed(stores: &Stores) {
    let samples = Samples::new();
    for (code, status, is_active) in [("barred", ClientStatus::Suspended, true), ("on", ClientStatus::Active, false)] {
        let mut client = samples.client(code);
        client.status = status;
        stores.add_client(&samples, client.clone()).await;
        let mut voter = samples.end_user(&client, "anna");
        voter.is_active = is_active;
        stores.add_end_user(voter.clone()).await;
        stores.sessions.open(samples.session(person(&voter), code)).await.unwrap();
        assert_eq!(rotate(stores, code, &format!("{code} next"), samples.now()).await, Rotation::Refused, "{code}");
    }
}

/// Whichever comes first.
pub async fn a_renewal_that_races_with_the_end_of_all_sessions_brings_none_back(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let (renewing, ending) = (Arc::clone(&stores.sessions), Arc::clone(&stores.sessions));
    let racers: Vec<BoxFuture<'static, ()>> = vec![
        async move {
            renewing.rotate(PlainRefreshTokens::renewal("first", "second"), now).await.unwrap();
        }
        .boxed(),
        async move {
            assert_eq!(ending.end_all(session.person, None, now).await.unwrap(), 1);
        }
        .boxed(),
    ];
    race(racers).await;
    assert!(!stores.stands(session.id).await);
    assert_eq!(rotate(stores, "first", "third", now).await, Rotation::Refused);
    assert_eq!(rotate(stores, "second", "third", now).await, Rotation::Refused);
}
