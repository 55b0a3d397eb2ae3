//! The minutes of a meeting, as PDF.

mod attendance;
mod attendance_list;
mod chart;
mod check;
mod closing;
mod election;
pub(crate) mod fonts;
mod letterhead;
mod page;
mod pdf;
mod proxies;
mod round;
mod seats;
mod sentences;
mod text;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use plenum_result_format::{DocumentSeal, Letterhead, MeetingHead, ResultsFile, RoundResult, TEST_DATA};

use super::labels;
use page::{Pages, Row, texts};
use text::{Style, Typesetter};

/// Writes the minutes, with times in this zone.
///
/// # Errors
/// Returns the reason if they could not be written.
pub(crate) fn write(
    results: &ResultsFile,
    seal: &DocumentSeal,
    zone: Tz,
    letterhead: &Letterhead,
) -> Result<Vec<u8>, String> {
    letterhead::with_letterhead(letterhead, |letterhead| write_with(results, seal, Times { zone }, letterhead))
}

fn write_with(
    results: &ResultsFile,
    seal: &DocumentSeal,
    times: Times,
    letterhead: &Letterhead,
) -> Result<Vec<u8>, String> {
    let mut pages = Pages::new(Typesetter::new()?);
    letterhead::write_logo(&mut pages, letterhead)?;
    write_head(&mut pages, results, times, letterhead);
    write_overview(&mut pages, results, times);
    attendance::write(&mut pages, results, times);
    attendance_list::write(&mut pages, results, times);
    for round in &results.rounds {
        round::write(&mut pages, round, times);
        proxies::write(&mut pages, round);
        seats::write(&mut pages, results, round, times);
    }
    write_remarks(&mut pages, results, times);
    closing::write(&mut pages, results, times);
    check::write(&mut pages, results, seal)?;
    write_signatures(&mut pages);
    let meeting = &results.meeting;
    pages.number_pages(&format!("Minutes · {}", meeting.title));
    let title = format!("Minutes: {}", meeting.title);
    pdf::write(pages, &pdf::About { title: &title, author: &meeting.organization, at: results.exported_at })
}

/// The format of times.
#[derive(Clone, Copy)]
struct Times {
    zone: Tz,
}

impl Times {
    /// "21 November 2026".
    fn day(self, time: DateTime<Utc>) -> String {
        time.with_timezone(&self.zone).format("%-d %B %Y").to_string()
    }

    /// "21 November 2026, 19:04".
    fn minute(self, time: DateTime<Utc>) -> String {
        time.with_timezone(&self.zone).format("%-d %B %Y, %H:%M").to_string()
    }

    /// "21 November 2026, 19:04:05".
    fn second(self, time: DateTime<Utc>) -> String {
        time.with_timezone(&self.zone).format("%-d %B %Y, %H:%M:%S").to_string()
    }

    /// "21 Nov 2026, 19:04:05".
    fn short(self, time: DateTime<Utc>) -> String {
        time.with_timezone(&self.zone).format("%-d %b %Y, %H:%M:%S").to_string()
    }

    /// "21 Nov 2026, 19:04:05 to 19:06:10", with a second day if there is one.
    fn short_period(self, from: DateTime<Utc>, to: DateTime<Utc>) -> String {
        if from == to {
            return self.short(from);
        }
        let until = if self.day(from) == self.day(to) {
            to.with_timezone(&self.zone).format("%H:%M:%S").to_string()
        } else {
            self.short(to)
        };
        format!("{} to {until}", self.short(from))
    }
}

fn write_head(pages: &mut Pages, results: &ResultsFile, times: Times, letterhead: &Letterhead) {
    let meeting = &results.meeting;
    pages.paragraph(&meeting.organization, Style::BODY.sized(11.).gray());
    pages.space(4.);
    pages.paragraph("Minutes", Style::BODY.sized(11.).gray().bold());
    pages.heading(1, &meeting.title);
    letterhead::write_line(pages, letterhead);
    if meeting.is_test() {
        pages.paragraph(TEST_DATA, Style::BODY.bold());
    }
    pages.space(6.);
    let mut facts = vec![("Organization", meeting.organization.clone())];
    let began = began(results);
    facts.extend(began.or(meeting.scheduled_start).map(|began| ("Date", times.day(began))));
    facts.extend(scheduled(meeting, times).map(|scheduled| ("Scheduled", scheduled)));
    facts.extend(
        began
            .zip(ended(results))
            .map(|(began, ended)| ("Recorded", format!("{} to {}", times.second(began), times.second(ended)))),
    );
    facts.push(("Status", status(&meeting.status)));
    facts.push(("Quorum", quorum(meeting)));
    facts.extend(second_call(meeting).map(|quorum| ("Second call", quorum)));
    facts.push(("Times", format!("All times are in the time zone {}.", times.zone.name())));
    facts.push(("Document made", times.second(results.exported_at)));
    pages.facts(&facts);
    pages.space(14.);
}

/// The time of the first recorded event.
fn began(results: &ResultsFile) -> Option<DateTime<Utc>> {
    let rounds = results.rounds.iter().map(|round| round.result.opened_at);
    results.attendance.iter().map(|entry| entry.at).chain(rounds).min()
}

/// The time of the last recorded event.
fn ended(results: &ResultsFile) -> Option<DateTime<Utc>> {
    let last_of = |result: &RoundResult| result.declared.as_ref().map_or(result.ended_at, |declared| declared.at);
    let rounds = results.rounds.iter().map(|round| last_of(&round.result));
    results.attendance.iter().map(|entry| entry.at).chain(rounds).max()
}

fn scheduled(meeting: &MeetingHead, times: Times) -> Option<String> {
    let start = times.minute(meeting.scheduled_start?);
    Some(meeting.scheduled_end.map_or_else(|| start.clone(), |end| format!("{start} to {}", times.minute(end))))
}

/// "Completed".
fn status(status: &str) -> String {
    let (first, others) = status.split_at_checked(1).unwrap_or((status, ""));
    first.to_owned() + &others.to_lowercase()
}

fn quorum(meeting: &MeetingHead) -> String {
    meeting.quorum.as_ref().map_or_else(|| "None".to_owned(), labels::meeting_quorum)
}

/// The quorum on a second call of the meeting, if it is another one.
fn second_call(meeting: &MeetingHead) -> Option<String> {
    Some(meeting.quorum?.second_call?.words())
}

/// Writes an overview of the decisions.
fn write_overview(pages: &mut Pages, results: &ResultsFile, times: Times) {
    pages.heading(2, "Results");
    let missing = labels::missing_results(results);
    if results.rounds.is_empty() && missing.is_empty() {
        pages.paragraph("No question was put to the vote.", Style::BODY);
        pages.space(10.);
        return;
    }
    let rows = results.rounds.iter().map(|round| {
        let result = &round.result;
        let (outcome, declared) = match &result.declared {
            Some(declared) => (outcome(result), times.short(declared.at)),
            None => ("–".to_owned(), "Not declared".to_owned()),
        };
        Row::of([labels::round_name(result), shortened(&result.question_text), outcome, declared])
    });
    let columns = [texts(0.13), texts(0.42), texts(0.23), texts(0.22)];
    pages.table(columns, ["Item", "Question", "Result", "Declared"], rows);
    for (what, round) in missing {
        pages.space(4.);
        pages.paragraph(&format!("{what}: {round}"), Style::BODY);
    }
    pages.space(10.);
}

/// "Elected: Anna, Cleo". While the count waits at a tie: "Tie not decided; elected so far: Anna".
fn outcome(result: &RoundResult) -> String {
    let options = labels::Options::of(result);
    let outcome = labels::verdict(result);
    if result.decision.elected.is_empty() {
        return outcome.to_owned();
    }
    let names: Vec<&str> = result.decision.elected.iter().map(|id| options.text(*id)).collect();
    let so_far = if labels::waits_for_lot(result) { "; elected so far" } else { "" };
    format!("{outcome}{so_far}: {}", names.join(", "))
}

/// The beginning of a text that is printed in full elsewhere.
fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).collect::<String>() + "…" }
}

fn write_remarks(pages: &mut Pages, results: &ResultsFile, times: Times) {
    pages.heading(2, "Incidents and remarks");
    if results.remarks.is_empty() {
        pages.paragraph("None.", Style::BODY);
    }
    for remark in &results.remarks {
        pages.keep(36.);
        let kind = labels::remark_kind(remark.kind);
        let head = format!("{kind}, {}, \u{2068}{}\u{2069}", times.second(remark.at), remark.by);
        pages.paragraph(&head, Style::SMALL.bold());
        match &remark.struck {
            Some(struck) => {
                pages.struck_paragraph(&remark.text, Style::BODY.gray());
                let told = format!("Struck through, {}, \u{2068}{}\u{2069}", times.second(struck.at), struck.by);
                pages.paragraph(&told, Style::SMALL);
            }
            None => pages.paragraph(&remark.text, Style::BODY),
        }
        pages.space(7.);
    }
    pages.space(10.);
}

fn write_signatures(pages: &mut Pages) {
    pages.keep(200.);
    pages.heading(2, "Signatures");
    pages.lines_to_sign(&[["Chair", "Minutes"], ["Place", "Date"]]);
}
