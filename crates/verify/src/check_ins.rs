//! Whether the attendance log of a meeting agrees with the registers of its rounds.

use plenum_result_format::{AttendanceKind, AttendanceLogEntry, PresenceRuleName, ResultsFile, RoundFile};

use crate::report::Differences;

/// A round with check-in takes the present people from the log. So never more of its register can have been present at opening than
/// people were in at once. People are counted and not compared by name, because they can be renamed between the two.
///
/// The file of a deleted meeting has neither closing records nor a log.
pub(crate) fn check_check_ins(found: &mut Differences, file: &ResultsFile) {
    if file.closings.is_none() {
        return;
    }
    let most = most_at_once(&file.check_ins);
    for (index, round) in file.rounds.iter().enumerate() {
        let present = present_at_opening(round);
        if round.result.presence == PresenceRuleName::CheckedIn && present > most {
            let wanted = format!("no more than the {most} who were checked in at once");
            found.wants(format!("rounds.{index}.register"), format!("{present} present people"), wanted);
        }
    }
}

fn present_at_opening(round: &RoundFile) -> usize {
    round.register.iter().filter(|voter| voter.was_connected).count()
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
