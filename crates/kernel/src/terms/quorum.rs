use super::{RuleError, Threshold, Unit};
use crate::Invalid;

/// What a quorum asks of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attendance {
    /// To be there: connected when voting was opened, or having voted.
    Present,
    /// To have voted.
    Voted,
}

/// How much of the register must take part, so that anything can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quorum {
    /// The share of the register.
    pub threshold: Threshold,
    /// In what it is counted.
    pub unit: Unit,
    /// What it asks of people.
    pub attendance: Attendance,
}

/// What happens when a question is to be opened while too few are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtOpening {
    /// The organizer is warned and may go on.
    Warn,
    /// The question is not opened.
    Bar,
}

/// The quorum of a meeting. It holds for every question that has none of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeetingQuorum {
    /// How much of the register must take part.
    pub quorum: Quorum,
    /// What happens when a question is to be opened without it. Only who is present can be asked for then.
    pub at_opening: AtOpening,
}

impl MeetingQuorum {
    /// A quorum with what its absence means at an opening.
    ///
    /// # Errors
    /// Refuses to bar the opening of a question on which nobody can have voted yet.
    pub fn new(quorum: Quorum, at_opening: AtOpening) -> Result<Self, RuleError> {
        if at_opening == AtOpening::Bar && quorum.attendance == Attendance::Voted {
            let wanted = "Nobody has voted before a question is opened: say warn, or ask for those who are present.";
            return Err(("atOpening", Invalid::new(wanted)));
        }
        Ok(Self { quorum, at_opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_not_barred_until_people_have_voted() {
        let quorum = |attendance| Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance };
        assert!(MeetingQuorum::new(quorum(Attendance::Present), AtOpening::Bar).is_ok());
        assert!(MeetingQuorum::new(quorum(Attendance::Voted), AtOpening::Warn).is_ok());
        assert_eq!(MeetingQuorum::new(quorum(Attendance::Voted), AtOpening::Bar).unwrap_err().0, "atOpening");
    }
}
