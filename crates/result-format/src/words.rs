//! Rules and quorums in words, for readers of files and minutes.

use plenum_kernel::capitalized;

use crate::election_words::election_words;
use crate::{
    AttendanceName, BaseName, ComparisonName, ConditionFormat, DecisionRuleFormat, JoinedName, MeetingQuorumFormat,
    MethodName, OnTieName, PresenceRuleName, QuorumFormat, SecrecyName, UnitName, UnitsName,
};

impl ComparisonName {
    /// "more than" or "at least".
    pub const fn words(self) -> &'static str {
        match self {
            Self::MoreThan => "more than",
            Self::AtLeast => "at least",
        }
    }
}

impl UnitName {
    /// "heads" or "weight".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::Weight => "weight",
        }
    }
}

impl UnitsName {
    /// "heads", "weight", both, or "second weight".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::Weight => "weight",
            Self::Both => "heads and by weight",
            Self::SecondWeight => "second weight",
        }
    }
}

impl BaseName {
    /// The base in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::YesPlusNo => "yes and no",
            Self::VotesCast => "the votes cast",
            Self::VotesWithoutAbstentions => "the votes cast without abstentions",
            Self::WholeRegister => "the whole register",
            Self::ConnectedAtOpening => "those present",
        }
    }
}

impl PresenceRuleName {
    /// The present voters in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ConnectedOrVoted => "connected at opening, or voted",
            Self::CheckedIn => "checked in at opening, or voted",
            Self::LargerNumber => "connected at opening or votes cast, the larger number",
        }
    }
}

impl SecrecyName {
    /// The level and its meaning, as it is told in files and minutes.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Named => "named vote: it is told how each person voted",
            Self::Unshown => "votes not shown: nobody is shown how a person voted; the operator's database contains it",
            Self::Secret => "secret vote: sealed ballots, opened once; only sums were kept, and the key was destroyed",
        }
    }
}

impl ConditionFormat {
    /// "more than 2/3 of yes and no by weight".
    pub fn words(&self) -> String {
        let Self { units, base, comparison, numerator, denominator, blocking_minority, joined: _ } = self;
        let share =
            format!("{} {numerator}/{denominator} of {} by {}", comparison.words(), base.words(), units.words());
        match blocking_minority {
            None => share,
            Some(people) => format!("{share} (or fewer than {people} people not in favor)"),
        }
    }

    /// Whether a tie is possible, in which neither side has a majority.
    fn can_tie(&self) -> bool {
        self.base == BaseName::YesPlusNo
            && self.comparison == ComparisonName::MoreThan
            && u64::from(self.numerator) * 2 == u64::from(self.denominator)
    }
}

impl DecisionRuleFormat {
    /// The rule as a sentence without a full stop: "More than 2/3 of yes and no by weight, and at least 1/2 of the whole
    /// register by weight". The terms of an election are several sentences, of which only the last one has no full stop.
    pub fn words(&self) -> String {
        let words = match self {
            Self::Majority { conditions, on_tie, in_each } => majority(conditions, *on_tie, in_each.len()),
            Self::Plurality { unit, seats: 1 } => {
                format!("the option with the most votes by {} is elected", unit.words())
            }
            Self::Plurality { unit, seats } => {
                format!("the {seats} options with the most votes by {} are elected", unit.words())
            }
            Self::EachOption { condition, seats } => {
                let of_those = match seats {
                    None => "each option that reaches it is elected".to_owned(),
                    Some(1) => "of those that reach it, the one with the most votes is elected".to_owned(),
                    Some(seats) => format!("of those that reach it, the {seats} with the most votes are elected"),
                };
                format!("each option needs {}; {of_those}", condition.words())
            }
            Self::Election { election } => election_words(election),
        };
        capitalized(&words)
    }
}

impl MethodName {
    /// The method in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::PerCandidate => "yes, no or abstain for each candidate",
            Self::Plurality => "the most votes",
            Self::Cumulative => "cumulative votes",
            Self::Approval => "approval",
            Self::Irv => "instant-runoff voting",
            Self::StvScottish => "single transferable vote (Scottish rules)",
            Self::Schulze => "Schulze's method",
            Self::Borda => "the Borda count",
            Self::Score => "points",
            Self::Lists => "lists",
        }
    }
}

fn majority(conditions: &[ConditionFormat], on_tie: OnTieName, groups: usize) -> String {
    let mut all = String::new();
    for (place, condition) in conditions.iter().enumerate() {
        all += match (place, condition.joined) {
            (0, _) => "",
            (_, Some(JoinedName::Or)) => "; or ",
            (_, Some(JoinedName::And) | None) => ", and ",
        };
        all += &condition.words();
    }
    let tie = match on_tie {
        _ if !conditions.iter().any(ConditionFormat::can_tie) => "",
        OnTieName::Rejected => "; a tie rejects",
        OnTieName::Accepted => "; a tie accepts",
        OnTieName::CastingVote => "; the chair has the casting vote",
    };
    let in_each = match groups {
        0 => String::new(),
        1 => "; in total, and in 1 group".to_owned(),
        groups => format!("; in total, and in each of {groups} groups"),
    };
    format!("{all}{tie}{in_each}")
}

impl QuorumFormat {
    /// The quorum as a sentence without a full stop: "At least 1/2 of the register must be present, by heads".
    pub fn words(&self) -> String {
        let Self { comparison, numerator, denominator, minimum, unit, attendance } = self;
        let part_taken = match attendance {
            AttendanceName::Present => "must be present",
            AttendanceName::Voted => "must have voted",
        };
        match (comparison, numerator, denominator, minimum) {
            (Some(comparison), Some(numerator), Some(denominator), _) => {
                let share = format!("{} {numerator}/{denominator}", comparison.words());
                capitalized(&format!("{share} of the register {part_taken}, by {}", unit.words()))
            }
            (.., minimum) => {
                let amount = minimum.map(|minimum| minimum.0.normalize()).unwrap_or_default();
                format!("At least {amount} {part_taken}, by {}", unit.words())
            }
        }
    }
}

impl MeetingQuorumFormat {
    /// The quorum that applies on the first or on a second call.
    pub fn in_force(&self, is_second_call: bool) -> QuorumFormat {
        self.second_call.filter(|_| is_second_call).unwrap_or_else(|| self.quorum())
    }

    /// The quorum without its effect at opening.
    pub const fn quorum(&self) -> QuorumFormat {
        let Self { comparison, numerator, denominator, minimum, unit, attendance, at_opening: _, second_call: _ } =
            *self;
        QuorumFormat { comparison, numerator, denominator, minimum, unit, attendance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(units: UnitsName, base: BaseName, comparison: ComparisonName, denominator: u32) -> ConditionFormat {
        let (blocking_minority, joined) = (None, None);
        ConditionFormat { units, base, comparison, numerator: denominator - 1, denominator, blocking_minority, joined }
    }

    #[test]
    fn a_majority_in_words_has_all_conditions_and_the_effect_of_a_tie() {
        let two_thirds = condition(UnitsName::Weight, BaseName::YesPlusNo, ComparisonName::MoreThan, 3);
        let half = condition(UnitsName::Both, BaseName::WholeRegister, ComparisonName::AtLeast, 2);
        let rule = majority_of(vec![two_thirds, half], OnTieName::Rejected, 0);
        let expected =
            "More than 2/3 of yes and no by weight, and at least 1/2 of the whole register by heads and by weight";
        assert_eq!(rule.words(), expected);
        let simple = condition(UnitsName::Heads, BaseName::YesPlusNo, ComparisonName::MoreThan, 2);
        let rule = |on_tie| majority_of(vec![simple], on_tie, 0).words();
        assert_eq!(rule(OnTieName::Rejected), "More than 1/2 of yes and no by heads; a tie rejects");
        assert_eq!(rule(OnTieName::Accepted), "More than 1/2 of yes and no by heads; a tie accepts");
        let casting = "More than 1/2 of yes and no by heads; the chair has the casting vote";
        assert_eq!(rule(OnTieName::CastingVote), casting);
        let half = ConditionFormat { joined: Some(JoinedName::Or), blocking_minority: Some(4), ..half };
        assert_eq!(
            majority_of(vec![two_thirds, half], OnTieName::Rejected, 3).words(),
            "More than 2/3 of yes and no by weight; or at least 1/2 of the whole register by heads and by weight \
             (or fewer than 4 people not in favor); in total, and in each of 3 groups"
        );
    }

    fn majority_of(conditions: Vec<ConditionFormat>, on_tie: OnTieName, groups: u128) -> DecisionRuleFormat {
        DecisionRuleFormat::Majority { conditions, on_tie, in_each: (0..groups).map(uuid::Uuid::from_u128).collect() }
    }

    #[test]
    fn an_election_in_words_has_its_seats() {
        let plurality = |seats| DecisionRuleFormat::Plurality { unit: UnitName::Weight, seats }.words();
        assert_eq!(plurality(1), "The option with the most votes by weight is elected");
        assert_eq!(plurality(3), "The 3 options with the most votes by weight are elected");
        let half = condition(UnitsName::Heads, BaseName::VotesCast, ComparisonName::MoreThan, 2);
        let each = |seats| DecisionRuleFormat::EachOption { condition: half, seats }.words();
        let needs = "Each option needs more than 1/2 of the votes cast by heads";
        assert_eq!(each(None), format!("{needs}; each option that reaches it is elected"));
        assert_eq!(each(Some(2)), format!("{needs}; of those that reach it, the 2 with the most votes are elected"));
    }

    #[test]
    fn a_quorum_in_words_has_its_kind_of_attendance() {
        let quorum = QuorumFormat {
            comparison: Some(ComparisonName::AtLeast),
            numerator: Some(1),
            denominator: Some(3),
            minimum: None,
            unit: UnitName::Heads,
            attendance: AttendanceName::Present,
        };
        assert_eq!(quorum.words(), "At least 1/3 of the register must be present, by heads");
        let minimum = Some(crate::ExactNumber("40.50".parse().unwrap()));
        let number = QuorumFormat { comparison: None, numerator: None, denominator: None, minimum, ..quorum };
        assert_eq!(number.words(), "At least 40.5 must be present, by heads");
    }
}
