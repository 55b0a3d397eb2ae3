use std::collections::{BTreeMap, BTreeSet};

use super::urn::check_urn;
use super::{Entry, Record, RecordedRound, Submission};
use crate::outcome::JournalCounts;

/// The most findings that are described in words.
const MAX_EXAMPLES: usize = 10;

/// The findings of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The number of each kind.
    pub counts: JournalCounts,
    /// Descriptions of the first findings.
    pub examples: Vec<String>,
}

impl Findings {
    pub(super) fn add_example(&mut self, what: impl FnOnce() -> String) {
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(what());
        }
    }

    /// Counts the response to a ballot. A timely ballot that was not acknowledged is described.
    pub(super) fn count_response(&mut self, entry: &Entry) {
        let voter = &entry.voter;
        match &entry.submission {
            Submission::Acknowledged { .. } => self.counts.acknowledged += 1,
            Submission::Refused { status, text } => {
                self.counts.refused += 1;
                if entry.is_refused_as_late() {
                    self.counts.too_late += 1;
                } else {
                    self.add_example(|| format!("the vote of {voter} was refused ({status} {text})"));
                }
            }
            Submission::Unknown => {
                self.counts.unknown += 1;
                self.add_example(|| format!("the vote of {voter} got no response"));
            }
        }
    }
}

/// Compares the responses with the record. Both must contain the same rounds, which must have ended.
pub fn check(journal: &[Entry], record: &Record) -> Findings {
    let mut findings = Findings::default();
    let mut by_round: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in journal {
        by_round.entry(&entry.round).or_default().push(entry);
    }
    let nothing = RecordedRound::default();
    for (round, entries) in &by_round {
        check_round(entries, record.rounds.get(*round).unwrap_or(&nothing), &mut findings);
    }
    for (id, round) in &record.rounds {
        if !by_round.contains_key(id.as_str()) {
            check_round(&[], round, &mut findings);
        }
    }
    findings
}

fn check_round(entries: &[&Entry], round: &RecordedRound, findings: &mut Findings) {
    if let Some(urn) = &round.urn {
        return check_urn(entries, round, urn, findings);
    }
    let recorded = by_voter(round);
    let known: BTreeSet<&str> = entries.iter().map(|entry| entry.voter.as_str()).collect();
    for entry in entries {
        check_entry(entry, recorded.get(entry.voter.as_str()).map_or(&[][..], Vec::as_slice), findings);
    }
    for (voter, ballots) in &recorded {
        if ballots.len() > 1 {
            findings.counts.doubled += ballots.len() as u64 - 1;
            findings.add_example(|| format!("{voter} is in the record {} times", ballots.len()));
        }
        if !known.contains(voter) {
            findings.counts.smuggled += 1;
            findings.add_example(|| format!("{voter} is in the record and submitted nothing"));
        }
    }
    check_count(round, recorded.len() as u64, findings);
    check_heads(round, &recorded, findings);
}

/// Compares the counts of each answer with the ballots. Another check finds ballots that are listed twice, so the
/// result may count these once or twice.
fn check_heads(round: &RecordedRound, recorded: &BTreeMap<&str, Vec<&[String]>>, findings: &mut Findings) {
    let Some(counted_heads) = &round.heads else { return };
    let of_ballots = summed(round.ballots.iter().map(|ballot| ballot.answers.as_slice()));
    let of_voters = summed(recorded.values().filter_map(|ballots| ballots.first().copied()));
    let differing = difference(counted_heads, &of_ballots).min(difference(counted_heads, &of_voters));
    if differing > 0 {
        findings.counts.changed += differing;
        findings.add_example(|| format!("the result counts {counted_heads:?}, and the ballots say {of_voters:?}"));
    }
}

fn summed<'a>(ballots: impl Iterator<Item = &'a [String]>) -> BTreeMap<String, u64> {
    let mut heads = BTreeMap::new();
    for answer in ballots.flatten() {
        *heads.entry(answer.clone()).or_default() += 1;
    }
    heads
}

/// The number of surplus or missing heads, whichever is larger.
pub(super) fn difference(some: &BTreeMap<String, u64>, others: &BTreeMap<String, u64>) -> u64 {
    beyond(some, others).max(beyond(others, some))
}

/// The number of surplus heads of `some`.
pub(super) fn beyond<A: Ord>(some: &BTreeMap<A, u64>, others: &BTreeMap<A, u64>) -> u64 {
    some.iter().map(|(answer, heads)| heads.saturating_sub(others.get(answer).copied().unwrap_or_default())).sum()
}

/// The result must count each voter in the record, and no more than there are ballots.
fn check_count(round: &RecordedRound, voters: u64, findings: &mut Findings) {
    let (listed, counted) = (round.ballots.len() as u64, round.counted);
    findings.counts.doubled += counted.saturating_sub(listed);
    findings.counts.lost += voters.saturating_sub(counted);
    if counted > listed || counted < voters {
        findings.add_example(|| format!("the result counts {counted} votes, and {listed} ballots are listed"));
    }
}

fn check_entry(entry: &Entry, recorded: &[&[String]], findings: &mut Findings) {
    let Entry { voter, answers, .. } = entry;
    findings.count_response(entry);
    match &entry.submission {
        Submission::Acknowledged { echo, .. } => {
            if recorded.is_empty() {
                findings.counts.lost += 1;
                findings.add_example(|| format!("the vote of {voter} was acknowledged and is not in the record"));
                return;
            }
            if !is_same(echo, answers) {
                findings.counts.changed += 1;
                findings.add_example(|| {
                    format!("{voter} answered {answers:?}, and the response says that {echo:?} is stored")
                });
                return;
            }
        }
        Submission::Refused { status, text } => {
            if !recorded.is_empty() {
                findings.counts.smuggled += 1;
                findings
                    .add_example(|| format!("the vote of {voter} was refused ({status} {text}) and is in the record"));
            }
            return;
        }
        Submission::Unknown => {}
    }
    if recorded.iter().any(|stored| !is_same(stored, answers)) {
        findings.counts.changed += 1;
        findings.add_example(|| format!("{voter} answered {answers:?}, and {recorded:?} is in the record"));
    }
}

/// Options are a set. Their order has no meaning.
fn is_same(some: &[String], others: &[String]) -> bool {
    let set = |answers: &[String]| {
        let mut sorted = answers.to_vec();
        sorted.sort_unstable();
        sorted
    };
    set(some) == set(others)
}

fn by_voter(round: &RecordedRound) -> BTreeMap<&str, Vec<&[String]>> {
    let mut by_voter: BTreeMap<&str, Vec<&[String]>> = BTreeMap::new();
    for ballot in &round.ballots {
        by_voter.entry(&ballot.voter).or_default().push(&ballot.answers);
    }
    by_voter
}

#[cfg(test)]
mod tests {
    use super::super::RecordedBallot;
    use super::*;

    fn answers(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn acknowledged(voter: &str, texts: &[&str]) -> Entry {
        entry(voter, texts, Submission::Acknowledged { echo: answers(texts), receipt: None })
    }

    fn entry(voter: &str, texts: &[&str], submission: Submission) -> Entry {
        let (round, voter) = ("r1".to_owned(), voter.to_owned());
        Entry { round, voter, answers: answers(texts), receipt: None, is_late: false, submission }
    }

    fn refused(voter: &str) -> Entry {
        entry(voter, &["Yes"], Submission::Refused { status: 409, text: "closed".to_owned() })
    }

    fn late(voter: &str, status: u16) -> Entry {
        let submission = Submission::Refused { status, text: "closed".to_owned() };
        Entry { is_late: true, ..entry(voter, &["Yes"], submission) }
    }

    fn record(ballots: &[(&str, &[&str])]) -> Record {
        let ballots: Vec<_> = ballots
            .iter()
            .map(|(voter, texts)| RecordedBallot { voter: (*voter).to_owned(), answers: answers(texts) })
            .collect();
        let round = RecordedRound { counted: ballots.len() as u64, heads: None, ballots, urn: None };
        Record { rounds: [("r1".to_owned(), round)].into() }
    }

    fn counts(journal: &[Entry], record: &Record) -> JournalCounts {
        let findings = check(journal, record);
        let is_well = findings.counts.faults() == 0 && findings.counts.not_accepted() == 0;
        assert_eq!(is_well, findings.examples.is_empty(), "{findings:?}");
        findings.counts
    }

    const NOTHING: JournalCounts = JournalCounts {
        acknowledged: 0,
        refused: 0,
        too_late: 0,
        unknown: 0,
        lost: 0,
        doubled: 0,
        changed: 0,
        smuggled: 0,
    };

    #[test]
    fn a_correct_record_has_no_findings() {
        let journal = [acknowledged("anna", &["Yes"]), acknowledged("ben", &["A", "B"]), late("cleo", 409)];
        let found = counts(&journal, &record(&[("anna", &["Yes"]), ("ben", &["B", "A"])]));
        assert_eq!(found, JournalCounts { acknowledged: 2, refused: 1, too_late: 1, ..NOTHING });
    }

    #[test]
    fn only_a_deliberately_late_ballot_may_be_refused_as_late() {
        let found = counts(&[refused("anna"), late("ben", 401)], &record(&[]));
        assert_eq!(found, JournalCounts { refused: 2, ..NOTHING });
    }

    #[test]
    fn an_acknowledged_vote_that_is_not_recorded_is_lost() {
        let journal = [acknowledged("anna", &["Yes"]), acknowledged("ben", &["No"])];
        let found = counts(&journal, &record(&[("anna", &["Yes"])]));
        assert_eq!(found, JournalCounts { acknowledged: 2, lost: 1, ..NOTHING });
    }

    #[test]
    fn an_acknowledged_vote_of_an_unrecorded_round_is_lost() {
        let found = counts(&[acknowledged("anna", &["Yes"])], &Record::default());
        assert_eq!(found, JournalCounts { acknowledged: 1, lost: 1, ..NOTHING });
    }

    #[test]
    fn a_second_ballot_of_a_voter_is_doubled() {
        let found = counts(&[acknowledged("anna", &["Yes"])], &record(&[("anna", &["Yes"]), ("anna", &["Yes"])]));
        assert_eq!(found, JournalCounts { acknowledged: 1, doubled: 1, ..NOTHING });
    }

    #[test]
    fn a_result_with_more_votes_than_ballots_is_doubled_and_one_with_fewer_is_lost() {
        let journal = [acknowledged("anna", &["Yes"])];
        let mut record = record(&[("anna", &["Yes"])]);
        record.rounds.get_mut("r1").unwrap().counted = 3;
        assert_eq!(counts(&journal, &record), JournalCounts { acknowledged: 1, doubled: 2, ..NOTHING });
        record.rounds.get_mut("r1").unwrap().counted = 0;
        assert_eq!(counts(&journal, &record), JournalCounts { acknowledged: 1, lost: 1, ..NOTHING });
    }

    #[test]
    fn a_result_that_contradicts_its_ballots_is_changed() {
        let journal = [acknowledged("anna", &["A", "B"]), acknowledged("ben", &["A"])];
        let found = |heads: &[(&str, u64)]| {
            let mut record = record(&[("anna", &["A", "B"]), ("ben", &["A"])]);
            let heads = heads.iter().map(|(answer, heads)| ((*answer).to_owned(), *heads)).collect();
            record.rounds.get_mut("r1").unwrap().heads = Some(heads);
            counts(&journal, &record)
        };
        let well = JournalCounts { acknowledged: 2, ..NOTHING };
        assert_eq!(found(&[("A", 2), ("B", 1), ("C", 0)]), well);
        assert_eq!(found(&[("A", 1), ("B", 2), ("C", 0)]), JournalCounts { changed: 1, ..well }, "moved");
        assert_eq!(found(&[("A", 2), ("B", 1), ("C", 2)]), JournalCounts { changed: 2, ..well }, "too many");
        assert_eq!(found(&[("A", 2)]), JournalCounts { changed: 1, ..well }, "too few");
    }

    #[test]
    fn other_answers_in_the_record_or_the_response_are_changed() {
        let journal = [acknowledged("anna", &["Yes"])];
        let found = counts(&journal, &record(&[("anna", &["No"])]));
        assert_eq!(found, JournalCounts { acknowledged: 1, changed: 1, ..NOTHING });
        let journal = [entry("anna", &["Yes"], Submission::Acknowledged { echo: answers(&["No"]), receipt: None })];
        let found = counts(&journal, &record(&[("anna", &["Yes"])]));
        assert_eq!(found, JournalCounts { acknowledged: 1, changed: 1, ..NOTHING });
    }

    #[test]
    fn a_recorded_vote_that_was_refused_or_never_sent_is_smuggled() {
        let found = counts(&[refused("anna")], &record(&[("anna", &["Yes"])]));
        assert_eq!(found, JournalCounts { refused: 1, smuggled: 1, ..NOTHING });
        let found = counts(&[], &record(&[("anna", &["Yes"])]));
        assert_eq!(found, JournalCounts { smuggled: 1, ..NOTHING });
    }

    #[test]
    fn a_vote_without_a_response_may_be_recorded_but_only_with_its_answers() {
        let journal = [entry("anna", &["Yes"], Submission::Unknown)];
        assert_eq!(counts(&journal, &record(&[])), JournalCounts { unknown: 1, ..NOTHING });
        assert_eq!(counts(&journal, &record(&[("anna", &["Yes"])])), JournalCounts { unknown: 1, ..NOTHING });
        let changed = JournalCounts { unknown: 1, changed: 1, ..NOTHING };
        assert_eq!(counts(&journal, &record(&[("anna", &["No"])])), changed);
    }

    #[test]
    fn only_the_first_findings_are_described_in_words() {
        let journal: Vec<_> = (0..50).map(|number| acknowledged(&format!("voter-{number}"), &["Yes"])).collect();
        let findings = check(&journal, &record(&[]));
        assert_eq!((findings.counts.lost, findings.examples.len()), (50, 10));
    }
}
