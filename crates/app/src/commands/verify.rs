use std::path::Path;
use std::process::ExitCode;

use plenum_verify::{Report, read, verify};

use crate::say::say;

/// Something differs.
const DIFFERS: u8 = 1;
/// There is nothing to compare.
const UNREADABLE: u8 = 2;

/// Counts the results of a file again and says what comes out.
pub(super) fn run(file: &Path) -> ExitCode {
    let content = match std::fs::read(file) {
        Ok(content) => content,
        Err(error) => return unreadable(file, &error.to_string()),
    };
    match read(&content) {
        Ok(results) => {
            say(&format!("{}, {}", one_line(&results.meeting.title), one_line(&results.meeting.organization)));
            tell(&verify(&results))
        }
        Err(reason) => unreadable(file, &reason.to_string()),
    }
}

fn unreadable(file: &Path, reason: &str) -> ExitCode {
    say(&format!("{} cannot be verified: {reason}.", file.display()));
    ExitCode::from(UNREADABLE)
}

fn tell(report: &Report) -> ExitCode {
    for round in &report.rounds {
        let outcome = if round.differences.is_empty() { "agrees " } else { "DIFFERS" };
        say(&format!("{outcome}  {} (register {}, ballots {})", round.name, round.register, round.ballots));
        for difference in &round.differences {
            say(&format!("         {}", one_line(&difference.to_string())));
        }
    }
    for difference in &report.differences {
        say(&format!("DIFFERS  {}", one_line(&difference.to_string())));
    }
    if report.agrees() {
        say(&format!("The file agrees with the recount: {}.", rounds(report.rounds.len())));
        return ExitCode::SUCCESS;
    }
    say("The file does not agree with the recount.");
    ExitCode::from(DIFFERS)
}

fn rounds(number: usize) -> String {
    match number {
        0 => "there is no round in it".to_owned(),
        1 => "1 round".to_owned(),
        number => format!("{number} rounds"),
    }
}

/// A text of a file as it may stand in a terminal, which takes control characters for orders.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
