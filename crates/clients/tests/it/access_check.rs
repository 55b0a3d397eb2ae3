//! An access token stops working soon after the end of its session, without a query to the store for each request.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use chrono::TimeDelta;
use plenum_clients::testkit::{MockSessionStore, NumberedAccessTokens, Samples};
use plenum_clients::{AccessCheck, AccessClaims, AccessRefusal, AccessTokens, SessionState, SessionStore};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, ActingPerson, ClientId, Clock, EndUserId, Person, PortFailure};

struct World {
    clock: Arc<StillClock>,
    tokens: Arc<NumberedAccessTokens>,
    acting: ActingPerson,
}

impl World {
    fn new() -> Self {
        let samples = Samples::new();
        let person = samples.super_admin("root@example.org").person();
        Self {
            clock: Arc::new(StillClock::new()),
            tokens: Arc::new(NumberedAccessTokens::default()),
            acting: ActingPerson { session: samples.session_id(), person },
        }
    }

    fn token(&self) -> String {
        let expires_at = self.clock.now() + AccessClaims::LIFETIME;
        self.tokens.issue(&AccessClaims { acting: self.acting, expires_at })
    }

    fn check(&self, sessions: impl SessionStore + 'static) -> AccessCheck {
        AccessCheck::new(self.tokens.clone(), Arc::new(sessions), self.clock.clone())
    }

    /// A store that must be asked exactly once for each answer.
    fn answering(&self, answers: Vec<Option<bool>>) -> MockSessionStore {
        let mut sessions = MockSessionStore::new();
        let acting = self.acting;
        let times = answers.len();
        let mut answers = answers.into_iter();
        sessions.expect_session_state().withf(move |session| *session == acting.session).times(times).returning(
            move |_| {
                let is_active = answers.next().unwrap();
                Ok(is_active.map(|is_active| SessionState { person: acting.person, is_active }))
            },
        );
        sessions
    }
}

#[tokio::test]
async fn an_active_session_is_cached_for_30_seconds() {
    let world = World::new();
    let token = world.token();
    let check = world.check(world.answering(vec![Some(true), Some(true)]));
    for _ in 0..3 {
        assert_eq!(check.authenticate(&token).await.unwrap(), world.acting);
        world.clock.advance(TimeDelta::seconds(9));
    }
    // At 27 seconds the first answer still counts. At 30 seconds the store is asked again.
    check.authenticate(&token).await.unwrap();
    world.clock.advance(TimeDelta::seconds(3));
    check.authenticate(&token).await.unwrap();
    check.authenticate(&token).await.unwrap();
}

#[tokio::test]
async fn a_session_that_ended_is_refused_within_a_minute() {
    let world = World::new();
    let token = world.token();
    let check = world.check(world.answering(vec![Some(true), Some(false)]));
    check.authenticate(&token).await.unwrap();
    // The session ends on another instance, which sends no message.
    world.clock.advance(TimeDelta::seconds(59));
    let refused = check.authenticate(&token).await;
    assert!(matches!(refused, Err(AccessRefusal::SessionEnded)), "{refused:?}");
}

#[tokio::test]
async fn a_refusal_is_not_cached() {
    let world = World::new();
    let token = world.token();
    let check = world.check(world.answering(vec![Some(false), Some(true)]));
    assert!(check.authenticate(&token).await.is_err());
    assert!(check.authenticate(&token).await.is_ok(), "a client that is active again works at once");
}

#[tokio::test]
async fn a_session_that_ended_here_is_refused_at_once() {
    let world = World::new();
    let token = world.token();
    let check = world.check(world.answering(vec![Some(true), None]));
    check.authenticate(&token).await.unwrap();
    check.forget(world.acting.session);
    assert!(matches!(check.authenticate(&token).await, Err(AccessRefusal::SessionEnded)));
}

#[tokio::test]
async fn an_answer_from_before_a_removal_is_not_cached() {
    let world = World::new();
    let token = world.token();
    let check: Arc<OnceLock<AccessCheck>> = Arc::default();
    let (acting, ending) = (world.acting, Arc::clone(&check));
    let mut sessions = MockSessionStore::new();
    // The session ends after the store has read it, and before its answer arrives.
    sessions.expect_session_state().times(1).returning(move |_| {
        ending.get().unwrap().forget_people(|person| *person == acting.person);
        Ok(Some(SessionState { person: acting.person, is_active: true }))
    });
    sessions.expect_session_state().times(1).returning(|_| Ok(None));
    assert!(check.set(world.check(sessions)).is_ok());
    let check = check.get().unwrap();
    check.authenticate(&token).await.unwrap();
    assert!(matches!(check.authenticate(&token).await, Err(AccessRefusal::SessionEnded)));
}

#[tokio::test]
async fn a_recheck_bypasses_the_cache() {
    let world = World::new();
    let token = world.token();
    let check = world.check(world.answering(vec![Some(true), Some(false), Some(false)]));
    check.authenticate(&token).await.unwrap();
    assert!(matches!(check.recheck(&world.acting).await, Err(AccessRefusal::SessionEnded)));
    // The new answer counts from then on.
    assert!(matches!(check.authenticate(&token).await, Err(AccessRefusal::SessionEnded)));
}

#[tokio::test]
async fn a_token_of_another_person_than_the_sessions_is_refused() {
    let world = World::new();
    let stranger = Samples::new().super_admin("stranger@example.org").id;
    let mut sessions = MockSessionStore::new();
    let person = Person::SuperAdmin { account: stranger };
    sessions.expect_session_state().returning(move |_| Ok(Some(SessionState { person, is_active: true })));
    let refused = world.check(sessions).authenticate(&world.token()).await;
    assert!(matches!(refused, Err(AccessRefusal::SessionEnded)), "{refused:?}");
}

/// The id of a cached session is not enough: another person, role or client is refused.
#[tokio::test]
async fn a_token_of_another_person_is_refused_while_the_session_is_cached() {
    let ids = CountingIds::new();
    let (account, client, end_user) = (AccountId::new(&ids), ClientId::new(&ids), EndUserId::new(&ids));
    let world = World {
        acting: ActingPerson { person: Person::ClientAdmin { account, client }, ..World::new().acting },
        ..World::new()
    };
    let mut sessions = MockSessionStore::new();
    let acting = world.acting;
    sessions
        .expect_session_state()
        .returning(move |_| Ok(Some(SessionState { person: acting.person, is_active: true })));
    let check = world.check(sessions);
    for person in [
        Person::ClientAdmin { account: AccountId::new(&ids), client },
        Person::ClientAdmin { account, client: ClientId::new(&ids) },
        Person::SuperAdmin { account },
        Person::EndUser { end_user, client },
    ] {
        assert_eq!(check.authenticate(&world.token()).await.unwrap(), acting, "it is remembered now");
        let confused =
            World { acting: ActingPerson { person, ..acting }, tokens: world.tokens.clone(), ..World::new() };
        let refused = check.authenticate(&confused.token()).await;
        assert!(matches!(refused, Err(AccessRefusal::SessionEnded)), "{person:?}: {refused:?}");
    }
}

#[tokio::test]
async fn bad_tokens_are_refused_without_asking_the_store() {
    let world = World::new();
    let token = world.token();
    let mut sessions = MockSessionStore::new();
    sessions.expect_session_state().never();
    let check = world.check(sessions);
    assert!(matches!(check.authenticate("made up").await, Err(AccessRefusal::Invalid)));
    world.clock.advance(AccessClaims::LIFETIME);
    assert!(matches!(check.authenticate(&token).await, Err(AccessRefusal::Expired)));
}

#[tokio::test]
async fn a_store_failure_is_not_a_refusal() {
    let world = World::new();
    let mut sessions = MockSessionStore::new();
    sessions.expect_session_state().returning(|_| Err(PortFailure::busy("the database")));
    let failed = world.check(sessions).authenticate(&world.token()).await;
    assert!(matches!(failed, Err(AccessRefusal::Port(_))), "{failed:?}");
}

#[tokio::test]
async fn many_people_are_rechecked_by_one_question_to_the_store() {
    let world = World::new();
    let (samples, ids) = (Samples::new(), CountingIds::new());
    let voter = || Person::EndUser { end_user: EndUserId::new(&ids), client: ClientId::new(&ids) };
    let acting = |person| ActingPerson { session: samples.session_id(), person };
    let (ended, taken) = (acting(voter()), acting(voter()));
    let active = HashMap::from([(world.acting.session, world.acting.person), (taken.session, voter())]);
    let mut sessions = MockSessionStore::new();
    sessions.expect_active_among().times(1).returning(move |_| Ok(active.clone()));
    sessions.expect_session_state().never();
    let check = world.check(sessions);
    let continuing = check.recheck_all(&[world.acting, ended, taken]).await.unwrap();
    assert_eq!(continuing, HashSet::from([world.acting.session]), "a session of somebody else is not theirs");
    assert_eq!(check.authenticate(&world.token()).await.unwrap(), world.acting, "the answer is cached");
}

#[tokio::test]
async fn a_session_that_ended_is_not_cached_after_a_recheck_of_many() {
    let world = World::new();
    let mut sessions = world.answering(vec![Some(true), Some(false)]);
    sessions.expect_active_among().times(1).returning(|_| Ok(HashMap::new()));
    let check = world.check(sessions);
    check.authenticate(&world.token()).await.unwrap();
    assert!(check.recheck_all(&[world.acting]).await.unwrap().is_empty());
    assert!(matches!(check.authenticate(&world.token()).await, Err(AccessRefusal::SessionEnded)));
}

#[tokio::test]
async fn an_answer_for_many_from_before_a_removal_is_not_cached() {
    let world = World::new();
    let check: Arc<OnceLock<AccessCheck>> = Arc::default();
    let (acting, ending) = (world.acting, Arc::clone(&check));
    let mut sessions = MockSessionStore::new();
    sessions.expect_active_among().times(1).returning(move |_| {
        ending.get().unwrap().forget(acting.session);
        Ok(HashMap::from([(acting.session, acting.person)]))
    });
    sessions.expect_session_state().times(1).returning(|_| Ok(None));
    assert!(check.set(world.check(sessions)).is_ok());
    let check = check.get().unwrap();
    check.recheck_all(&[acting]).await.unwrap();
    assert!(matches!(check.authenticate(&world.token()).await, Err(AccessRefusal::SessionEnded)));
}
