use plenum_clients::SheetCell;
use plenum_result_format::{
    AttendanceKind, AttendanceLogEntry, BallotAnswer, CheckFormat, Count, CountedBallot, DocumentSeal, ElectionOutcome,
    GroupOption, GroupResult, LogEntry, NumberResult, OpenedUrnFormat, OptionResult, PresenceRuleName, QuorumResult,
    RegisteredVoter, ResultsFile, RoundFile, RoundResult, SecondWeightResult, TEST_DATA,
};
use rust_decimal::Decimal;

use super::election_labels::{ElectionLabels, QUORUM_MISSED, amount};
use super::labels::{self, Figures, Options, plain};
use super::{seat_labels, shares};
use crate::csv_writing::{CsvFile, WriteError};
use crate::sealing::{SealColumns, seal_csv};

/// The columns, in their order.
#[derive(Clone, Copy)]
enum Column {
    Section,
    AgendaItem,
    Round,
    Question,
    What,
    Text,
    Time,
    By,
    Place,
    Name,
    Username,
    Heads,
    Weight,
    HeadsPercent,
    WeightPercent,
    WeightOfEach,
    Value,
    Part,
    Whole,
    Needed,
    Percent,
    Met,
}

const COLUMNS: [&str; 22] = [
    "Section",
    "Agenda item",
    "Round",
    "Question",
    "What",
    "Text",
    "Time (UTC)",
    "By",
    "Place in register",
    "Name",
    "Username",
    "Heads",
    "Weight",
    "Percent of votes cast by heads",
    "Percent of votes cast by weight",
    "Weight of each ballot",
    "Value",
    "Part",
    "Whole",
    "Needed",
    "Percent",
    "Met",
];

/// Writes one table with a row for every count, register entry and ballot, and the signature at its end. The column
/// "Section" contains the kind of a row.
pub(crate) fn write(results: &ResultsFile, seal: &DocumentSeal) -> Result<Vec<u8>, WriteError> {
    let mut file = CsvFile::new(&COLUMNS)?;
    let rows = meeting_rows(results).into_iter().chain(attendance_rows(results));
    let rows = rows.chain(check_in_rows(results)).chain(remark_rows(results));
    let rows = rows.chain(closing_rows(results));
    for row in rows {
        file.push(&row.cells)?;
    }
    for row in results.rounds.iter().flat_map(round_rows).chain(results.elections.iter().flat_map(seat_rows)) {
        file.push(&row.cells)?;
    }
    let columns = SealColumns { count: COLUMNS.len(), name: Column::What as usize, content: Column::Text as usize };
    seal_csv(file, columns, &super::sealing(results, seal))
}

/// A row under construction.
#[derive(Clone)]
struct Row {
    cells: Vec<SheetCell>,
}

impl Row {
    fn of(section: &str, what: &str) -> Self {
        let row = Self { cells: vec![SheetCell::Text(String::new()); COLUMNS.len()] };
        row.text(Column::Section, section).text(Column::What, what)
    }

    fn with(mut self, column: Column, cell: SheetCell) -> Self {
        self.cells[column as usize] = cell;
        self
    }

    fn text(self, column: Column, text: impl Into<String>) -> Self {
        self.with(column, SheetCell::Text(text.into()))
    }

    fn number(self, column: Column, number: impl Into<Decimal>) -> Self {
        self.with(column, SheetCell::Number(number.into().normalize()))
    }

    fn maybe(self, column: Column, number: Option<Decimal>) -> Self {
        match number {
            Some(number) => self.number(column, number),
            None => self,
        }
    }

    fn count(self, count: Count) -> Self {
        self.figures(count.into())
    }

    fn figures(self, Figures { heads, weight }: Figures) -> Self {
        self.number(Column::Heads, heads).maybe(Column::Weight, weight)
    }

    fn time(self, time: chrono::DateTime<chrono::Utc>) -> Self {
        self.text(Column::Time, time.format("%Y-%m-%d %H:%M:%S").to_string())
    }
}

/// The seats of an election, and the answers of the elected.
fn seat_rows(outcome: &ElectionOutcome) -> Vec<Row> {
    let row = |what: &str| Row::of("Seats", what).text(Column::Question, outcome.question_text.as_str());
    let mut rows = vec![row("Summary").text(Column::Text, seat_labels::summary(outcome))];
    rows.extend(seat_labels::people(outcome).map(|(holder, state)| {
        let ballot = seat_labels::ballot(outcome, holder);
        row("Seat")
            .text(Column::Name, seat_labels::name(holder))
            .text(Column::Text, state)
            .number(Column::Value, ballot)
    }));
    rows.extend(
        outcome
            .answers
            .iter()
            .map(|answer| row("Answer").text(Column::Text, &answer.words).time(answer.at).text(Column::By, &answer.by)),
    );
    rows
}

fn meeting_rows(results: &ResultsFile) -> Vec<Row> {
    let meeting = &results.meeting;
    let row = |what: &str, text: &str| Row::of("Meeting", what).text(Column::Text, text);
    let mut rows = vec![
        row("Title", &meeting.title),
        row("Organization", &meeting.organization),
        row("Status", &meeting.status),
        Row::of("Meeting", "Exported").time(results.exported_at),
    ];
    rows.extend(meeting.scheduled_start.map(|start| Row::of("Meeting", "Scheduled start").time(start)));
    rows.extend(meeting.scheduled_end.map(|end| Row::of("Meeting", "Scheduled end").time(end)));
    rows.extend(meeting.quorum.map(|quorum| row("Quorum", &quorum.quorum().words())));
    let second_call = meeting.quorum.and_then(|quorum| quorum.second_call);
    rows.extend(second_call.map(|quorum| row("Quorum on a second call", &quorum.words())));
    rows.extend(meeting.is_test().then(|| row("Test data", TEST_DATA)));
    rows.extend(labels::missing_results(results).into_iter().map(|(what, round)| row(what, &round)));
    rows
}

fn attendance_rows(results: &ResultsFile) -> Vec<Row> {
    let rows = results.attendance.iter().flat_map(|entry| {
        let present = Row::of("Attendance", "Present").time(entry.at).count(entry.present);
        let present = match entry.is_quorate {
            Some(is_quorate) => present.text(Column::Met, labels::met(is_quorate)),
            None => present,
        };
        let present = if entry.is_second_call { present.text(Column::Text, labels::SECOND_CALL) } else { present };
        let represented = entry.represented.map(|it| Row::of("Attendance", "Represented").time(entry.at).count(it));
        let eligible = Row::of("Attendance", "May vote").time(entry.at).count(entry.eligible);
        [Some(present), represented, Some(eligible)].into_iter().flatten()
    });
    rows.collect()
}

/// Who came and went, in a meeting with check-in.
fn check_in_rows(results: &ResultsFile) -> Vec<Row> {
    let row = |entry: &AttendanceLogEntry| {
        let what = if entry.kind == AttendanceKind::In { "Came" } else { "Went" };
        let row = Row::of("Attendance list", what).time(entry.at);
        row.text(Column::Text, format!("{} ({})", entry.name, entry.username)).text(Column::By, entry.by.as_str())
    };
    results.check_ins.iter().map(row).collect()
}

fn remark_rows(results: &ResultsFile) -> Vec<Row> {
    let rows = results.remarks.iter().map(|remark| {
        let row = Row::of("Remark", labels::remark_kind(remark.kind)).time(remark.at);
        row.text(Column::Text, remark.text.as_str()).text(Column::By, remark.by.as_str())
    });
    let struck = results.remarks.iter().filter_map(|remark| {
        let struck = remark.struck.as_ref()?;
        let row = Row::of("Remark", "Struck through").time(struck.at).text(Column::By, struck.by.as_str());
        Some(row.text(Column::Text, remark.text.as_str()))
    });
    rows.chain(struck).collect()
}

/// The closing records with their hashes, and the later changes.
fn closing_rows(results: &ResultsFile) -> Vec<Row> {
    let damage =
        results.closing_damage.iter().map(|text| Row::of("Closing record", "Damaged").text(Column::Text, text));
    let closings = results.closings.iter().flatten().map(|closing| {
        let row = Row::of("Closing record", "Record hash").time(closing.record.recorded_at);
        row.number(Column::Value, closing.record.number).text(Column::Text, closing.hash.as_str())
    });
    let amendments = results.amendments.iter().map(|amendment| {
        let row = Row::of("Amendment", labels::amended(amendment)).time(amendment.at);
        let row = row.text(Column::By, amendment.by.as_deref().unwrap_or_default());
        row.text(Column::Text, labels::change(amendment, labels::utc))
    });
    damage.chain(closings).chain(amendments).collect()
}

/// The rows of a round, each with its position in the agenda.
fn round_rows(round: &RoundFile) -> impl Iterator<Item = Row> {
    let result = &round.result;
    let presence = result.presence;
    let options = Options::of(result);
    let answers = round.texts.iter().map(|answer| {
        let row = Row::of("Answer", "").text(Column::Text, answer.text.as_str());
        row.count(Count { heads: answer.heads, weight: answer.weight })
    });
    let ballots = round.ballots.iter().map(move |ballot| ballot_row(round, &options, ballot));
    let rows = head_rows(result)
        .into_iter()
        .chain(count_rows(result))
        .chain(decision_rows(result))
        .chain(election_rows(result))
        .chain(answers)
        .chain(result.log.iter().map(log_row))
        .chain(round.register.iter().map(move |voter| register_row(presence, voter)))
        .chain(round.register.iter().filter_map(proxy_row))
        .chain(ballots)
        .chain(round.urn.iter().flat_map(urn_rows));
    rows.map(|row| {
        let row = row.number(Column::AgendaItem, result.position).number(Column::Round, result.number);
        row.text(Column::Question, result.question_text.as_str())
    })
}

fn head_rows(result: &RoundResult) -> Vec<Row> {
    let row = |what: &str, text: &str| Row::of("Round", what).text(Column::Text, text);
    let mut rows = vec![
        row("Question", &result.question_text),
        row("Type", labels::question_type(result.question_type)),
        row("Secrecy", result.secrecy().words()),
        row("Decision rule", &result.decision_rule.as_ref().map_or_else(|| "None".to_owned(), |rule| rule.words())),
        row("Quorum", &result.quorum.map_or_else(|| "None".to_owned(), |quorum| quorum.words())),
        Row::of("Round", "Opened").time(result.opened_at),
        Row::of("Round", "Ended").time(result.ended_at),
    ];
    rows.extend(result.rating_max.map(|max| Row::of("Round", "Top of the scale").number(Column::Value, max)));
    rows.extend(result.max_choices.map(|max| Row::of("Round", "Most choices").number(Column::Value, max)));
    rows.extend(result.counts_heads.then(|| row("Weights", labels::BY_HEADS)));
    rows.extend(labels::groups(&result.groups).map(|names| row("For", &names)));
    rows.extend(labels::weights(result).map(|(what, kind)| row(what, &kind)));
    rows.extend(result.reason.as_deref().map(|reason| row("Reason of the re-vote", reason)));
    rows
}

fn count_rows(result: &RoundResult) -> Vec<Row> {
    let [cast, invalid] = labels::cast_and_invalid(result);
    let counts: [(&str, Figures); 5] = [
        ("Register", result.register.into()),
        (labels::at_opening(result.presence), result.connected_at_opening.into()),
        ("Votes cast", cast),
        ("Invalid", invalid),
        ("Not voted", result.not_voted.into()),
    ];
    let mut rows: Vec<Row> =
        counts.into_iter().map(|(what, figures)| Row::of("Count", what).figures(figures)).collect();
    let present = |count: Count| Row::of("Count", "Present").text(Column::Text, result.presence.words()).count(count);
    rows.extend(result.present.map(present));
    let represented =
        |count: Count| Row::of("Count", "Represented").text(Column::Text, labels::REPRESENTED).count(count);
    rows.extend(result.represented.map(represented));
    let ways = result.ways.iter().flat_map(labels::ways);
    rows.extend(ways.map(|(what, count)| Row::of("Way", what).count(count)));
    rows.extend(labels::counted_options(result).iter().map(option_row));
    rows.extend(result.numbers.iter().flat_map(number_rows));
    rows
}

fn option_row(option: &OptionResult) -> Row {
    Row::of("Option", &option.text)
        .text(Column::Text, labels::role(option.role))
        .count(Count { heads: option.heads, weight: option.weight })
        .maybe(Column::HeadsPercent, option.heads_percent)
        .maybe(Column::WeightPercent, option.weight_percent)
}

fn number_rows(numbers: &NumberResult) -> Vec<Row> {
    let middles = [
        ("Mean by heads", numbers.mean),
        ("Mean by weight", numbers.weighted_mean),
        ("Median by heads", numbers.median),
        ("Median by weight", numbers.weighted_median),
    ];
    let middles = middles.into_iter().map(|(what, value)| Row::of("Number", what).maybe(Column::Value, value));
    let values = numbers.distribution.iter().map(|value| {
        let row = Row::of("Value", "").number(Column::Value, value.value);
        row.count(Count { heads: value.heads, weight: value.weight })
    });
    middles.chain(values).collect()
}

fn decision_rows(result: &RoundResult) -> Vec<Row> {
    let options = Options::of(result);
    let sentence = Row::of("Decision", labels::verdict(result));
    let mut rows = vec![sentence.text(Column::Text, result.arithmetic.sentence.as_str())];
    let elected = result.decision.elected.iter();
    rows.extend(elected.map(|id| Row::of("Elected", options.text(*id))));
    if let Some(tie) = &result.decision.tie {
        let row = |id| Row::of("Tie", options.text(id)).number(Column::Part, tie.votes);
        rows.extend(tie.options.iter().map(|id| row(*id).number(Column::Value, tie.seats)));
    }
    rows.extend(result.in_each.iter().flat_map(|group| group_rows("Group", &options, group)));
    rows.extend(result.second_weight.iter().flat_map(|second| second_weight_rows(&options, second)));
    rows.extend(result.casting_vote.as_ref().map(|cast| {
        let row = Row::of("Casting vote", &labels::casting_vote(cast)).time(cast.at);
        row.text(Column::By, cast.noted_by.as_deref().unwrap_or_default())
    }));
    rows.extend(result.arithmetic.checks.iter().map(|check| check_row(&options, (result, check))));
    rows.extend(result.arithmetic.quorum.as_ref().map(quorum_row));
    rows.push(match &result.declared {
        Some(declared) => Row::of("Declaration", "Declared")
            .time(declared.at)
            .text(Column::By, declared.by.as_str())
            .text(Column::Text, result.arithmetic.sentence.as_str()),
        None => Row::of("Declaration", "Not declared"),
    });
    if let Some(record) = &result.record {
        let key = format!("Signed with the key {}", record.key);
        rows.push(Row::of("Record", record.hash.as_str()).time(record.recorded_at).text(Column::Text, key));
    }
    rows
}

/// The count of an election: its ballots, the votes at the end of each stage, what happened, and decisions of ties.
fn election_rows(result: &RoundResult) -> Vec<Row> {
    let Some(labels) = ElectionLabels::of(result) else { return Vec::new() };
    let election = labels.election;
    let told = |what: &str, text: &str| Row::of("Election", what).text(Column::Text, text);
    let mut rows = vec![told("Ballots", &labels.ballots())];
    rows.extend(election.ballots.faults.iter().map(|fault| told("Fault", &fault.words)));
    for stage in &election.stages {
        let row = |what: &str| Row::of("Stage", what).number(Column::Value, stage.number);
        rows.extend(labels.words(stage).iter().map(|words| row("What happened").text(Column::Text, words.as_str())));
        let needed = if stage.is_quota_enough { "Quota" } else { "Needed: more than" };
        rows.extend(stage.quota.as_deref().map(|quota| row(needed).maybe(Column::Part, amount(quota))));
        let votes = stage.votes.iter();
        rows.extend(votes.map(|votes| row(labels.name(votes.candidate)).maybe(Column::Part, amount(&votes.votes))));
        rows.push(row("Not transferable").maybe(Column::Part, amount(&stage.non_transferable)));
    }
    rows.extend(labels.open_tie().map(|tie| told("Open tie", &tie.words)));
    rows.extend(labels.is_quorum_missed.then(|| told("Quorum missed", QUORUM_MISSED)));
    let decisions = election.decisions.iter().map(|decision| {
        let row = told("Decided tie", &labels.decision(decision)).time(decision.at);
        row.text(Column::By, decision.decided_by.as_deref().unwrap_or_default())
    });
    rows.extend(decisions);
    rows.extend(labels.vacancies().map(|vacancies| told("Vacant seats", &vacancies.words)));
    rows
}

/// The counts among the members of a group.
fn group_rows(section: &str, options: &Options<'_>, group: &GroupResult) -> Vec<Row> {
    let row = |what: &str, count: Count| Row::of(section, &group.name).text(Column::Text, what).count(count);
    let mut rows =
        vec![row("Register", group.register), row("Present", group.present), row("Votes cast", group.votes_cast)];
    let option = |of: &GroupOption| row(options.text(of.id), Count { heads: of.heads, weight: of.weight });
    rows.extend(group.options.iter().map(option));
    rows
}

/// The counts by the second weight, in total and among the members of each group.
fn second_weight_rows(options: &Options<'_>, second: &SecondWeightResult) -> Vec<Row> {
    let row = |what: &str, count: Count| Row::of("Second weight", what).count(count);
    let option = |of: &GroupOption| row(options.text(of.id), Count { heads: of.heads, weight: of.weight });
    let counts = labels::second_counts(second).map(|(what, count)| row(what, count));
    let rows = second.options.iter().map(option).chain(counts);
    let groups = second.in_each.iter().flat_map(|group| group_rows("Group by second weight", options, group));
    rows.chain(groups).collect()
}

fn check_row(options: &Options<'_>, (result, check): (&RoundResult, &CheckFormat)) -> Row {
    Row::of("Check", check.option.map_or("Yes", |id| options.text(id)))
        .text(Column::Text, labels::condition(result, check))
        .number(Column::Part, check.part)
        .number(Column::Whole, check.whole)
        .text(Column::Needed, labels::needed(check.needed.as_ref(), plain))
        .maybe(Column::Percent, shares::percent_of(check))
        .text(Column::Met, labels::met(check.is_met))
}

fn quorum_row(quorum: &QuorumResult) -> Row {
    Row::of("Quorum", &quorum.quorum.words())
        .text(Column::Text, quorum.sentence.as_str())
        .number(Column::Part, quorum.attending)
        .number(Column::Whole, quorum.register)
        .text(Column::Needed, labels::needed(quorum.needed.as_ref(), plain))
        .maybe(Column::Percent, shares::percent_of_quorum(quorum))
        .text(Column::Met, labels::met(quorum.is_met))
}

fn log_row(entry: &LogEntry) -> Row {
    let row = Row::of("Log", labels::log_kind(entry.kind))
        .time(entry.at)
        .text(Column::By, entry.by.as_deref().unwrap_or_default())
        .text(Column::Text, entry.reason.as_deref().unwrap_or_default());
    match &entry.person {
        Some(person) => row
            .text(Column::Name, person.name.as_str())
            .text(Column::Username, person.username.as_str())
            .number(Column::Weight, person.weight),
        None => row,
    }
}

fn register_row(presence: PresenceRuleName, voter: &RegisteredVoter) -> Row {
    let place = voter.cast_on.map(|place| format!(" {}", labels::cast_on(place))).unwrap_or_default();
    let has_voted = if voter.has_voted { format!("has voted{place}") } else { "has not voted".to_owned() };
    Row::of("Register", &has_voted)
        .text(Column::Text, labels::was_there(presence, voter))
        .time(voter.added_at)
        .number(Column::Place, voter.place)
        .text(Column::Name, voter.name.as_str())
        .text(Column::Username, voter.username.as_str())
        .number(Column::Heads, 1)
        .number(Column::Weight, voter.weight)
        // The second weight, if the round has one.
        .maybe(Column::Value, voter.second_weight)
}

/// The proxy of a voter: "by proxy: Ben Birch (ben), Folder 3".
fn proxy_row(voter: &RegisteredVoter) -> Option<Row> {
    let holder = voter.represented_by.as_ref()?;
    let reference = holder.reference.as_ref().map(|reference| format!(", {reference}")).unwrap_or_default();
    let row = Row::of("Proxy", labels::proxy_state(voter))
        .text(Column::Text, format!("by proxy: {} ({}){reference}", holder.name, holder.username))
        .number(Column::Place, voter.place)
        .text(Column::Name, voter.name.as_str())
        .text(Column::Username, voter.username.as_str())
        .number(Column::Weight, voter.weight);
    Some(row)
}

fn ballot_row(round: &RoundFile, options: &Options<'_>, ballot: &CountedBallot) -> Row {
    let what = match ballot.answer {
        BallotAnswer::Options(_) => "Options",
        BallotAnswer::Number(_) => "Number",
        BallotAnswer::Text(_) => "Text",
    };
    let row = Row::of("Ballot", what)
        .text(Column::Text, options.answer(&ballot.answer))
        .number(Column::Heads, ballot.count)
        .number(Column::Weight, ballot.weight.saturating_mul(Decimal::from(ballot.count)))
        .number(Column::WeightOfEach, ballot.weight)
        .maybe(Column::Value, ballot.second_weight);
    let Some(place) = ballot.voter else {
        return row;
    };
    let row = row.number(Column::Place, place);
    let index = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
    match index.and_then(|index| round.register.get(index)).filter(|voter| voter.place == place) {
        Some(voter) => row.text(Column::Name, voter.name.as_str()).text(Column::Username, voter.username.as_str()),
        None => row,
    }
}

/// The opened urn of a secret vote, and its receipts.
fn urn_rows(urn: &OpenedUrnFormat) -> Vec<Row> {
    let row = |what: &str, text: &str| Row::of("Urn", what).text(Column::Text, text);
    let mut rows = vec![
        Row::of("Urn", "Opened").time(urn.opened_at).number(Column::Heads, urn.receipts.len() as u64),
        row("Hash of the envelopes", &urn.envelopes_hash),
        row("Public key", &urn.public_key),
    ];
    rows.extend(urn.receipts.iter().map(|receipt| Row::of("Receipt", "").text(Column::Text, receipt.as_str())));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_its_name() {
        assert_eq!(Column::Met as usize + 1, COLUMNS.len());
        assert_eq!((COLUMNS[Column::Weight as usize], COLUMNS[Column::Part as usize]), ("Weight", "Part"));
    }
}
