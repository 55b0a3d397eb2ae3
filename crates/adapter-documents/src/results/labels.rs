//! The texts of results in documents. Nothing is computed here.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use plenum_result_format::{
    Amendment, AmendmentSubject, AtOpeningName, AttendanceEntry, AttendanceName, BallotAnswer, CastOnName,
    CastingVoteFormat, CheckFormat, Count, DecisionRuleFormat, LogEntry, LogKind, MeasureName, MeetingQuorumFormat,
    NeededFormat, OptionResult, OptionRoleName, Outcome, PresenceRuleName, QuestionTypeName, RegisteredVoter,
    RemarkKind, ResultsFile, RoundFile, RoundResult, SecondWeightResult, TieMatterName, TieRuleName, UnitName,
    WaysFormat,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::election_labels::{ElectionLabels, amount};

/// A secret vote that can never be counted.
const VOID: &str = "Void, because the key of the secret vote is lost";

/// The groups that a question was for. `None` for everybody.
pub(super) fn groups(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

/// The kinds of weight of a round, if it counts by any: the heading and the kind.
pub(super) fn weights(result: &RoundResult) -> impl Iterator<Item = (&'static str, String)> {
    let first = result.weight_kind.as_ref().map(|kind| ("Weight", kind.words()));
    let second = result.second_weight.as_ref().map(|second| ("Second weight", second.kind.words()));
    first.into_iter().chain(second)
}

/// The word for a unit: "heads", "weight", or the name of the kind.
pub(super) fn unit(result: &RoundResult, unit: MeasureName) -> &str {
    match unit {
        MeasureName::Heads => "heads",
        MeasureName::Weight => result.weight_kind.as_ref().map_or("weight", |kind| &kind.name),
        MeasureName::SecondWeight => result.second_weight.as_ref().map_or("second weight", |second| &second.kind.name),
    }
}

/// The heading of a column of weights: "Weight", or the name of the kind.
pub(super) fn weight_heading(result: &RoundResult) -> &str {
    result.weight_kind.as_ref().map_or("Weight", |kind| &kind.name)
}

/// The counts by the second weight besides those of the options.
pub(super) fn second_counts(second: &SecondWeightResult) -> impl Iterator<Item = (&'static str, Count)> {
    let absent = second.absent.map(|absent| ("Not checked in", absent));
    let counts = [("Register", second.register), ("Present or represented", second.present)];
    [("Votes cast", second.votes_cast)].into_iter().chain(counts).chain(absent)
}

/// The effect of a vote by heads.
pub(super) const BY_HEADS: &str = "Counted by heads: each vote counts one, whatever the weight";

/// The rounds of a meeting without a result in the document: the kind of result, and the round.
pub(super) fn missing_results(results: &ResultsFile) -> Vec<(&'static str, String)> {
    let uncounted = results.uncounted.iter().map(|round| {
        let what = if round.is_void { VOID } else { "Not counted" };
        (what, format!("{}: {}", place(round.position, round.number), round.question_text))
    });
    let damaged = results.damaged.iter().map(|record| {
        let round = match (record.position, record.number) {
            (0, _) | (_, 0) => format!("Round {}", record.round_id),
            (position, number) => place(position, number),
        };
        ("Record damaged", format!("{round}: {}", record.damage))
    });
    uncounted.chain(damaged).collect()
}

fn place(position: u32, number: u32) -> String {
    format!("Agenda item {position}, round {number}")
}

/// A number without trailing zeros, for tables and workbooks.
pub(super) fn plain(number: Decimal) -> String {
    number.normalize().to_string()
}

/// A number for people, with its thousands grouped as on screens: "12,345.5".
pub(super) fn grouped(number: impl Into<Decimal>) -> String {
    let digits = plain(number.into());
    let (whole, decimals) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + decimals
}

/// "1 result", "1,204 results".
pub(super) fn counted(number: u64, what: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {what}{end}", grouped(number))
}

/// "68.24 %", or a dash without a share. With more decimals if it has them.
pub(super) fn percent(percent: Option<Decimal>) -> String {
    let with_decimals = |percent: Decimal| {
        let decimals = percent.scale().max(2) as usize;
        format!("{percent:.decimals$} %")
    };
    percent.map_or_else(|| "–".to_owned(), with_decimals)
}

/// A number of people with their weight. `None` for a weight that nobody has counted.
#[derive(Clone, Copy)]
pub(super) struct Figures {
    pub(super) heads: u64,
    pub(super) weight: Option<Decimal>,
}

impl From<Count> for Figures {
    fn from(Count { heads, weight }: Count) -> Self {
        Self { heads, weight: Some(weight) }
    }
}

/// The votes that count, and the invalid ones. In a result, the votes cast of an election are all ballots that could be read,
/// and which of them are invalid is told by its count: in the unit of the count, so that their weight may be unknown.
pub(super) fn cast_and_invalid(result: &RoundResult) -> [Figures; 2] {
    let [cast, unread] = [result.votes_cast, result.invalid].map(Figures::from);
    let Some(election) = &result.election else { return [cast, unread] };
    let invalid = &election.ballots.invalid;
    let weight = match election.unit {
        UnitName::Weight => amount(&invalid.votes),
        UnitName::Heads if result.counts_heads || invalid.heads == 0 => Some(Decimal::from(invalid.heads)),
        UnitName::Heads => None,
    };
    let with = |of: Figures| of.weight.zip(weight);
    [
        Figures {
            heads: cast.heads.saturating_sub(invalid.heads),
            weight: with(cast).map(|(all, invalid)| all - invalid),
        },
        Figures {
            heads: unread.heads.saturating_add(invalid.heads),
            weight: with(unread).map(|(unread, invalid)| unread + invalid),
        },
    ]
}

/// The options whose votes are figures of the result. None in an election: its stages have the votes of the candidates, and the
/// options of the result also count marks on invalid ballots.
pub(super) fn counted_options(result: &RoundResult) -> &[OptionResult] {
    if result.election.is_some() { &[] } else { &result.options }
}

/// The heading of the people who were there when voting opened: connected or, with check-in, checked in.
pub(super) const fn at_opening(rule: PresenceRuleName) -> &'static str {
    match rule {
        PresenceRuleName::CheckedIn => "Checked in at opening",
        PresenceRuleName::ConnectedOrVoted | PresenceRuleName::LargerNumber => "Connected at opening",
    }
}

/// Whether a voter was there when voting opened: "checked in at opening".
pub(super) const fn was_there(rule: PresenceRuleName, voter: &RegisteredVoter) -> &'static str {
    match (rule, voter.was_connected) {
        (PresenceRuleName::CheckedIn, true) => "checked in at opening",
        (PresenceRuleName::CheckedIn, false) => "not checked in at opening",
        (PresenceRuleName::ConnectedOrVoted | PresenceRuleName::LargerNumber, true) => "connected at opening",
        (PresenceRuleName::ConnectedOrVoted | PresenceRuleName::LargerNumber, false) => "not connected at opening",
    }
}

/// Whether the figures of those present also have people who were represented.
pub(super) fn has_proxies(result: &RoundResult) -> bool {
    result.represented.is_some_and(|represented| represented.heads > 0)
}

/// "Present (connected at opening, or voted)".
pub(super) fn present(rule: PresenceRuleName) -> String {
    format!("Present ({})", rule.words())
}

/// Those who were not present, but the holder of their proxy was.
pub(super) const REPRESENTED: &str = "Represented (not present, the holder of the proxy was)";

/// The headings of the ways in which ballots came, with their counts.
pub(super) fn ways(ways: &WaysFormat) -> [(&'static str, Count); 3] {
    [("On devices", ways.device), ("On paper", ways.paper), ("At voting places", ways.voting_place)]
}

/// Where a vote was cast, if not on a device.
pub(super) const fn cast_on(cast_on: CastOnName) -> &'static str {
    match cast_on {
        CastOnName::Paper => "on paper",
        CastOnName::VotingPlace => "at a voting place",
    }
}

/// What became of a proxy: "cast by the holder".
pub(super) const fn proxy_state(voter: &RegisteredVoter) -> &'static str {
    match (voter.has_voted, voter.voted_by_proxy) {
        (true, true) => "cast by the holder",
        (true, false) => "voted in person",
        (false, _) => "no vote",
    }
}

/// Whether a question decides nothing: it has no decision rule, and so no verdict.
pub(super) fn is_survey(result: &RoundResult) -> bool {
    result.decision_rule.is_none() && result.decision.outcome == Outcome::Undecided
}

/// The verdict as on screens. The count of an election can wait for a lot.
pub(super) fn verdict(result: &RoundResult) -> &'static str {
    if waits_for_lot(result) {
        "Tie not decided"
    } else if is_survey(result) {
        "Survey"
    } else {
        outcome(result.decision.outcome)
    }
}

/// Whether the count of an election waits at a tie that is not left to another ballot.
pub(super) fn waits_for_lot(result: &RoundResult) -> bool {
    let has_run_off = match &result.decision_rule {
        Some(DecisionRuleFormat::Election { election }) => election.ties == TieRuleName::RunOff,
        _ => false,
    };
    let tie = ElectionLabels::of(result).and_then(|labels| labels.open_tie());
    tie.is_some_and(|tie| !(has_run_off && matches!(tie.matter, TieMatterName::Seats | TieMatterName::ListSeats)))
}

pub(super) const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Undecided => "Not decided",
        Outcome::QuorumMissed => "Quorum missed",
        Outcome::Accepted => "Accepted",
        Outcome::Rejected => "Rejected",
        Outcome::CastingVoteOpen => "Casting vote open",
        Outcome::Elected => "Elected",
        Outcome::NotElected => "Not elected",
    }
}

pub(super) const fn question_type(question_type: QuestionTypeName) -> &'static str {
    match question_type {
        QuestionTypeName::YesNo => "Yes/No Question",
        QuestionTypeName::MultipleChoice => "Multiple Choice",
        QuestionTypeName::OpenText => "Open Text",
        QuestionTypeName::Rating => "Rating",
        QuestionTypeName::Percentage => "Percentage",
        QuestionTypeName::Election => "Election",
    }
}

pub(super) const fn role(role: OptionRoleName) -> &'static str {
    match role {
        OptionRoleName::Yes => "yes",
        OptionRoleName::No => "no",
        OptionRoleName::Abstain => "abstain",
        OptionRoleName::Choice => "choice",
    }
}

/// The reason of an entry about a password. Without one, voting was ended when the password was set, and opened again later.
pub(super) fn password_reason(entry: &LogEntry) -> &str {
    entry.reason.as_deref().unwrap_or("Set while voting was ended")
}

pub(super) const fn log_kind(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Opened => "Opened",
        LogKind::Ended => "Ended",
        LogKind::Reopened => "Reopened",
        LogKind::Joined => "Joined the register",
        LogKind::Counted => "Counted",
        LogKind::Declared => "Declared",
        LogKind::Admitted => "Admitted",
        LogKind::Excluded => "Excluded",
        LogKind::PasswordSet => "Password set",
        LogKind::RiskAccepted => "Risk to secrecy accepted",
        LogKind::Voided => "Void",
    }
}

pub(super) const fn remark_kind(kind: RemarkKind) -> &'static str {
    match kind {
        RemarkKind::Remark => "Remark",
        RemarkKind::Incident => "Incident",
    }
}

pub(super) const fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "not met" }
}

/// The place of a note in the calls of the meeting.
pub(super) const SECOND_CALL: &str = "Second call";

/// "met", or "met (second call)". Empty without a quorum.
pub(super) fn quorum_state(note: &AttendanceEntry) -> String {
    let call = if note.is_second_call { " (second call)" } else { "" };
    note.is_quorate.map(|is_quorate| format!("{}{call}", met(is_quorate))).unwrap_or_default()
}

/// "At least 1/2 of the register must be present, by heads; if it is not met, no question is opened". A quorum of votes has no effect
/// at opening, because nobody has voted then.
pub(super) fn meeting_quorum(quorum: &MeetingQuorumFormat) -> String {
    let words = quorum.quorum().words();
    match (quorum.attendance, quorum.at_opening) {
        (AttendanceName::Voted, _) => words,
        (AttendanceName::Present, AtOpeningName::Warn) => {
            format!("{words}; if it is not met, a question is opened only after a warning")
        }
        (AttendanceName::Present, AtOpeningName::Bar) => format!("{words}; if it is not met, no question is opened"),
    }
}

pub(super) const fn yes_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// "at least 403", "more than 403", or a dash if no number is enough.
pub(super) fn needed(needed: Option<&NeededFormat>, number: impl Fn(Decimal) -> String) -> String {
    let Some(needed) = needed else {
        return "–".to_owned();
    };
    let amount = number(needed.amount);
    if needed.is_enough { format!("at least {amount}") } else { format!("more than {amount}") }
}

/// "More than 2/3 of yes and no by weight", with the alternative, the group and the blocking minority of the condition.
pub(super) fn condition(result: &RoundResult, check: &CheckFormat) -> String {
    let CheckFormat { unit, base, comparison, numerator, denominator, group, alternative, blocking, .. } = check;
    let or = if *alternative > 0 { "or " } else { "" };
    let within = group.as_ref().map(|name| format!(", among {name}")).unwrap_or_default();
    let minority = blocking
        .map(|blocking| {
            format!(
                " ({} not in favor; a blocking minority has {})",
                grouped(blocking.against),
                grouped(blocking.minority)
            )
        })
        .unwrap_or_default();
    let (comparison, base, unit) = (comparison.words(), base.words(), self::unit(result, *unit));
    format!("{or}{comparison} {numerator}/{denominator} of {base} by {unit}{within}{minority}")
}

/// "Ada Young: yes".
pub(super) fn casting_vote(cast: &CastingVoteFormat) -> String {
    format!("{}: {}", cast.cast_by, if cast.in_favor { "yes" } else { "no" })
}

/// "218 sealed ballots; receipts are in the export".
pub(super) fn sealed_ballots(receipts: usize) -> String {
    match receipts {
        1 => "1 sealed ballot; its receipt is in the export".to_owned(),
        number => format!("{} sealed ballots; receipts are in the export", grouped(number as u64)),
    }
}

/// "3.2", or "3.2 (round 2)" for a re-vote.
pub(super) fn round_name(result: &RoundResult) -> String {
    match result.number {
        1 => result.position.to_string(),
        number => format!("{} (round {number})", result.position),
    }
}

/// The options of a round by their ids.
pub(super) struct Options<'a> {
    texts: HashMap<Uuid, &'a str>,
    election: Option<ElectionLabels<'a>>,
}

impl<'a> Options<'a> {
    pub(super) fn of(result: &'a RoundResult) -> Self {
        let texts = result.options.iter().map(|option| (option.id, option.text.as_str())).collect();
        Self { texts, election: ElectionLabels::of(result) }
    }

    /// The text of an option.
    pub(super) fn text(&self, id: Uuid) -> &'a str {
        self.texts.get(&id).copied().unwrap_or("(no such option)")
    }

    /// An answer in the words of the round.
    pub(super) fn answer(&self, answer: &BallotAnswer) -> String {
        match answer {
            BallotAnswer::Options(ids) => ids.iter().map(|id| self.text(*id)).collect::<Vec<_>>().join("; "),
            BallotAnswer::Number(number) => plain(number.0),
            BallotAnswer::Text(text) => match &self.election {
                Some(election) => election.marks(text),
                None => text.clone(),
            },
        }
    }
}

/// The answers of a named vote by the voter's position in the register; empty if the vote was not named.
pub(super) fn named_answers(round: &RoundFile) -> HashMap<u32, String> {
    let options = Options::of(&round.result);
    let named = round.ballots.iter().filter_map(|ballot| Some((ballot.voter?, options.answer(&ballot.answer))));
    named.collect()
}

/// The subject of an amendment: "Title of the meeting".
pub(crate) fn amended(amendment: &Amendment) -> &'static str {
    match (amendment.subject, amendment.field.as_str()) {
        (AmendmentSubject::Meeting, "title") => "Title of the meeting",
        (AmendmentSubject::Meeting, "scheduledStart") => "Planned start",
        (AmendmentSubject::Meeting, "scheduledEnd") => "Planned end",
        (AmendmentSubject::Meeting, "quorum") => "Quorum of the meeting",
        (AmendmentSubject::Meeting, "status") => "Status of the meeting",
        (AmendmentSubject::Meeting, _) => "Meeting",
        (AmendmentSubject::Question, _) => "Question",
        (AmendmentSubject::Remark, "struck") => "Remark struck through",
        (AmendmentSubject::Remark, _) => "Remark added",
        (AmendmentSubject::Result, _) => "Result declared",
    }
}

/// The values before and after the change, with times in this form.
pub(crate) fn change(amendment: &Amendment, time: impl Fn(DateTime<Utc>) -> String) -> String {
    let shown = |text: &str| {
        let words = match (amendment.subject, amendment.field.as_str()) {
            (AmendmentSubject::Meeting, "scheduledStart" | "scheduledEnd") | (AmendmentSubject::Remark, "struck") => {
                text.parse::<DateTime<Utc>>().ok().map(&time)
            }
            (AmendmentSubject::Meeting, "quorum") => MeetingQuorumFormat::of_amendment(text).map(amended_quorum),
            _ => None,
        };
        words.unwrap_or_else(|| text.to_owned())
    };
    match (&amendment.was, &amendment.became) {
        (Some(was), Some(became)) => format!("Before: {}\nNow: {}", shown(was), shown(became)),
        (Some(was), None) => format!("Removed: {}", shown(was)),
        (None, became) => format!("New: {}", became.as_deref().map(shown).unwrap_or_default()),
    }
}

fn amended_quorum(quorum: MeetingQuorumFormat) -> String {
    let words = meeting_quorum(&quorum);
    match quorum.second_call {
        Some(second_call) => format!("{words}. On a second call: {}", second_call.words()),
        None => words,
    }
}

/// "2026-11-21 20:00:00 UTC", in the texts of tables, whose times are in UTC.
pub(crate) fn utc(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counted_things_are_grouped_and_one_is_singular() {
        let told = |number| counted(number, "attendance note");
        assert_eq!([told(0), told(1)], ["0 attendance notes", "1 attendance note"]);
        assert_eq!(told(1_204), "1,204 attendance notes");
    }

    #[test]
    fn an_amendment_has_times_and_quorums_in_words() {
        let told = |subject: &str, field: &str, was: Option<&str>, became: Option<&str>| {
            let amendment: Amendment = serde_json::from_value(json!({
                "number": 1, "closing": 1, "at": "2026-11-22T09:00:00Z", "by": null, "subject": subject,
                "subjectId": "019a9d5e-0000-7000-8000-000000000007", "field": field, "was": was, "became": became,
            }))
            .unwrap();
            change(&amendment, utc)
        };
        let times = (Some("2026-11-21T20:00:00.000000Z"), Some("2026-11-21T21:30:05.250000Z"));
        let moved = "Before: 2026-11-21 20:00:00 UTC\nNow: 2026-11-21 21:30:05 UTC";
        for field in ["scheduledStart", "scheduledEnd"] {
            assert_eq!(told("MEETING", field, times.0, times.1), moved);
        }
        assert_eq!(told("REMARK", "struck", None, times.0), "New: 2026-11-21 20:00:00 UTC");
        assert_eq!(told("MEETING", "title", times.0, None), "Removed: 2026-11-21T20:00:00.000000Z");
        let half = r#"{"unit": "heads", "attendance": "present", "numerator": 1, "comparison": "at_least", "denominator": 2} BAR"#;
        let votes = r#"{"unit": "weight", "minimum": 40.5, "attendance": "voted", "secondCall": {"unit": "heads", "minimum": 15, "attendance": "voted"}} WARN"#;
        assert_eq!(
            told("MEETING", "quorum", Some(half), Some(votes)),
            "Before: At least 1/2 of the register must be present, by heads; if it is not met, no question is opened\n\
             Now: At least 40.5 must have voted, by weight. On a second call: At least 15 must have voted, by heads"
        );
        assert_eq!(told("MEETING", "quorum", Some("other"), None), "Removed: other");
    }

    #[test]
    fn a_count_that_waits_at_a_tie_has_no_decision() {
        let told = |ties: &str, outcome: &str| {
            let (id, at) = ("019a9d5e-0000-7000-8000-000000000007", "2026-11-21T18:04:05Z");
            let (count, sum) = (json!({ "heads": 2, "weight": 2 }), json!({ "heads": 2, "votes": "2" }));
            let tie = json!({ "stage": 1, "matter": "seats", "numbers": [1, 2], "wanted": 1, "words": "" });
            let ballots = json!({ "cast": sum, "valid": sum, "abstentions": sum, "invalid": sum, "faults": [] });
            let election = json!({
                "method": "irv", "seats": 1, "unit": "heads", "ballots": ballots, "candidates": [], "stages": [],
                "elected": [], "answers": null, "pairs": null, "lists": null, "order": [], "decisions": [],
                "vacancies": null, "tie": tie,
            });
            let rule = json!({ "kind": "election", "election": { "method": "irv", "seats": 1, "ties": ties } });
            let result: RoundResult = serde_json::from_value(json!({
                "roundId": id, "questionId": id, "position": 1, "number": 1, "reason": null, "status": "COUNTED",
                "questionText": "Who?", "questionType": "ELECTION", "ratingMax": null, "maxChoices": null,
                "isNamed": false, "quorum": null, "openedAt": at, "endedAt": at, "declared": null, "register": count,
                "decisionRule": rule, "election": election, "connectedAtOpening": count, "votesCast": count, "notVoted": count, "invalid": count, "options": [],
                "numbers": null, "differentTexts": null,
                "decision": { "outcome": outcome, "elected": [], "tie": null },
                "arithmetic": { "checks": [], "quorum": null, "sentence": "" }, "log": [],
            }))
            .unwrap();
            verdict(&result)
        };
        assert_eq!(told("lot", "not_elected"), "Tie not decided");
        assert_eq!(told("run_off", "not_elected"), "Not elected");
        assert_eq!(told("lot", "quorum_missed"), "Quorum missed");
    }
}
