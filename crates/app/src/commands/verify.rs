use std::path::Path;
use std::process::ExitCode;

use plenum_result_format::AuditFile;
use plenum_verify::{ChainFault, Exported, Report, read_exported, verify, verify_audit};

use crate::output::print_line;

/// Exit code for a difference.
pub(super) const DIFFERS: u8 = 1;
/// Exit code for a file that cannot be verified.
const UNREADABLE: u8 = 2;

/// Counts the results of a file again, or checks the chain of an audit log, and prints the outcome.
pub(super) fn run(file: &Path, since: Option<&Path>) -> ExitCode {
    let exported = match read_file(file) {
        Ok(exported) => exported,
        Err(reason) => return unreadable(file, &reason),
    };
    match (exported, since) {
        (Exported::Results(results), None) => {
            print_line(&format!("{}, {}", one_line(&results.meeting.title), one_line(&results.meeting.organization)));
            print_report(&verify(&results))
        }
        (Exported::Results(_), Some(_)) => unreadable(file, "only audit logs have an earlier export"),
        (Exported::Audit(log), None) => print_chain(&log, &verify_audit(&log, None)),
        (Exported::Audit(log), Some(since)) => match read_file(since) {
            Ok(Exported::Audit(earlier)) => print_chain(&log, &verify_audit(&log, Some(&earlier))),
            Ok(Exported::Results(_)) => unreadable(since, "it is not an audit log"),
            Err(reason) => unreadable(since, &reason),
        },
    }
}

fn read_file(file: &Path) -> Result<Exported, String> {
    let content = std::fs::read(file).map_err(|error| error.to_string())?;
    read_exported(&content).map_err(|reason| reason.to_string())
}

fn print_chain(log: &AuditFile, faults: &[ChainFault]) -> ExitCode {
    print_line(&format!("{} entries of the audit log {}", log.entries.len(), log.chain));
    for fault in faults {
        print_line(&format!("BROKEN   {}", one_line(&fault.to_string())));
    }
    if faults.is_empty() {
        print_line("The chain is intact.");
        return ExitCode::SUCCESS;
    }
    print_line("The chain is broken.");
    ExitCode::from(DIFFERS)
}

fn unreadable(file: &Path, reason: &str) -> ExitCode {
    print_line(&format!("{} cannot be verified: {reason}.", file.display()));
    ExitCode::from(UNREADABLE)
}

fn print_report(report: &Report) -> ExitCode {
    for round in &report.rounds {
        let outcome = if round.differences.is_empty() { "agrees " } else { "DIFFERS" };
        print_line(&format!("{outcome}  {} (register {}, ballots {})", round.name, round.register, round.ballots));
        for difference in &round.differences {
            print_line(&format!("         {}", one_line(&difference.to_string())));
        }
    }
    for difference in &report.differences {
        print_line(&format!("DIFFERS  {}", one_line(&difference.to_string())));
    }
    if report.agrees() {
        print_line(&format!("The file agrees with the recount: {}.", rounds(report.rounds.len())));
        return ExitCode::SUCCESS;
    }
    print_line("The file does not agree with the recount.");
    ExitCode::from(DIFFERS)
}

fn rounds(number: usize) -> String {
    match number {
        0 => "it contains no round".to_owned(),
        1 => "1 round".to_owned(),
        number => format!("{number} rounds"),
    }
}

/// A text without control characters, which a terminal would interpret as commands.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
