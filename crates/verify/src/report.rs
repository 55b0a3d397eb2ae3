use std::collections::{HashMap, HashSet};
use std::fmt;

use plenum_result_format::{AttendanceName, Count, QuestionPlaces, ResultsFile, RoundFile, RoundResult};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;

use crate::ballots::check;
use crate::check_ins::check_check_ins;
use crate::decision::measure;
use crate::exact::{self, amount};
use crate::limits::{check_outcomes, exceeded};
use crate::recount::recount;
use crate::round_numbers::check_numbers;
use crate::seats::check_elections;
use crate::tally::Pair;
use crate::urn::Recounted;

/// A difference between a file and the recount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the field: "result.options.0.heads".
    pub field: String,
    /// The value in the file.
    pub file: String,
    /// The value of the recount, or the requirement.
    pub recount: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the file says {}; the recount says {}", self.field, self.file, self.recount)
    }
}

/// The recount of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundReport {
    /// The name of the round, with the place of its question: "Item 1, round 1: Do you approve the budget?".
    pub name: String,
    /// The number of people in its register.
    pub register: usize,
    /// The number of counted ballots.
    pub ballots: u64,
    /// How its votes were counted again.
    pub recounted: Recounted,
    /// The differences. Empty if the file agrees.
    pub differences: Vec<Difference>,
}

/// The recount of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Each round, in the order of the file.
    pub rounds: Vec<RoundReport>,
    /// The differences outside the rounds.
    pub differences: Vec<Difference>,
}

impl Report {
    /// Whether the file agrees with the recount completely.
    pub fn agrees(&self) -> bool {
        self.differences.is_empty() && self.rounds.iter().all(|round| round.differences.is_empty())
    }
}

/// Recounts all rounds.
pub fn verify(file: &ResultsFile) -> Report {
    let places = QuestionPlaces::of(file.rounds.iter().map(|round| &round.result));
    let rounds: Vec<RoundReport> = file.rounds.iter().map(|round| report_of(round, &places)).collect();
    let mut found = Differences::default();
    check_rounds(&mut found, file);
    check_numbers(&mut found, file);
    // Who has the seats follows from further recounts of the same rounds.
    let is_countable = found.all.is_empty() && rounds.iter().all(|round| round.recounted != Recounted::Nothing);
    check_attendance(&mut found, file);
    check_check_ins(&mut found, file);
    if check_outcomes(&mut found, file) && is_countable {
        check_elections(&mut found, file);
    }
    Report { rounds, differences: found.all }
}

fn report_of(round: &RoundFile, places: &QuestionPlaces) -> RoundReport {
    let exceeded = exceeded(round);
    let recounted = if exceeded.is_empty() { Recounted::of(round) } else { Recounted::Nothing };
    RoundReport {
        name: name(&round.result, places.place(&round.result)),
        register: round.register.len(),
        ballots: ballots(round, recounted),
        recounted,
        differences: if exceeded.is_empty() { verify_round(round) } else { exceeded },
    }
}

fn ballots(round: &RoundFile, recounted: Recounted) -> u64 {
    match recounted {
        Recounted::Answers => round.ballots.iter().fold(0, |sum, ballot| sum.saturating_add(ballot.count)),
        Recounted::SecretSums | Recounted::UnshownSums => round.result.votes_cast.heads,
        Recounted::Nothing => 0,
    }
}

fn name(result: &RoundResult, item: u32) -> String {
    const MOST: usize = 80;
    let words = result.question_text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters = words.chars().filter(|letter| !letter.is_control());
    let text: String = letters.clone().take(MOST).collect();
    let more = if letters.count() > MOST { "…" } else { "" };
    format!("Item {item}, round {}: {text}{more}", result.number)
}

fn verify_round(round: &RoundFile) -> Vec<Difference> {
    let (recounted, texts) = recount(round);
    let mut found = Differences::default();
    found.compare("result", &json(&round.result), &json(&recounted));
    let mut in_file = round.texts.clone();
    in_file.sort_by(|left, right| left.text.cmp(&right.text));
    found.compare("texts", &json(&in_file), &json(&texts));
    found.all.extend(check(round));
    found.all
}

/// Each round occurs once, and each question has one position.
fn check_rounds(found: &mut Differences, file: &ResultsFile) {
    let (mut ids, mut numbers) = (HashSet::new(), HashSet::new());
    for (index, round) in file.rounds.iter().enumerate() {
        let result = &round.result;
        if !ids.insert(result.round_id) || !numbers.insert((result.question_id, result.number)) {
            found.wants(format!("rounds.{index}"), result.round_id, "each round once");
        }
    }
    let (mut places, mut questions) = (HashMap::new(), HashMap::new());
    for (index, round) in file.rounds.iter().enumerate() {
        let RoundResult { question_id, position, .. } = round.result;
        // A record has the place of its declaration. Questions that were added or moved later have changed the others.
        let place = round.seal.is_none().then(|| *places.entry(question_id).or_insert(position));
        let question = round.seal.is_none().then(|| *questions.entry(position).or_insert(question_id));
        let is_own = place.is_none_or(|place| place == position) && question.is_none_or(|known| known == question_id);
        if position == 0 || !is_own {
            found.wants(format!("rounds.{index}.result.position"), position, "one place for each question, from 1");
        }
    }
}

/// Whether the number of present and represented people is possible, and meets a quorum of present people.
fn check_attendance(found: &mut Differences, file: &ResultsFile) {
    let pair = |count: Count| Pair { heads: count.heads, weight: exact::of(count.weight) };
    for (index, entry) in file.attendance.iter().enumerate() {
        let (mut attending, eligible) = (pair(entry.present), pair(entry.eligible));
        if let Some(represented) = entry.represented.map(pair) {
            attending.heads = attending.heads.saturating_add(represented.heads);
            attending.weight += represented.weight;
        }
        if attending.heads > eligible.heads || attending.weight > eligible.weight {
            let present = format!("{} with weight {}", attending.heads, amount(&attending.weight).normalize());
            found.wants(format!("attendance.{index}.present"), present, "no more than those who may vote");
        }
        let at = format!("attendance.{index}.isQuorate");
        match (entry.quorum_in_force(file.meeting.quorum), entry.is_quorate) {
            (None, Some(is_quorate)) => found.wants(at, is_quorate, "null, as the meeting had no quorum"),
            (Some(quorum), Some(is_quorate)) if quorum.attendance == AttendanceName::Present => {
                let is_met = measure(quorum, &attending, &eligible).is_met;
                if is_met != is_quorate {
                    found.differs(at, is_quorate, is_met);
                }
            }
            (Some(quorum), None) if quorum.attendance == AttendanceName::Present => {
                found.wants(at, "null", "whether those present were enough");
            }
            _ => {}
        }
    }
}

/// The greatest number of reported differences in a round.
const MOST: usize = 100;

/// Differences while they are collected.
#[derive(Default)]
pub(crate) struct Differences {
    pub(crate) all: Vec<Difference>,
}

impl Differences {
    /// Reports a different count.
    pub(crate) fn differs(&mut self, field: impl Into<String>, file: impl fmt::Display, recount: impl fmt::Display) {
        if self.all.len() < MOST {
            let (file, recount) = (cut(file.to_string()), cut(recount.to_string()));
            self.all.push(Difference { field: field.into(), file, recount });
        }
    }

    /// Reports an impossible value.
    pub(crate) fn wants(&mut self, field: impl Into<String>, file: impl fmt::Display, wanted: impl AsRef<str>) {
        self.differs(field, file, format!("it must be {}", wanted.as_ref()));
    }

    /// Compares values field by field. Numbers are equal if their amounts are.
    pub(crate) fn compare(&mut self, at: &str, file: &Value, recount: &Value) {
        match (file, recount) {
            (Value::Object(left), Value::Object(right)) => {
                for (field, value) in right {
                    self.compare(&format!("{at}.{field}"), left.get(field).unwrap_or(&Value::Null), value);
                }
                // A member that the recount leaves out, because it is empty.
                for (field, value) in left.iter().filter(|(field, _)| !right.contains_key(*field)) {
                    self.compare(&format!("{at}.{field}"), value, &Value::Null);
                }
            }
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                for (index, (left, right)) in left.iter().zip(right).enumerate() {
                    self.compare(&format!("{at}.{index}"), left, right);
                }
            }
            (Value::Number(left), Value::Number(right)) if same_amount(left, right) => {}
            (left, right) if left == right => {}
            (left, right) => self.differs(at, left, right),
        }
    }
}

/// The beginning of a long value.
fn cut(value: String) -> String {
    const MOST_LETTERS: usize = 300;
    match value.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    }
}

fn same_amount(left: &serde_json::Number, right: &serde_json::Number) -> bool {
    let amount = |number: &serde_json::Number| number.to_string().parse::<Decimal>().ok();
    amount(left).is_some_and(|left| Some(left) == amount(right))
}

pub(crate) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
