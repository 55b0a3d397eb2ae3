//! Twenty thousand people are added to a database whose statistics, and the kept plans of connections, are for a few: each
//! call may read a bounded number of rows for each person, and never all people for each.

use std::sync::Arc;

use chrono::TimeDelta;
use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl as _};
use plenum_adapter_postgres::testkit::flush_statistics;
use plenum_adapter_postgres::{
    AuditChains, Db, PostgresAccounts, PostgresActivity, PostgresAttendance, PostgresAuditTrail, PostgresClientReports,
    PostgresClients, PostgresDiagnostics, PostgresEndUsers, PostgresInvitations, PostgresLive, PostgresMeetings,
    PostgresPaperVotes, PostgresParticipants, PostgresPreparedRegisters, PostgresRegisterChanges, PostgresRehearsals,
    PostgresResults, PostgresRounds, PostgresSessions, PostgresVoterMeetings,
};
use plenum_clients::testkit::PlainRefreshTokens;
use plenum_clients::{
    AccountStore, ActivitySource, AuditFilter, AuditScope, AuditTrail, ClientFilter, ClientKey, ClientReportSource,
    ClientStore, EndUser, EndUserChanges, EndUserFilter, EndUserStore, EndUserUpdate, ImportedPeople, PasswordHash,
    PersonName, SessionStore, SetPassword, Username,
};
use plenum_kernel::testkit::{CountingIds, PlainLinkTokens, StillClock};
use plenum_kernel::{
    AccountId, ClientId, Clock as _, DeskId, EmailAddress, EndUserId, IssuedBallotId, KindWeights, LogEntryId,
    MeetingId, NewIds as _, PageRequest, PaperBatchId, PasswordSetter, Person, QuestionId, RehearsalId, RoundId,
    SearchText, VotingWeight, WeightKindId,
};
use plenum_meetings::live::LiveSource;
use plenum_meetings::{
    AttendanceStore, InvitationOrder, InvitationStore, Invitees, MeetingFilter, MeetingStore, NewRehearsal,
    ParticipantFilter, ParticipantStore, PersonalLinks, RecipientFilter, Recipients, RehearsalFilter, RehearsalStatus,
    RehearsalStore, SiteAddress, TimeZone, VoterMeetings,
};
use plenum_voting::testkit::PlainRecords;
use plenum_voting::{
    Answer, BatchRequest, CountTaking, ForecastScope, IssuedBallot, NewPaperBatch, PaperBallot, PaperVotes,
    PreparedRegisters as _, Reason, RegisterChange, RegisterChanges, RegisterFilter, RegisterPreparation, ResultStore,
    RoundOpening, RoundStore, ScreenChange, Teller,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::plans::observed::Observed;

/// The number of added people.
const CROWD: u128 = 20_000;

/// A few clients with one person, one meeting and one vote each, as the statistics know them.
const BEFORE: &str = "
    CREATE FUNCTION id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
        AS $$ SELECT lpad(to_hex(number), 32, '0')::uuid $$;
    ALTER TABLE audit_entries SET (autovacuum_enabled = false);
    ALTER TABLE end_users SET (autovacuum_enabled = false);
    ALTER TABLE invitations SET (autovacuum_enabled = false);
    ALTER TABLE participants SET (autovacuum_enabled = false);
    ALTER TABLE register SET (autovacuum_enabled = false);
    ALTER TABLE votes SET (autovacuum_enabled = false);
    INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
        SELECT id(n), 'Club', 'club-' || n, 'club@example.org', 'ACTIVE', 'BASIC', now() FROM generate_series(1, 5) AS n;
    INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
        SELECT id(n), id(n), 'CLIENT', 'anna-' || n || '@example.org', 'hash', 'Anna', 'Berg', now()
        FROM generate_series(1, 5) AS n;
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
        SELECT id(n), id(n), 'known', 'Known', 1, true, 'hash', now() FROM generate_series(1, 5) AS n;
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        SELECT id(n), id(n), 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, true, now()
        FROM generate_series(1, 5) AS n;
    INSERT INTO participants SELECT id(n), id(n), id(n) FROM generate_series(1, 5) AS n;
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
        SELECT id(n), id(n), id(n), 1, 'Why?', 'OPEN_TEXT', true, now() FROM generate_series(1, 5) AS n;
    INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                        ended_at, register_heads, register_weight)
        SELECT id(n), id(n), id(n), id(n), 1, 'ENDED', 'Why?', 'OPEN_TEXT', now(), now(), 1, 1
        FROM generate_series(1, 5) AS n;
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(n), id(n), 'known', 'Known', 1, now() FROM generate_series(1, 5) AS n;
    INSERT INTO votes (id, round_id, end_user_id, answer_text, cast_at)
        SELECT id(n), id(n), id(n), 'Aye', now() FROM generate_series(1, 5) AS n;
    INSERT INTO invitations (client_id, meeting_id, end_user_id, status, email, tries, site_address, time_zone, queued_at,
                             due_at, claimed_at, sent_at)
        SELECT id(n), id(n), id(n), 'SENT', 'known@example.org', 1, 'https://vote.example.org', 'UTC', now(), now(), now(), now()
        FROM generate_series(1, 5) AS n;
    ANALYZE;";

/// Statistics as if each client had one person, each meeting one participant and each round one entry, in tables of any size.
const FALSE_STATISTICS: &str = "
    UPDATE pg_statistic
    SET stadistinct = -1, stanullfrac = 0, stakind1 = 0, stakind2 = 0, stakind3 = 0, stakind4 = 0, stakind5 = 0
    WHERE starelid IN ('audit_entries'::regclass, 'end_users'::regclass, 'invitations'::regclass,
                       'participants'::regclass, 'register'::regclass, 'votes'::regclass)";

/// A meeting of a client with many people, in which every operation on them is done.
struct Assembly {
    client: ClientId,
    meeting: MeetingId,
    question: QuestionId,
    /// The number of the first person, and their total.
    first: u128,
    people: u128,
    clock: StillClock,
    ids: CountingIds,
}

/// Makes a call, and records whether it read more rows for each person than allowed.
macro_rules! costs {
    ($stage:expr, $name:expr, $for_each:expr, $call:expr) => {{
        let before = $stage.read_so_far().await;
        let (outcome, work) = $stage.observed.work_of($call).await;
        let read = $stage.read_so_far().await - before;
        // Twice the observed number: the plan varies a little. A wrong plan reads thousands of times as much.
        let limit = 2.0 * f64::from($for_each) * $stage.people as f64 + 3_000.0;
        if work.touched > limit || read > limit || !work.arrays.is_empty() {
            let finding = format!("{}: {} rows, {read} read, and not {limit}; {:?}", $name, work.touched, work.arrays);
            $stage.observed.note(finding);
        }
        outcome.unwrap()
    }};
}

/// The data around a meeting.
struct Stage<'a> {
    observed: &'a mut Observed,
    /// With one connection, which keeps its plans.
    db: Db,
    people: u128,
}

impl Stage<'_> {
    /// The rows and index entries that the connection has read so far, including those for foreign keys and triggers.
    async fn read_so_far(&mut self) -> f64 {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = BigInt)]
            rows: i64,
        }
        flush_statistics(&self.db).await;
        let row: Row = diesel::sql_query(
            "SELECT ((SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables \
                      WHERE schemaname = current_schema()) \
                     + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = current_schema()))::bigint \
                    AS rows",
        )
        .get_result(self.observed.marker())
        .unwrap();
        row.rows as f64
    }

    fn db(&self) -> Db {
        self.db.clone()
    }
}

fn one_connection(observed: &Observed) -> Db {
    Db::new(&observed.settings().with_pool_size(1)).unwrap()
}

#[tokio::test]
async fn reads_grow_with_the_number_of_people_when_the_statistics_are_stale() {
    let Some(mut observed) = Observed::start(|conn| conn.batch_execute(BEFORE).unwrap()).await else { return };
    // Plans each statement once for a connection, while there are few people.
    observed.plan_for_any_value();
    let db = one_connection(&observed);
    let few = Assembly::of(2, 100, 3);
    few.plan(observed.marker());
    let mut stage = Stage { observed: &mut observed, db, people: 3 };
    few.import(&mut stage).await;
    few.play(&mut stage).await;
    few.change(&mut stage).await;
    few.remove(&mut stage).await;

    let crowd = Assembly::of(1, 1_000, CROWD);
    crowd.plan(stage.observed.marker());
    stage.people = CROWD;
    crowd.import(&mut stage).await;
    crowd.play(&mut stage).await;

    // Plans each statement for its values, by wrong statistics.
    stage.observed.marker().batch_execute(FALSE_STATISTICS).unwrap();
    stage.observed.plan_for_each_value();
    stage.db = one_connection(stage.observed);
    crowd.look(&mut stage).await;
    crowd.change(&mut stage).await;
    crowd.remove(&mut stage).await;
    let findings = observed.findings();
    assert!(findings.is_empty(), "{findings}");
}

impl Assembly {
    fn of(client: u128, first: u128, people: u128) -> Self {
        let (clock, ids) = (StillClock::new(), CountingIds::new());
        let (meeting, question) = (Uuid::from_u128(first), Uuid::from_u128(first));
        Self {
            client: ClientId::from_uuid(Uuid::from_u128(client)),
            meeting: MeetingId::from_uuid(meeting),
            question: QuestionId::from_uuid(question),
            first,
            people,
            clock,
            ids,
        }
    }

    fn plan(&self, conn: &mut PgConnection) {
        for statement in [
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                                   has_participant_list, created_at, quorum, quorum_at_opening)
                 SELECT $2, $1, 'Assembly of many', 'ACTIVE', now(), now() + interval '1 hour', false, false, now(),
                        '{\"comparison\":\"at_least\",\"numerator\":1,\"denominator\":9,\"unit\":\"weight\",\"attendance\":\"voted\"}',
                        'WARN'",
            "INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required,
                                    created_at)
                 SELECT $2, $1, $2, 1, 'Why?', 'OPEN_TEXT', true, now()",
        ] {
            let (client, meeting) = (self.client.as_uuid(), self.meeting.as_uuid());
            let bound = diesel::sql_query(statement).bind::<SqlUuid, _>(client).bind::<SqlUuid, _>(meeting);
            bound.execute(conn).unwrap();
        }
    }

    fn person(&self, number: u128) -> EndUserId {
        EndUserId::from_uuid(Uuid::from_u128(self.first + number))
    }

    fn all(&self) -> Vec<EndUserId> {
        (0..self.people).map(|number| self.person(number)).collect()
    }

    /// The administrator of the client, with its number.
    fn admin(&self) -> AccountId {
        AccountId::from_uuid(self.client.as_uuid())
    }

    async fn import(&self, stage: &mut Stage<'_>) {
        let store = PostgresEndUsers::new(stage.db());
        let new = |number| {
            let end_user = EndUser {
                id: self.person(number),
                client_id: self.client,
                username: Username::parse(&format!("voter-{number}")).unwrap(),
                name: PersonName::parse(&format!("Voter {number}")).unwrap(),
                email: Some(EmailAddress::parse(&format!("voter-{number}@example.org")).unwrap()),
                address: None,
                weights: KindWeights::default(),
                groups: Vec::new(),
                weight: VotingWeight::from_stored(Decimal::ONE),
                is_active: true,
                last_login_at: None,
                created_at: self.clock.now(),
                is_erased: false,
            };
            (end_user, PasswordHash::new("hash".to_owned()))
        };
        let new = (0..self.people).map(new).collect();
        costs!(
            stage,
            "an import",
            20,
            store.import(self.client, ImportedPeople { new, ..ImportedPeople::default() }, self.clock.now())
        );
    }

    async fn play(&self, stage: &mut Stage<'_>) {
        let participants = PostgresParticipants::new(stage.db());
        let invited = participants.invite(self.client, self.meeting, Invitees::These(self.all()));
        assert_eq!(costs!(stage, "an invitation of all", 25, invited).count.changed, self.people as u64);
        self.look(stage).await;
        self.vote(stage).await;
        self.look_at_the_round(stage).await;
    }

    /// Lists, and reads for one person.
    async fn look(&self, stage: &mut Stage<'_>) {
        let page = Some(PageRequest { page: 2, page_size: 200 });
        let participants = PostgresParticipants::new(stage.db());
        for filter in [
            ParticipantFilter::default(),
            ParticipantFilter { page, ..Default::default() },
            ParticipantFilter { page, with_outside_groups: true, ..Default::default() },
            ParticipantFilter { search: SearchText::parse("voter 1"), page, ..Default::default() },
        ] {
            costs!(stage, "participants", 15, participants.list(self.client, self.meeting, &filter)).unwrap();
        }
        let invitations = PostgresInvitations::new(stage.db(), Arc::new(PlainLinkTokens), Arc::new(PlainRefreshTokens));
        let filter = RecipientFilter { page, ..RecipientFilter::default() };
        costs!(stage, "recipients", 20, invitations.overview(self.client, self.meeting, &filter)).unwrap();
        let end_users = PostgresEndUsers::new(stage.db());
        for search in [None, SearchText::parse("voter-1")] {
            let filter = EndUserFilter { search, page, ..EndUserFilter::default() };
            costs!(stage, "end users", 8, end_users.list(self.client, &filter));
        }
        costs!(stage, "how many end users", 0, end_users.stats(self.client));
        costs!(stage, "an end user", 0, end_users.find(self.client, self.person(1))).unwrap();
        let person = Person::EndUser { end_user: self.person(1), client: self.client };
        let (key, name) = (ClientKey::Id(self.client), Username::parse("voter-1").unwrap());
        let accounts = PostgresAccounts::new(stage.db());
        costs!(stage, "a voter's password", 0, accounts.end_user_credentials(&key, &name)).unwrap();
        costs!(stage, "a profile", 0, PostgresAccounts::new(stage.db()).profile(person)).unwrap();
        let sessions = PostgresSessions::new(stage.db());
        costs!(stage, "one's sessions", 0, sessions.of_person(person, self.clock.now(), 50));
        costs!(stage, "sessions that end", 0, sessions.end_all(person, None, self.clock.now()));
        costs!(stage, "how many sessions", 2, sessions.stats(self.clock.now()));
        let meetings = PostgresMeetings::new(stage.db(), Arc::new(PlainRecords));
        costs!(stage, "a meeting", 4, meetings.find(self.client, self.meeting)).unwrap();
        costs!(stage, "meetings", 4, meetings.list(self.client, &MeetingFilter::default()));
        let of_voter = PostgresVoterMeetings::new(stage.db());
        costs!(stage, "a voter's meetings", 0, of_voter.list(self.client, self.person(1)));
        costs!(stage, "a voter's meeting", 0, of_voter.find(self.client, self.person(1), self.meeting)).unwrap();
        let watching: Vec<EndUserId> = (0..self.people.min(1_000)).map(|number| self.person(number)).collect();
        let invited = of_voter.invited_among(self.client, watching.clone(), self.meeting);
        assert_eq!(costs!(stage, "a thousand watching voters", 1, invited), watching.into_iter().collect());
        let rounds = PostgresRounds::new(stage.db());
        // Nobody has a value of a kind that does not exist, so all are named or counted.
        let scope =
            ForecastScope { weight_kind: Some(WeightKindId::from_uuid(Uuid::nil())), ..ForecastScope::default() };
        let weightless =
            costs!(stage, "people without a value", 20, rounds.weightless(self.client, self.meeting, &scope));
        assert_eq!(weightless.unwrap().people, self.people as u64);
        let activity = PostgresActivity::new(stage.db());
        costs!(stage, "recent activity", 8, activity.of_client(self.client, 20));
        costs!(stage, "activity of the platform", 8, activity.of_platform(20));
        let reports = PostgresClientReports::new(stage.db());
        costs!(stage, "reports", 2, reports.list(&ClientFilter::default()));
        self.look_into_the_log(stage).await;
        let diagnostics = PostgresDiagnostics::new(stage.db());
        for owner in [Some(self.client), None] {
            // Many checks, each of which reads its own tables.
            costs!(stage, "the checks of the integrity", 150, diagnostics.integrity(owner));
        }
    }

    async fn look_into_the_log(&self, stage: &mut Stage<'_>) {
        let (trail, scope) = (PostgresAuditTrail::new(stage.db()), AuditScope::Client(self.client));
        let searches = [
            AuditFilter::default(),
            AuditFilter { kind: Some("end_user_created"), ..AuditFilter::default() },
            AuditFilter { person: SearchText::parse("nobody"), ..AuditFilter::default() },
            AuditFilter { search: SearchText::parse("voter 19"), ..AuditFilter::default() },
        ];
        for filter in searches {
            costs!(stage, format!("the log, {filter:?}"), 25, trail.list(scope, &filter, 50));
        }
        costs!(stage, "the chain's state", 25, trail.chain_state(scope));
        costs!(stage, "the chain", 4, trail.chain_after(scope, 0, 50));
        costs!(stage, "links of the chain", 25, AuditChains::new(stage.db()).link());
    }

    async fn vote(&self, stage: &mut Stage<'_>) {
        let rehearsals = PostgresRehearsals::new(stage.db());
        let id = RehearsalId::from_uuid(self.ids.next_uuid());
        let new = NewRehearsal {
            id,
            client_id: self.client,
            meeting_id: self.meeting,
            at: self.clock.now(),
            by: self.admin(),
        };
        costs!(stage, "a rehearsal", 0, rehearsals.start(new));
        let page = PageRequest { page: 1, page_size: 200 };
        let filter = RehearsalFilter { search: None, statuses: &RehearsalStatus::ALL, can_seal: None, page };
        let report = rehearsals.report(self.client, self.meeting, self.all(), &filter);
        costs!(stage, "a rehearsal's report", 30, report).unwrap();
        let rounds = PostgresRounds::new(stage.db());
        let new_round = RoundId::from_uuid(Uuid::from_u128(self.first));
        // Nobody is connected yet, so the opening finds every entry, and corrects it.
        let connected = Vec::new();
        let preparation = RegisterPreparation { meeting: self.meeting, new_round, connected, at_least: 0 };
        let prepared = PostgresPreparedRegisters::new(stage.db());
        assert!(costs!(stage, "a prepared register", 40, prepared.prepare(preparation)));
        let opening = RoundOpening {
            owner: self.client,
            meeting: self.meeting,
            question: self.question,
            new_round,
            now: self.clock.now(),
            seen: None,
            by: self.admin(),
            connected: self.all(),
            revote: None,
            key: None,
            accepts_risk: false,
        };
        costs!(stage, "an opening", 40, rounds.open(opening));
        let cast = "INSERT INTO votes (id, round_id, end_user_id, answer_text, cast_at)
                    SELECT gen_random_uuid(), round_id, end_user_id, 'Aye', now() FROM register
                    WHERE round_id = $1 AND username <> 'voter-2'";
        let round = Uuid::from_u128(self.first);
        diesel::sql_query(cast).bind::<SqlUuid, _>(round).execute(stage.observed.marker()).unwrap();
    }

    /// The vote of one person on paper, and a ballot of a voting place.
    async fn enter_papers(&self, stage: &mut Stage<'_>, round: RoundId) {
        let papers = PostgresPaperVotes::new(stage.db());
        let (client, meeting, at, voter) = (self.client, self.meeting, self.clock.now(), self.person(2));
        let (id, by) = (PaperBatchId::from_uuid(self.ids.next_uuid()), Teller::Organizer(self.admin()));
        let ballots = vec![PaperBallot { voter, answer: Answer::Text("Aye".to_owned()) }];
        let new = NewPaperBatch { id, client, meeting, round, ballots, by, at };
        costs!(stage, "an entry of votes on paper", 0, papers.enter(new));
        let request = BatchRequest { client, meeting, round, batch: id, by };
        costs!(stage, "a list of batches", 0, papers.batches(client, meeting, round, by)).unwrap();
        let left = papers.rounds_with_left_batches(client, meeting);
        costs!(stage, "rounds in which batches are left", 0, left);
        costs!(stage, "a discarded batch", 0, papers.discard(request, at));
        let (id, desk) = (IssuedBallotId::from_uuid(self.ids.next_uuid()), DeskId::from_uuid(self.ids.next_uuid()));
        let ballot = IssuedBallot { id, client, meeting, round, voter, desk, at };
        costs!(stage, "a ballot of a voting place", 0, papers.issue(ballot));
    }

    /// Reads of the open round, and its end.
    async fn look_at_the_round(&self, stage: &mut Stage<'_>) {
        let round = RoundId::from_uuid(Uuid::from_u128(self.first));
        let live = PostgresLive::new(stage.db());
        costs!(stage, "a picture", 10, live.load_with_weights(self.meeting)).unwrap();
        costs!(stage, "who has voted", 4, live.who_voted(round));
        costs!(stage, "what those weigh who have voted", 8, live.weight_cast(round));
        let attendance = PostgresAttendance::new(stage.db());
        self.clock.advance(TimeDelta::hours(1));
        costs!(stage, "who is there", 12, attendance.note(self.meeting, self.all(), self.clock.now()));
        let rounds = PostgresRounds::new(stage.db());
        for has_voted in [None, Some(true), Some(false)] {
            let filter = RegisterFilter { has_voted, search: None, page: PageRequest { page: 1, page_size: 200 } };
            costs!(stage, "the register", 20, rounds.register(self.client, self.meeting, round, &filter)).unwrap();
        }
        self.enter_papers(stage, round).await;
        costs!(stage, "a voter's rounds", 0, rounds.agenda_of_voter(self.client, self.meeting, self.person(1)));
        let changes = PostgresRegisterChanges::new(stage.db());
        let change = RegisterChange {
            end_user: self.person(2),
            reason: Reason::parse("His own contract").unwrap(),
            by: self.admin(),
            at: self.clock.now(),
            log_entry: LogEntryId::from_uuid(self.ids.next_uuid()),
        };
        let excluded = changes.exclude(self.client, self.meeting, self.question, change.clone());
        costs!(stage, "an exclusion", 0, excluded);
        costs!(stage, "an admission", 4, changes.admit(self.client, self.meeting, round, change));
        let (owner, meeting, by, now) = (self.client, self.meeting, self.admin(), self.clock.now());
        let shown = rounds.show(ScreenChange { owner, meeting, question: None, by, now, seen: None });
        costs!(stage, "an end", 0, shown);
        let results = PostgresResults::new(stage.db(), Arc::new(PlainRecords));
        let found = results.find(self.client, self.meeting, round).await.unwrap().unwrap();
        let ended_at = found.round.ended_at.unwrap();
        let taking = || CountTaking { round, ended_at };
        costs!(stage, "a tally", 12, results.take_count(self.client, self.meeting, taking())).unwrap();
        costs!(stage, "a tally by name", 12, results.take_papers(self.client, self.meeting, taking())).unwrap();
        let of_voter = results.declared_to_voter(self.client, self.meeting, self.person(1));
        costs!(stage, "a voter's results", 0, of_voter);
    }

    /// Changes of many people at once.
    async fn change(&self, stage: &mut Stage<'_>) {
        let participants = PostgresParticipants::new(stage.db());
        let uninvited = participants.uninvite(self.client, self.meeting, self.all());
        costs!(stage, "a list that is emptied", 25, uninvited);
        let invited = participants.invite(self.client, self.meeting, Invitees::These(self.all()));
        costs!(stage, "an invitation of all", 25, invited);
        let invitations = PostgresInvitations::new(stage.db(), Arc::new(PlainLinkTokens), Arc::new(PlainRefreshTokens));
        let order = InvitationOrder {
            recipients: Recipients::These { end_users: self.all(), again: true },
            site: SiteAddress::new("https://vote.example.org", "").unwrap(),
            time_zone: TimeZone::parse("UTC").unwrap(),
            link: format!("link-{}", self.first),
            personal_links: Some(PersonalLinks {
                setter: PasswordSetter { by: AccountId::from_uuid(Uuid::nil()), reason: None },
                seed: "seed".to_owned(),
            }),
            now: self.clock.now(),
        };
        costs!(stage, "invitations by mail", 60, invitations.queue(self.client, self.meeting, order));
        costs!(stage, "the next invitation", 0, invitations.claim(self.clock.now())).unwrap();
        costs!(stage, "invitations that nobody wants", 20, invitations.withdraw());
        costs!(stage, "invitations that are stopped", 40, invitations.stop(self.client, self.meeting)).unwrap();
        let changed = |number| EndUserUpdate {
            id: self.person(number),
            changes: EndUserChanges { weight: Some(VotingWeight::from_stored(Decimal::TWO)), ..Default::default() },
            password: Some(SetPassword {
                hash: PasswordHash::new("other".to_owned()),
                setter: PasswordSetter { by: AccountId::from_uuid(Uuid::nil()), reason: None },
            }),
        };
        let changed = (0..self.people).map(changed).collect();
        let end_users = PostgresEndUsers::new(stage.db());
        let imported =
            end_users.import(self.client, ImportedPeople { changed, ..ImportedPeople::default() }, self.clock.now());
        costs!(stage, "an import that changes all", 60, imported);
        let invited = participants.invite(self.client, self.meeting, Invitees::AllActive);
        costs!(stage, "all who are active", 25, invited);
    }

    async fn remove(&self, stage: &mut Stage<'_>) {
        let meetings = PostgresMeetings::new(stage.db(), Arc::new(PlainRecords));
        let end = |meeting: &mut plenum_meetings::Meeting| meeting.end(meeting.created_at);
        costs!(stage, "a meeting that ends", 4, meetings.update(self.client, self.meeting, None, Box::new(end)));
        costs!(stage, "a meeting that is removed", 80, meetings.remove(self.client, self.meeting));
        let clients = PostgresClients::new(stage.db());
        assert!(costs!(stage, "a client that is removed", 80, clients.remove(self.client, self.clock.now())));
    }
}
