//! The check of a secret round. The record contains the receipts of all envelopes, the marks of those who have voted, and
//! sums of answers. So each envelope is looked for by its receipt, and answers are compared as sums.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Findings, beyond, difference};
use super::{Entry, RecordedRound, RecordedUrn, Submission};

pub(super) fn check_urn(entries: &[&Entry], round: &RecordedRound, urn: &RecordedUrn, findings: &mut Findings) {
    let content = Content::of(urn);
    for entry in entries {
        findings.count_response(entry);
        content.check_entry(entry, findings);
    }
    content.check_receipts(entries, findings);
    check_count(round, urn, findings);
    content.check_answers(entries, round, findings);
    check_heads(round, urn, findings);
}

/// An urn with its receipts counted.
struct Content<'a> {
    urn: &'a RecordedUrn,
    /// How often each receipt is in the urn.
    receipts: BTreeMap<&'a str, u64>,
}

impl<'a> Content<'a> {
    fn of(urn: &'a RecordedUrn) -> Self {
        let mut receipts = BTreeMap::new();
        for receipt in &urn.receipts {
            *receipts.entry(receipt.as_str()).or_default() += 1;
        }
        Self { urn, receipts }
    }

    fn has_envelope_of(&self, entry: &Entry) -> bool {
        entry.receipt.as_ref().is_some_and(|receipt| self.receipts.contains_key(receipt.as_str()))
    }

    fn has_mark_of(&self, entry: &Entry) -> bool {
        self.urn.voted.contains(&entry.voter)
    }

    fn check_entry(&self, entry: &Entry, findings: &mut Findings) {
        let voter = &entry.voter;
        let (is_in_urn, is_marked) = (self.has_envelope_of(entry), self.has_mark_of(entry));
        match &entry.submission {
            Submission::Acknowledged { .. } if !is_in_urn => {
                findings.counts.lost += 1;
                findings.add_example(|| format!("the envelope of {voter} was acknowledged and is not in the urn"));
            }
            Submission::Acknowledged { .. } if !is_marked => {
                findings.counts.lost += 1;
                findings.add_example(|| format!("the envelope of {voter} is in the urn and {voter} has no mark"));
            }
            Submission::Acknowledged { receipt, .. } if *receipt != entry.receipt => {
                findings.counts.changed += 1;
                findings.add_example(|| {
                    format!("the receipt of {voter} is {:?}, and the response says {receipt:?}", entry.receipt)
                });
            }
            Submission::Refused { status, text } if is_in_urn || is_marked => {
                findings.counts.smuggled += 1;
                findings.add_example(|| format!("the vote of {voter} was refused ({status} {text}) and is counted"));
            }
            Submission::Unknown if is_in_urn != is_marked => {
                findings.counts.changed += 1;
                findings.add_example(|| {
                    format!("{voter} got no response: envelope in the urn: {is_in_urn}, mark: {is_marked}")
                });
            }
            _ => {}
        }
    }

    /// Each receipt must be in the urn once, and belong to an envelope that was sent.
    fn check_receipts(&self, entries: &[&Entry], findings: &mut Findings) {
        for (receipt, times) in self.receipts.iter().filter(|(_, times)| **times > 1) {
            findings.counts.doubled += times - 1;
            findings.add_example(|| format!("the receipt {receipt} is in the urn {times} times"));
        }
        let sent: BTreeSet<&str> = entries.iter().filter_map(|entry| entry.receipt.as_deref()).collect();
        let voters: BTreeSet<&str> = entries.iter().map(|entry| entry.voter.as_str()).collect();
        let foreign = self.receipts.keys().filter(|receipt| !sent.contains(**receipt)).count();
        let strangers = self.urn.voted.iter().filter(|voter| !voters.contains(voter.as_str())).count();
        // A refused voter with a mark is counted already, and may have a foreign envelope.
        let is_refused = |entry: &&&Entry| matches!(entry.submission, Submission::Refused { .. });
        let refused = entries.iter().filter(is_refused);
        let counted = refused.filter(|entry| self.has_mark_of(entry) && !self.has_envelope_of(entry)).count();
        let smuggled = strangers.max(foreign.saturating_sub(counted));
        if smuggled > 0 {
            findings.counts.smuggled += smuggled as u64;
            findings.add_example(|| {
                format!("{foreign} receipts in the urn, and {strangers} marks, belong to nobody who submitted a vote")
            });
        }
    }

    /// The sums must be those of the answers whose envelopes are in the urn. Envelopes that nobody sent, or that are in
    /// the urn twice, are found by another check, and their answers are unknown.
    fn check_answers(&self, entries: &[&Entry], round: &RecordedRound, findings: &mut Findings) {
        let mut expected: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| self.has_envelope_of(entry)) {
            let mut answers = entry.answers.clone();
            answers.sort_unstable();
            *expected.entry(answers).or_default() += 1;
        }
        let listed = self.urn.receipts.len() as u64;
        let counted = round.counted + self.urn.invalid;
        let unknown = listed.saturating_sub(expected.values().sum());
        let surplus = beyond(&self.urn.answers, &expected).saturating_sub(unknown + counted.saturating_sub(listed));
        let missing = beyond(&expected, &self.urn.answers).saturating_sub(listed.saturating_sub(counted));
        let differing = surplus.max(missing);
        if differing > 0 {
            findings.counts.changed += differing;
            findings.add_example(|| {
                let (found, invalid) = (&self.urn.answers, self.urn.invalid);
                format!("the sums of the urn differ from {expected:?}: {found:?}, and {invalid} invalid ballots")
            });
        }
    }
}

/// The result must count each envelope once.
fn check_count(round: &RecordedRound, urn: &RecordedUrn, findings: &mut Findings) {
    let (listed, counted) = (urn.receipts.len() as u64, round.counted + urn.invalid);
    findings.counts.doubled += counted.saturating_sub(listed);
    findings.counts.lost += listed.saturating_sub(counted);
    if counted != listed {
        findings.add_example(|| format!("the result counts {counted} ballots, and the urn has {listed} receipts"));
    }
}

/// Compares the counts of each option or number with the answers.
fn check_heads(round: &RecordedRound, urn: &RecordedUrn, findings: &mut Findings) {
    let Some(counted_heads) = &round.heads else { return };
    let mut of_answers: BTreeMap<String, u64> = BTreeMap::new();
    for (answers, ballots) in &urn.answers {
        for answer in answers {
            *of_answers.entry(answer.clone()).or_default() += ballots;
        }
    }
    let differing = difference(counted_heads, &of_answers);
    if differing > 0 {
        findings.counts.changed += differing;
        findings.add_example(|| format!("the result counts {counted_heads:?}, and the answers say {of_answers:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Record, check};
    use super::*;
    use crate::outcome::JournalCounts;

    fn answers(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    /// The receipt of the one envelope of a voter.
    fn receipt(voter: &str) -> String {
        format!("of {voter}")
    }

    fn entry(voter: &str, texts: &[&str], submission: Submission) -> Entry {
        Entry {
            round: "r1".to_owned(),
            voter: voter.to_owned(),
            answers: answers(texts),
            receipt: Some(receipt(voter)),
            is_late: false,
            submission,
        }
    }

    fn acknowledged(voter: &str, texts: &[&str]) -> Entry {
        entry(voter, texts, Submission::Acknowledged { echo: Vec::new(), receipt: Some(receipt(voter)) })
    }

    fn refused(voter: &str, is_late: bool) -> Entry {
        let submission = Submission::Refused { status: 409, text: "closed".to_owned() };
        Entry { is_late, ..entry(voter, &["A"], submission) }
    }

    /// A round in which these voters have voted, and every envelope was counted.
    fn round(ballots: &[(&str, &[&str])]) -> RecordedRound {
        let mut urn = RecordedUrn::default();
        let mut heads = BTreeMap::new();
        for (voter, texts) in ballots {
            urn.receipts.push(receipt(voter));
            urn.voted.insert((*voter).to_owned());
            *urn.answers.entry(answers(texts)).or_default() += 1;
            for text in *texts {
                *heads.entry((*text).to_owned()).or_default() += 1;
            }
        }
        let counted = ballots.len() as u64;
        RecordedRound { counted, heads: Some(heads), ballots: Vec::new(), urn: Some(urn) }
    }

    fn counts(journal: &[Entry], round: RecordedRound) -> JournalCounts {
        let findings = check(journal, &Record { rounds: [("r1".to_owned(), round)].into() });
        let is_well = findings.counts.faults() == 0 && findings.counts.not_accepted() == 0;
        assert_eq!(is_well, findings.examples.is_empty(), "{findings:?}");
        findings.counts
    }

    const BALLOTS: [(&str, &[&str]); 3] = [("anna", &["A", "B"]), ("ben", &["A"]), ("cleo", &["B"])];

    /// Everybody voted and was acknowledged.
    fn journal() -> Vec<Entry> {
        BALLOTS.iter().map(|(voter, texts)| acknowledged(voter, texts)).collect()
    }

    const CLEAN: JournalCounts = JournalCounts {
        acknowledged: 3,
        refused: 0,
        too_late: 0,
        unknown: 0,
        lost: 0,
        doubled: 0,
        changed: 0,
        smuggled: 0,
    };

    /// The findings after a change of a correct record.
    fn after(change: impl FnOnce(&mut RecordedRound, &mut RecordedUrn)) -> JournalCounts {
        let mut round = round(&BALLOTS);
        let mut urn = round.urn.take().unwrap();
        change(&mut round, &mut urn);
        counts(&journal(), RecordedRound { urn: Some(urn), ..round })
    }

    #[test]
    fn a_correct_urn_has_no_findings() {
        assert_eq!(after(|_, _| {}), CLEAN);
        let mut late = journal();
        late.push(refused("dora", true));
        assert_eq!(counts(&late, round(&BALLOTS)), JournalCounts { refused: 1, too_late: 1, ..CLEAN });
    }

    #[test]
    fn an_acknowledged_envelope_that_is_not_in_the_urn_is_lost() {
        assert_eq!(counts(&journal(), round(&BALLOTS[1..])), JournalCounts { lost: 1, ..CLEAN });
        assert_eq!(counts(&journal(), RecordedRound::default()), JournalCounts { lost: 3, ..CLEAN });
        let found = after(|_, urn| urn.voted.retain(|voter| voter != "ben"));
        assert_eq!(found, JournalCounts { lost: 1, ..CLEAN }, "the voter has no mark");
        let found = after(|round, _| round.counted -= 1);
        assert_eq!(found, JournalCounts { lost: 1, ..CLEAN }, "the result counts one less");
    }

    #[test]
    fn an_envelope_that_is_in_the_urn_or_in_the_result_twice_is_doubled() {
        let found = after(|round, urn| {
            urn.receipts.push(receipt("ben"));
            round.counted += 1;
            *urn.answers.get_mut(&answers(&["A"])).unwrap() += 1;
            *round.heads.as_mut().unwrap().get_mut("A").unwrap() += 1;
        });
        assert_eq!(found, JournalCounts { doubled: 1, ..CLEAN });
        let found = after(|round, _| round.counted += 1);
        assert_eq!(found, JournalCounts { doubled: 1, ..CLEAN });
    }

    #[test]
    fn other_sums_or_another_receipt_in_the_response_are_changed() {
        let changed = JournalCounts { changed: 1, ..CLEAN };
        let moved = after(|round, urn| {
            urn.answers = [(answers(&["A", "B"]), 1), (answers(&["B"]), 2)].into();
            round.heads = Some([("A".to_owned(), 1), ("B".to_owned(), 3)].into());
        });
        assert_eq!(moved, changed, "ben's answer is another one");
        let moved = after(|round, _| round.heads = Some([("A".to_owned(), 1), ("B".to_owned(), 3)].into()));
        assert_eq!(moved, changed, "the result contradicts its answers");
        let invalid = after(|round, urn| {
            (round.counted, urn.invalid) = (2, 1);
            urn.answers.remove(&answers(&["A"]));
            *round.heads.as_mut().unwrap().get_mut("A").unwrap() -= 1;
        });
        assert_eq!(invalid, changed, "an envelope did not open");
        let mut journal = journal();
        journal[1].submission = Submission::Acknowledged { echo: Vec::new(), receipt: Some("of nobody".to_owned()) };
        assert_eq!(counts(&journal, round(&BALLOTS)), changed, "the response has another receipt");
    }

    #[test]
    fn an_envelope_or_a_mark_of_somebody_who_was_refused_or_sent_nothing_is_smuggled() {
        let smuggled = JournalCounts { smuggled: 1, ..CLEAN };
        let with_dora: Vec<_> = BALLOTS.into_iter().chain([("dora", &["A"][..])]).collect();
        assert_eq!(counts(&journal(), round(&with_dora)), smuggled, "she sent nothing");
        let mut journal = journal();
        journal.push(refused("dora", true));
        let late = JournalCounts { refused: 1, too_late: 1, ..smuggled };
        assert_eq!(counts(&journal, round(&with_dora)), late, "she was refused");
        let mut foreign = round(&with_dora);
        foreign.urn.as_mut().unwrap().receipts[3] = receipt("nobody");
        assert_eq!(counts(&journal, foreign), late, "she was refused, and somebody else voted for her");
        assert_eq!(after(|_, urn| urn.voted.extend(["dora".to_owned()])), smuggled, "a mark without an envelope");
        let replaced = after(|_, urn| urn.receipts[1] = receipt("nobody"));
        assert_eq!(replaced, JournalCounts { lost: 1, ..smuggled }, "an envelope was replaced");
    }

    #[test]
    fn an_envelope_without_a_response_may_be_in_the_urn_but_only_with_its_mark() {
        let mut journal = journal();
        journal[2].submission = Submission::Unknown;
        let unknown = JournalCounts { acknowledged: 2, unknown: 1, ..CLEAN };
        assert_eq!(counts(&journal, round(&BALLOTS)), unknown);
        assert_eq!(counts(&journal, round(&BALLOTS[..2])), unknown);
        let mut marked = round(&BALLOTS[..2]);
        marked.urn.as_mut().unwrap().voted.insert("cleo".to_owned());
        assert_eq!(counts(&journal, marked), JournalCounts { changed: 1, ..unknown });
    }
}
