use std::collections::HashSet;

use plenum_result_format::{Count, DocumentSeal, GroupResult, ResultsFile, RoundFile, RoundResult, TEST_DATA};
use rust_xlsxwriter::{Workbook, XlsxError};

use super::attendance_sheets;
use super::election_labels::{ElectionLabels, QUORUM_MISSED, amount};
use super::labels::{self, Options, named_answers, plain};
use super::sheet::{Cell, Formats, Sheet, time};
use super::{seat_labels, shares};
use crate::cell_text::cut;
use crate::csv_writing::WriteError;
use crate::sealing::{SignatureSheet, seal_xlsx};
use crate::xlsx_writing::write_signature;

/// Writes a workbook: the results, a sheet for each round, attendance, remarks and the signature. Rows are written
/// immediately and not kept, so that a large register needs no more memory than a small one.
pub(crate) fn write(results: &ResultsFile, seal: &DocumentSeal) -> Result<Vec<u8>, WriteError> {
    seal_xlsx(&super::sealing(results, seal), |signature| write_workbook(results, signature))
}

fn write_workbook(results: &ResultsFile, signature: &SignatureSheet<'_>) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let formats = Formats::new();
    write_overview(&mut Sheet::add(&mut workbook, "Results", &[14., 8., 50., 18., 70.], &formats)?, results)?;
    let mut taken: HashSet<String> =
        ["results", "seats", "receipts", "attendance", "attendance list", "remarks", "end", "signature"]
            .map(str::to_owned)
            .into();
    for (index, round) in results.rounds.iter().enumerate() {
        let name = sheet_name(&round.result, index, &mut taken);
        write_round(
            &mut Sheet::add(&mut workbook, &name, &[30., 26., 22., 14., 22., 20., 14., 40.], &formats)?,
            round,
        )?;
    }
    if !results.elections.is_empty() {
        write_seats(&mut Sheet::add(&mut workbook, "Seats", &[50., 40., 26., 8., 22., 26.], &formats)?, results)?;
    }
    if results.rounds.iter().any(|round| round.urn.is_some()) {
        write_urns(&mut Sheet::add(&mut workbook, "Receipts", &[14., 8., 50., 26., 22., 22.], &formats)?, results)?;
    }
    attendance_sheets::write(&mut workbook, results, &formats)?;
    write_remarks(&mut Sheet::add(&mut workbook, "Remarks", &[22., 14., 26., 90., 22., 26.], &formats)?, results)?;
    if results.closings.iter().flatten().next().is_some() || !results.closing_damage.is_empty() {
        write_closings(&mut Sheet::add(&mut workbook, "End", &[22., 26., 26., 90.], &formats)?, results)?;
    }
    write_signature(&mut workbook, signature)?;
    workbook.save_to_buffer()
}

/// The longest name of a sheet in Excel.
const MAX_NAME: usize = 31;

/// "2.1 Do you approve": unique, and without the characters that Excel forbids.
fn sheet_name(result: &RoundResult, index: usize, taken: &mut HashSet<String>) -> String {
    let allowed = |letter: char| if "[]:*?/\\".contains(letter) || letter.is_control() { ' ' } else { letter };
    let text: String = result.question_text.chars().map(allowed).collect();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = cut(&format!("{}.{} {words}", result.position, result.number), MAX_NAME);
    let name = name.trim_end_matches(|letter: char| letter == '\'' || letter.is_whitespace()).to_owned();
    let name = if taken.contains(&name.to_lowercase()) { format!("Round {}", index + 1) } else { name };
    taken.insert(name.to_lowercase());
    name
}

fn write_overview(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    let meeting = &results.meeting;
    sheet.title(&meeting.title)?;
    sheet.fact("Organization", meeting.organization.as_str())?;
    sheet.fact("Status", meeting.status.as_str())?;
    sheet.fact("Scheduled (UTC)", meeting.scheduled_start.map_or(Cell::None, time))?;
    sheet.fact("Exported (UTC)", time(results.exported_at))?;
    sheet.fact("Quorum", meeting.quorum.map_or_else(|| "None".to_owned(), |quorum| quorum.quorum().words()))?;
    if let Some(second_call) = meeting.quorum.and_then(|quorum| quorum.second_call) {
        sheet.fact("Quorum on a second call", second_call.words())?;
    }
    if meeting.is_test() {
        sheet.fact("Test data", TEST_DATA)?;
    }
    for (what, round) in labels::missing_results(results) {
        sheet.fact(what, round)?;
    }
    sheet.headings([
        "Agenda item",
        "Round",
        "Question",
        "Decision",
        "Arithmetic",
        "Decision rule",
        "Quorum",
        "Register, heads",
        "Register, weight",
        "Votes cast, heads",
        "Votes cast, weight",
        "Not voted, heads",
        "Not voted, weight",
        "Invalid, heads",
        "Invalid, weight",
        "Declared (UTC)",
        "Declared by",
    ])?;
    for RoundFile { result, .. } in &results.rounds {
        let declared = result.declared.as_ref();
        let [cast, invalid] = labels::cast_and_invalid(result);
        sheet.row([
            result.position.into(),
            result.number.into(),
            Cell::Wrapped(result.question_text.clone()),
            labels::verdict(result).into(),
            Cell::Wrapped(result.arithmetic.sentence.clone()),
            result.decision_rule.as_ref().map_or_else(|| "None".to_owned(), |rule| rule.words()).into(),
            result.quorum.map_or_else(|| "None".to_owned(), |quorum| quorum.words()).into(),
            result.register.heads.into(),
            result.register.weight.into(),
            cast.heads.into(),
            cast.weight.into(),
            result.not_voted.heads.into(),
            result.not_voted.weight.into(),
            invalid.heads.into(),
            invalid.weight.into(),
            declared.map_or("Not declared".into(), |declared| time(declared.at)),
            declared.map_or(Cell::None, |declared| declared.by.as_str().into()),
        ])?;
    }
    Ok(())
}

/// The seats of all elections, and the answers of the elected.
fn write_seats(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    for outcome in &results.elections {
        sheet.headings([outcome.question_text.as_str(), "Name", "Seat", "Ballot", "Time (UTC)", "By"])?;
        sheet.row([seat_labels::summary(outcome).into()])?;
        for (holder, state) in seat_labels::people(outcome) {
            let ballot = seat_labels::ballot(outcome, holder);
            sheet.row([Cell::None, seat_labels::name(holder).into(), state.into(), ballot.into()])?;
        }
        for answer in &outcome.answers {
            let words = Cell::Wrapped(answer.words.clone());
            sheet.row([words, Cell::None, Cell::None, Cell::None, time(answer.at), answer.by.as_str().into()])?;
        }
    }
    Ok(())
}

fn write_round(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    let result = &round.result;
    sheet.title(&result.question_text)?;
    write_head(sheet, result)?;
    write_counts(sheet, result)?;
    write_arithmetic(sheet, result)?;
    write_election(sheet, result)?;
    write_log(sheet, result)?;
    write_answers(sheet, round)?;
    write_register(sheet, round)?;
    write_second_weights(sheet, round)?;
    write_proxies(sheet, round)?;
    write_ballots(sheet, round)
}

fn write_head(sheet: &mut Sheet<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    sheet.fact("Agenda item", result.position)?;
    sheet.fact("Round", result.number)?;
    if let Some(reason) = &result.reason {
        sheet.fact("Reason of the re-vote", reason.as_str())?;
    }
    sheet.fact("Type", labels::question_type(result.question_type))?;
    sheet.fact("Secrecy", result.secrecy().words())?;
    if let Some(names) = labels::groups(&result.groups) {
        sheet.fact("For", names)?;
    }
    if result.counts_heads {
        sheet.fact("Weights", labels::BY_HEADS)?;
    }
    for (what, kind) in labels::weights(result) {
        sheet.fact(what, kind)?;
    }
    let rule = result.decision_rule.as_ref().map_or_else(|| "None".to_owned(), |rule| rule.words());
    sheet.fact("Decision rule", rule)?;
    sheet.fact("Quorum", result.quorum.map_or_else(|| "None".to_owned(), |quorum| quorum.words()))?;
    sheet.fact("Opened (UTC)", time(result.opened_at))?;
    sheet.fact("Ended (UTC)", time(result.ended_at))?;
    sheet.fact("Decision", labels::verdict(result))?;
    sheet.fact("Arithmetic", result.arithmetic.sentence.as_str())?;
    match &result.declared {
        Some(declared) => sheet.row(["Declared (UTC)".into(), time(declared.at), declared.by.as_str().into()]),
        None => sheet.fact("Declared (UTC)", "Not declared"),
    }?;
    let Some(record) = &result.record else { return Ok(()) };
    sheet.fact("Record", record.hash.as_str())?;
    sheet.fact("Signed with the key", record.key.as_str())
}

fn write_counts(sheet: &mut Sheet<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    let weight = labels::weight_heading(result);
    sheet.headings([
        "Count",
        "Role",
        "Heads",
        weight,
        "Percent of votes cast by heads",
        "Percent of votes cast by weight",
    ])?;
    for option in labels::counted_options(result) {
        sheet.row([
            option.text.as_str().into(),
            labels::role(option.role).into(),
            option.heads.into(),
            option.weight.into(),
            option.heads_percent.into(),
            option.weight_percent.into(),
        ])?;
    }
    for value in result.numbers.iter().flat_map(|numbers| &numbers.distribution) {
        sheet.row([value.value.into(), "value".into(), value.heads.into(), value.weight.into()])?;
    }
    let [cast, invalid] = labels::cast_and_invalid(result);
    sheet.figures("Votes cast", cast)?;
    sheet.figures("Invalid", invalid)?;
    sheet.count("Not voted", result.not_voted)?;
    sheet.count("Register", result.register)?;
    sheet.count(labels::at_opening(result.presence), result.connected_at_opening)?;
    if let Some(present) = result.present {
        sheet.count(&labels::present(result.presence), present)?;
    }
    if let Some(represented) = result.represented {
        sheet.count(labels::REPRESENTED, represented)?;
    }
    for (what, count) in result.ways.iter().flat_map(labels::ways) {
        sheet.count(what, count)?;
    }
    if let Some(numbers) = &result.numbers {
        sheet.headings(["Number", "", "By heads", "By weight"])?;
        sheet.row(["Mean".into(), Cell::None, numbers.mean.into(), numbers.weighted_mean.into()])?;
        sheet.row(["Median".into(), Cell::None, numbers.median.into(), numbers.weighted_median.into()])?;
    }
    Ok(())
}

fn write_arithmetic(sheet: &mut Sheet<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    let options = Options::of(result);
    write_groups(sheet, &options, &result.in_each)?;
    write_second_weight(sheet, &options, result)?;
    if let Some(cast) = &result.casting_vote {
        sheet.headings(["Casting vote", "Noted by"])?;
        sheet.row([labels::casting_vote(cast).as_str().into(), cast.noted_by.as_deref().unwrap_or_default().into()])?;
    }
    if !result.arithmetic.checks.is_empty() || result.arithmetic.quorum.is_some() {
        sheet.headings(["Check", "Condition", "Part", "Whole", "Percent", "Needed", "Met"])?;
    }
    for check in &result.arithmetic.checks {
        sheet.row([
            check.option.map_or("Yes", |id| options.text(id)).into(),
            labels::condition(result, check).into(),
            check.part.into(),
            check.whole.into(),
            shares::percent_of(check).into(),
            labels::needed(check.needed.as_ref(), plain).into(),
            labels::met(check.is_met).into(),
        ])?;
    }
    if let Some(quorum) = &result.arithmetic.quorum {
        sheet.row([
            "Quorum".into(),
            quorum.quorum.words().into(),
            quorum.attending.into(),
            quorum.register.into(),
            shares::percent_of_quorum(quorum).into(),
            labels::needed(quorum.needed.as_ref(), plain).into(),
            labels::met(quorum.is_met).into(),
            quorum.sentence.as_str().into(),
        ])?;
    }
    if !result.decision.elected.is_empty() {
        sheet.headings(["Elected"])?;
    }
    for id in &result.decision.elected {
        sheet.row([options.text(*id).into()])?;
    }
    if let Some(tie) = &result.decision.tie {
        sheet.headings(["Tie", "Seats left", "Votes"])?;
        for id in &tie.options {
            sheet.row([options.text(*id).into(), tie.seats.into(), tie.votes.into()])?;
        }
    }
    Ok(())
}

/// The counts among the members of each group in which the rule must be met.
fn write_groups(sheet: &mut Sheet<'_>, options: &Options<'_>, groups: &[GroupResult]) -> Result<(), XlsxError> {
    for group in groups {
        sheet.headings([group.name.as_str(), "", "Heads", "Weight"])?;
        sheet.count("Register", group.register)?;
        sheet.count("Present", group.present)?;
        sheet.count("Votes cast", group.votes_cast)?;
        for option in &group.options {
            sheet.count(options.text(option.id), Count { heads: option.heads, weight: option.weight })?;
        }
    }
    Ok(())
}

/// The counts by the second weight, in total and in each group.
fn write_second_weight(sheet: &mut Sheet<'_>, options: &Options<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    let Some(second) = &result.second_weight else { return Ok(()) };
    sheet.headings(["Second weight", "", "Heads", second.kind.name.as_str()])?;
    for option in &second.options {
        sheet.count(options.text(option.id), Count { heads: option.heads, weight: option.weight })?;
    }
    for (what, count) in labels::second_counts(second) {
        sheet.count(what, count)?;
    }
    write_groups(sheet, options, &second.in_each)
}

/// The count of an election: its ballots, the votes at the end of each stage, what happened, and decisions of ties.
fn write_election(sheet: &mut Sheet<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    let Some(labels) = ElectionLabels::of(result) else { return Ok(()) };
    let election = labels.election;
    sheet.headings(["Election", "", "", ""])?;
    sheet.fact("Ballots", labels.ballots())?;
    for fault in &election.ballots.faults {
        sheet.fact("Fault", fault.words.as_str())?;
    }
    if labels.is_quorum_missed {
        sheet.fact("Quorum missed", QUORUM_MISSED)?;
    }
    if let Some(tie) = labels.open_tie() {
        sheet.fact("Open tie", tie.words.as_str())?;
    }
    for decision in &election.decisions {
        let by = decision.decided_by.as_deref().unwrap_or_default();
        sheet.row(["Decided tie".into(), labels.decision(decision).into(), time(decision.at), by.into()])?;
    }
    if let Some(vacancies) = labels.vacancies() {
        sheet.fact("Vacant seats", vacancies.words.as_str())?;
    }
    sheet.headings(["Stage", "Candidate", "Votes", "What happened"])?;
    for stage in &election.stages {
        for words in labels.words(stage) {
            sheet.row([stage.number.into(), Cell::None, Cell::None, words.as_str().into()])?;
        }
        for votes in &stage.votes {
            let name = labels.name(votes.candidate);
            sheet.row([stage.number.into(), name.into(), amount(&votes.votes).into()])?;
        }
        let lost = amount(&stage.non_transferable);
        sheet.row([stage.number.into(), "Not transferable".into(), lost.into()])?;
    }
    Ok(())
}

fn write_log(sheet: &mut Sheet<'_>, result: &RoundResult) -> Result<(), XlsxError> {
    sheet.headings(["Log", "Time (UTC)", "By", "", "Name", "Username", "Weight", "Reason"])?;
    for entry in &result.log {
        let person = entry.person.as_ref();
        sheet.row([
            labels::log_kind(entry.kind).into(),
            time(entry.at),
            entry.by.as_deref().unwrap_or_default().into(),
            Cell::None,
            person.map_or("", |person| person.name.as_str()).into(),
            person.map_or("", |person| person.username.as_str()).into(),
            person.map_or(Cell::None, |person| person.weight.into()),
            entry.reason.as_deref().unwrap_or_default().into(),
        ])?;
    }
    Ok(())
}

fn write_answers(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    if round.texts.is_empty() {
        return Ok(());
    }
    sheet.headings(["Answer", "", "Heads", "Weight"])?;
    for answer in &round.texts {
        sheet.row([answer.text.as_str().into(), Cell::None, answer.heads.into(), answer.weight.into()])?;
    }
    Ok(())
}

fn write_register(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    let answers = named_answers(round);
    let last = if round.result.is_named { "Vote" } else { "" };
    sheet.headings([
        "Register",
        "Username",
        "Place",
        labels::weight_heading(&round.result),
        "Added (UTC)",
        labels::at_opening(round.result.presence),
        "Voted",
        last,
    ])?;
    for voter in &round.register {
        sheet.row([
            voter.name.as_str().into(),
            voter.username.as_str().into(),
            voter.place.into(),
            voter.weight.into(),
            time(voter.added_at),
            labels::yes_no(voter.was_connected).into(),
            voter.cast_on.map_or(labels::yes_no(voter.has_voted), labels::cast_on).into(),
            answers.get(&voter.place).map_or("", String::as_str).into(),
        ])?;
    }
    Ok(())
}

/// Writes the second weight of each person, if the round has one.
fn write_second_weights(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    let Some(second) = &round.result.second_weight else { return Ok(()) };
    sheet.headings(["Second weight", "Username", "Place", second.kind.name.as_str()])?;
    for voter in &round.register {
        sheet.row([
            voter.name.as_str().into(),
            voter.username.as_str().into(),
            voter.place.into(),
            voter.second_weight.into(),
        ])?;
    }
    Ok(())
}

/// Writes the proxies that were in force at the opening, if there are any.
fn write_proxies(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    if !round.register.iter().any(|voter| voter.represented_by.is_some()) {
        return Ok(());
    }
    sheet.headings(["Proxies", "Place", "Weight", "Holder", "Username", "Reference", "Vote"])?;
    for (voter, holder) in round.register.iter().filter_map(|voter| Some((voter, voter.represented_by.as_ref()?))) {
        sheet.row([
            voter.name.as_str().into(),
            voter.place.into(),
            voter.weight.into(),
            holder.name.as_str().into(),
            holder.username.as_str().into(),
            holder.reference.as_deref().unwrap_or_default().into(),
            labels::proxy_state(voter).into(),
        ])?;
    }
    Ok(())
}

fn write_ballots(sheet: &mut Sheet<'_>, round: &RoundFile) -> Result<(), XlsxError> {
    let options = Options::of(&round.result);
    sheet.headings(["Ballots", "Voter (place in register)", "How many", "Weight of each"])?;
    for ballot in &round.ballots {
        sheet.row([
            options.answer(&ballot.answer).into(),
            ballot.voter.map_or(Cell::None, |place| Cell::Text(plain(place.into()))),
            ballot.count.into(),
            ballot.weight.into(),
        ])?;
    }
    Ok(())
}

/// Writes the opened urns of secret votes, and the receipts of each.
fn write_urns(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    let urns = || results.rounds.iter().filter_map(|round| Some((&round.result, round.urn.as_ref()?)));
    sheet.headings([
        "Agenda item",
        "Round",
        "Question",
        "Opened (UTC)",
        "Sealed ballots",
        "Hash of the envelopes",
        "Public key",
    ])?;
    for (result, urn) in urns() {
        sheet.row([
            result.position.into(),
            result.number.into(),
            Cell::Wrapped(result.question_text.clone()),
            time(urn.opened_at),
            (urn.receipts.len() as u64).into(),
            urn.envelopes_hash.as_str().into(),
            urn.public_key.as_str().into(),
        ])?;
    }
    sheet.headings(["Agenda item", "Round", "Receipt"])?;
    for (result, urn) in urns() {
        for receipt in &urn.receipts {
            sheet.row([result.position.into(), result.number.into(), receipt.as_str().into()])?;
        }
    }
    Ok(())
}

fn write_remarks(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    sheet.headings(["Time (UTC)", "Kind", "By", "Text", "Struck through (UTC)", "Struck through by"])?;
    for remark in &results.remarks {
        sheet.row([
            time(remark.at),
            labels::remark_kind(remark.kind).into(),
            remark.by.as_str().into(),
            Cell::Wrapped(remark.text.clone()),
            remark.struck.as_ref().map_or_else(|| "".into(), |struck| time(struck.at)),
            remark.struck.as_ref().map_or("", |struck| struck.by.as_str()).into(),
        ])?;
    }
    Ok(())
}

/// Writes the closing records with their hashes, and the later changes.
fn write_closings(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    sheet.headings(["Time (UTC)", "What", "By", "Text"])?;
    for damage in &results.closing_damage {
        sheet.row(["".into(), "Damaged".into(), "".into(), Cell::Wrapped(damage.clone())])?;
    }
    for closing in results.closings.iter().flatten() {
        let what = format!("Closing record {}", closing.record.number);
        sheet.row([
            time(closing.record.recorded_at),
            what.as_str().into(),
            "".into(),
            Cell::Wrapped(format!("Record hash {}, signed with the key {}", closing.hash, closing.key)),
        ])?;
    }
    for amendment in &results.amendments {
        sheet.row([
            time(amendment.at),
            labels::amended(amendment).into(),
            amendment.by.as_deref().unwrap_or_default().into(),
            Cell::Wrapped(labels::change(amendment, labels::utc)),
        ])?;
    }
    Ok(())
}
