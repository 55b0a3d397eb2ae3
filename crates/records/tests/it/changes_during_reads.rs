//! Meetings that go on while they are checked and exported: neither finds a contradiction that is none.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use plenum_kernel::{ClientId, Clock, EvidenceKeys, MeetingId, PortFailure, RoundId};
use plenum_records::{CanonicalRecords, CheckPorts, CheckedRecords, RecordCheck, exported_meeting};
use plenum_result_format::from_hexadecimal;
use plenum_timestamp_format::TimestampToken;
use plenum_timestamp_format::testkit::TestAuthority;
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{
    InMemoryVoting, MockMeetingRecords, MockRecordTimestamps, MockResultRecords, MockResultStore,
};
use plenum_voting::{
    AmendedSubject, Closable, CountTaking, CountableRound, MeetingRecord, MeetingRecords, NewTimestamp, NotedAmendment,
    NotedPresence, RecordHead, RecordLink, RecordTimestamps, RecordWriter, RoundStatus, StoredClosing, StoredRecord,
    StoredTimestamp,
};

use super::recorded_results::{declared, keys, results_beside};

/// The facts about the meeting of a scene.
fn meeting_of(scene: &Scene, status: &str) -> MeetingRecord {
    MeetingRecord {
        id: scene.meeting,
        title: "General assembly".to_owned(),
        organization: "Rowing Club".to_owned(),
        status: status.to_owned(),
        scheduled_start: scene.clock.now(),
        scheduled_end: scene.clock.now(),
        quorum: None,
        attendance: Vec::new(),
        check_ins: Vec::new(),
        remarks: Vec::new(),
        started_at: None,
        ended_at: None,
        agenda: Vec::new(),
        closings: Vec::new(),
        closing_hash: None,
        amendments: Vec::new(),
    }
}

fn head_of(record: &StoredRecord) -> RecordHead {
    RecordHead { round: record.round, number: record.number, hash: record.sealed.hash.clone() }
}

/// A meeting whose only result is declared and timestamped at the first read of its closing records.
struct OngoingMeeting {
    store: InMemoryVoting,
    scene: Scene,
    round: RoundId,
    writer: CanonicalRecords,
    /// Whether the meeting ends at once after the declaration.
    ends: bool,
    closing: Mutex<Option<StoredClosing>>,
    reads: AtomicU32,
}

impl OngoingMeeting {
    async fn new(keys: &Arc<dyn EvidenceKeys>, ends: bool) -> Self {
        let store = InMemoryVoting::with_writer(Arc::new(CanonicalRecords::new(Arc::clone(keys))));
        let scene = Scene::with_voters(&store, 2).await;
        let round = scene.open(&store).await;
        scene.cast(&store, round, scene.voters[0], scene.yes()).await;
        scene.end(&store).await;
        let writer = CanonicalRecords::new(Arc::clone(keys));
        Self { store, scene, round, writer, ends, closing: Mutex::new(None), reads: AtomicU32::new(0) }
    }

    async fn go_on(&self) {
        let (client, meeting, now) = (self.scene.client, self.scene.meeting, self.scene.clock.now());
        self.store.results().declare(self.scene.result_step(self.round)).await.unwrap();
        let head = self.store.result_records().heads(client, meeting).await.unwrap().remove(0);
        let hash: [u8; 32] = from_hexadecimal(&head.hash).unwrap().try_into().unwrap();
        let token = TestAuthority::new("Test").token(&hash, now);
        let TimestampToken { authority, at, .. } = TimestampToken::read(&token, &hash).unwrap();
        let timestamp = StoredTimestamp { hash: head.hash.clone(), token, authority, at };
        let new = NewTimestamp { client, meeting, timestamp, requested_at: now, received_at: now };
        assert!(self.store.timestamps().keep(new).await.unwrap());
        if self.ends {
            let link = RecordLink { number: 1, previous_hash: None, audit_head: None };
            let ended = meeting_of(&self.scene, "COMPLETED");
            let closable = Closable { client, meeting: ended, records: vec![head], link, at: now, is_later: false };
            let sealed = self.writer.close(closable);
            *self.closing.lock().unwrap() = Some(StoredClosing { client, meeting, number: 1, sealed });
        }
    }

    fn closing(&self) -> Option<StoredClosing> {
        self.closing.lock().unwrap().clone()
    }
}

#[async_trait]
impl MeetingRecords for OngoingMeeting {
    async fn record(&self, _: ClientId, _: MeetingId) -> Result<Option<MeetingRecord>, PortFailure> {
        let Some(closing) = self.closing() else { return Ok(Some(meeting_of(&self.scene, "ACTIVE"))) };
        let closing_hash = Some(closing.sealed.hash.clone());
        let ended = meeting_of(&self.scene, "COMPLETED");
        Ok(Some(MeetingRecord { closings: vec![closing], closing_hash, ..ended }))
    }

    async fn closings(&self, _: ClientId, _: MeetingId) -> Result<Vec<StoredClosing>, PortFailure> {
        if self.reads.fetch_add(1, Ordering::SeqCst) == 0 {
            self.go_on().await;
        }
        Ok(self.closing().into_iter().collect())
    }
}

/// Checks a scene of this store.
async fn check(
    store: &InMemoryVoting,
    (client, meeting): (ClientId, MeetingId),
    (meetings, timestamps): (Arc<dyn MeetingRecords>, Arc<dyn RecordTimestamps>),
    keys: Arc<dyn EvidenceKeys>,
) -> CheckedRecords {
    let (records, results) = (store.result_records(), store.results());
    let ports = CheckPorts { records, results, meetings, timestamps };
    RecordCheck::new(ports, keys).check(client, meeting).await.unwrap()
}

async fn check_ongoing(ends: bool) -> (CheckedRecords, u32) {
    let keys = keys();
    let ongoing = Arc::new(OngoingMeeting::new(&keys, ends).await);
    let place = (ongoing.scene.client, ongoing.scene.meeting);
    let ports = (Arc::clone(&ongoing) as Arc<dyn MeetingRecords>, ongoing.store.timestamps());
    let checked = check(&ongoing.store, place, ports, keys).await;
    (checked, ongoing.reads.load(Ordering::SeqCst))
}

#[tokio::test]
async fn a_result_that_is_timestamped_during_a_check_is_no_finding() {
    let (checked, reads) = check_ongoing(false).await;
    assert_eq!(checked.findings, Vec::<String>::new());
    assert_eq!((checked.records, checked.timestamps, reads), (0, 0, 1), "all is as before the declaration");
}

#[tokio::test]
async fn a_meeting_that_ends_during_a_check_is_checked_again() {
    let (checked, reads) = check_ongoing(true).await;
    assert_eq!(checked.findings, Vec::<String>::new());
    assert_eq!((checked.records, checked.closings, checked.timestamps), (1, 1, 1));
    assert!(reads > 1, "the first check saw a closing record, and not the record that it names");
}

#[tokio::test]
async fn a_contradiction_in_a_meeting_that_changes_all_the_time_is_found() {
    let keys = keys();
    let (store, scene, _) = declared(&keys).await;
    let place = (scene.client, scene.meeting);
    // Its closing record is gone.
    let ended = meeting_of(&scene, "COMPLETED");
    let mut meetings = MockMeetingRecords::new();
    meetings.expect_record().returning(move |_, _| Ok(Some(ended.clone())));
    meetings.expect_closings().returning(|_, _| Ok(Vec::new()));
    let (at, reads) = (scene.clock.now(), AtomicU32::new(0));
    let mut timestamps = MockRecordTimestamps::new();
    timestamps.expect_of_meeting().returning(move |_, _| {
        let hash = format!("{:064x}", reads.fetch_add(1, Ordering::SeqCst));
        Ok(vec![StoredTimestamp { hash, token: Vec::new(), authority: "Test".to_owned(), at }])
    });
    let checked = check(&store, place, (Arc::new(meetings), Arc::new(timestamps)), keys).await;
    let is_found = |part: &str| checked.findings.iter().any(|finding| finding.contains(part));
    assert!(is_found("no amendment tells it: closings"), "{:?}", checked.findings);
    assert!(is_found("and no such record"), "{:?}", checked.findings);
    assert_eq!(checked.records, 1);
}

/// The amendment of a declaration after the end.
fn declaration(number: u32, record: &StoredRecord, scene: &Scene) -> NotedAmendment {
    NotedAmendment {
        number,
        closing: 1,
        at: scene.clock.now(),
        by: Some("Anna Berg".to_owned()),
        subject: AmendedSubject::Result,
        subject_id: record.round.as_uuid(),
        field: "result".to_owned(),
        was: None,
        became: Some(record.sealed.hash.clone()),
    }
}

/// Records of which only the first list lacks this one.
fn records_from_the_second_read(record: &StoredRecord) -> MockResultRecords {
    let (head, stored) = (head_of(record), record.clone());
    let mut records = MockResultRecords::new();
    let reads = AtomicU32::new(0);
    records.expect_heads().returning(move |_, _| {
        let is_first = reads.fetch_add(1, Ordering::SeqCst) == 0;
        Ok(if is_first { Vec::new() } else { vec![head.clone()] })
    });
    records.expect_load().returning(move |_, _, _| Ok(vec![stored.clone()]));
    records
}

#[tokio::test]
async fn a_result_that_is_declared_during_an_export_is_exported_with_its_amendment() {
    let keys = keys();
    let (store, scene, record) = declared(&keys).await;
    let found = store.results().find(scene.client, scene.meeting, record.round).await.unwrap().unwrap();
    let mut rounds = MockResultStore::new();
    rounds.expect_ended().returning(move |_, _, except| {
        let is_left_out = except.contains(&found.round.id);
        Ok(Some(if is_left_out { Vec::new() } else { vec![found.clone()] }))
    });
    let results = results_beside(rounds, records_from_the_second_read(&record), MockResultStore::new(), &keys);
    let before = meeting_of(&scene, "COMPLETED");
    let amendments = vec![declaration(1, &record, &scene)];
    let after = MeetingRecord { amendments: amendments.clone(), ..before.clone() };
    let mut reads = vec![after.clone(), after, before];
    let mut meetings = MockMeetingRecords::new();
    meetings.expect_record().times(3).returning(move |_, _| Ok(reads.pop()));
    let exported = exported_meeting(&meetings, &results, scene.client, scene.meeting).await.unwrap();
    let (meeting, rounds) = exported.unwrap();
    assert_eq!(meeting.amendments, amendments);
    let hashes: Vec<_> = rounds.rounds.iter().map(|round| round.result.record.as_ref().unwrap().hash.clone()).collect();
    assert_eq!((hashes, rounds.damaged.len()), (vec![record.sealed.hash], 0));
}

#[tokio::test]
async fn a_meeting_that_is_amended_all_the_time_is_not_exported() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let mut rounds = MockResultStore::new();
    rounds.expect_ended().returning(|_, _, _| Ok(Some(Vec::new())));
    let results = results_beside(rounds, records_from_the_second_read(&record), MockResultStore::new(), &keys);
    let mut amended = meeting_of(&scene, "COMPLETED");
    let amendment = declaration(1, &record, &scene);
    let mut meetings = MockMeetingRecords::new();
    meetings.expect_record().returning(move |_, _| {
        amended.amendments.push(amendment.clone());
        Ok(Some(amended.clone()))
    });
    let exported = exported_meeting(&meetings, &results, scene.client, scene.meeting).await;
    assert!(matches!(&exported, Err(failure) if failure.is_busy()));
}

#[tokio::test]
async fn people_who_come_during_an_export_do_not_delay_it() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let mut rounds = MockResultStore::new();
    rounds.expect_ended().returning(|_, _, _| Ok(Some(Vec::new())));
    let results = results_beside(rounds, records_from_the_second_read(&record), MockResultStore::new(), &keys);
    let mut running = meeting_of(&scene, "ACTIVE");
    let at = scene.clock.now();
    let mut meetings = MockMeetingRecords::new();
    meetings.expect_record().times(2).returning(move |_, _| {
        let (name, username, by) = ("Maria Keller".to_owned(), "maria".to_owned(), "Anna Berg".to_owned());
        running.check_ins.push(NotedPresence { name, username, has_come: true, at, noted_at: at, by });
        Ok(Some(running.clone()))
    });
    let exported = exported_meeting(&meetings, &results, scene.client, scene.meeting).await.unwrap();
    assert_eq!(exported.unwrap().0.check_ins.len(), 2, "also those who came before the last round");
}

#[tokio::test]
async fn a_round_that_is_declared_meanwhile_is_shown_and_exported_once() {
    let keys = keys();
    let (store, scene, record) = declared(&keys).await;
    let mut lost = store.results().find(scene.client, scene.meeting, record.round).await.unwrap().unwrap();
    let taking = CountTaking { round: record.round, ended_at: lost.round.ended_at.unwrap() };
    let papers = store.results().take_papers(scene.client, scene.meeting, taking).await.unwrap();
    let mut counted = lost.clone();
    (counted.round.status, counted.round.declared) = (RoundStatus::Ended, None);
    let mut uncounted = counted.clone();
    uncounted.round.counted_at = None;
    // Another round without a record, so that the records are read again.
    lost.round.id = RoundId::new(&scene.ids);
    let results_with = |found: &CountableRound| {
        let (found, papers) = (vec![found.clone(), lost.clone()], papers.clone());
        let mut rounds = MockResultStore::new();
        rounds.expect_ended().returning(move |_, _, _| Ok(Some(found.clone())));
        rounds.expect_take_papers().returning(move |_, _, _| Ok(papers.clone()));
        results_beside(rounds, records_from_the_second_read(&record), MockResultStore::new(), &keys)
    };
    for found in [&counted, &uncounted] {
        let files = results_with(found).files(scene.client, scene.meeting).await.unwrap().unwrap();
        let exported: Vec<_> = files.rounds.iter().map(|round| (round.result.round_id, round.seal.is_some())).collect();
        assert_eq!((exported, files.damaged.len()), (vec![(record.round.as_uuid(), true)], 1));
        assert_eq!(files.uncounted, []);
    }
    let shown = results_with(&uncounted).results(scene.client, scene.meeting).await.unwrap().unwrap();
    assert_eq!((shown.results.len(), shown.uncounted.len()), (1, 0));
}
