use plenum_kernel::capitalized;
use plenum_result_format::{Count, GroupOption, LogEntry, LogKind, NumberResult, RoundFile, RoundResult, UnitName};
use rust_decimal::Decimal;

use super::Times;
use super::election;
use super::page::{Pages, Row, numbers, texts};
use super::sentences;
use super::text::Style;
use crate::results::labels::{self, Figures, Options, grouped, named_answers, percent};
use crate::results::shares;

/// The most answers or values that are printed; the other documents contain all.
const MOST_ANSWERS: usize = 200;

/// The most characters of an answer next to a name; the other documents contain all.
const MOST_LETTERS: usize = 120;

/// A text with more characters is not printed in bold.
const LONG: usize = 300;

/// Writes the whole content of one round.
pub(super) fn write(pages: &mut Pages, round: &RoundFile, times: Times) {
    let result = &round.result;
    pages.heading(2, &heading(result));
    let is_long = result.question_text.chars().count() > LONG;
    let style = if is_long { Style::BODY } else { Style::BODY.sized(11.5).bold() };
    pages.paragraph(&result.question_text, style);
    pages.space(5.);
    write_terms(pages, round, times);
    pages.space(8.);
    write_counts(pages, result);
    write_numbers(pages, result);
    write_texts(pages, round);
    write_checks(pages, result);
    election::write(pages, result);
    write_decision(pages, result, times);
    write_risks(pages, result, times);
    write_log(pages, result, times);
    write_passwords(pages, result, times);
    write_named_votes(pages, round);
    pages.space(16.);
}

fn heading(result: &RoundResult) -> String {
    let which = if result.number > 1 { format!(", round {} (re-vote)", result.number) } else { String::new() };
    format!("Item {}{which}", result.position)
}

fn write_terms(pages: &mut Pages, round: &RoundFile, times: Times) {
    let (result, mut facts) = (&round.result, Vec::new());
    facts.extend(result.reason.as_ref().map(|reason| ("Reason of the re-vote", reason.clone())));
    let scale = result.rating_max.map(|max| format!(" from 1 to {max}")).unwrap_or_default();
    let choices = result.max_choices.map(|max| format!(", at most {max} of the options")).unwrap_or_default();
    facts.push(("Vote", format!("{}{scale}{choices}", labels::question_type(result.question_type))));
    facts.extend(labels::groups(&result.groups).map(|names| ("For", names)));
    facts.push(("Secrecy", capitalized(result.secrecy().words())));
    facts.extend(result.counts_heads.then(|| ("Weights", labels::BY_HEADS.to_owned())));
    facts.extend(labels::weights(result));
    facts.push(("Decision rule", result.decision_rule.as_ref().map_or_else(none, |rule| rule.words())));
    facts.push(("Quorum", result.quorum.map_or_else(none, |quorum| quorum.words())));
    facts.push(("Opened", times.second(result.opened_at)));
    facts.push(("Ended", times.second(result.ended_at)));
    let urn = round.urn.as_ref().map(|urn| ("Urn", labels::sealed_ballots(urn.receipts.len())));
    facts.extend(urn);
    pages.facts(&facts);
}

fn none() -> String {
    "None".to_owned()
}

fn write_counts(pages: &mut Pages, result: &RoundResult) {
    let figures = |what: &str, Figures { heads, weight }: Figures, is_bold: bool| {
        let weight = weight.map_or_else(|| "–".to_owned(), grouped);
        let cells = [what.to_owned(), grouped(heads), weight, String::new(), String::new()];
        Row { is_bold, ..Row::of(cells) }
    };
    let count = |what: &str, count: Count, is_bold: bool| figures(what, count.into(), is_bold);
    let counted = labels::counted_options(result);
    let [by_heads, by_weight] = [UnitName::Heads, UnitName::Weight].map(|unit| shares::percents(result, unit));
    let options = counted.iter().zip(by_heads.into_iter().zip(by_weight)).map(|(option, (of_heads, of_weight))| {
        let (heads, weight) = (grouped(option.heads), grouped(option.weight));
        Row::of([option.text.clone(), heads, weight, percent(of_heads), percent(of_weight)])
    });
    let [cast, invalid] = labels::cast_and_invalid(result);
    let sums = [
        figures("Votes cast", cast, true),
        figures("Invalid", invalid, false),
        count("Not voted", result.not_voted, false),
        count("Register", result.register, true),
        count(labels::at_opening(result.presence), result.connected_at_opening, false),
    ];
    let headings = if counted.is_empty() { ["", ""] } else { ["% of heads", "% of weight"] };
    let present = result.present.map(|present| count(&labels::present(result.presence), present, false));
    let represented = result.represented.map(|represented| count(labels::REPRESENTED, represented, false));
    let columns = [texts(0.44), numbers(0.12), numbers(0.16), numbers(0.14), numbers(0.14)];
    let ways = result.ways.iter().flat_map(labels::ways).map(|(what, ballots)| count(what, ballots, false));
    let rest = present.into_iter().chain(represented).chain(ways);
    let weight = labels::weight_heading(result);
    pages.table(columns, ["Votes", "Heads", weight, headings[0], headings[1]], options.chain(sums).chain(rest));
    if !counted.is_empty() {
        pages.paragraph(&shares::base_sentence(result), Style::SMALL);
        pages.space(6.);
    }
    write_second_weight(pages, result);
}

/// The counts by the second weight.
fn write_second_weight(pages: &mut Pages, result: &RoundResult) {
    let Some(second) = &result.second_weight else { return };
    let options = Options::of(result);
    let option = |option: &GroupOption| Count { heads: option.heads, weight: option.weight };
    let votes = second.options.iter().map(|of| (options.text(of.id), option(of)));
    let counts = labels::second_counts(second).map(|(what, count)| -> (&str, Count) { (what, count) });
    let rows = votes.chain(counts);
    let rows = rows.map(|(what, count)| Row::of([what.to_owned(), grouped(count.heads), grouped(count.weight)]));
    pages.table([texts(0.56), numbers(0.2), numbers(0.24)], ["Second weight", "Heads", &second.kind.name], rows);
}

fn write_numbers(pages: &mut Pages, result: &RoundResult) {
    let Some(numbers_given) = &result.numbers else {
        return;
    };
    let NumberResult { mean, weighted_mean, median, weighted_median, distribution } = numbers_given;
    let value = |value: &Option<Decimal>| value.map_or_else(|| "–".to_owned(), grouped);
    let middles = [
        Row::of(["Mean".to_owned(), value(mean), value(weighted_mean)]),
        Row::of(["Median".to_owned(), value(median), value(weighted_median)]),
    ];
    let columns = [texts(0.4), numbers(0.3), numbers(0.3)];
    pages.table(columns, ["", "By heads", "By weight"], middles);
    let values = distribution.iter().take(MOST_ANSWERS);
    let rows = values.map(|value| Row::of([grouped(value.value), grouped(value.heads), grouped(value.weight)]));
    pages.table(columns, ["Value", "Heads", "Weight"], rows);
    write_rest(pages, distribution.len());
}

fn write_texts(pages: &mut Pages, round: &RoundFile) {
    if round.texts.is_empty() {
        return;
    }
    let rows = round.texts.iter().take(MOST_ANSWERS);
    let rows = rows.map(|answer| Row::of([answer.text.clone(), grouped(answer.heads), grouped(answer.weight)]));
    pages.table([texts(0.7), numbers(0.14), numbers(0.16)], ["Answer", "Heads", "Weight"], rows);
    write_rest(pages, round.texts.len());
}

/// "… and 12 more".
fn write_rest(pages: &mut Pages, all: usize) {
    if let Some(more) = all.checked_sub(MOST_ANSWERS).filter(|more| *more > 0) {
        pages.paragraph(&format!("… and {} more", grouped(more)), Style::BODY.gray());
        pages.space(6.);
    }
}

/// Writes the checks of options that need a majority of their own. The sentence only names the options that have it.
fn write_checks(pages: &mut Pages, result: &RoundResult) {
    let options = Options::of(result);
    let of_options: Vec<_> = result.arithmetic.checks.iter().filter_map(|check| Some((check.option?, check))).collect();
    if of_options.is_empty() {
        return;
    }
    let rows = of_options.into_iter().map(|(option, check)| {
        Row::of([
            options.text(option).to_owned(),
            format!("{} of {} by {}", grouped(check.part), grouped(check.whole), labels::unit(result, check.unit)),
            percent(shares::percent_of(check)),
            labels::needed(check.needed.as_ref(), grouped),
            labels::met(check.is_met).to_owned(),
        ])
    });
    let columns = [texts(0.3), texts(0.28), numbers(0.12), numbers(0.18), numbers(0.12)];
    pages.table(columns, ["Option", "Votes", "Share", "Needed", "Majority"], rows);
}

fn write_decision(pages: &mut Pages, result: &RoundResult, times: Times) {
    let (sentence, strong) = (sentences::decision(result), Style::BODY.sized(10.5).bold());
    let declaration = result
        .declared
        .as_ref()
        .map(|declared| format!("Declared on {} by \u{2068}{}\u{2069}.", times.second(declared.at), declared.by));
    let not_declared = format!("The count: {sentence}");
    let quorum = sentences::quorum_of(result).filter(|quorum| *quorum != sentence);
    let mut paragraphs = match &declaration {
        Some(_) => vec![(sentence.as_str(), strong)],
        None => vec![("Not declared", strong), (not_declared.as_str(), Style::BODY)],
    };
    paragraphs.extend(quorum.as_deref().map(|quorum| (quorum, Style::BODY)));
    paragraphs.extend(declaration.as_deref().map(|declaration| (declaration, Style::BODY.gray())));
    let record = result.record.as_ref().map(|mark| sentences::record(mark, times));
    paragraphs.extend(record.as_deref().map(|record| (record, Style::BODY.gray())));
    pages.space(4.);
    pages.boxed(&paragraphs);
    pages.space(8.);
}

/// Risks to the secrecy of the vote that an organizer accepted, and that the vote is void.
fn write_risks(pages: &mut Pages, result: &RoundResult, times: Times) {
    let kinds = [LogKind::RiskAccepted, LogKind::Voided];
    let entries: Vec<&LogEntry> = result.log.iter().filter(|entry| kinds.contains(&entry.kind)).collect();
    if entries.is_empty() {
        return;
    }
    pages.heading(3, "Secrecy of the vote");
    let rows = entries.into_iter().map(|entry| {
        Row::of([
            times.short(entry.at),
            labels::log_kind(entry.kind).to_owned(),
            entry.reason.clone().unwrap_or_default(),
            entry.by.clone().unwrap_or_default(),
        ])
    });
    let columns = [texts(0.25), texts(0.2), texts(0.35), texts(0.2)];
    pages.table(columns, ["Time", "What", "Reason", "By"], rows);
}

/// The passwords of voters that somebody else set during the vote.
fn write_passwords(pages: &mut Pages, result: &RoundResult, times: Times) {
    let entries: Vec<&LogEntry> = result.log.iter().filter(|entry| entry.kind == LogKind::PasswordSet).collect();
    if entries.is_empty() {
        return;
    }
    pages.heading(3, "Passwords that were set during the vote");
    let rows = entries.into_iter().map(|entry| {
        let person = entry.person.as_ref();
        Row::of([
            times.short(entry.at),
            person.map(|person| format!("{} ({})", person.name, person.username)).unwrap_or_default(),
            entry.by.clone().unwrap_or_default(),
            labels::password_reason(entry).to_owned(),
        ])
    });
    let columns = [texts(0.25), texts(0.25), texts(0.2), texts(0.3)];
    pages.table(columns, ["Time", "For", "By", "Reason"], rows);
}

/// The other entries of the log: people who entered or left the register, and reopenings. Screens name them alike.
fn write_log(pages: &mut Pages, result: &RoundResult, times: Times) {
    let kinds = [LogKind::Admitted, LogKind::Excluded, LogKind::Reopened, LogKind::Joined];
    let entries: Vec<&LogEntry> = result.log.iter().filter(|entry| kinds.contains(&entry.kind)).collect();
    if entries.is_empty() {
        return;
    }
    pages.heading(3, "Changes during the vote");
    let rows = entries.into_iter().map(|entry| {
        let person = entry.person.as_ref();
        Row::of([
            times.short(entry.at),
            labels::log_kind(entry.kind).to_owned(),
            person.map(|person| format!("{} ({})", person.name, person.username)).unwrap_or_default(),
            person.map(|person| grouped(person.weight)).unwrap_or_default(),
            entry.reason.clone().unwrap_or_default(),
            entry.by.clone().unwrap_or_default(),
        ])
    });
    let columns = [texts(0.25), texts(0.12), texts(0.19), numbers(0.1), texts(0.19), texts(0.15)];
    pages.table(columns, ["Time", "What", "Who", "Weight", "Reason", "By"], rows);
}

/// The beginning of a text answer, because a congress has thousands of them.
fn shortened(answer: &str) -> String {
    match answer.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &answer[..end]),
        None => answer.to_owned(),
    }
}

fn write_named_votes(pages: &mut Pages, round: &RoundFile) {
    if !round.result.is_named {
        return;
    }
    pages.heading(3, "Who voted what");
    let answers = named_answers(round);
    let rows = round.register.iter().map(|voter| {
        let answer = answers.get(&voter.place).map_or_else(|| "Not voted".to_owned(), |answer| shortened(answer));
        let second = voter.second_weight.map(|second| format!("; {}", grouped(second))).unwrap_or_default();
        let weight = format!("{}{second}", grouped(voter.weight));
        Row::of([voter.name.clone(), voter.username.clone(), weight, answer])
    });
    let kinds = names_of_weights(&round.result);
    let wide = if kinds.is_some() { 0.08 } else { 0. };
    let columns = [texts(0.32), texts(0.24 - wide), numbers(0.12 + wide), texts(0.32)];
    pages.table(columns, ["Name", "Username", kinds.as_deref().unwrap_or("Weight"), "Vote"], rows);
}

/// The names of the round's weights, if it counts by kinds: "Units; Thousandths".
fn names_of_weights(result: &RoundResult) -> Option<String> {
    let second = result.second_weight.as_ref().map(|second| format!("; {}", second.kind.name)).unwrap_or_default();
    let counts_by_kinds = result.weight_kind.is_some() || result.second_weight.is_some();
    counts_by_kinds.then(|| format!("{}{second}", labels::weight_heading(result)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_shortened_between_letters() {
        assert_eq!(shortened("More benches"), "More benches");
        let exact = "ä".repeat(MOST_LETTERS);
        assert_eq!(shortened(&exact), exact);
        assert_eq!(shortened(&format!("{exact}ß")), format!("{exact}…"));
    }
}
