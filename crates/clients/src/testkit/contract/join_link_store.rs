//! Personal links.

use chrono::TimeDelta;
use plenum_kernel::{EndUserId, MeetingId, PageRequest, PasswordSetter};

use super::{SeedStatus, Stores, person, race};
use crate::testkit::{InstantHasher, PlainRefreshTokens, Samples};
use crate::{
    CODE_TRIES, Client, EndUser, EndUserChanges, EndUserUpdate, JoinAsk, JoinCodeHash, JoinLink, JoinLinkChoice,
    JoinLinkFilter, JoinLinkUse, JoinPeople, JoinTokenHash, MakeJoinLinksError, NewJoinCode, NewJoinLinks, NewSession,
    OpenedSession, Password, RefreshTokens, SetPassword,
};

fn hash(token: &str) -> JoinTokenHash {
    JoinTokenHash(token.as_bytes().to_vec())
}

fn setter(samples: &Samples, client: &Client) -> PasswordSetter {
    let admin = samples.admin_of(client);
    PasswordSetter { by: admin.id, reason: None }
}

fn new(samples: &Samples, client: &Client, links: &[(&EndUser, &str)]) -> NewJoinLinks {
    NewJoinLinks {
        links: links.iter().map(|(end_user, token)| (end_user.id, hash(token))).collect(),
        meeting: None,
        is_single_use: false,
        setter: setter(samples, client),
        made_at: samples.now(),
        expires_at: Some(samples.now() + TimeDelta::days(1)),
    }
}

fn by(link: &str, samples: &Samples, end_user: &EndUser, refresh_token: &str) -> NewSession {
    let join_link = Some(JoinLinkUse { token: hash(link), code: None });
    NewSession { join_link, ..samples.session(person(end_user), refresh_token) }
}

async fn opened_with(stores: &Stores, refresh_token: &str) -> Option<OpenedSession> {
    stores.sessions.opened_with(PlainRefreshTokens.hash(refresh_token)).await.unwrap()
}

async fn works(stores: &Stores, samples: &Samples, token: &str) -> bool {
    stores.join_links.find(&hash(token), samples.now()).await.unwrap().is_some()
}

async fn all(stores: &Stores, samples: &Samples, client: &Client) -> Vec<JoinLink> {
    let page = PageRequest { page: 1, page_size: 50 };
    let filter = JoinLinkFilter { end_user: None, meeting: None, page };
    stores.join_links.list(client.id, filter, samples.now()).await.unwrap().rows
}

/// A link signs in its owner, and nobody after it is revoked.
pub async fn a_link_signs_in_its_owner_until_it_is_revoked(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let (anna, ben) =
        (stores.with_end_user(&samples, &client, "anna").await, stores.with_end_user(&samples, &client, "ben").await);
    let made = stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a"), (&ben, "b")])).await.unwrap();
    assert_eq!(made.len(), 2);
    let found = stores.join_links.find(&hash("a"), samples.now()).await.unwrap().unwrap();
    assert_eq!(
        (found.credentials.person, found.name, found.username),
        (person(&anna), anna.name.clone(), anna.username.clone())
    );
    assert_eq!((found.client, found.client_code, found.asks), (client.id, client.code.clone(), JoinAsk::Nothing));
    assert!(found.credentials.may_sign_in && found.meeting.is_none());
    assert!(!works(stores, &samples, "c").await);
    // More than once, and only for its owner.
    for refresh_token in ["one", "two"] {
        assert!(stores.sessions.open(by("a", &samples, &anna, refresh_token)).await.unwrap());
    }
    assert!(!stores.sessions.open(by("b", &samples, &anna, "three")).await.unwrap());
    let listed = all(stores, &samples, &client).await;
    let of_anna = listed.iter().find(|link| link.end_user == anna.id).unwrap();
    assert!(of_anna.works && of_anna.last_used_at.is_some() && of_anna.revoked_at.is_none());
    assert_eq!(stores.join_links.revoke(client.id, JoinLinkChoice::One(of_anna.id), samples.now()).await.unwrap(), 1);
    assert_eq!(stores.join_links.revoke(client.id, JoinLinkChoice::One(of_anna.id), samples.now()).await.unwrap(), 0);
    assert!(!works(stores, &samples, "a").await && works(stores, &samples, "b").await);
    assert!(!stores.sessions.open(by("a", &samples, &anna, "four")).await.unwrap());
    assert_eq!(stores.join_links.revoke(client.id, JoinLinkChoice::All, samples.now()).await.unwrap(), 1);
    assert!(!works(stores, &samples, "b").await);
}

/// Of many concurrent sign-ins with a link that works once, one succeeds.
pub async fn a_link_that_works_once_opens_one_of_many_concurrent_sessions(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let once = NewJoinLinks { is_single_use: true, ..new(&samples, &client, &[(&anna, "a")]) };
    stores.join_links.make(client.id, once).await.unwrap();
    assert!(works(stores, &samples, "a").await && works(stores, &samples, "a").await, "a look is no use");
    let racers = (0..8).map(|number| {
        let (sessions, session) = (stores.sessions.clone(), by("a", &samples, &anna, &format!("racer {number}")));
        async move { sessions.open(session).await.unwrap() }
    });
    let opened = race(racers.collect()).await;
    assert_eq!(opened.into_iter().filter(|has_opened| *has_opened).count(), 1);
    assert!(!works(stores, &samples, "a").await);
}

/// A session is found by its first refresh token, which opens no second one.
pub async fn a_first_token_opens_one_session_and_finds_it(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    assert_eq!(opened_with(stores, "one").await, None);
    let first = by("a", &samples, &anna, "one");
    assert!(stores.sessions.open(first.clone()).await.unwrap());
    let opened = opened_with(stores, "one").await.unwrap();
    assert_eq!((opened.id, opened.session_state.person), (first.id, person(&anna)));
    assert_eq!(opened.started_at, first.first_token.issued_at);
    assert!(opened.session_state.is_active && !opened.is_renewed);
    let used_at = all(stores, &samples, &client).await[0].last_used_at;
    assert!(!stores.sessions.open(by("a", &samples, &anna, "one")).await.unwrap(), "the link still works");
    assert_eq!(all(stores, &samples, &client).await[0].last_used_at, used_at, "and was not used");
    assert_eq!(stores.sessions.of_person(person(&anna), samples.now(), 10).await.unwrap().len(), 1);

    let renewal = PlainRefreshTokens::renewal("one", "two");
    stores.sessions.rotate(renewal, samples.now()).await.unwrap();
    assert!(opened_with(stores, "one").await.unwrap().is_renewed);
    stores.sessions.end(first.id, samples.now()).await.unwrap();
    assert!(!opened_with(stores, "one").await.unwrap().session_state.is_active);
    assert!(stores.sessions.open(by("a", &samples, &anna, "three")).await.unwrap());
}

/// Of many concurrent sign-ins with one first token, one opens a session, also if the link works more than once.
pub async fn one_of_many_concurrent_sign_ins_with_one_first_token_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    let racers = (0..4).map(|_| {
        let (sessions, session) = (stores.sessions.clone(), by("a", &samples, &anna, "the same"));
        async move { sessions.open(session).await.unwrap() }
    });
    let opened = race(racers.collect()).await;
    assert_eq!(opened.into_iter().filter(|has_opened| *has_opened).count(), 1);
    assert_eq!(stores.sessions.of_person(person(&anna), samples.now(), 10).await.unwrap().len(), 1);
}

/// A link that works once is not used up by a sign-in of somebody who may not sign in.
pub async fn a_link_of_a_deactivated_person_is_not_used_up(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let once = NewJoinLinks { is_single_use: true, ..new(&samples, &client, &[(&anna, "a")]) };
    stores.join_links.make(client.id, once).await.unwrap();
    let activate = async |is_active| {
        let changes = EndUserChanges { is_active: Some(is_active), ..EndUserChanges::default() };
        let update = EndUserUpdate { id: anna.id, changes, password: None };
        stores.end_users.update(client.id, update, samples.now()).await.unwrap();
    };
    activate(false).await;
    assert!(!stores.sessions.open(by("a", &samples, &anna, "one")).await.unwrap());
    activate(true).await;
    assert!(stores.sessions.open(by("a", &samples, &anna, "two")).await.unwrap());
}

/// A new link replaces the earlier one for the same meeting only.
pub async fn a_new_link_replaces_the_earlier_one_for_the_same_meeting(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let meeting = samples.meeting(&client, "Assembly");
    stores.foreign.add_meeting(meeting.clone()).await;
    let of_meeting = |token: &str| NewJoinLinks {
        meeting: Some(meeting.id),
        expires_at: None,
        ..new(&samples, &client, &[(&anna, token)])
    };
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "one")])).await.unwrap();
    stores.join_links.make(client.id, of_meeting("two")).await.unwrap();
    assert!(works(stores, &samples, "one").await && works(stores, &samples, "two").await);
    stores.join_links.make(client.id, of_meeting("three")).await.unwrap();
    assert!(works(stores, &samples, "one").await && works(stores, &samples, "three").await);
    assert!(!works(stores, &samples, "two").await);
    let found = stores.join_links.find(&hash("three"), samples.now()).await.unwrap().unwrap();
    assert_eq!(found.meeting, Some((meeting.id, "Assembly".to_owned())));
    assert_eq!(all(stores, &samples, &client).await.len(), 2);
    let revoked = stores.join_links.revoke(client.id, JoinLinkChoice::OfMeeting(meeting.id), samples.now()).await;
    assert_eq!(revoked.unwrap(), 1);
    assert!(works(stores, &samples, "one").await && !works(stores, &samples, "three").await);
}

/// A link is void after its meeting, its expiry and a new password.
pub async fn a_link_is_void_after_its_meeting_its_expiry_and_a_new_password(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    for status in [SeedStatus::Completed, SeedStatus::Cancelled] {
        let over = super::SeedMeeting { status, ..samples.meeting(&client, "Over") };
        stores.foreign.add_meeting(over.clone()).await;
        let links = NewJoinLinks { meeting: Some(over.id), ..new(&samples, &client, &[(&anna, "over")]) };
        let refusal = stores.join_links.make(client.id, links).await.unwrap_err();
        assert!(matches!(refusal, MakeJoinLinksError::MeetingOver), "{refusal}");
    }
    let unknown = NewJoinLinks {
        meeting: Some(MeetingId::from_uuid(anna.id.as_uuid())),
        ..new(&samples, &client, &[(&anna, "unknown")])
    };
    let refusal = stores.join_links.make(client.id, unknown).await.unwrap_err();
    assert!(matches!(refusal, MakeJoinLinksError::MeetingNotFound), "{refusal}");
    let links = new(&samples, &client, &[(&anna, "a")]);
    let expires_at = links.expires_at.unwrap();
    stores.join_links.make(client.id, links).await.unwrap();
    assert!(stores.join_links.find(&hash("a"), expires_at).await.unwrap().is_none());
    assert!(works(stores, &samples, "a").await);
    let password = Password::parse("another password").unwrap();
    let password = SetPassword { hash: InstantHasher::hash_of(password.expose()), setter: setter(&samples, &client) };
    let update = EndUserUpdate { id: anna.id, changes: EndUserChanges::default(), password: Some(password) };
    stores.end_users.update(client.id, update, samples.now()).await.unwrap();
    assert!(!works(stores, &samples, "a").await);
    assert!(!all(stores, &samples, &client).await[0].works);
}

/// Only active people of the client get links.
pub async fn people_are_the_active_ones_of_the_client(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let (anna, ben) =
        (stores.with_end_user(&samples, &client, "anna").await, stores.with_end_user(&samples, &client, "ben").await);
    let gone = EndUser { is_active: false, ..samples.end_user(&client, "cleo") };
    stores.add_end_user(gone.clone()).await;
    let stranger = stores.with_end_user(&samples, &other, "dora").await;
    stores.with_session(&samples, person(&anna), "anna's").await;
    let ids = |people: Vec<crate::JoinPerson>| people.into_iter().map(|person| person.id).collect::<Vec<EndUserId>>();
    let people =
        async |people: JoinPeople, limit| ids(stores.join_links.people(client.id, None, &people, limit).await.unwrap());
    assert_eq!(people(JoinPeople::All, 10).await, [anna.id, ben.id]);
    assert_eq!(people(JoinPeople::All, 1).await, [anna.id]);
    assert_eq!(people(JoinPeople::NeverSignedIn, 10).await, [ben.id]);
    let named = JoinPeople::Named(vec![gone.id, ben.id, ben.id]);
    assert_eq!(people(named, 10).await, [ben.id]);
    for unknown in [stranger.id, EndUserId::from_uuid(client.id.as_uuid())] {
        let named = JoinPeople::Named(vec![ben.id, unknown]);
        let refused = stores.join_links.people(client.id, None, &named, 10).await;
        assert!(matches!(refused, Err(MakeJoinLinksError::UnknownEndUsers)), "{refused:?}");
    }
    let links = new(&samples, &client, &[(&stranger, "s"), (&gone, "g"), (&ben, "b")]);
    assert_eq!(stores.join_links.make(client.id, links).await.unwrap(), [ben.id]);
    assert!(!works(stores, &samples, "s").await && !works(stores, &samples, "g").await);
}

/// A client neither sees nor revokes links of another one.
pub async fn links_of_another_client_are_neither_listed_nor_revoked(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    assert!(all(stores, &samples, &other).await.is_empty());
    let id = all(stores, &samples, &client).await[0].id;
    for choice in [JoinLinkChoice::One(id), JoinLinkChoice::All] {
        assert_eq!(stores.join_links.revoke(other.id, choice, samples.now()).await.unwrap(), 0);
    }
    assert!(works(stores, &samples, "a").await);
    stores.end_users.remove(client.id, anna.id).await.unwrap();
    assert!(!works(stores, &samples, "a").await);
}

/// What links ask for is stored for each client, and holds for earlier links.
pub async fn what_links_ask_for_is_stored_for_each_client(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    assert_eq!(stores.join_links.asks(client.id).await.unwrap(), JoinAsk::Nothing);
    for asks in [JoinAsk::Password, JoinAsk::Password, JoinAsk::Nothing, JoinAsk::Password] {
        stores.join_links.set_asks(client.id, asks).await.unwrap();
        assert_eq!(stores.join_links.asks(client.id).await.unwrap(), asks);
    }
    assert_eq!(stores.join_links.asks(other.id).await.unwrap(), JoinAsk::Nothing);
    let found = stores.join_links.find(&hash("a"), samples.now()).await.unwrap().unwrap();
    assert_eq!(found.asks, JoinAsk::Password, "also of links that were made before");
}

fn code(text: &str) -> JoinCodeHash {
    JoinCodeHash(text.as_bytes().to_vec())
}

fn new_code(samples: &Samples, text: &str) -> NewJoinCode {
    let made_at = samples.now();
    NewJoinCode { hash: code(text), made_at, expires_at: made_at + TimeDelta::minutes(10) }
}

/// A session by the link "a" and this code.
fn with_code(text: &str, samples: &Samples, end_user: &EndUser, refresh_token: &str) -> NewSession {
    let join_link = Some(JoinLinkUse { token: hash("a"), code: Some(code(text)) });
    NewSession { join_link, ..samples.session(person(end_user), refresh_token) }
}

/// A code is right before its end, and for its link and client only. Asking uses nothing up.
pub async fn a_code_is_right_in_its_time_and_for_its_link(stores: &Stores) {
    let samples = Samples::new();
    let (client, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    let (anna, ben) =
        (stores.with_end_user(&samples, &client, "anna").await, stores.with_end_user(&samples, &client, "ben").await);
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a"), (&ben, "b")])).await.unwrap();
    let links = &stores.join_links;
    assert!(links.put_code(client.id, &hash("a"), new_code(&samples, "one")).await.unwrap());
    assert!(!links.put_code(client.id, &hash("c"), new_code(&samples, "one")).await.unwrap(), "no such link");
    assert!(!links.put_code(other.id, &hash("a"), new_code(&samples, "one")).await.unwrap(), "of another client");
    let is_right =
        async |owner, link: &str, text: &str, now| links.try_code(owner, &hash(link), &code(text), now).await.unwrap();
    let now = samples.now();
    assert!(!is_right(client.id, "b", "one", now).await, "the code of another link");
    assert!(!is_right(other.id, "a", "one", now).await, "of another client");
    assert!(!is_right(client.id, "a", "one", now + TimeDelta::minutes(11)).await, "too late");
    for _ in 0..=CODE_TRIES {
        assert!(is_right(client.id, "a", "one", now).await, "a right code is no wrong try");
    }
}

/// The session that opens with a code uses it up, in the transaction that notes the use of the link.
pub async fn a_code_is_used_up_by_the_session_that_opens_with_it(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    stores.join_links.put_code(client.id, &hash("a"), new_code(&samples, "one")).await.unwrap();
    let is_right =
        async |text: &str| stores.join_links.try_code(client.id, &hash("a"), &code(text), samples.now()).await.unwrap();
    assert!(!stores.sessions.open(with_code("two", &samples, &anna, "first")).await.unwrap(), "a wrong code");
    assert_eq!(all(stores, &samples, &client).await[0].last_used_at, None);
    assert!(is_right("one").await);
    assert!(stores.sessions.open(with_code("one", &samples, &anna, "second")).await.unwrap());
    assert!(!is_right("one").await, "used");
    assert!(!stores.sessions.open(with_code("one", &samples, &anna, "third")).await.unwrap());
}

/// A code is void after too many wrong tries, and as soon as a new one is sent.
pub async fn a_code_is_void_after_too_many_tries_and_after_a_new_one(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    let is_right =
        async |text: &str| stores.join_links.try_code(client.id, &hash("a"), &code(text), samples.now()).await.unwrap();
    stores.join_links.put_code(client.id, &hash("a"), new_code(&samples, "one")).await.unwrap();
    for _ in 0..CODE_TRIES {
        assert!(!is_right("wrong").await);
    }
    assert!(!is_right("one").await, "too many tries");
    stores.join_links.put_code(client.id, &hash("a"), new_code(&samples, "two")).await.unwrap();
    stores.join_links.put_code(client.id, &hash("a"), new_code(&samples, "three")).await.unwrap();
    assert!(!is_right("two").await, "replaced");
    assert!(!stores.sessions.open(with_code("two", &samples, &anna, "first")).await.unwrap());
    assert!(is_right("three").await);
}

/// Of many concurrent sign-ins with one code, one succeeds.
pub async fn one_of_many_concurrent_uses_of_a_code_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.join_links.make(client.id, new(&samples, &client, &[(&anna, "a")])).await.unwrap();
    stores.join_links.put_code(client.id, &hash("a"), new_code(&samples, "one")).await.unwrap();
    let racers = (0..4).map(|number| {
        let session = with_code("one", &samples, &anna, &format!("racer {number}"));
        let sessions = stores.sessions.clone();
        async move { sessions.open(session).await.unwrap() }
    });
    let opened = race(racers.collect()).await;
    assert_eq!(opened.into_iter().filter(|has_opened| *has_opened).count(), 1);
}
