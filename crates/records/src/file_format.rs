//! The parts of a results file besides the counts: the meeting's record, registers and ballots.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_result_format::{
    AttendanceEntry, BallotAnswer, CountedBallot, DamagedRecord, ExactNumber, FORMAT, MeetingHead, RegisteredVoter,
    Remark, RemarkKind, ResultsFile, RoundFile, UncountedRound,
};
use plenum_voting::{Answer, MeetingRecord, NotedRemark, RegisterPaper, RoundPapers, Wording};
use rust_decimal::Decimal;

use crate::result_format::{count, round_result, text_answer};

/// What results show of a meeting beside its rounds.
pub struct MeetingParts {
    /// The meeting.
    pub meeting: MeetingHead,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// The remarks, the earliest first.
    pub remarks: Vec<Remark>,
}

impl From<MeetingRecord> for MeetingParts {
    fn from(record: MeetingRecord) -> Self {
        let attendance = record.attendance.iter().map(|noted| AttendanceEntry {
            at: noted.at,
            present: count(noted.present),
            eligible: count(noted.eligible),
            is_quorate: record.is_quorate(noted),
        });
        Self {
            attendance: attendance.collect(),
            meeting: meeting_head(&record),
            remarks: record.remarks.into_iter().map(remark).collect(),
        }
    }
}

fn remark(noted: NotedRemark) -> Remark {
    let kind = if noted.is_incident { RemarkKind::Incident } else { RemarkKind::Remark };
    Remark { id: noted.id, at: noted.at, by: noted.by, kind, text: noted.text }
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
    /// The rounds, in the order of the agenda and then of the rounds.
    pub rounds: Vec<RoundFile>,
    /// Declared results whose records are damaged.
    pub damaged: Vec<DamagedRecord>,
    /// Rounds that nobody has counted.
    pub uncounted: Vec<UncountedRound>,
}

/// The whole file, without a signature.
pub fn results_file(record: MeetingRecord, rounds: RoundsOfMeeting, exported_at: DateTime<Utc>) -> ResultsFile {
    let MeetingParts { meeting, attendance, remarks } = record.into();
    let RoundsOfMeeting { rounds, damaged, uncounted } = rounds;
    let format = FORMAT.to_owned();
    ResultsFile { format, exported_at, meeting, rounds, attendance, remarks, damaged, uncounted, signature: None }
}

/// A counted round in the form of files.
pub(crate) fn round_file(papers: RoundPapers) -> RoundFile {
    let round = &papers.result.result.result.round;
    let ballots = if round.is_named {
        named_ballots(&papers.register, &round.wording)
    } else {
        grouped_ballots(&papers.register, &round.wording)
    };
    RoundFile {
        result: round_result(&papers.result),
        ballots,
        register: (1..).zip(papers.register).map(|(place, paper)| registered_voter(place, paper)).collect(),
        texts: papers.texts.into_iter().map(text_answer).collect(),
        seal: None,
    }
}

fn registered_voter(place: u32, paper: RegisterPaper) -> RegisteredVoter {
    RegisteredVoter {
        place,
        name: paper.name,
        username: paper.username,
        weight: paper.weight,
        added_at: paper.added_at,
        was_connected: paper.was_connected,
        has_voted: paper.answer.is_some(),
    }
}

/// One ballot for each voter, in the order of the register.
fn named_ballots(register: &[RegisterPaper], wording: &Wording) -> Vec<CountedBallot> {
    let ballot = |(place, paper): (u32, &RegisterPaper)| {
        let answer = ballot_answer(paper.answer.as_ref()?, wording);
        Some(CountedBallot { voter: Some(place), answer, weight: paper.weight, count: 1 })
    };
    (1..).zip(register).filter_map(ballot).collect()
}

/// Equal ballots grouped together and sorted by content, so that nothing remains of the order of the register.
fn grouped_ballots(register: &[RegisterPaper], wording: &Wording) -> Vec<CountedBallot> {
    let mut counts: BTreeMap<(BallotAnswer, Decimal), u64> = BTreeMap::new();
    for paper in register {
        if let Some(answer) = &paper.answer {
            *counts.entry((ballot_answer(answer, wording), paper.weight)).or_default() += 1;
        }
    }
    let ballot = |((answer, weight), count)| CountedBallot { voter: None, answer, weight, count };
    counts.into_iter().map(ballot).collect()
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
    }
}
