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

/// The share of the register that must take part, so that a decision is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quorum {
    /// The share of the register.
    pub threshold: Threshold,
    /// The unit of the count.
    pub unit: Unit,
    /// The kind of participation that counts.
    pub attendance: Attendance,
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
    /// The quorum.
    pub quorum: Quorum,
    /// The effect of a missing quorum at opening. Only a quorum of present voters can prevent the opening.
    pub at_opening: AtOpening,
}

impl MeetingQuorum {
    /// A quorum, with the effect of its absence at opening.
    ///
    /// # Errors
    /// Refuses to prevent the opening by a quorum of votes, because there are no votes yet.
    pub fn new(quorum: Quorum, at_opening: AtOpening) -> Result<Self, RuleError> {
        if at_opening == AtOpening::Bar && quorum.attendance == Attendance::Voted {
            let requirement =
                "Nobody has voted before a question opens. Choose a warning, or a quorum of present voters.";
            return Err(("atOpening", Invalid::new(requirement)));
        }
        Ok(Self { quorum, at_opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quorum_of_votes_does_not_prevent_the_opening() {
        let quorum = |attendance| Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance };
        assert!(MeetingQuorum::new(quorum(Attendance::Present), AtOpening::Bar).is_ok());
        assert!(MeetingQuorum::new(quorum(Attendance::Voted), AtOpening::Warn).is_ok());
        assert_eq!(MeetingQuorum::new(quorum(Attendance::Voted), AtOpening::Bar).unwrap_err().0, "atOpening");
    }
}
