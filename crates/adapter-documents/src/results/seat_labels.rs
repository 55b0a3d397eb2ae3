//! The seats of an election in the words of the documents.

use plenum_result_format::{ElectionOutcome, SeatAnswerName, SeatHolderFormat};

use super::labels::counted;

/// "2 of 3 seats filled, 1 seat vacant, after 2 ballots".
pub(super) fn summary(outcome: &ElectionOutcome) -> String {
    let filled = outcome.holders.len();
    let of_seats = |seats: u32| format!("{filled} of {} filled", counted(u64::from(seats), "seat"));
    let filled = outcome.seats.map_or_else(|| format!("{filled} elected"), of_seats);
    let vacant = match outcome.vacant {
        0 => String::new(),
        vacant => format!(", {} vacant", counted(u64::from(vacant), "seat")),
    };
    let ballots = match outcome.rounds.len() {
        1 => String::new(),
        ballots => format!(", after {ballots} ballots"),
    };
    format!("{filled}{vacant}{ballots}")
}

/// The people of an election: those who have a seat, then those who declined.
pub(super) fn people(outcome: &ElectionOutcome) -> impl Iterator<Item = (&SeatHolderFormat, String)> {
    let seated = outcome.holders.iter().map(|holder| (holder, seated(holder)));
    seated.chain(outcome.declined.iter().map(|holder| (holder, "Declined".to_owned())))
}

fn seated(holder: &SeatHolderFormat) -> String {
    let how = if holder.has_moved_up { "Moved up" } else { "Elected" };
    match holder.answer {
        Some(SeatAnswerName::Accepted) => format!("{how}, accepted"),
        _ => how.to_owned(),
    }
}

/// "Bert Adler (Flat 12)".
pub(super) fn name(holder: &SeatHolderFormat) -> String {
    match &holder.line {
        Some(line) => format!("{} ({line})", holder.name),
        None => holder.name.clone(),
    }
}

/// The number of the ballot that elected a person.
pub(super) fn ballot(outcome: &ElectionOutcome, holder: &SeatHolderFormat) -> u64 {
    let place = outcome.rounds.iter().position(|round| *round == holder.round_id);
    place.map_or(0, |place| place as u64 + 1)
}
