//! The parts of a results file besides the counts: the meeting's record, registers and ballots.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_kernel::{EvidenceKeys, NotedQuorum, Secrecy};
use plenum_result_format::{
    Amendment, AmendmentSubject, AttendanceEntry, AttendanceKind, AttendanceLogEntry, BallotAnswer, CastOnName,
    CountedBallot, DamagedRecord, ElectionOutcome, ExactNumber, FORMAT, MeetingHead, OpenedUrnFormat, ProxyHolder,
    QuorumFormat, RegisteredVoter, Remark, RemarkKind, ResultsFile, RoundFile, SealedClosing, Struck, UncountedRound,
    hexadecimal,
};
use plenum_voting::{
    AmendedSubject, Answer, CastOn, MIN_ANONYMITY_SET, MeetingRecord, NotedAmendment, NotedAttendance, NotedPresence,
    NotedRemark, OpenedUrn, RegisterPaper, RoundPapers, Urn, UrnTally, Wording,
};
use rust_decimal::Decimal;

use crate::MeetingTimestamps;
use crate::read_record::read_closing;
use crate::result_format::{count, round_result, text_answer};

/// The parts of a meeting's results besides its rounds.
pub struct MeetingParts {
    /// The meeting.
    pub meeting: MeetingHead,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// Who came and went, in the order of their storing.
    pub check_ins: Vec<AttendanceLogEntry>,
    /// The remarks, the earliest first.
    pub remarks: Vec<Remark>,
    /// The closing records, the first one first, without damaged ones.
    pub closings: Vec<SealedClosing>,
    /// The changes after the end.
    pub amendments: Vec<Amendment>,
    /// The errors of the omitted closing records.
    pub closing_damage: Vec<String>,
}

impl MeetingParts {
    /// The parts of this meeting. Its closing records are checked with these keys, and shown with their timestamps.
    pub fn read(record: MeetingRecord, keys: &dyn EvidenceKeys, timestamps: &MeetingTimestamps) -> Self {
        let (mut closings, mut closing_damage) = (Vec::new(), Vec::new());
        for stored in &record.closings {
            match read_closing(stored, keys) {
                Ok(mut closing) => {
                    timestamps.add_to_closing(&mut closing);
                    closings.push(closing);
                }
                Err(damage) => {
                    closing_damage.push(format!("Closing record {} is not shown: {damage}.", stored.number));
                }
            }
        }
        if lacks_last_closing(&record) {
            closing_damage.push("The last closing record is missing.".to_owned());
        }
        Self {
            attendance: attendance(&record),
            check_ins: check_ins(&record),
            meeting: meeting_head(&record),
            remarks: record.remarks.into_iter().map(remark).collect(),
            closings,
            amendments: record.amendments.into_iter().map(amendment).collect(),
            closing_damage,
        }
    }
}

/// Whether the closing record that the meeting names is not the last stored one.
pub(crate) fn lacks_last_closing(record: &MeetingRecord) -> bool {
    record.closing_hash.as_ref() != record.closings.last().map(|last| &last.sealed.hash)
}

/// The attendance notes of a meeting.
pub(crate) fn attendance(record: &MeetingRecord) -> Vec<AttendanceEntry> {
    let entry = |noted: &NotedAttendance| AttendanceEntry {
        at: noted.at,
        present: count(noted.present),
        represented: (noted.represented.heads > 0).then(|| count(noted.represented)),
        eligible: count(noted.eligible),
        is_quorate: record.is_quorate(noted),
        quorum: match noted.quorum {
            NotedQuorum::Kept(quorum) => quorum.map(QuorumFormat::from),
            NotedQuorum::OfMeeting => None,
        },
        has_no_quorum: noted.quorum == NotedQuorum::Kept(None),
        is_second_call: noted.is_second_call,
    };
    record.attendance.iter().map(entry).collect()
}

/// The attendance log of a meeting, in the order of its entries.
pub(crate) fn check_ins(record: &MeetingRecord) -> Vec<AttendanceLogEntry> {
    record.check_ins.iter().map(check_in).collect()
}

fn check_in(noted: &NotedPresence) -> AttendanceLogEntry {
    AttendanceLogEntry {
        name: noted.name.clone(),
        username: noted.username.clone(),
        kind: if noted.has_come { AttendanceKind::In } else { AttendanceKind::Out },
        at: noted.at,
        noted_at: noted.noted_at,
        by: noted.by.clone(),
    }
}

/// A remark as results show it.
pub(crate) fn remark(noted: NotedRemark) -> Remark {
    let kind = if noted.is_incident { RemarkKind::Incident } else { RemarkKind::Remark };
    let struck = noted.struck.map(|(at, by)| Struck { at, by });
    Remark { id: noted.id, at: noted.at, by: noted.by, kind, text: noted.text, struck }
}

fn amendment(noted: NotedAmendment) -> Amendment {
    let NotedAmendment { number, closing, at, by, subject, subject_id, field, was, became } = noted;
    let subject = match subject {
        AmendedSubject::Meeting => AmendmentSubject::Meeting,
        AmendedSubject::Question => AmendmentSubject::Question,
        AmendedSubject::Remark => AmendmentSubject::Remark,
        AmendedSubject::Result => AmendmentSubject::Result,
    };
    Amendment { number, closing, at, by, subject, subject_id, field, was, became }
}

/// The meeting as results show it.
pub(crate) fn meeting_head(record: &MeetingRecord) -> MeetingHead {
    MeetingHead {
        id: record.id.as_uuid(),
        title: record.title.clone(),
        organization: record.organization.clone(),
        status: record.status.clone(),
        scheduled_start: Some(record.scheduled_start),
        scheduled_end: Some(record.scheduled_end),
        quorum: record.quorum.map(Into::into),
    }
}

/// The rounds of a meeting in the form of files, with those that cannot be shown.
pub struct RoundsOfMeeting {
    /// The rounds, in the order of [`plenum_result_format::QuestionPlaces`].
    pub rounds: Vec<RoundFile>,
    /// Declared results whose records are damaged.
    pub damaged: Vec<DamagedRecord>,
    /// Rounds that are not counted.
    pub uncounted: Vec<UncountedRound>,
    /// The declared elections, and who has their seats.
    pub elections: Vec<ElectionOutcome>,
}

/// The whole file, without a signature.
pub fn results_file(parts: MeetingParts, rounds: RoundsOfMeeting, exported_at: DateTime<Utc>) -> ResultsFile {
    let MeetingParts { meeting, attendance, check_ins, remarks, closings, amendments, closing_damage } = parts;
    let RoundsOfMeeting { rounds, damaged, uncounted, elections } = rounds;
    ResultsFile {
        format: FORMAT.to_owned(),
        exported_at,
        meeting,
        rounds,
        attendance,
        check_ins,
        remarks,
        damaged,
        uncounted,
        elections,
        closings: Some(closings),
        amendments,
        closing_damage,
        signature: None,
    }
}

/// Which ballots of a vote that does not show who voted what are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// None if weights differ and one of them is rare: a ballot with such a weight would show whose it is.
    WithoutRareWeights,
    /// All, as in records of earlier versions.
    All,
}

impl Listing {
    /// The listing of a record.
    pub(crate) fn of(record: &RoundFile) -> Self {
        if record.ballots.is_empty() { Self::WithoutRareWeights } else { Self::All }
    }
}

/// A counted round in the form of files.
pub(crate) fn round_file(papers: RoundPapers, listing: Listing) -> RoundFile {
    let round = &papers.result.result.result.round;
    let names: Vec<String> = papers.result.result.result.groups.iter().map(|group| group.name.clone()).collect();
    let ballots = match (round.secrecy, &papers.result.result.urn) {
        (Secrecy::Named, _) => named_ballots(&papers.register, &round.wording),
        (_, Some(urn)) => urn_ballots(&urn.tally, &round.wording),
        (_, None) if listing == Listing::WithoutRareWeights && has_rare_weights(&papers.register) => Vec::new(),
        (_, None) => grouped_ballots(&papers.register, &round.wording, &names),
    };
    let urn = papers.result.result.urn.as_ref().map(|urn| opened_urn(urn, round.urn.as_ref()));
    RoundFile {
        result: round_result(&papers.result),
        ballots,
        register: (1..).zip(papers.register).map(|(place, paper)| registered_voter(place, paper, &names)).collect(),
        texts: papers.texts.into_iter().map(text_answer).collect(),
        urn,
        seal: None,
    }
}

fn registered_voter(place: u32, paper: RegisterPaper, names: &[String]) -> RegisteredVoter {
    RegisteredVoter {
        place,
        name: paper.name,
        username: paper.username,
        weight: paper.weight,
        second_weight: paper.second_weight.map(|second| second.normalize()),
        added_at: paper.added_at,
        was_connected: paper.was_connected,
        has_voted: paper.answer.is_some(),
        groups: group_names(&paper.groups, names),
        was_represented: paper.proxy.as_ref().is_some_and(|proxy| proxy.was_represented),
        voted_by_proxy: paper.proxy.as_ref().is_some_and(|proxy| proxy.is_used),
        cast_on: paper.cast_on.map(cast_on),
        represented_by: paper.proxy.map(|proxy| ProxyHolder {
            name: proxy.holder_name,
            username: proxy.holder_username,
            reference: proxy.reference,
        }),
    }
}

fn cast_on(cast_on: CastOn) -> CastOnName {
    match cast_on {
        CastOn::Paper => CastOnName::Paper,
        CastOn::VotingPlace => CastOnName::VotingPlace,
    }
}

/// The names of groups at these places, in their order.
fn group_names(places: &[u16], names: &[String]) -> Vec<String> {
    places.iter().filter_map(|place| names.get(usize::from(*place)).cloned()).collect()
}

/// One ballot for each voter, in the order of the register.
fn named_ballots(register: &[RegisterPaper], wording: &Wording) -> Vec<CountedBallot> {
    let ballot = |(place, paper): (u32, &RegisterPaper)| {
        let answer = ballot_answer(paper.answer.as_ref()?, wording);
        let holder = paper.proxy.as_ref().filter(|proxy| proxy.is_used);
        let cast_by = holder.map(|proxy| proxy.holder_username.clone());
        let (weight, second_weight) = (paper.weight, paper.second_weight.map(|second| second.normalize()));
        Some(CountedBallot { voter: Some(place), answer, weight, second_weight, count: 1, groups: Vec::new(), cast_by })
    };
    (1..).zip(register).filter_map(ballot).collect()
}

/// The weights and groups that a list of ballots shows beside an answer.
type WeightsAndGroups<'a> = (Decimal, Option<Decimal>, &'a [u16]);

fn weights_and_groups(paper: &RegisterPaper) -> WeightsAndGroups<'_> {
    (paper.weight, paper.second_weight.map(|second| second.normalize()), paper.groups.as_slice())
}

/// Whether those who have voted have different weights or groups, and fewer than [`MIN_ANONYMITY_SET`] of them have one of these.
fn has_rare_weights(register: &[RegisterPaper]) -> bool {
    let mut alike: BTreeMap<WeightsAndGroups<'_>, u64> = BTreeMap::new();
    for paper in register.iter().filter(|paper| paper.answer.is_some()) {
        *alike.entry(weights_and_groups(paper)).or_default() += 1;
    }
    alike.len() > 1 && alike.values().any(|voters| *voters < MIN_ANONYMITY_SET)
}

/// Equal ballots in groups, sorted by content, so that they do not reveal the order of the register.
fn grouped_ballots(register: &[RegisterPaper], wording: &Wording, names: &[String]) -> Vec<CountedBallot> {
    let mut counts: BTreeMap<(BallotAnswer, WeightsAndGroups<'_>), u64> = BTreeMap::new();
    for paper in register {
        if let Some(answer) = &paper.answer {
            *counts.entry((ballot_answer(answer, wording), weights_and_groups(paper))).or_default() += 1;
        }
    }
    let ballot = |((answer, (weight, second_weight, groups)), count)| {
        let groups = group_names(groups, names);
        CountedBallot { voter: None, answer, weight, second_weight, count, groups, cast_by: None }
    };
    counts.into_iter().map(ballot).collect()
}

/// The ballots of an opened urn, without voters. None if weights differ.
fn urn_ballots(tally: &UrnTally, wording: &Wording) -> Vec<CountedBallot> {
    let weight = tally.weight_of_one();
    let answers = tally.answers.iter().flatten();
    let mut counts: BTreeMap<BallotAnswer, u64> = BTreeMap::new();
    for (answer, number) in answers {
        *counts.entry(ballot_answer(answer, wording)).or_default() += number;
    }
    counts
        .into_iter()
        .map(|(answer, count)| CountedBallot {
            voter: None,
            answer,
            weight,
            second_weight: None,
            count,
            groups: Vec::new(),
            cast_by: None,
        })
        .collect()
}

fn opened_urn(opened: &OpenedUrn, urn: Option<&Urn>) -> OpenedUrnFormat {
    OpenedUrnFormat {
        opened_at: opened.opened_at,
        receipts: opened.receipts.clone(),
        envelopes_hash: opened.envelopes_hash.clone(),
        public_key: urn.map(|urn| hexadecimal(&urn.public_key)).unwrap_or_default(),
    }
}

/// The answer with its options in the order of the question, so that equal choices have equal texts.
fn ballot_answer(answer: &Answer, wording: &Wording) -> BallotAnswer {
    match answer {
        Answer::Options(chosen) => {
            let options = wording.options.iter().filter(|option| chosen.contains(&option.id));
            BallotAnswer::Options(options.map(|option| option.id.as_uuid()).collect())
        }
        Answer::Number(number) => BallotAnswer::Number(ExactNumber(number.normalize())),
        Answer::Text(text) => BallotAnswer::Text(text.clone()),
        // A mark has no content. No ballot is made of one.
        Answer::Sealed(_) => BallotAnswer::Options(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn papers(weights: &[(&str, usize)]) -> Vec<RegisterPaper> {
        let papers = weights.iter().flat_map(|(weight, number)| {
            let paper = RegisterPaper {
                name: "Ada Young".to_owned(),
                username: "ada.young".to_owned(),
                weight: weight.parse().unwrap(),
                second_weight: None,
                added_at: DateTime::UNIX_EPOCH,
                was_connected: false,
                groups: Vec::new(),
                answer: Some(Answer::Number(Decimal::ONE)),
                cast_on: None,
                proxy: None,
            };
            vec![paper; *number]
        });
        papers.collect()
    }

    #[test]
    fn a_weight_is_rare_if_weights_differ_and_fewer_than_five_voters_have_it() {
        assert!(!has_rare_weights(&papers(&[])));
        assert!(!has_rare_weights(&papers(&[("2.5", 1)])));
        assert!(!has_rare_weights(&papers(&[("1", 5), ("2", 5)])));
        assert!(!has_rare_weights(&papers(&[("1", 2), ("1.0", 2)])));
        assert!(has_rare_weights(&papers(&[("1", 200), ("2", 4)])));
        let mut by_second = papers(&[("1", 10)]);
        by_second[..6].iter_mut().for_each(|paper| paper.second_weight = Some(Decimal::TEN));
        assert!(has_rare_weights(&by_second), "four have another second weight");
        by_second[9].second_weight = Some(Decimal::new(100, 1));
        assert!(has_rare_weights(&by_second));
        let mut silent = papers(&[("1", 5), ("2", 1)]);
        silent[5].answer = None;
        assert!(!has_rare_weights(&silent), "only those who voted have ballots");
    }
}
