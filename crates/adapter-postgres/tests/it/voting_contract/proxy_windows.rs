//! A holder votes for a principal while the principal votes, the proxy is revoked, or the question opens. Each test holds the
//! window open.

use chrono::TimeDelta;
use plenum_adapter_postgres::{PostgresAttendance, PostgresCheckIns, PostgresMeetingRecords};
use plenum_kernel::{Clock as _, EndUserId, PresenceEntryId, ProxyId, RoundId};
use plenum_meetings::{
    AttendanceStore as _, CheckInStore as _, NewPresence, NotePresenceError, Noted, PresenceBy, PresenceKind,
    PresenceOutcome,
};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{
    Ballot, CastOutcome, Granting, MeetingRecords as _, NewProxy, OpenRoundError, ProxyAuthor, ProxyScope,
    ProxySettings, Revocation, RevokeError, RoundOpening,
};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::held_windows::{hand_in, held_ballot};

/// A meeting in which the second voter holds the proxy of the first.
struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    proxy: ProxyId,
}

impl Hall {
    async fn new() -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, 3).await;
        let settings = ProxySettings { is_on: true, ..ProxySettings::default() };
        let (store, by) = (fixture.proxies(), ProxyAuthor::Organizer(scene.organizer));
        store.change_settings(scene.client, scene.meeting, settings).await.unwrap();
        let proxy = ProxyId::new(&scene.ids);
        let new = NewProxy {
            id: proxy,
            principal: scene.voters[0],
            holder: scene.voters[1],
            scope: ProxyScope::Meeting,
            note: None,
            reference: None,
        };
        let granting = Granting { proxies: vec![new], by, at: scene.clock.now(), is_check: false };
        assert_eq!(store.grant(scene.client, scene.meeting, granting).await.unwrap(), [None]);
        Self { fixture, scene, proxy }
    }

    fn by_holder(&self, round: RoundId) -> Ballot {
        let Scene { voters, .. } = &self.scene;
        Ballot { cast_by: Some(voters[1]), ..self.scene.ballot(round, voters[0], self.scene.no()) }
    }

    fn revoke(&self) -> JoinHandle<Result<(), RevokeError>> {
        let by = ProxyAuthor::Organizer(self.scene.organizer);
        let revocation = Revocation { proxy: self.proxy, by, at: self.scene.clock.now() };
        let (store, client, meeting) = (self.fixture.proxies(), self.scene.client, self.scene.meeting);
        tokio::spawn(async move { store.revoke(client, meeting, revocation).await })
    }

    fn open(&self) -> (RoundId, JoinHandle<Result<(), OpenRoundError>>) {
        let opening = RoundOpening { ..self.scene.opening(self.scene.question) };
        let (rounds, id) = (self.fixture.rounds(), opening.new_round);
        (id, tokio::spawn(async move { rounds.open(opening).await }))
    }

    /// A revocation that has taken the proxy out of the round, and holds the ballots back.
    fn held_revocation(&self, round: RoundId) -> HeldTransaction {
        let revoke = format!(
            "SELECT FROM meetings WHERE id = '{meeting}' FOR UPDATE;
             SELECT pg_advisory_xact_lock(hashtextextended('{round}', 0));
             SELECT FROM rounds WHERE id = '{round}' FOR UPDATE;
             DELETE FROM round_proxies WHERE round_id = '{round}';
             UPDATE proxies SET revoked_at = now(), revoked_by = 'Anna' WHERE id = '{proxy}';",
            meeting = self.scene.meeting,
            proxy = self.proxy,
        );
        HeldTransaction::begin(self.fixture.database(), &revoke)
    }

    /// The holder is checked in, and nobody else.
    async fn with_check_in(&self) {
        self.fixture.set_check_in(self.scene.meeting, Some(vec![self.scene.voters[1]])).await;
    }

    /// The principal checks in.
    fn arrive(&self) -> JoinHandle<Result<PresenceOutcome, NotePresenceError>> {
        let Scene { client, meeting, voters, ids, clock, .. } = &self.scene;
        let new = NewPresence {
            id: PresenceEntryId::new(ids),
            client: *client,
            meeting: *meeting,
            end_user: voters[0],
            kind: PresenceKind::In,
            happened_at: None,
            now: clock.now(),
            by: PresenceBy::Person,
        };
        let store = PostgresCheckIns::new(self.fixture.database().db());
        tokio::spawn(async move { store.note(new).await })
    }

    /// A check-in of the principal that holds the ballots back, as the store does.
    fn held_arrival(&self, round: RoundId) -> HeldTransaction {
        let arrive = format!(
            "SELECT FROM meetings WHERE id = '{meeting}' FOR UPDATE;
             SELECT pg_advisory_xact_lock(hashtextextended('{round}', 0));
             SELECT FROM rounds WHERE id = '{round}' FOR UPDATE;
             INSERT INTO presence_entries (meeting_id, number, client_id, id, end_user_id, username, name, kind, happened_at,
                                           noted_at, by_role, by_name)
                 SELECT '{meeting}', 2, client_id, gen_random_uuid(), id, username, name, 'IN', now(), now(), 'SELF', name
                 FROM end_users WHERE id = '{principal}';
             INSERT INTO people_present SELECT '{meeting}', id, client_id, now(), 2 FROM end_users WHERE id = '{principal}';",
            meeting = self.scene.meeting,
            principal = self.scene.voters[0],
        );
        HeldTransaction::begin(self.fixture.database(), &arrive)
    }

    /// A ballot of the holder that is being written.
    fn held_by_holder(&self, round: RoundId) -> HeldTransaction {
        let ballot = self.by_holder(round);
        let write = format!(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended('{round}', 0));
             SELECT FROM rounds WHERE id = '{round}' AND status = 'OPEN' FOR SHARE;
             INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at, cast_by)
                 VALUES ('{}', '{round}', '{}', ARRAY['{}'::uuid], now(), '{}');",
            ballot.vote_id, ballot.voter, self.scene.wording.options[1].id, self.scene.voters[1],
        );
        HeldTransaction::begin(self.fixture.database(), &write)
    }

    fn votes(&self, round: RoundId, voter: EndUserId) -> i64 {
        self.fixture
            .count(&format!("SELECT count(*) FROM votes WHERE round_id = '{round}' AND end_user_id = '{voter}'"))
    }
}

#[tokio::test]
async fn the_vote_of_the_principal_and_that_of_the_holder_are_one() {
    let hall = Hall::new().await;
    let round = hall.scene.open(&hall.fixture).await;
    let principal = hall.scene.voters[0];
    let window = held_ballot(&hall.fixture, &hall.scene, round, principal);
    let held = hand_in(&hall.fixture, hall.by_holder(round));
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!held.is_finished());
    window.commit();
    let CastOutcome::VotedBefore(before) = held.await.unwrap() else { panic!("the principal has voted") };
    assert_eq!((before.answer, before.cast_by), (hall.scene.yes(), None));
    assert_eq!(hall.votes(round, principal), 1);
}

#[tokio::test]
async fn the_vote_of_the_holder_counts_if_that_of_the_principal_fails() {
    let hall = Hall::new().await;
    let round = hall.scene.open(&hall.fixture).await;
    let principal = hall.scene.voters[0];
    let window = held_ballot(&hall.fixture, &hall.scene, round, principal);
    let held = hand_in(&hall.fixture, hall.by_holder(round));
    window.until_blocking(&hall.fixture, 1).await;
    window.roll_back();
    assert_eq!(held.await.unwrap(), CastOutcome::Counted);
    let late = hall.scene.cast(&hall.fixture, round, principal, hall.scene.yes()).await;
    let CastOutcome::VotedBefore(before) = late else { panic!("the holder has voted") };
    assert_eq!(before.cast_by, Some(hall.scene.voters[1]));
    assert_eq!(hall.votes(round, principal), 1);
}

/// The ballot has seen the proxy that is being revoked. It must neither be counted nor fail.
#[tokio::test]
async fn a_ballot_that_meets_a_revocation_waits_and_is_refused() {
    let hall = Hall::new().await;
    let round = hall.scene.open(&hall.fixture).await;
    let window = hall.held_revocation(round);
    let held = hand_in(&hall.fixture, hall.by_holder(round));
    window.until_blocking(&hall.fixture, 1).await;
    let own = hand_in(&hall.fixture, hall.scene.ballot(round, hall.scene.voters[2], hall.scene.yes()));
    window.until_blocking(&hall.fixture, 2).await;
    assert!(!held.is_finished());
    window.commit();
    assert_eq!(held.await.unwrap(), CastOutcome::NoProxy);
    assert_eq!(own.await.unwrap(), CastOutcome::Counted);
    assert_eq!(hall.votes(round, hall.scene.voters[0]), 0);
}

#[tokio::test]
async fn a_revocation_that_meets_a_ballot_waits_and_the_vote_stands() {
    let hall = Hall::new().await;
    let round = hall.scene.open(&hall.fixture).await;
    let window = hall.held_by_holder(round);
    let revoking = hall.revoke();
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!revoking.is_finished());
    window.commit();
    revoking.await.unwrap().expect("the proxy is revoked for later rounds");
    let again = hand_in(&hall.fixture, hall.by_holder(round)).await.unwrap();
    assert!(matches!(again, CastOutcome::VotedBefore(_)), "{again:?}");
    assert_eq!(hall.votes(round, hall.scene.voters[0]), 1);
}

/// The statement of the ballot began before the check-in was stored.
#[tokio::test]
async fn a_ballot_of_a_holder_that_meets_the_arrival_of_the_principal_waits_and_is_refused() {
    let hall = Hall::new().await;
    hall.with_check_in().await;
    let round = hall.scene.open(&hall.fixture).await;
    let window = hall.held_arrival(round);
    let held = hand_in(&hall.fixture, hall.by_holder(round));
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!held.is_finished());
    window.commit();
    assert_eq!(held.await.unwrap(), CastOutcome::NoProxy);
    let own = hand_in(&hall.fixture, hall.scene.ballot(round, hall.scene.voters[0], hall.scene.yes()));
    assert_eq!(own.await.unwrap(), CastOutcome::Counted, "the principal votes alone");
}

#[tokio::test]
async fn the_arrival_of_a_principal_that_meets_a_ballot_of_the_holder_waits_and_the_vote_stands() {
    let hall = Hall::new().await;
    hall.with_check_in().await;
    let round = hall.scene.open(&hall.fixture).await;
    let window = hall.held_by_holder(round);
    let arriving = hall.arrive();
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!arriving.is_finished());
    window.commit();
    let outcome = arriving.await.unwrap().expect("the principal is checked in");
    assert!(matches!(outcome, PresenceOutcome::Noted(_)), "{outcome:?}");
    let own = hand_in(&hall.fixture, hall.scene.ballot(round, hall.scene.voters[0], hall.scene.yes())).await.unwrap();
    assert!(matches!(&own, CastOutcome::VotedBefore(before) if before.cast_by.is_some()), "{own:?}");
    assert_eq!(hall.votes(round, hall.scene.voters[0]), 1);
}

#[tokio::test]
async fn an_opening_that_meets_a_revocation_waits_and_leaves_the_proxy_out() {
    let hall = Hall::new().await;
    let revoke = format!(
        "SELECT FROM meetings WHERE id = '{}' FOR UPDATE;
         UPDATE proxies SET revoked_at = now(), revoked_by = 'Anna' WHERE id = '{}';",
        hall.scene.meeting, hall.proxy
    );
    let window = HeldTransaction::begin(hall.fixture.database(), &revoke);
    let (round, opening) = hall.open();
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!opening.is_finished());
    window.commit();
    opening.await.unwrap().expect("the question opens");
    assert_eq!(hand_in(&hall.fixture, hall.by_holder(round)).await.unwrap(), CastOutcome::NoProxy);
}

#[tokio::test]
async fn an_excluded_principal_has_no_proxy_in_the_round() {
    let hall = Hall::new().await;
    let round = hall.scene.open(&hall.fixture).await;
    let gone = format!("DELETE FROM register WHERE round_id = '{round}' AND end_user_id = '{}'", hall.scene.voters[0]);
    HeldTransaction::begin(hall.fixture.database(), &gone).commit();
    assert_eq!(hand_in(&hall.fixture, hall.by_holder(round)).await.unwrap(), CastOutcome::NoProxy);
    assert_eq!(hall.fixture.count("SELECT count(*) FROM round_proxies"), 0);
}

#[tokio::test]
async fn attendance_notes_count_present_and_represented_people() {
    let hall = Hall::new().await;
    let store = PostgresAttendance::new(hall.fixture.database().db());
    let [_, holder, third] = hall.scene.voters[..] else { panic!("three voters") };
    let noted = async |connected: Vec<EndUserId>, minutes: i64| {
        let at = hall.scene.clock.now() + TimeDelta::minutes(minutes);
        assert_eq!(store.note(hall.scene.meeting, connected, at).await.unwrap(), Noted::Noted, "{minutes}");
        let note = store.list(hall.scene.client, hall.scene.meeting).await.unwrap().unwrap().pop().unwrap();
        [note.present.heads, note.represented.heads, note.eligible.heads]
    };
    assert_eq!(noted(vec![third], 1).await, [1, 0, 3], "the holder is not there");
    assert_eq!(noted(vec![holder], 3).await, [1, 1, 3]);
    assert_eq!(noted(hall.scene.voters.clone(), 5).await, [3, 0, 3], "nobody counts twice");
    hall.with_check_in().await;
    hall.scene.open(&hall.fixture).await;
    assert_eq!(noted(Vec::new(), 7).await, [1, 1, 3], "by the record");
    let record = PostgresMeetingRecords::new(hall.fixture.database().db());
    let record = record.record(hall.scene.client, hall.scene.meeting).await.unwrap().unwrap();
    assert_eq!(record.attendance.last().unwrap().represented.heads, 1);
}
