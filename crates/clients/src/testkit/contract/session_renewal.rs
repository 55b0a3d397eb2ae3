//! The contract of [`SessionStore::rotate`](crate::SessionStore::rotate).

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use plenum_kernel::SessionId;
use uuid::Uuid;

use super::session_store::{rotate, signed_in};
use super::{Stores, person, race};
use crate::testkit::{PlainRefreshTokens, Samples};
use crate::{ClientStatus, Renewal, Rotation};

/// Exchanges the presented token for the next one, on this device.
async fn rotate_by(stores: &Stores, device: &str, (presented, next): (&str, &str), now: DateTime<Utc>) -> Rotation {
    stores.sessions.rotate(PlainRefreshTokens::renewal_by(device, presented, next), now).await.unwrap()
}

/// Repeatedly, within the same session.
pub async fn a_refresh_token_is_renewed_for_its_owner(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let mut now = samples.now();
    for (presented, next) in [("first", "second"), ("second", "third"), ("third", "fourth")] {
        now += TimeDelta::hours(20);
        let renewed = Rotation::Renewed { session: session.id, person: session.person };
        assert_eq!(rotate(stores, presented, next, now).await, renewed, "{presented}");
    }
    assert!(stores.is_active(session.id).await);
}

/// Its successor is not stored.
pub async fn an_unknown_refresh_token_is_refused(stores: &Stores) {
    let samples = Samples::new();
    signed_in(stores, &samples).await;
    assert_eq!(rotate(stores, "unknown", "next", samples.now()).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", samples.now()).await, Rotation::Refused);
}

/// An expired token is not evidence of theft.
pub async fn an_expired_refresh_token_is_refused_and_its_session_stays_active(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let too_late = session.first_token.expires_at;
    assert_eq!(rotate(stores, "first", "next", too_late).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", too_late).await, Rotation::Refused, "nothing was stored");
    assert!(stores.is_active(session.id).await);
}

/// A day, or 30 days with "remember me", from each renewal on.
pub async fn a_refresh_token_has_the_requested_lifetime(stores: &Stores) {
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

/// Two tabs or a lost response, perhaps on another network: all get the same successor.
pub async fn a_used_refresh_token_is_valid_for_the_grace_period(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed);
    assert_eq!(rotate_by(stores, "a laptop", ("first", "second"), now + TimeDelta::seconds(20)).await, renewed);
    // The grace period begins with the first use.
    assert_eq!(rotate(stores, "first", "second", now + TimeDelta::seconds(30)).await, renewed);
    assert!(stores.is_active(session.id).await);
    assert_eq!(rotate(stores, "second", "third", now + TimeDelta::minutes(1)).await, renewed);
}

/// A request with another successor, as after a change of the server's key, gets none and ends nothing.
pub async fn a_used_refresh_token_has_one_successor(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let now = samples.now();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed);
    assert_eq!(rotate(stores, "first", "another", now).await, Rotation::Refused);
    assert_eq!(rotate(stores, "another", "after", now).await, Rotation::Refused, "nothing was stored");
    assert_eq!(rotate(stores, "second", "third", now).await, renewed);
    // The device that continued may still present the old token, because it has several tabs.
    assert_eq!(rotate(stores, "first", "second", now + TimeDelta::seconds(30)).await, renewed);
}

/// One of two devices with one token has a copy. The grace period covers lost responses, and this response was not
/// lost.
pub async fn a_token_whose_successor_another_device_used_ends_the_session(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    let now = samples.now();
    for (owner, thief) in [("a phone", "a laptop"), ("a laptop", "a phone")] {
        let [first, second, third] = ["first", "second", "third"].map(|token| format!("{token} of {owner}"));
        let session = samples.session(person(&voter), &first);
        stores.sessions.open(session.clone()).await.unwrap();
        let renewed = Rotation::Renewed { session: session.id, person: session.person };
        assert_eq!(rotate_by(stores, owner, (&first, &second), now).await, renewed);
        assert_eq!(rotate_by(stores, owner, (&second, &third), now).await, renewed);
        let stolen = Rotation::Stolen { session: session.id };
        assert_eq!(rotate_by(stores, thief, (&first, &second), now).await, stolen);
        assert!(!stores.is_active(session.id).await);
        for token in [first, second, third] {
            assert_eq!(rotate_by(stores, owner, (&token, "never"), now).await, Rotation::Refused, "{token}");
        }
    }
}

/// Its response was lost, perhaps with the network.
pub async fn the_same_renewal_is_repeated_at_any_time(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let renew = async |id: Option<u128>, device, tokens: (&str, &str), minutes| {
        let renewal = PlainRefreshTokens::renewal_by(device, tokens.0, tokens.1);
        let renewal = Renewal { id: id.map(Uuid::from_u128), ..renewal };
        stores.sessions.rotate(renewal, samples.now() + TimeDelta::minutes(minutes)).await.unwrap()
    };
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    let first = ("first", "second");
    assert_eq!(renew(Some(1), "on Wi-Fi", first, 0).await, renewed);
    assert_eq!(renew(Some(1), "on mobile data", first, 60).await, renewed);
    assert_eq!(renew(Some(1), "on Wi-Fi", first, 120).await, renewed);
    assert_eq!(renew(Some(2), "on Wi-Fi", ("second", "third"), 121).await, renewed);
    let stolen = Rotation::Stolen { session: session.id };
    assert_eq!(renew(Some(1), "on Wi-Fi", ("second", "third"), 122).await, stolen, "another renewal");
    assert!(!stores.is_active(session.id).await);

    for (number, id) in [Some(2), None].into_iter().enumerate() {
        let (token, successor) = (format!("token {number}"), format!("successor {number}"));
        let of_other = samples.session(session.person, &token);
        stores.sessions.open(of_other.clone()).await.unwrap();
        let tokens = (token.as_str(), successor.as_str());
        let renewed = Rotation::Renewed { session: of_other.id, person: of_other.person };
        assert_eq!(renew(Some(1), "on Wi-Fi", tokens, 0).await, renewed);
        let stolen = Rotation::Stolen { session: of_other.id };
        assert_eq!(renew(id, "on Wi-Fi", tokens, 1).await, stolen, "{id:?}");
        assert!(!stores.is_active(of_other.id).await);
    }
}

/// At every use, also a repeated one. A refused renewal uses nothing up.
pub async fn the_renewals_of_a_session_are_limited(stores: &Stores) {
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
    assert!(stores.is_active(session.id).await);
}

/// A copy of the token is in use, and the server cannot distinguish the owner.
pub async fn a_used_refresh_token_ends_the_session_after_the_grace_period(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    let other = samples.session(session.person, "of another sign-in");
    stores.sessions.open(other.clone()).await.unwrap();
    let now = samples.now();
    let renewed = |session: SessionId| Rotation::Renewed { session, person: other.person };
    assert_eq!(rotate(stores, "first", "second", now).await, renewed(session.id));

    let later = now + TimeDelta::seconds(31);
    assert_eq!(rotate(stores, "first", "stolen", later).await, Rotation::Stolen { session: session.id });
    assert!(!stores.is_active(session.id).await);
    for token in ["first", "second", "stolen"] {
        assert_eq!(rotate(stores, token, "never", later).await, Rotation::Refused, "{token}");
    }
    // The person's other sessions stay.
    assert!(stores.is_active(other.id).await);
    assert_eq!(rotate(stores, "of another sign-in", "next", later).await, renewed(other.id));
}

/// All of them get the same successor.
pub async fn concurrent_tabs_with_one_token_are_all_renewed(stores: &Stores) {
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

/// A sign-out is final.
pub async fn an_ended_session_is_not_renewed(stores: &Stores) {
    let samples = Samples::new();
    let session = signed_in(stores, &samples).await;
    stores.sessions.end(session.id, samples.now()).await.unwrap();
    assert_eq!(rotate(stores, "first", "next", samples.now()).await, Rotation::Refused);
    assert_eq!(rotate(stores, "next", "after", samples.now()).await, Rotation::Refused);
}

/// A suspended client, or an inactive voter.
pub async fn a_person_who_may_not_act_is_not_renewed(stores: &Stores) {
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

/// In either order.
pub async fn a_concurrent_renewal_restores_no_ended_session(stores: &Stores) {
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
    assert!(!stores.is_active(session.id).await);
    assert_eq!(rotate(stores, "first", "third", now).await, Rotation::Refused);
    assert_eq!(rotate(stores, "second", "third", now).await, Rotation::Refused);
}
