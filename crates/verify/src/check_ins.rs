//! Whether the attendance log of a meeting agrees with the registers of its rounds.

use std::collections::HashMap;

use plenum_result_format::{AttendanceKind, AttendanceLogEntry, PresenceRuleName, ResultsFile, RoundFile};

use crate::report::Differences;

/// A round with check-in takes the present people from the log, when it opens and again when it reopens. So no opening can have
/// found more present people than were in at once, and no register can have more of them than came. People are counted and not
/// compared by name, because they can be renamed between the two.
///
/// The file of a deleted meeting has neither closing records nor a log.
pub(crate) fn check_check_ins(found: &mut Differences, file: &ResultsFile) {
    if file.closings.is_none() {
        return;
    }
    let most = most_at_once(&file.check_ins);
    let arrivals = file.check_ins.iter().filter(|entry| entry.kind == AttendanceKind::In).count();
    for (index, round) in file.rounds.iter().enumerate() {
        if round.result.presence != PresenceRuleName::CheckedIn {
            continue;
        }
        let (at_once, all) = present_at_openings(round);
        let at = format!("rounds.{index}.register");
        if at_once > most {
            let wanted = format!("no more than the {most} who were checked in at once");
            found.wants(at, format!("{at_once} present people"), wanted);
        } else if all > arrivals {
            found.wants(at, format!("{all} present people"), format!("no more than the {arrivals} arrivals"));
        }
    }
}

/// The greatest number of people whom one opening registered as present, and the number of all of them. A reopening adds those who
/// have come in the meantime, and removes nobody who has gone. An entry from before the first opening belongs to it.
fn present_at_openings(round: &RoundFile) -> (usize, usize) {
    let mut openings: HashMap<_, usize> = HashMap::new();
    for voter in round.register.iter().filter(|voter| voter.was_connected) {
        *openings.entry(voter.added_at.max(round.result.opened_at)).or_default() += 1;
    }
    (openings.values().copied().max().unwrap_or_default(), openings.values().sum())
}

/// The greatest number of people who were in at the same time, by the order in which the entries were stored.
fn most_at_once(log: &[AttendanceLogEntry]) -> usize {
    let (mut present, mut most) = (0_usize, 0_usize);
    for entry in log {
        present = match entry.kind {
            AttendanceKind::In => present + 1,
            AttendanceKind::Out => present.saturating_sub(1),
        };
        most = most.max(present);
    }
    most
}
