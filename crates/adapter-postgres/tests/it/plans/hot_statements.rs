use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use plenum_adapter_postgres::{
    AuditChains, BallotBoxSettings, PostgresAccounts, PostgresActivity, PostgresAuditTrail, PostgresBallotBox,
    PostgresClients, PostgresEndUsers, PostgresLive, PostgresMeetings, PostgresPasswords, PostgresQuestions,
    PostgresResults, PostgresRounds, PostgresSessions, PostgresVoterMeetings,
};
use plenum_clients::{
    AccountFilter, AccountSort, AccountStore, ActivitySource, AuditFilter, AuditScope, AuditTrail, ClientCode,
    ClientFilter, ClientKey, ClientSort, ClientStore, DeviceMark, EndUserFilter, EndUserSort, EndUserStore,
    NewRefreshToken, NewSession, NotedAct, PasswordChange, PasswordHash, PasswordStore, RefreshTokenHash, Renewal,
    SecondFactorProof, SessionOrigin, SessionStore, Username,
};
use plenum_kernel::testkit::StillClock;
use plenum_kernel::{
    AccountId, ClientId, Clock as _, EmailAddress, EndUserId, MeetingId, PageRequest, Person, QuestionId, RoundId,
    SessionId, VoteId,
};
use plenum_meetings::live::LiveSource;
use plenum_meetings::{MeetingFilter, MeetingSort, MeetingStore, QuestionStore, VoterMeetings};
use plenum_voting::testkit::PlainRecords;
use plenum_voting::{Answer, Ballot, BallotBox, CastOutcome, CountTaking, RegisterFilter, ResultStore, RoundStore};
use uuid::Uuid;

use crate::plans::history::{
    self, ADMIN, BUSY, BUSY_MEETINGS, CLIENT, CLIENTS, HALL, MEETING, PAST_QUESTION, PAST_ROUND, QUESTION, ROUND, voter,
};
use crate::plans::observed::{Observed, costs};
use crate::plans::steps::Scene;

pub(crate) const OWNER: ClientId = ClientId::from_uuid(CLIENT);
const ASSEMBLY: MeetingId = MeetingId::from_uuid(MEETING);

fn page() -> Option<PageRequest> {
    Some(PageRequest { page: 1, page_size: 25 })
}

fn ballot_of(number: u128, answer: &str) -> Ballot {
    Ballot {
        vote_id: VoteId::from_uuid(Uuid::from_u128(7_000_000 + number)),
        round_id: RoundId::from_uuid(ROUND),
        voter: EndUserId::from_uuid(voter(number)),
        cast_by: None,
        cast_on: None,
        session: SessionId::from_uuid(Uuid::from_u128(1)),
        answer: Answer::Text(answer.to_owned()),
        cast_at: DateTime::UNIX_EPOCH,
    }
}

/// One test, because all tests of a process share one log.
#[tokio::test]
async fn frequent_statements_cost_the_same_with_any_history() {
    let Some(mut observed) = Observed::start(history::write).await else { return };
    let clock = Arc::new(StillClock::new());
    let scenes = [Scene::with_a_list(clock.clone()), Scene::for_everybody(clock)];
    voting(&mut observed).await;
    screens(&mut observed).await;
    what_voters_come_for(&mut observed).await;
    the_door(&mut observed).await;
    for scene in &scenes {
        scene.play(&mut observed).await;
    }
    lists_of_the_platform(&mut observed).await;
    pages_of_a_client(&mut observed).await;
    lists_of_a_client(&mut observed).await;
    results(&mut observed).await;
    observed.plan_for_any_value();
    what_voters_come_for(&mut observed).await;
    for scene in &scenes {
        scene.play(&mut observed).await;
    }
    pages_of_a_client(&mut observed).await;
    let findings = observed.findings();
    assert!(findings.is_empty(), "{findings}");
}

async fn voting(observed: &mut Observed) {
    let ballots = PostgresBallotBox::start(observed.db(), observed.settings(), BallotBoxSettings::default()).unwrap();
    let counted = costs!(observed, "a vote", at most 20, ballots.cast(ballot_of(1, "Aye")));
    assert_eq!(counted, CastOutcome::Counted);
    let again = costs!(observed, "a repeated vote", at most 20, ballots.cast(ballot_of(2, "Nay")));
    assert!(matches!(again, CastOutcome::VotedBefore(_)), "{again:?}");
}

async fn screens(observed: &mut Observed) {
    let live = PostgresLive::new(observed.db());
    let round = RoundId::from_uuid(ROUND);
    let ben = EndUserId::from_uuid(voter(2));
    costs!(observed, "the live picture", at most 30, live.load(ASSEMBLY));
    assert!(costs!(observed, "the votes cast", at most 20, live.votes_cast(round)) > 0);
    assert!(costs!(observed, "whether somebody has voted", at most 2, live.has_voted(round, ben)));
    let rounds = PostgresRounds::new(observed.db());
    costs!(observed, "the screen", at most 20, rounds.screen(OWNER, ASSEMBLY));
    costs!(observed, "the countdowns", at most 2, rounds.deadlines_until(Utc.with_ymd_and_hms(2100, 1, 1, 0, 0, 0).unwrap()));
    costs!(observed, "a voter's questions", at most 30, rounds.agenda_of_voter(OWNER, ASSEMBLY, ben));
}

async fn what_voters_come_for(observed: &mut Observed) {
    let ben = EndUserId::from_uuid(voter(2));
    let meetings = PostgresVoterMeetings::new(observed.db());
    costs!(observed, "a voter's meetings", at most 20, meetings.list(OWNER, ben));
    costs!(observed, "a voter's meeting", at most 20, meetings.find(OWNER, ben, ASSEMBLY));
    costs!(observed, "voters who watch a meeting", at most 20, meetings.invited_among(OWNER, vec![ben], ASSEMBLY));
}

async fn the_door(observed: &mut Observed) {
    let now = StillClock::new().now();
    let accounts = PostgresAccounts::new(observed.db());
    let sessions = PostgresSessions::new(observed.db());
    let code = ClientCode::parse("club-1").unwrap();
    let clients = PostgresClients::new(observed.db());
    assert!(costs!(observed, "a code", at most 4, clients.find_by_code(&code)).is_some());
    let (key, name) = (ClientKey::Id(OWNER), Username::parse("Voter-3").unwrap());
    let found = costs!(observed, "a voter's password", at most 4, accounts.end_user_credentials(&key, &name));
    let person = found.unwrap().person;
    let email = EmailAddress::parse("club-1@example.org").unwrap();
    let found = costs!(observed, "an account's password", at most 4, accounts.account_credentials(&email));
    let admin = Person::ClientAdmin { account: AccountId::from_uuid(ADMIN), client: OWNER };
    assert_eq!(found.unwrap().person, admin);
    costs!(observed, "who somebody is", at most 4, accounts.profile(person));
    let id = SessionId::from_uuid(Uuid::from_u128(5));
    let expires_at = now + TimeDelta::days(1);
    let hash = |text: &str| RefreshTokenHash(text.as_bytes().to_vec());
    let first_token = NewRefreshToken { hash: hash("first"), issued_at: now, expires_at };
    let password_hash = PasswordHash::new("hash".to_owned());
    let second_factor = SecondFactorProof::NotAsked;
    let origin = SessionOrigin::new(IpAddr::from([192, 0, 2, 1]), Some("Mozilla/5.0"));
    let join_link = None;
    let session =
        NewSession { id, person, password_hash, second_factor, join_link, remember_me: false, origin, first_token };
    // Reads the five active sessions.
    assert!(costs!(observed, "a new session", at most 20, sessions.open(session)));
    let renewal = Renewal { presented: hash("first"), next: hash("second"), by: DeviceMark(vec![1; 32]), id: None };
    costs!(observed, "a fresh token", at most 20, sessions.rotate(renewal, now));
    costs!(observed, "an access check", at most 4, sessions.session_state(id));
    costs!(observed, "access checks of many", at most 4, sessions.active_among(vec![id]));
    let own = costs!(observed, "one's own sessions", at most 20, sessions.of_person(person, now, 200));
    assert!(own.iter().any(|session| session.id == id));
    assert!(
        costs!(observed, "a session that is ended by its owner", at most 4, sessions.end_of_person(person, id, now))
    );
    costs!(observed, "all sessions of a person", at most 20, sessions.end_all(person, None, now));
    let passwords = PostgresPasswords::new(observed.db());
    let checked = costs!(observed, "one's own password", at most 4, passwords.of_person(person)).unwrap().password_hash;
    let new = PasswordHash::new("another hash".to_owned());
    let change = PasswordChange { person, checked, new, kept: id, at: now };
    assert!(costs!(observed, "a password that is changed", at most 20, passwords.change(change)));
}

async fn lists_of_the_platform(observed: &mut Observed) {
    // The page shows the total, so every client and account is counted: there are a few thousand at most.
    let counted = CLIENTS as f64;
    let clients = PostgresClients::new(observed.db());
    for sort in [ClientSort::Newest, ClientSort::NameAscending, ClientSort::NameDescending] {
        let filter = ClientFilter { sort, page: page(), ..ClientFilter::default() };
        // A page of clients shows their maintained counts of end users and meetings: four and ten for each.
        let of_page = 25.0 * (4.0 + 10.0 + 2.0);
        let name = format!("clients, {sort:?}");
        let found = costs!(observed, name, at most 1.1 * counted + of_page, sorted of_page, clients.list(&filter));
        assert_eq!((found.rows.len(), found.total), (25, CLIENTS as u64 + 1));
    }
    let accounts = PostgresAccounts::new(observed.db());
    for sort in [AccountSort::Newest, AccountSort::NameAscending, AccountSort::NameDescending] {
        let filter = AccountFilter { sort, page: page(), ..AccountFilter::default() };
        let name = format!("accounts, {sort:?}");
        let found = costs!(observed, name, at most 2.1 * counted + 100.0, accounts.list(&filter));
        assert_eq!(found.rows.len(), 25);
    }
    let activity = PostgresActivity::new(observed.db());
    costs!(observed, "what happened lately on the platform", at most 31_000, sorted 4_200, activity.of_platform(20));
}

async fn pages_of_a_client(observed: &mut Observed) {
    let of_past = ClientId::from_uuid(BUSY);
    let end_users = PostgresEndUsers::new(observed.db());
    for sort in [EndUserSort::NameAscending, EndUserSort::NameDescending] {
        let filter = EndUserFilter { sort, page: page(), ..EndUserFilter::default() };
        let name = format!("end users, {sort:?}");
        // The page by the index, its rows, and four maintained counts; no other end user.
        let found = costs!(observed, name, at most 60, end_users.list(OWNER, &filter));
        assert_eq!((found.rows.len(), found.total), (25, HALL as u64));
    }
    assert_eq!(costs!(observed, "how many end users", at most 4, end_users.stats(OWNER)).active, HALL as u64);
    let meetings = PostgresMeetings::new(observed.db(), Arc::new(PlainRecords));
    for sort in [MeetingSort::LatestFirst, MeetingSort::TitleAscending, MeetingSort::TitleDescending] {
        let filter = MeetingFilter { sort, page: page(), ..MeetingFilter::default() };
        let name = format!("meetings, {sort:?}");
        // Reads the meetings of the page, and the numbers of their questions and people. The total is a maintained count.
        let found = costs!(observed, name, at most 150, meetings.list(of_past, &filter));
        assert_eq!((found.rows.len(), found.total), (25, BUSY_MEETINGS as u64));
    }
    let stats = costs!(observed, "how many meetings", at most 10, meetings.stats(of_past));
    assert_eq!(stats.completed, BUSY_MEETINGS as u64);
}

async fn lists_of_a_client(observed: &mut Observed) {
    let of_past = ClientId::from_uuid(BUSY);
    let questions = PostgresQuestions::new(observed.db());
    costs!(observed, "an agenda", at most 20, questions.list(OWNER, ASSEMBLY));
    let activity = PostgresActivity::new(observed.db());
    costs!(observed, "what happened lately", at most 200, sorted 200, activity.of_client(of_past, 20));
    let (trail, scope) = (PostgresAuditTrail::new(observed.db()), AuditScope::Client(OWNER));
    let everything = AuditFilter::default();
    let newest = costs!(observed, "the audit log", at most 60, trail.list(scope, &everything, 51));
    let behind = AuditFilter { behind: newest.last().map(|entry| entry.place), ..everything.clone() };
    costs!(observed, "its next page", at most 60, trail.list(scope, &behind, 51));
    let kind = AuditFilter { kind: Some("meeting_created"), ..everything };
    assert_eq!(costs!(observed, "a kind of it", at most 60, trail.list(scope, &kind, 51)).len(), 40);
    assert_eq!(costs!(observed, "its chain", at most 60, trail.chain_after(scope, 20_000, 50)).len(), 50);
    let chains = AuditChains::new(observed.db());
    while chains.link().await.unwrap() {}
    trail.note(NotedAct::EndUsersExported(OWNER)).await.unwrap();
    costs!(observed, "what is to be linked", at most 10, chains.link());
}

async fn results(observed: &mut Observed) {
    let hall = HALL as f64;
    let past = RoundId::from_uuid(PAST_ROUND);
    let results = PostgresResults::new(observed.db(), Arc::new(PlainRecords));
    assert!(costs!(observed, "a round", at most 12, results.find(OWNER, ASSEMBLY, past)).is_some());
    let ended_at = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
    let taking = CountTaking { round: past, ended_at };
    // The policy reads the round once more for each of its rows.
    let taken = costs!(observed, "a tally", at most 4.0 * hall + 30.0, sorted hall + 10.0, results.take_count(OWNER, ASSEMBLY, taking));
    assert_eq!(taken.unwrap().len(), HALL as usize);
    let rounds = PostgresRounds::new(observed.db());
    let filter = RegisterFilter { has_voted: None, search: None, page: page().unwrap() };
    costs!(observed, "a register", at most 5.0 * hall, sorted hall, rounds.register(OWNER, ASSEMBLY, past, &filter));
    let (question, past_question) = (QuestionId::from_uuid(QUESTION), QuestionId::from_uuid(PAST_QUESTION));
    for question in [question, past_question] {
        costs!(observed, "the last round", at most 10, rounds.last_of_question(OWNER, ASSEMBLY, question));
    }
    costs!(observed, "the rounds of a meeting", at most 30, rounds.list(OWNER, ASSEMBLY));
}
