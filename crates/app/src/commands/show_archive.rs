//! An archive as text on a terminal.

use std::process::ExitCode;

use plenum_result_format::{
    ArchiveFile, AuditFileEntry, LogEntry, LogKind, QuestionPlaces, Remark, RemarkKind, RoundFile,
};
use plenum_verify::KnownKeys;

use super::verify::{archive_title, own_authorities, verify_archive};
use crate::output::{one_line, print_line};

/// Prints an archive, and finally whether it has changed since it was signed.
pub(super) fn show(content: &[u8], archive: &ArchiveFile, known: &KnownKeys) -> ExitCode {
    for line in lines(archive) {
        print_line(&one_line(&line));
    }
    verify_archive(content, archive, known, &own_authorities())
}

fn lines(archive: &ArchiveFile) -> Vec<String> {
    let results = &archive.results;
    let meeting = &results.meeting;
    let mut lines = vec![archive_title(archive)];
    let time =
        |time: Option<_>| time.map_or_else(|| "-".to_owned(), |time: chrono::DateTime<chrono::Utc>| time.to_string());
    let (start, end) = (time(meeting.scheduled_start), time(meeting.scheduled_end));
    lines.push(format!("Meeting {}, {}, planned from {start} to {end}", meeting.id, meeting.status));
    if archive.is_meeting_deleted {
        lines.push("The meeting was deleted. This is what its records say.".to_owned());
    }
    let places = QuestionPlaces::of(results.rounds.iter().map(|round| &round.result));
    for round in &results.rounds {
        round_lines(&mut lines, round, places.place(&round.result));
    }
    for round in &results.uncounted {
        lines.extend([
            String::new(),
            format!("Item {}, round {}: {}", round.position, round.number, round.question_text),
        ]);
        lines.push("  Nobody has counted this round.".to_owned());
    }
    for damaged in &results.damaged {
        lines.push(format!("Round {} is not shown: {}", damaged.round_id, damaged.damage));
    }
    section(&mut lines, "Remarks", results.remarks.iter().map(remark));
    section(&mut lines, "Audit log", archive.audit.entries.iter().map(audit_line));
    section(&mut lines, "Minutes", [format!("PDF, SHA-256 {}", archive.minutes.sha256)].into_iter());
    let keys = archive.signature.iter().flat_map(|signature| &signature.keys);
    section(&mut lines, "Keys", keys.map(|key| format!("{} made {}", key.fingerprint, key.created_at)));
    lines.push(String::new());
    lines
}

/// A heading with lines below it; nothing without lines.
fn section(lines: &mut Vec<String>, heading: &str, content: impl Iterator<Item = String>) {
    let mut content = content.map(|line| format!("  {line}")).peekable();
    if content.peek().is_some() {
        lines.extend([String::new(), heading.to_owned()]);
        lines.extend(content);
    }
}

fn round_lines(lines: &mut Vec<String>, file: &RoundFile, item: u32) {
    let result = &file.result;
    lines.extend([String::new(), format!("Item {item}, round {}: {}", result.number, result.question_text)]);
    if let Some(reason) = &result.reason {
        lines.push(format!("  Re-vote: {reason}"));
    }
    let (cast, register) = (result.votes_cast, result.register);
    lines.push(format!(
        "  {} of {} voted, weight {} of {}",
        cast.heads,
        register.heads,
        cast.weight.normalize(),
        register.weight.normalize()
    ));
    for option in &result.options {
        lines.push(format!("  {}: {}, weight {}", option.text, option.heads, option.weight.normalize()));
    }
    for value in result.numbers.iter().flat_map(|numbers| &numbers.distribution) {
        lines.push(format!("  {}: {}, weight {}", value.value, value.heads, value.weight.normalize()));
    }
    for text in &file.texts {
        lines.push(format!("  \"{}\": {}, weight {}", text.text, text.heads, text.weight.normalize()));
    }
    lines.push(format!("  {}.", result.arithmetic.sentence));
    match &result.declared {
        Some(declared) => lines.push(format!("  Declared {} by {}", declared.at, declared.by)),
        None => lines.push("  Not declared".to_owned()),
    }
    if let Some(record) = &result.record {
        lines.push(format!("  Record {}", record.hash));
    }
    lines.extend(result.log.iter().map(log_line));
}

fn log_line(entry: &LogEntry) -> String {
    let kind = match entry.kind {
        LogKind::Opened => "opened",
        LogKind::Ended => "ended",
        LogKind::Reopened => "reopened",
        LogKind::Joined => "joined the register, reopened",
        LogKind::Counted => "counted",
        LogKind::Declared => "declared",
        LogKind::Admitted => "admitted",
        LogKind::Excluded => "excluded",
        LogKind::PasswordSet => "password set",
        LogKind::RiskAccepted => "risk to secrecy accepted",
        LogKind::Voided => "void",
    };
    let by = entry.by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
    let person =
        entry.person.as_ref().map_or_else(String::new, |person| format!(": {} ({})", person.name, person.username));
    let reason = entry.reason.as_ref().map_or_else(String::new, |reason| format!(", {reason}"));
    format!("  {}  {kind}{by}{person}{reason}", entry.at)
}

fn remark(remark: &Remark) -> String {
    let kind = if remark.kind == RemarkKind::Incident { "Incident" } else { "Remark" };
    format!("{}  {kind} by {}: {}", remark.at, remark.by, remark.text)
}

fn audit_line(entry: &AuditFileEntry) -> String {
    let by = entry.by_name.as_deref().unwrap_or(&entry.by_role);
    let name = entry.subject_name.as_deref().unwrap_or_default();
    format!("{}  {}  {} by {by}: {name}", entry.number, entry.at, entry.kind)
}
