use rust_decimal::Decimal;

use super::{RuleError, Threshold, Unit};
use crate::Invalid;

/// The kind of participation that counts for a quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attendance {
    /// Presence: connected at opening, or voted.
    Present,
    /// A vote.
    Voted,
}

/// The part of the register that a quorum requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Minimum {
    /// A share of the register.
    Share(Threshold),
    /// A number of people, or an amount of weight, whatever the register is.
    Amount(MinimumAmount),
}

/// A number of people or an amount of weight: more than zero, at most 1,000,000,000,000,000,000, with at most 6 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MinimumAmount(Decimal);

impl MinimumAmount {
    const MAX: Decimal = Decimal::from_parts(2_808_348_672, 232_830_643, 0, false, 0);
    const MAX_DECIMALS: u32 = 6;

    /// Checks an amount in this unit.
    ///
    /// # Errors
    /// States the requirement.
    pub fn new(amount: Decimal, unit: Unit) -> Result<Self, RuleError> {
        let amount = amount.normalize();
        let invalid = |requirement: &'static str| Err(("minimum", Invalid::new(requirement)));
        if unit == Unit::Heads && amount.scale() > 0 {
            return invalid("Must be a whole number of people.");
        }
        if amount <= Decimal::ZERO || amount > Self::MAX {
            return invalid("Must be more than 0, and at most 1,000,000,000,000,000,000.");
        }
        if amount.scale() > Self::MAX_DECIMALS {
            return invalid("Must have at most 6 decimals.");
        }
        Ok(Self(amount))
    }

    /// The exact amount, without trailing zeros.
    pub const fn as_decimal(self) -> Decimal {
        self.0
    }
}

/// The part of the register that must take part, so that a decision is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quorum {
    /// The required part of the register.
    pub minimum: Minimum,
    /// The unit of the count.
    pub unit: Unit,
    /// The kind of participation that counts.
    pub attendance: Attendance,
}

impl Quorum {
    /// The required share of the register. `None` if an amount is required.
    pub const fn share(&self) -> Option<Threshold> {
        match self.minimum {
            Minimum::Share(threshold) => Some(threshold),
            Minimum::Amount(_) => None,
        }
    }

    /// The required amount. `None` if a share of the register is required.
    pub const fn amount(&self) -> Option<MinimumAmount> {
        match self.minimum {
            Minimum::Share(_) => None,
            Minimum::Amount(amount) => Some(amount),
        }
    }
}

/// The quorum of a question, and that for a second call of the meeting: where a first one had too few people, statutes often
/// ask for fewer when it is called again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlannedQuorum {
    /// The quorum.
    pub quorum: Quorum,
    /// The quorum on a second call. `None` if it is the same.
    pub second_call: Option<Quorum>,
}

impl PlannedQuorum {
    /// The quorum that applies on the first or on a second call.
    pub fn in_force(self, is_second_call: bool) -> Quorum {
        self.second_call.filter(|_| is_second_call).unwrap_or(self.quorum)
    }
}

impl From<Quorum> for PlannedQuorum {
    fn from(quorum: Quorum) -> Self {
        Self { quorum, second_call: None }
    }
}

/// The effect of a missing quorum on the opening of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtOpening {
    /// The organizer is warned and can continue.
    Warn,
    /// The question is not opened.
    Bar,
}

/// The quorum of a meeting, for every question without its own quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeetingQuorum {
    /// The quorum, on both calls.
    pub planned: PlannedQuorum,
    /// The effect of a missing quorum at opening. Only a quorum of present voters can prevent the opening.
    pub at_opening: AtOpening,
}

impl MeetingQuorum {
    /// A quorum, with the effect of its absence at opening.
    ///
    /// # Errors
    /// Refuses to prevent the opening by a quorum of votes, because there are no votes yet.
    pub fn new(planned: PlannedQuorum, at_opening: AtOpening) -> Result<Self, RuleError> {
        let of_votes = |quorum: Quorum| quorum.attendance == Attendance::Voted;
        if at_opening == AtOpening::Bar && (of_votes(planned.quorum) || planned.second_call.is_some_and(of_votes)) {
            let requirement =
                "Nobody has voted before a question opens. Choose a warning, or a quorum of present voters.";
            return Err(("atOpening", Invalid::new(requirement)));
        }
        Ok(Self { planned, at_opening })
    }
}

/// The quorum by which an attendance note is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotedQuorum {
    /// The one that the note keeps: that of its moment. `None` if the meeting had none.
    Kept(Option<Quorum>),
    /// That of the meeting. Notes of earlier versions keep none.
    OfMeeting,
}

impl NotedQuorum {
    /// The quorum of a note, of a meeting that now has this one.
    pub fn in_force(self, of_meeting: Option<MeetingQuorum>, is_second_call: bool) -> Option<Quorum> {
        match self {
            Self::Kept(quorum) => quorum,
            Self::OfMeeting => of_meeting.map(|quorum| quorum.planned.in_force(is_second_call)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quorum_of_votes_does_not_prevent_the_opening() {
        let minimum = Minimum::Share(Threshold::AT_LEAST_HALF);
        let quorum = |attendance| Quorum { minimum, unit: Unit::Heads, attendance };
        let meeting = |attendance, at_opening| MeetingQuorum::new(quorum(attendance).into(), at_opening);
        assert!(meeting(Attendance::Present, AtOpening::Bar).is_ok());
        assert!(meeting(Attendance::Voted, AtOpening::Warn).is_ok());
        assert_eq!(meeting(Attendance::Voted, AtOpening::Bar).unwrap_err().0, "atOpening");
        let second = Some(quorum(Attendance::Voted));
        let planned = PlannedQuorum { second_call: second, ..quorum(Attendance::Present).into() };
        assert_eq!(MeetingQuorum::new(planned, AtOpening::Bar).unwrap_err().0, "atOpening");
        assert_eq!((planned.in_force(false), Some(planned.in_force(true))), (quorum(Attendance::Present), second));
        let same = PlannedQuorum::from(quorum(Attendance::Voted));
        assert_eq!(same.in_force(true), same.in_force(false));
    }

    #[test]
    fn a_note_is_measured_by_the_quorum_that_it_keeps() {
        let minimum = Minimum::Share(Threshold::AT_LEAST_HALF);
        let of_heads = Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Present };
        let of_weight = Quorum { unit: Unit::Weight, ..of_heads };
        let planned = PlannedQuorum { quorum: of_heads, second_call: Some(of_weight) };
        let meeting = Some(MeetingQuorum { planned, at_opening: AtOpening::Warn });
        assert_eq!(NotedQuorum::OfMeeting.in_force(meeting, false), Some(of_heads));
        assert_eq!(NotedQuorum::OfMeeting.in_force(meeting, true), Some(of_weight));
        assert_eq!(NotedQuorum::OfMeeting.in_force(None, true), None);
        assert_eq!(NotedQuorum::Kept(Some(of_weight)).in_force(meeting, false), Some(of_weight));
        assert_eq!(NotedQuorum::Kept(Some(of_weight)).in_force(None, false), Some(of_weight));
        assert_eq!(NotedQuorum::Kept(None).in_force(meeting, false), None);
    }

    #[test]
    fn a_number_of_people_is_whole_and_an_amount_of_weight_has_six_decimals() {
        let amount = |text: &str, unit| MinimumAmount::new(text.parse().unwrap(), unit).map_err(|(field, _)| field);
        assert_eq!(amount("15.000", Unit::Heads).unwrap().as_decimal().to_string(), "15");
        assert!(amount("0.000001", Unit::Weight).is_ok());
        assert!(amount("1000000000000000000", Unit::Weight).is_ok());
        for (text, unit) in [
            ("0", Unit::Heads),
            ("-1", Unit::Heads),
            ("1.5", Unit::Heads),
            ("0.0000001", Unit::Weight),
            ("1000000000000000000.000001", Unit::Weight),
        ] {
            assert_eq!(amount(text, unit).unwrap_err(), "minimum", "{text}");
        }
    }
}
