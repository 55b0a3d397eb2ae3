//! The attendance log of a meeting with check-in, beside the registers of its rounds.

use plenum_kernel::PresenceRule;
use plenum_result_format::{AttendanceKind, AttendanceLogEntry, LogEntry, LogKind, ResultsFile};
use plenum_verify::verify;

use crate::hall::{Hall, admission, at, meeting};
use crate::tampering::motion;

/// An attendance log in which people come (`+`) and go (`-`).
fn log(steps: &str) -> Vec<AttendanceLogEntry> {
    let entry = |step: char| AttendanceLogEntry {
        name: "Somebody".to_owned(),
        username: "somebody".to_owned(),
        kind: if step == '+' { AttendanceKind::In } else { AttendanceKind::Out },
        at: at(0),
        noted_at: at(0),
        by: "Desk 1".to_owned(),
    };
    steps.chars().map(entry).collect()
}

/// A meeting with a round in which three people of the register were checked in, and with this log.
fn held(steps: &str) -> ResultsFile {
    let hall = Hall { presence: PresenceRule::CheckedIn, ..motion(true) };
    let mut file = meeting(vec![hall.file()]);
    file.closings = Some(Vec::new());
    file.check_ins = log(steps);
    file
}

/// The same, if the first of the three came before a reopening.
fn reopened(steps: &str) -> ResultsFile {
    let mut file = held(steps);
    let round = &mut file.rounds[0];
    let joined = LogEntry { kind: LogKind::Joined, ..admission(round) };
    let reopened = LogEntry { kind: LogKind::Reopened, person: None, ..joined.clone() };
    round.register[0].added_at = joined.at;
    round.result.log.splice(1..1, [reopened, joined]);
    file
}

fn accused(file: &ResultsFile) -> Vec<(String, String)> {
    let report = verify(file);
    assert!(report.rounds.iter().all(|round| round.differences.is_empty()), "{report:#?}");
    report.differences.into_iter().map(|one| (one.field, one.recount)).collect()
}

const NOTHING: [(String, String); 0] = [];

fn one(wanted: &str) -> Vec<(String, String)> {
    vec![("rounds.0.register".to_owned(), format!("it must be no more than the {wanted}"))]
}

#[test]
fn a_register_has_no_more_present_people_than_were_in_at_its_opening() {
    assert_eq!(accused(&held("+++")), NOTHING);
    assert_eq!(accused(&held("+-+++-")), NOTHING);
    assert_eq!(accused(&held("++-+")), one("2 who were checked in at once"));
    assert_eq!(accused(&held("")), one("0 who were checked in at once"));
}

#[test]
fn a_reopening_registers_people_after_others_have_gone() {
    assert_eq!(accused(&reopened("++-+")), NOTHING, "two were there at the opening, and two at the reopening");
    assert_eq!(accused(&reopened("++-")), one("2 arrivals"));
    assert_eq!(accused(&reopened("+-+-+")), one("1 who were checked in at once"));
}
