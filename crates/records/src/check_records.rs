use std::collections::HashMap;
use std::sync::Arc;

use plenum_kernel::{ClientId, EvidenceKeys, MeetingId, PortFailure};
use plenum_result_format::{
    Amendment, AmendmentSubject, AuditHead, ClosedMeeting, ClosingRecord, RoundFile, RoundRecord, SealedClosing,
    canonical,
};
use plenum_timestamp_format::Authorities;
use plenum_voting::{
    Contradiction, CountTaking, LostRecord, MeetingRecord, MeetingRecords, RecordHead, RecordSubject, RecordTimes,
    RecordTimestamps, ResultRecords, ResultStore, RoundPapers, RoundStatus, Standing, Standings, StoredClosing,
    StoredRecord, StoredTimestamp,
};
use serde_json::Value;
use uuid::Uuid;

use crate::MeetingTimestamps;
use crate::check_times::{gap_sentence, other_ends, other_time};
use crate::file_format::{Listing, MeetingParts, lacks_last_closing, round_file};
use crate::read_record::{read_closing, read_record};
use crate::timestamps::read_timestamp;

/// The maximum number of different fields that a finding names.
const MOST_FIELDS: usize = 5;

/// The maximum number of repeats of a check with findings, if the meeting changes during each.
const MOST_REPEATS: usize = 5;

/// Compares the records of declared results with the rows that they were made of.
pub struct RecordCheck {
    records: Arc<dyn ResultRecords>,
    results: Arc<dyn ResultStore>,
    meetings: Arc<dyn MeetingRecords>,
    timestamps: Arc<dyn RecordTimestamps>,
    keys: Arc<dyn EvidenceKeys>,
    authorities: Option<Arc<Authorities>>,
}

/// The stores of a [`RecordCheck`].
pub struct CheckPorts {
    /// The records.
    pub records: Arc<dyn ResultRecords>,
    /// The rows of results.
    pub results: Arc<dyn ResultStore>,
    /// The rows of meetings, and their closing records.
    pub meetings: Arc<dyn MeetingRecords>,
    /// The timestamps of records.
    pub timestamps: Arc<dyn RecordTimestamps>,
}

/// The audit log of the records' client.
#[derive(Clone, Copy)]
struct AuditLog {
    client: ClientId,
    /// Earlier versions removed the log of a deleted client.
    may_be_gone: bool,
}

/// What changes in a meeting when a result is declared or timestamped, or when the meeting ends, is purged or deleted. A check
/// reads it in several transactions.
#[derive(PartialEq, Eq)]
struct MeetingState {
    heads: Vec<RecordHead>,
    closings: Vec<StoredClosing>,
    timestamps: Vec<StoredTimestamp>,
    standings: Standings,
}

/// The findings of a check of a meeting's records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRecords {
    /// The number of records.
    pub records: usize,
    /// The number of closing records.
    pub closings: usize,
    /// The number of timestamps.
    pub timestamps: usize,
    /// Whether the meeting is gone. Its records stay, and have no rows to compare with.
    pub is_meeting_gone: bool,
    /// The contradictions, as sentences without a full stop. They contain ids and names of fields, and no personal data.
    pub findings: Vec<String>,
}

impl RecordCheck {
    /// A check by these stores and keys.
    pub fn new(ports: CheckPorts, keys: Arc<dyn EvidenceKeys>) -> Self {
        let CheckPorts { records, results, meetings, timestamps } = ports;
        Self { records, results, meetings, timestamps, keys, authorities: None }
    }

    /// The same check, in which these certificates must vouch for each timestamp.
    #[must_use]
    pub fn with_authorities(self, authorities: Option<Arc<Authorities>>) -> Self {
        Self { authorities, ..self }
    }

    /// Checks each record of a meeting: its hash and signature, its links, and that a count of the rows gives the same. A check
    /// with findings is repeated until the meeting does not change during it, at most five times.
    ///
    /// # Errors
    /// Fails when a store does not respond.
    pub async fn check(&self, client: ClientId, meeting: MeetingId) -> Result<CheckedRecords, PortFailure> {
        let mut checked = self.check_once(client, meeting).await?;
        if checked.findings.is_empty() {
            return Ok(checked);
        }
        let mut before = self.state(client, meeting).await?;
        for _ in 0..MOST_REPEATS {
            checked = self.check_once(client, meeting).await?;
            if checked.findings.is_empty() {
                break;
            }
            let after = self.state(client, meeting).await?;
            if after == before {
                break;
            }
            before = after;
        }
        Ok(checked)
    }

    async fn state(&self, client: ClientId, meeting: MeetingId) -> Result<MeetingState, PortFailure> {
        Ok(MeetingState {
            heads: self.records.heads(client, meeting).await?,
            closings: self.meetings.closings(client, meeting).await?,
            timestamps: self.timestamps.of_meeting(client, meeting).await?,
            standings: self.records.standings(client, meeting).await?,
        })
    }

    async fn check_once(&self, client: ClientId, meeting: MeetingId) -> Result<CheckedRecords, PortFailure> {
        let mut findings = Vec::new();
        // The timestamps first, so that each has its record.
        let timestamps = self.timestamps.of_meeting(client, meeting).await?;
        // The rounds before the records, so that one that is declared during the check has its record.
        let ended = self.results.ended(client, meeting, Vec::new()).await;
        // Then each record is still compared with the rows of its own round.
        let ended = readable(&mut findings, "the rounds of the meeting", ended)?;
        let heads = self.records.heads(client, meeting).await?;
        let times = self.records.times(client, meeting).await?;
        let standings = self.records.standings(client, meeting).await?;
        let is_meeting_gone = matches!(ended, Some(None));
        let log = AuditLog { client, may_be_gone: standings.client == Standing::Deleted };
        findings.extend(missing_owners(client, meeting, standings));
        let mut before: Option<String> = None;
        for (expected, head) in (1..).zip(&heads) {
            // One at a time: a record of a large register has megabytes.
            let Some(stored) = self.records.load(client, meeting, vec![head.round]).await?.pop() else { continue };
            let record = match read_record(&stored, &*self.keys) {
                Ok(record) => record,
                Err(damage) => {
                    findings.push(format!("the record of round {} is damaged: {damage}", head.round));
                    before = Some(head.hash.clone());
                    continue;
                }
            };
            if record.number != expected || record.previous_hash != before {
                findings.push(format!("a record before that of round {} is missing", head.round));
            }
            before = Some(head.hash.clone());
            let subject = format!("the record of round {}", head.round);
            findings.extend(other_time(&subject, times.of_result(head.round), record.recorded_at));
            findings.extend(self.check_audit_head(log, record.audit_head.as_ref(), &subject).await?);
            if !is_meeting_gone {
                let rows = format!("round {}", head.round);
                let compared = self.check_rows(&stored, &record).await;
                let compared = readable(&mut findings, &rows, compared)?;
                findings.extend(compared.flatten());
            }
        }
        for found in ended.flatten().unwrap_or_default() {
            let (id, status) = (found.round.id, found.round.status);
            if status == RoundStatus::Declared && heads.iter().all(|head| head.round != id) {
                findings.push(format!("the result of round {id} is declared and has no record"));
            }
        }
        findings.extend(self.records.contradictions(client, meeting).await?.into_iter().map(sentence_of));
        let closings = self.meetings.closings(client, meeting).await?;
        findings.extend(self.check_closings(log, &closings, &times).await?);
        if !log.may_be_gone {
            findings.extend(self.records.amendment_gaps(client, meeting).await?.into_iter().map(gap_sentence));
        }
        if let Some(record) = self.meetings.record(client, meeting).await? {
            let records: Vec<_> = heads.iter().map(|head| (head.round.as_uuid(), head.hash.clone())).collect();
            findings.extend(self.check_closed(record, &records));
        }
        let hashes = heads.iter().map(|head| &head.hash).chain(closings.iter().map(|closing| &closing.sealed.hash));
        findings.extend(timestamps.iter().filter_map(|stored| self.check_timestamp(stored, hashes.clone())));
        Ok(CheckedRecords {
            records: heads.len(),
            closings: closings.len(),
            timestamps: timestamps.len(),
            is_meeting_gone,
            findings,
        })
    }

    /// A timestamp is of a record of its meeting, and its row says what the token says.
    fn check_timestamp<'a>(
        &self,
        stored: &StoredTimestamp,
        mut hashes: impl Iterator<Item = &'a String>,
    ) -> Option<String> {
        let hash = &stored.hash;
        if hashes.all(|known| known != hash) {
            return Some(format!("there is a timestamp of the hash {hash}, and no such record"));
        }
        let token = match read_timestamp(stored) {
            Ok(token) => token,
            Err(reason) => return Some(format!("the timestamp of record {hash} is not valid: {reason}")),
        };
        // The database keeps microseconds.
        let is_same_time = token.at.timestamp_micros() == stored.at.timestamp_micros();
        if token.authority != stored.authority || !is_same_time {
            return Some(format!("the timestamp of record {hash} was changed: its row and its token differ"));
        }
        let is_known = self.authorities.as_ref().is_none_or(|authorities| authorities.vouch_for(&token));
        (!is_known).then(|| format!("no certificate vouches for the authority that timestamped record {hash}"))
    }

    /// Closing records are whole, one follows the other, and the audit log still contains the entries that they name.
    async fn check_closings(
        &self,
        log: AuditLog,
        closings: &[StoredClosing],
        times: &RecordTimes,
    ) -> Result<Vec<String>, PortFailure> {
        let mut findings = Vec::new();
        let mut before: Option<&String> = None;
        for (expected, stored) in (1..).zip(closings) {
            match read_closing(stored, &*self.keys) {
                Ok(SealedClosing { record, .. }) => {
                    if record.number != expected || record.previous_hash.as_ref() != before {
                        findings.push(format!("a closing record before number {} is missing", stored.number));
                    }
                    let subject = format!("closing record {}", stored.number);
                    findings.extend(other_time(&subject, times.of_closing(stored.number), record.recorded_at));
                    findings.extend(self.check_audit_head(log, record.audit_head.as_ref(), &subject).await?);
                }
                Err(damage) => findings.push(format!("closing record {} is damaged: {damage}", stored.number)),
            }
            before = Some(&stored.sealed.hash);
        }
        Ok(findings)
    }

    /// The meeting is what its last closing record and the amendments say.
    fn check_closed(&self, meeting: MeetingRecord, records: &[(Uuid, String)]) -> Vec<String> {
        let agenda: HashMap<Uuid, String> =
            meeting.agenda.iter().map(|question| (question.id.as_uuid(), question.text.clone())).collect();
        if lacks_last_closing(&meeting) {
            return vec!["the last closing record is missing".to_owned()];
        }
        let times = (meeting.started_at, meeting.ended_at);
        let parts = MeetingParts::read(meeting, &*self.keys, &MeetingTimestamps::default());
        if !parts.closing_damage.is_empty() {
            // `check_closings` names the damaged ones.
            return Vec::new();
        }
        let closed = ClosedMeeting {
            meeting: &parts.meeting,
            attendance: &parts.attendance,
            check_ins: &parts.check_ins,
            remarks: &parts.remarks,
            records,
            closings: &parts.closings,
            amendments: &parts.amendments,
        };
        let mut fields: Vec<String> = closed.gaps().into_iter().map(|gap| gap.field).collect();
        if let Some(last) = parts.closings.last().filter(|_| parts.meeting.status != "ACTIVE") {
            fields.extend(changed_questions(&last.record, &parts.amendments, &agenda));
        }
        if let Some(last) = parts.closings.last().filter(|_| parts.meeting.status == "COMPLETED") {
            fields.extend(other_ends(times, &last.record));
        }
        fields.dedup();
        fields.truncate(MOST_FIELDS);
        if fields.is_empty() {
            return Vec::new();
        }
        vec![format!("the meeting was changed after its end, and no amendment tells it: {}", fields.join(", "))]
    }

    /// Looks for declared results and ends of meetings that the audit logs of all clients or of one name, and whose records are gone without having
    /// been purged.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn check_log(
        &self,
        owner: Option<ClientId>,
        is_purged: impl Fn(&LostRecord) -> bool,
    ) -> Result<Vec<(ClientId, String)>, PortFailure> {
        let mut lost = self.records.lost(owner).await?;
        lost.retain(|lost| !is_purged(lost));
        let sentence = |LostRecord { client, subject, hash }| {
            let text = match subject {
                RecordSubject::Result(round) => {
                    format!("the audit log names a record of round {round} that is missing: {hash}")
                }
                RecordSubject::End(meeting) => {
                    format!("the audit log names a closing record of meeting {meeting} that is missing: {hash}")
                }
            };
            (client, text)
        };
        Ok(lost.into_iter().map(sentence).collect())
    }

    /// The audit log must still contain the entry that was its last one when the record was written.
    async fn check_audit_head(
        &self,
        log: AuditLog,
        head: Option<&AuditHead>,
        subject: &str,
    ) -> Result<Option<String>, PortFailure> {
        let Some(head) = head else { return Ok(None) };
        let hash = self.records.audit_hash(log.client, head.number).await?;
        if hash.is_none() && log.may_be_gone {
            return Ok(None);
        }
        Ok((hash.as_deref() != Some(&head.hash))
            .then(|| format!("the audit log was rewritten: entry {} is not the one in {subject}", head.number)))
    }

    async fn check_rows(&self, stored: &StoredRecord, record: &RoundRecord) -> Result<Option<String>, PortFailure> {
        let round = stored.round;
        let Some(rows) = self.rows(stored, Listing::of(&record.round)).await? else {
            return Ok(Some(format!("round {round} is gone, or no longer declared; its record is whole")));
        };
        let fields = differences(&record.round, rows);
        Ok((!fields.is_empty())
            .then(|| format!("the rows of round {round} were changed after its declaration: {}", fields.join(", "))))
    }

    /// The declared round, counted from its rows. `None` if it is not there or not declared.
    async fn rows(&self, stored: &StoredRecord, listing: Listing) -> Result<Option<RoundFile>, PortFailure> {
        let StoredRecord { client, meeting, round, .. } = *stored;
        let found = self.results.find(client, meeting, round).await?;
        let Some(found) = found.filter(|found| found.round.status == RoundStatus::Declared) else { return Ok(None) };
        let Some(ended_at) = found.round.ended_at else { return Ok(None) };
        let taken = self.results.take_papers(client, meeting, CountTaking { round, ended_at }).await?;
        Ok(taken.map(|register| round_file(RoundPapers::count(found, register), listing)))
    }
}

/// The response of a store. `None` if a row has a value that cannot be read, which is a finding: the check goes on.
fn readable<T>(
    findings: &mut Vec<String>,
    rows: &str,
    response: Result<T, PortFailure>,
) -> Result<Option<T>, PortFailure> {
    match response {
        Err(failure) if failure.is_damaged() => {
            findings.push(format!("a value in the rows of {rows} cannot be read"));
            Ok(None)
        }
        response => response.map(Some),
    }
}

/// A client or a meeting that is gone, although nothing says that somebody deleted it.
fn missing_owners(client: ClientId, meeting: MeetingId, standings: Standings) -> Vec<String> {
    let silently = "and the audit log does not tell who deleted it";
    match (standings.client, standings.meeting) {
        (Standing::Missing, _) => vec![format!("the organization {client} is gone, {silently}")],
        (_, Standing::Missing) => vec![format!("the meeting {meeting} is gone, {silently}")],
        _ => Vec::new(),
    }
}

fn sentence_of(contradiction: Contradiction) -> String {
    match contradiction {
        Contradiction::Agenda(round) => {
            format!("the question of round {round} was reworded on the agenda after its declaration")
        }
        Contradiction::RecordHash(round) => format!("round {round} names another record hash than that of its record"),
    }
}

/// The questions whose text is not that of the closing record and its amendments.
fn changed_questions(last: &ClosingRecord, amendments: &[Amendment], now: &HashMap<Uuid, String>) -> Vec<String> {
    let mut known: HashMap<Uuid, String> =
        last.agenda.iter().map(|question| (question.id, question.text.clone())).collect();
    let is_told = |one: &&Amendment| one.closing == last.number && one.subject == AmendmentSubject::Question;
    for amendment in amendments.iter().filter(is_told) {
        match &amendment.became {
            Some(text) => known.insert(amendment.subject_id, text.clone()),
            None => known.remove(&amendment.subject_id),
        };
    }
    let is_changed = |id: &&Uuid| known.get(id) != now.get(id);
    let mut changed: Vec<&Uuid> = known.keys().chain(now.keys()).filter(is_changed).collect();
    changed.sort_unstable();
    changed.dedup();
    changed.into_iter().map(|id| format!("question {id}")).collect()
}

/// The fields in which the rows differ from the record. The place on the agenda is not one: it may change. Nor are the
/// sentences: they follow from the figures, and earlier versions had other words. Nor is what earlier versions did not write.
fn differences(record: &RoundFile, mut rows: RoundFile) -> Vec<String> {
    rows.result.position = record.result.position;
    let (arithmetic, recorded) = (&mut rows.result.arithmetic, &record.result.arithmetic);
    arithmetic.sentence.clone_from(&recorded.sentence);
    if let (Some(quorum), Some(recorded)) = (&mut arithmetic.quorum, &recorded.quorum) {
        quorum.sentence.clone_from(&recorded.sentence);
    }
    leave_out_later_members(record, &mut rows);
    // The canonical form, in which equal amounts have equal digits.
    let json = |file: &RoundFile| serde_json::from_slice(&canonical(file)).unwrap_or_default();
    let mut fields = Vec::new();
    compare(&mut fields, "", &json(record), &json(&rows));
    fields
}

/// Members that a result of this version always has, and a record of an earlier version does not. All others are left out if they are
/// empty, so a record without one says that it was empty.
fn leave_out_later_members(record: &RoundFile, rows: &mut RoundFile) {
    let (recorded, now) = (&record.result, &mut rows.result);
    // `isNamed` told it.
    if recorded.secrecy.is_none() && recorded.secrecy() == now.secrecy() {
        now.secrecy = None;
    }
    // It follows from the votes, the connected people of the register and the rule, which are compared.
    if recorded.present.is_none() {
        now.present = None;
    }
}

/// Compares all members, also those that only one of the two has.
fn compare(fields: &mut Vec<String>, at: &str, left: &Value, right: &Value) {
    if left == right || fields.len() >= MOST_FIELDS {
        return;
    }
    let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            for (name, value) in left {
                compare(fields, &below(name), value, right.get(name).unwrap_or(&Value::Null));
            }
            for (name, value) in right.iter().filter(|(name, _)| !left.contains_key(*name)) {
                compare(fields, &below(name), &Value::Null, value);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                compare(fields, &below(&index.to_string()), left, right);
            }
        }
        _ => fields.push(at.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use plenum_result_format::{CastOnName, ProxyHolder, RegisteredVoter, SecrecyName};
    use serde_json::json;

    use super::*;

    /// A round in which one person of one voted yes, with these sentences.
    fn round(votes: u64, quorum: &str, sentence: &str) -> RoundFile {
        let (none, one) = (json!({ "heads": 0, "weight": 0 }), json!({ "heads": votes, "weight": votes }));
        let (id, at) = ("019a9d5e-0000-7000-8000-000000000007", "2026-11-21T18:04:05Z");
        let needed = json!({ "amount": 1, "isEnough": true, "isRoundedUp": false });
        let half = json!({
            "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
        });
        let quorum = json!({
            "quorum": half, "attending": 1, "register": 1, "percent": 100, "needed": needed, "isMet": true,
            "sentence": quorum,
        });
        let result = json!({
            "roundId": id, "questionId": id, "position": 1, "number": 1, "reason": null, "status": "COUNTED",
            "questionText": "Agreed?", "questionType": "YES_NO", "ratingMax": null, "maxChoices": null,
            "isNamed": false, "decisionRule": null, "quorum": null, "openedAt": at, "endedAt": at, "declared": null,
            "register": one, "connectedAtOpening": one, "votesCast": one, "notVoted": none, "invalid": none,
            "options": [], "numbers": null, "differentTexts": null,
            "decision": { "outcome": "undecided", "elected": [], "tie": null },
            "arithmetic": { "checks": [], "quorum": quorum, "sentence": sentence },
            "log": [],
        });
        serde_json::from_value(json!({ "result": result, "register": [], "ballots": [], "texts": [] })).unwrap()
    }

    #[test]
    fn other_words_for_the_same_figures_are_no_difference() {
        let record = round(1, "1 of 1 were present", "1 of 1 votes are yes");
        let now = |votes| round(votes, "1 of 1 was present", "1 of 1 vote is yes");
        assert_eq!(differences(&record, now(1)), Vec::<String>::new());
        let changed = differences(&record, now(2));
        assert!(changed.iter().any(|field| field == "result.register.heads"), "{changed:?}");
    }

    /// Changes the only voter of a round.
    fn with_voter(round: &RoundFile, change: impl FnOnce(&mut RegisteredVoter)) -> RoundFile {
        let mut changed = round.clone();
        change(&mut changed.register[0]);
        changed
    }

    #[test]
    fn a_member_that_only_the_rows_have_is_a_difference() {
        let voter = json!({
            "place": 1, "name": "Ada Young", "username": "ada", "weight": 1, "addedAt": "2026-11-21T18:04:05Z",
            "wasConnected": true, "hasVoted": true,
        });
        let mut record = round(1, "", "");
        record.register.push(serde_json::from_value(voter).unwrap());
        assert_eq!(differences(&record, record.clone()), Vec::<String>::new());
        let holder = || ProxyHolder { name: "Ben Birch".to_owned(), username: "ben".to_owned(), reference: None };
        for (rows, field) in [
            (with_voter(&record, |voter| voter.cast_on = Some(CastOnName::Paper)), "register.0.castOn"),
            (with_voter(&record, |voter| voter.represented_by = Some(holder())), "register.0.representedBy"),
            (with_voter(&record, |voter| voter.was_represented = true), "register.0.wasRepresented"),
            (with_voter(&record, |voter| voter.voted_by_proxy = true), "register.0.votedByProxy"),
            (with_voter(&record, |voter| voter.groups = vec!["Units".to_owned()]), "register.0.groups"),
            (with_voter(&record, |voter| voter.second_weight = Some(voter.weight)), "register.0.secondWeight"),
        ] {
            assert_eq!(differences(&record, rows), [field]);
        }
    }

    #[test]
    fn a_record_of_an_earlier_version_lacks_the_members_that_every_result_has_now() {
        let record = round(1, "", "");
        assert_eq!((record.result.secrecy, record.result.present), (None, None));
        let mut rows = record.clone();
        (rows.result.secrecy, rows.result.present) = (Some(SecrecyName::Unshown), Some(record.result.votes_cast));
        assert_eq!(differences(&record, rows.clone()), Vec::<String>::new());
        let mut changed = rows.clone();
        changed.result.secrecy = Some(SecrecyName::Secret);
        assert_eq!(differences(&record, changed.clone()), ["result.secrecy"]);
        assert_eq!(differences(&rows, changed), ["result.secrecy"], "a record of now has it");
    }
}
