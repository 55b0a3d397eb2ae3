//! Checks whether a meeting agrees with its last closing record and its amendments.

use std::collections::HashMap;
use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    Amendment, AmendmentSubject, AttendanceEntry, AttendanceLogEntry, ClosingRecord, MeetingHead, Remark,
    SealedClosing, SealedLog,
};

/// A meeting with its closing records.
#[derive(Clone, Copy, Debug)]
pub struct ClosedMeeting<'a> {
    /// The current meeting.
    pub meeting: &'a MeetingHead,
    /// Its current attendance notes.
    pub attendance: &'a [AttendanceEntry],
    /// Its current attendance log, in the order of its entries.
    pub check_ins: &'a [AttendanceLogEntry],
    /// Its current remarks.
    pub remarks: &'a [Remark],
    /// The rounds with records, and the hashes of these.
    pub records: &'a [(Uuid, String)],
    /// The closing records, the first one first.
    pub closings: &'a [SealedClosing],
    /// The amendments, the first one first.
    pub amendments: &'a [Amendment],
}

/// A contradiction between a meeting and its closing records and amendments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingGap {
    /// The path of the field: "closings.0.number".
    pub field: String,
    /// The value in the meeting.
    pub found: String,
    /// The required value.
    pub wanted: String,
}

impl ClosedMeeting<'_> {
    /// Compares the meeting with its last closing record and the amendments to it.
    pub fn gaps(&self) -> Vec<ClosingGap> {
        let mut gaps = Gaps::default();
        self.check_links(&mut gaps);
        self.check_logs(&mut gaps);
        match self.closings.last() {
            Some(last) => self.check_last(&mut gaps, &last.record),
            None if self.meeting.status == "COMPLETED" => {
                gaps.add("closings", "none", "the closing record of a completed meeting");
            }
            None => {}
        }
        gaps.0
    }

    /// Whether only remarks can change the meeting. While it runs again, its next closing record will contain the
    /// changes.
    fn is_at_rest(&self) -> bool {
        self.meeting.status != "ACTIVE"
    }

    fn check_links(&self, gaps: &mut Gaps) {
        let mut before = None;
        for (index, (number, closing)) in (1..).zip(self.closings).enumerate() {
            let record = &closing.record;
            let at = |field: &str| format!("closings.{index}.record.{field}");
            if record.number != number {
                gaps.add(at("number"), record.number, number);
            }
            if record.previous_hash.as_ref() != before {
                gaps.add(at("previousHash"), text(record.previous_hash.as_ref()), text(before));
            }
            if record.meeting.id != self.meeting.id {
                gaps.add(at("meeting.id"), record.meeting.id, self.meeting.id);
            }
            if record.last_record_hash.as_ref() != record.records.last().map(|last| &last.hash) {
                gaps.add(at("lastRecordHash"), text(record.last_record_hash.as_ref()), "the hash of the last record");
            }
            before = Some(&closing.hash);
        }
        for (index, (number, amendment)) in (1..).zip(self.amendments).enumerate() {
            if amendment.number != number || !(1..=self.closings.len() as u32).contains(&amendment.closing) {
                let found = format!("{} to the closing record {}", amendment.number, amendment.closing);
                gaps.add(format!("amendments.{index}"), found, format!("amendment {number} to a closing record"));
            }
        }
    }

    /// Entries are only added to the log. So each closing record seals a beginning of it, and in a completed meeting, to which
    /// none is added, all of it. Records of earlier versions seal nothing.
    fn check_logs(&self, gaps: &mut Gaps) {
        for (index, closing) in self.closings.iter().enumerate() {
            let Some(sealed) = &closing.record.check_ins else { continue };
            let beginning = usize::try_from(sealed.entries).ok().and_then(|entries| self.check_ins.get(..entries));
            let is_last = index + 1 == self.closings.len();
            let has_more = is_last
                && self.meeting.status == "COMPLETED"
                && beginning.is_some_and(|entries| entries.len() < self.check_ins.len());
            if has_more || beginning.and_then(SealedLog::of).as_ref() != Some(sealed) {
                let found = format!("{} entries", self.check_ins.len());
                let wanted =
                    format!("the {} entries that closing record {} seals", sealed.entries, closing.record.number);
                gaps.add("checkIns", found, wanted);
            }
        }
    }

    fn check_last(&self, gaps: &mut Gaps, last: &ClosingRecord) {
        let amendments: Vec<&Amendment> = self.amendments.iter().filter(|one| one.closing == last.number).collect();
        self.check_meeting(gaps, last, &amendments);
        self.check_remarks(gaps, last, &amendments);
        for (index, entry) in last.attendance.iter().enumerate() {
            if !self.attendance.iter().any(|now| is_noted(entry, now)) {
                gaps.add("attendance", "without a note", format!("the note {} of the closing record", index + 1));
            }
        }
        self.check_records(gaps, last, &amendments);
    }

    fn check_meeting(&self, gaps: &mut Gaps, last: &ClosingRecord, amendments: &[&Amendment]) {
        let of_meeting = |field: &str| -> Vec<&Amendment> {
            let is_it = |one: &&Amendment| one.subject == AmendmentSubject::Meeting && one.field == field;
            amendments.iter().copied().filter(is_it).collect()
        };
        let (then, now) = (&last.meeting, self.meeting);
        for (field, was, is) in [
            ("title", &then.title, &now.title),
            ("status", &then.status, &now.status),
            ("scheduledStart", &time(then.scheduled_start), &time(now.scheduled_start)),
            ("scheduledEnd", &time(then.scheduled_end), &time(now.scheduled_end)),
        ] {
            let mut known = was.clone();
            for amendment in of_meeting(field) {
                if plain(amendment.was.as_deref()) != known {
                    gaps.add(format!("amendments.{}.was", amendment.number - 1), text(amendment.was.as_ref()), &known);
                }
                known = plain(amendment.became.as_deref());
            }
            if known != *is {
                gaps.add(format!("meeting.{field}"), is, format!("{known}, by the closing record and its amendments"));
            }
        }
        if then.quorum != now.quorum && of_meeting("quorum").is_empty() {
            gaps.add("meeting.quorum", "another one", "that of the closing record, or amended");
        }
    }

    fn check_remarks(&self, gaps: &mut Gaps, last: &ClosingRecord, amendments: &[&Amendment]) {
        let told = |id: Uuid, field: &str| {
            let is_it = |one: &&&Amendment| {
                one.subject == AmendmentSubject::Remark && one.subject_id == id && one.field == field
            };
            amendments.iter().find(is_it).map(|one| one.became.as_deref().unwrap_or_default())
        };
        let now: HashMap<Uuid, &Remark> = self.remarks.iter().map(|remark| (remark.id, remark)).collect();
        let then: HashMap<Uuid, &Remark> = last.remarks.iter().map(|remark| (remark.id, remark)).collect();
        for remark in &last.remarks {
            if !now.contains_key(&remark.id) {
                gaps.add("remarks", format!("without {}", remark.id), "all remarks of the closing record");
            }
        }
        for (index, remark) in self.remarks.iter().enumerate() {
            let at = |field: &str| format!("remarks.{index}.{field}");
            let known = then.get(&remark.id);
            match known {
                Some(then)
                    if (then.at, &then.by, then.kind, &then.text)
                        == (remark.at, &remark.by, remark.kind, &remark.text) => {}
                Some(_) => gaps.add(at("text"), &remark.text, "the remark of the closing record"),
                None if self.is_at_rest() && told(remark.id, "text") != Some(&remark.text) => {
                    gaps.add(at("text"), &remark.text, "a remark of the closing record or of an amendment");
                }
                None => {}
            }
            let struck_then = known.and_then(|then| then.struck.as_ref());
            let is_told = told(remark.id, "struck").is_some() || !self.is_at_rest();
            if remark.struck.as_ref() != struck_then && (struck_then.is_some() || !is_told) {
                gaps.add(at("struck"), "another state", "that of the closing record and its amendments");
            }
        }
    }

    fn check_records(&self, gaps: &mut Gaps, last: &ClosingRecord, amendments: &[&Amendment]) {
        let now: HashMap<Uuid, &String> = self.records.iter().map(|(round, hash)| (*round, hash)).collect();
        for (index, record) in last.records.iter().enumerate() {
            if now.get(&record.round_id) != Some(&&record.hash) {
                let at = format!("closings.{}.record.records.{index}", last.number.saturating_sub(1));
                gaps.add(at, &record.hash, "the record hash of a round that is there");
            }
        }
        for (round, hash) in self.records {
            let is_closed = last.records.iter().any(|record| record.round_id == *round);
            let is_told = amendments.iter().any(|one| {
                one.subject == AmendmentSubject::Result && one.subject_id == *round && one.became.as_ref() == Some(hash)
            });
            if self.is_at_rest() && !is_closed && !is_told {
                let wanted = "in the closing record, or declared later by an amendment";
                gaps.add(format!("rounds.{round}"), "a result", wanted);
            }
        }
    }
}

/// Whether this is the note of the closing record. In a record that an earlier version wrote, notes keep no quorum: whether it was met
/// was measured by the meeting's quorum of the end, which an amendment may have changed. The facts of the note are the same, and
/// nobody may have given it a quorum since that changes what was sealed.
fn is_noted(sealed: &AttendanceEntry, now: &AttendanceEntry) -> bool {
    if sealed.keeps_quorum() {
        return sealed == now;
    }
    let facts = |note: &AttendanceEntry| (note.at, note.present, note.represented, note.eligible, note.is_second_call);
    facts(sealed) == facts(now) && (!now.keeps_quorum() || sealed.is_quorate == now.is_quorate)
}

#[derive(Default)]
struct Gaps(Vec<ClosingGap>);

impl Gaps {
    fn add(&mut self, field: impl Into<String>, found: impl fmt::Display, wanted: impl fmt::Display) {
        self.0.push(ClosingGap { field: field.into(), found: found.to_string(), wanted: wanted.to_string() });
    }
}

fn text(value: Option<&String>) -> &str {
    value.map_or("none", String::as_str)
}

fn time(at: Option<DateTime<Utc>>) -> String {
    at.map(|at| at.to_rfc3339()).unwrap_or_default()
}

/// A text of an amendment; times get a uniform format.
fn plain(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    text.parse::<DateTime<Utc>>().map_or_else(|_| text.to_owned(), |at| at.to_rfc3339())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ROUND: &str = "019a9d5e-0000-7000-8000-000000000007";

    /// A closed meeting as JSON, with a declared result, a remark and an attendance note.
    fn closed() -> Value {
        let meeting = json!({
            "id": "019a9d5e-0000-7000-8000-000000000004", "title": "Assembly", "organization": "Rowing Club",
            "status": "COMPLETED", "scheduledStart": "2026-11-21T18:00:00Z", "scheduledEnd": "2026-11-21T20:00:00Z",
            "quorum": null,
        });
        let remark = json!({
            "id": "019a9d5e-0000-7000-8000-00000000000c", "at": "2026-11-21T18:12:00Z", "by": "Maria Keller",
            "kind": "REMARK", "text": "It rained.",
        });
        let note = json!({
            "at": "2026-11-21T18:04:00Z", "present": { "heads": 1, "weight": 1 }, "eligible": { "heads": 1, "weight": 1 },
            "isQuorate": null,
        });
        let record = json!({
            "format": "plenum-closing/1", "organizationId": ROUND, "meeting": meeting, "startedAt": null, "endedAt": null,
            "number": 1, "previousHash": null, "lastRecordHash": "aa", "auditHead": null,
            "recordedAt": "2026-11-21T20:00:00Z", "isRecordedLater": false, "agenda": [], "attendance": [note],
            "remarks": [remark], "records": [{ "roundId": ROUND, "number": 1, "hash": "aa" }],
        });
        json!({
            "meeting": meeting, "attendance": [note], "remarks": [remark], "records": [[ROUND, "aa"]], "amendments": [],
            "closings": [{ "record": record, "hash": "c1", "key": "k", "signature": "s" }],
        })
    }

    fn fields(closed: &Value) -> Vec<String> {
        fn read<T: serde::de::DeserializeOwned>(closed: &Value, name: &str) -> T {
            serde_json::from_value(closed[name].clone()).unwrap()
        }
        let (meeting, attendance, remarks) =
            (read(closed, "meeting"), read::<Vec<_>>(closed, "attendance"), read::<Vec<_>>(closed, "remarks"));
        let (records, closings) = (read::<Vec<_>>(closed, "records"), read::<Vec<_>>(closed, "closings"));
        let amendments = read::<Vec<_>>(closed, "amendments");
        let check_ins = read::<Option<Vec<_>>>(closed, "checkIns").unwrap_or_default();
        let closed = ClosedMeeting {
            meeting: &meeting,
            attendance: &attendance,
            check_ins: &check_ins,
            remarks: &remarks,
            records: &records,
            closings: &closings,
            amendments: &amendments,
        };
        closed.gaps().into_iter().map(|gap| gap.field).collect()
    }

    fn amendment(number: u32, subject: &str, field: &str, (was, became): (Value, Value)) -> Value {
        let subject_id = if subject == "REMARK" { "019a9d5e-0000-7000-8000-00000000000c" } else { ROUND };
        let mut amendment = json!({
            "number": number, "closing": 1, "at": "2026-11-22T09:00:00Z", "by": null, "subject": subject,
            "subjectId": subject_id, "field": field,
        });
        (amendment["was"], amendment["became"]) = (was, became);
        amendment
    }

    #[test]
    fn an_unchanged_meeting_is_what_its_record_says() {
        assert_eq!(fields(&closed()), [] as [&str; 0]);
        let mut more = closed();
        let note = more["attendance"][0].clone();
        more["attendance"].as_array_mut().unwrap().push(note);
        more["attendance"][1]["at"] = json!("2026-11-21T20:00:01Z");
        assert_eq!(fields(&more), [] as [&str; 0], "the end is noted after it");
    }

    #[test]
    fn every_change_without_an_amendment_is_named() {
        for (path, value, field) in [
            ("/meeting/title", json!("Other"), "meeting.title"),
            ("/meeting/status", json!("CANCELLED"), "meeting.status"),
            ("/meeting/scheduledStart", json!("2026-11-20T18:00:00Z"), "meeting.scheduledStart"),
            ("/meeting/scheduledEnd", json!("2026-11-22T18:00:00Z"), "meeting.scheduledEnd"),
            ("/remarks/0/text", json!("It snowed."), "remarks.0.text"),
            ("/remarks/0/by", json!("Nobody"), "remarks.0.text"),
            ("/remarks", json!([]), "remarks"),
            ("/attendance", json!([]), "attendance"),
            ("/attendance/0/present/heads", json!(0), "attendance"),
            ("/records", json!([]), "closings.0.record.records.0"),
            ("/records/0/1", json!("bb"), "closings.0.record.records.0"),
            ("/closings", json!([]), "closings"),
            ("/closings/0/record/number", json!(2), "closings.0.record.number"),
            ("/closings/0/record/previousHash", json!("c0"), "closings.0.record.previousHash"),
            ("/closings/0/record/lastRecordHash", json!(null), "closings.0.record.lastRecordHash"),
        ] {
            let mut changed = closed();
            *changed.pointer_mut(path).unwrap() = value;
            let found = fields(&changed);
            assert!(found.iter().any(|found| found == field), "{path}: {found:?}");
        }
        let mut struck = closed();
        struck["remarks"][0]["struck"] = json!({ "at": "2026-11-22T09:00:00Z", "by": "Maria Keller" });
        assert_eq!(fields(&struck), ["remarks.0.struck"]);
    }

    #[test]
    fn amendments_explain_changes_and_follow_one_another() {
        let mut changed = closed();
        changed["meeting"]["title"] = json!("Third");
        changed["remarks"][0]["struck"] = json!({ "at": "2026-11-22T09:00:00Z", "by": "Maria Keller" });
        changed["amendments"] = json!([
            amendment(1, "MEETING", "title", (json!("Assembly"), json!("Second"))),
            amendment(2, "MEETING", "title", (json!("Second"), json!("Third"))),
            amendment(3, "REMARK", "struck", (Value::Null, json!("2026-11-22T09:00:00Z"))),
        ]);
        assert_eq!(fields(&changed), [] as [&str; 0]);
        for (path, value, field) in [
            ("/amendments/1/was", json!("Other"), "amendments.1.was"),
            ("/amendments/1/became", json!("Other"), "meeting.title"),
            ("/amendments/2/number", json!(5), "amendments.2"),
            ("/amendments/2/closing", json!(2), "amendments.2"),
            ("/amendments/2", amendment(3, "MEETING", "other", (Value::Null, json!("x"))), "remarks.0.struck"),
        ] {
            let mut wrong = changed.clone();
            *wrong.pointer_mut(path).unwrap() = value;
            let found = fields(&wrong);
            assert!(found.iter().any(|found| found == field), "{path}: {found:?}");
        }
    }

    #[test]
    fn an_amended_quorum_changes_no_note() {
        let half = json!({
            "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
        });
        let mut kept = closed();
        let mut of_meeting = half.clone();
        of_meeting["atOpening"] = json!("warn");
        for place in ["", "/closings/0/record"] {
            *kept.pointer_mut(&format!("{place}/meeting/quorum")).unwrap() = of_meeting.clone();
            let note = kept.pointer_mut(&format!("{place}/attendance/0")).unwrap();
            (note["isQuorate"], note["quorum"]) = (json!(true), half.clone());
        }
        kept["meeting"]["quorum"] = Value::Null;
        kept["amendments"] = json!([amendment(1, "MEETING", "quorum", (json!("{} WARN"), Value::Null))]);
        assert_eq!(fields(&kept), [] as [&str; 0]);
        for (field, value) in [("isQuorate", json!(false)), ("quorum", Value::Null), ("hasNoQuorum", json!(true))] {
            let mut changed = kept.clone();
            changed["attendance"][0][field] = value;
            assert_eq!(fields(&changed), ["attendance"], "{field}");
        }
        // An instance of the previous version sealed the note without its quorum, or wrote it so: then the meeting's measures it.
        let sealed = kept["closings"][0]["record"]["attendance"][0].as_object_mut().unwrap();
        sealed.remove("quorum");
        assert_eq!(fields(&kept), [] as [&str; 0]);
        // A quorum that somebody gave the note since may not change whether it was met.
        let mut given = kept.clone();
        given["attendance"][0]["isQuorate"] = json!(false);
        assert_eq!(fields(&given), ["attendance"]);
        let noted = kept["attendance"][0].as_object_mut().unwrap();
        noted.remove("quorum");
        noted["isQuorate"] = Value::Null;
        assert_eq!(fields(&kept), [] as [&str; 0]);
        for field in ["at", "present", "eligible"] {
            let mut changed = kept.clone();
            changed["attendance"][0][field] = match field {
                "at" => json!("2026-11-21T18:05:00Z"),
                _ => json!({ "heads": 2, "weight": 2 }),
            };
            assert_eq!(fields(&changed), ["attendance"], "{field}");
        }
    }

    #[test]
    fn what_a_meeting_that_runs_again_adds_is_in_its_next_record() {
        let mut again = closed();
        again["records"] = json!([[ROUND, "aa"], ["019a9d5e-0000-7000-8000-000000000008", "bb"]]);
        assert_eq!(fields(&again), ["rounds.019a9d5e-0000-7000-8000-000000000008"]);
        again["meeting"]["status"] = json!("ACTIVE");
        again["amendments"] = json!([amendment(1, "MEETING", "status", (json!("COMPLETED"), json!("ACTIVE")))]);
        assert_eq!(fields(&again), [] as [&str; 0]);
    }
    /// A closed meeting with check-in: two people came, and its record seals both entries.
    fn closed_with_log() -> Value {
        let entry = |username: &str| {
            json!({
                "name": "Somebody", "username": username, "kind": "IN", "at": "2026-11-21T18:00:00Z",
                "notedAt": "2026-11-21T18:00:00Z", "by": "Desk 1",
            })
        };
        let mut closed = closed();
        closed["checkIns"] = json!([entry("ada"), entry("ben")]);
        let log: Vec<AttendanceLogEntry> = serde_json::from_value(closed["checkIns"].clone()).unwrap();
        closed["closings"][0]["record"]["checkIns"] = serde_json::to_value(SealedLog::of(&log)).unwrap();
        closed
    }

    #[test]
    fn the_log_of_a_completed_meeting_is_the_sealed_one() {
        let closed = closed_with_log();
        assert_eq!(fields(&closed), [] as [&str; 0]);
        for (path, value) in [
            ("/checkIns/1/username", json!("carla")),
            ("/checkIns/1/at", json!("2026-11-21T17:59:59Z")),
            ("/checkIns/0/kind", json!("OUT")),
            ("/checkIns", json!([])),
            ("/closings/0/record/checkIns/entries", json!(1)),
            ("/closings/0/record/checkIns/entries", json!(3)),
        ] {
            let mut changed = closed.clone();
            *changed.pointer_mut(path).unwrap() = value;
            assert_eq!(fields(&changed), ["checkIns"], "{path}");
        }
    }

    #[test]
    fn a_log_grows_only_while_the_meeting_is_not_completed() {
        let mut more = closed_with_log();
        let entry = more["checkIns"][0].clone();
        more["checkIns"].as_array_mut().unwrap().push(entry);
        assert_eq!(fields(&more), ["checkIns"]);
        more["meeting"]["status"] = json!("ACTIVE");
        more["amendments"] = json!([amendment(1, "MEETING", "status", (json!("COMPLETED"), json!("ACTIVE")))]);
        assert_eq!(fields(&more), [] as [&str; 0]);
    }

    #[test]
    fn a_record_of_an_earlier_version_seals_no_log() {
        let mut earlier = closed_with_log();
        earlier["closings"][0]["record"].as_object_mut().unwrap().remove("checkIns");
        assert_eq!(fields(&earlier), [] as [&str; 0]);
        let record: ClosingRecord = serde_json::from_value(earlier["closings"][0]["record"].clone()).unwrap();
        assert!(!String::from_utf8(record.document()).unwrap().contains("checkIns"), "its hash stays the same");
    }
}
