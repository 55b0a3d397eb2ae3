//! From the format of the terms of an election to the domain, and back.

use plenum_kernel::election::{
    BallotOrder, Borda, BordaScale, Candidate, CandidateNote, ChoiceLimits, Cumulative, Divisors, ElectionRule,
    FollowedBallot, Irv, ListOrder, Lists, MAX_POINTS, Method, PerCandidate, Plurality, RankingRules, Repetition,
    Requirement, Schulze, Score, ShareBase, Strength, Unanswered, Unranked, YesRanking,
};
use plenum_kernel::{Invalid, RoundId, Seats, Threshold, check_line_of_terms, check_text};

use crate::decision_rule::{FieldError, threshold, within};
use crate::election_rule::{heads, invalid, lot, next_moves_up, votes_cast};
use crate::{
    BallotOrderName, CandidateNoteFormat, ElectionRuleFormat, FollowedBallotFormat, ListFormat, MethodName, ShareFormat,
};

/// The longest line of a candidate, and the longest name of a list.
const MAX_LINE: usize = 120;
/// The longest text about a candidate.
const MAX_ABOUT: usize = 1_000;
/// The longest seed.
const MAX_SEED: usize = 200;

impl From<FollowedBallot> for FollowedBallotFormat {
    fn from(follows: FollowedBallot) -> Self {
        Self { round: follows.round.as_uuid(), ballot: follows.number }
    }
}

impl From<FollowedBallotFormat> for FollowedBallot {
    fn from(format: FollowedBallotFormat) -> Self {
        Self { round: RoundId::from_uuid(format.round), number: format.ballot }
    }
}

impl From<Requirement> for ShareFormat {
    fn from(requirement: Requirement) -> Self {
        let fraction = requirement.threshold.fraction();
        Self {
            base: requirement.base.into(),
            comparison: requirement.threshold.comparison().into(),
            numerator: fraction.numerator(),
            denominator: fraction.denominator(),
        }
    }
}

impl ShareFormat {
    fn checked(self, part: &str) -> Result<Requirement, FieldError> {
        let threshold = threshold(self.comparison, self.numerator, self.denominator).map_err(within(part))?;
        Ok(Requirement { base: self.base.into(), threshold })
    }
}

impl ElectionRuleFormat {
    /// The fields of the method that are present, with their names.
    fn own_fields(&self) -> Vec<&'static str> {
        let fields = [
            ("requirement", self.requirement.is_some()),
            ("yesRanking", self.yes_ranking.is_some()),
            ("unanswered", self.unanswered.is_some()),
            ("leastChoices", self.least_choices.is_some()),
            ("mostChoices", self.most_choices.is_some()),
            ("repeatedChoices", self.repeated_choices.is_some()),
            ("votes", self.votes.is_some()),
            ("mostForOne", self.most_for_one.is_some()),
            ("needsAllVotes", self.needs_all_votes.is_some()),
            ("points", self.points.is_some()),
            ("leastMarked", self.least_marked.is_some()),
            ("skippedRanks", self.skipped_ranks.is_some()),
            ("toleratedGap", self.tolerated_gap.is_some()),
            ("repeatedRanks", self.repeated_ranks.is_some()),
            ("equalRanks", self.equal_ranks.is_some()),
            ("leastRanks", self.least_ranks.is_some()),
            ("mostRanks", self.most_ranks.is_some()),
            ("tooManyRanks", self.too_many_ranks.is_some()),
            ("tiesByEarlierStages", self.ties_by_earlier_stages.is_some()),
            ("allowsEqual", self.allows_equal.is_some()),
            ("strength", self.strength.is_some()),
            ("scale", self.scale.is_some()),
            ("unranked", self.unranked.is_some()),
            ("divisors", self.divisors.is_some()),
            ("lists", self.lists.is_some()),
            ("listOrder", self.list_order.is_some()),
        ];
        fields.into_iter().filter(|(_, is_present)| *is_present).map(|(name, _)| name).collect()
    }

    fn check_fields(&self) -> Result<(), FieldError> {
        let known = fields_of(self.method);
        let foreign = self.own_fields().into_iter().find(|name| !known.contains(name));
        foreign.map_or(Ok(()), |name| Err((name.to_owned(), Invalid::new("Is not a field of this method."))))
    }

    fn ranking(&self, default: RankingRules) -> RankingRules {
        RankingRules {
            skipped: self.skipped_ranks.map_or(default.skipped, Into::into),
            tolerated_gap: self.tolerated_gap.unwrap_or(default.tolerated_gap),
            repeated: self.repeated_ranks.map_or(default.repeated, Into::into),
            equal: self.equal_ranks.map_or(default.equal, Into::into),
            least: self.least_ranks.unwrap_or(default.least),
            most: self.most_ranks,
            too_many: self.too_many_ranks.map_or(default.too_many, Into::into),
        }
    }

    fn limits(&self, most: Option<u32>) -> ChoiceLimits {
        ChoiceLimits {
            least: self.least_choices.unwrap_or(1),
            most: self.most_choices.or(most),
            repeated: self.repeated_choices.map_or(Repetition::CountsOnce, Into::into),
        }
    }

    fn checked_method(&self) -> Result<Method, FieldError> {
        let seats = self.seats.unwrap_or(1);
        let requirement = self.requirement.map(|share| share.checked("requirement")).transpose()?;
        Ok(match self.method {
            MethodName::PerCandidate => {
                let majority = Requirement { base: ShareBase::YesAndNo, threshold: Threshold::MORE_THAN_HALF };
                Method::PerCandidate(PerCandidate {
                    requirement: requirement.unwrap_or(majority),
                    ranking: self.yes_ranking.map_or(YesRanking::Yes, Into::into),
                    unanswered: self.unanswered.map_or(Unanswered::Abstains, Into::into),
                })
            }
            MethodName::Plurality => Method::Plurality(Plurality { limits: self.limits(self.seats), requirement }),
            MethodName::Approval => Method::Approval(self.limits(None)),
            MethodName::Cumulative => {
                let votes = self.votes.unwrap_or(seats);
                Method::Cumulative(Cumulative {
                    votes,
                    most_for_one: self.most_for_one.unwrap_or(votes),
                    needs_all_votes: self.needs_all_votes.unwrap_or(false),
                })
            }
            MethodName::Score => {
                Method::Score(Score { most: self.points.unwrap_or(5), least_marked: self.least_marked.unwrap_or(1) })
            }
            MethodName::Irv => Method::Irv(Irv {
                ranking: self.ranking(RankingRules::LENIENT),
                ties_by_earlier_stages: self.ties_by_earlier_stages.unwrap_or(false),
            }),
            MethodName::StvScottish => Method::StvScottish(self.ranking(RankingRules::UP_TO_FAULT)),
            MethodName::Schulze => Method::Schulze(Schulze {
                ranking: self.ranking(RankingRules::LENIENT),
                allows_equal: self.allows_equal.unwrap_or(true),
                strength: self.strength.map_or(Strength::WinningVotes, Into::into),
            }),
            MethodName::Borda => Method::Borda(Borda {
                ranking: self.ranking(RankingRules::LENIENT),
                allows_equal: self.allows_equal.unwrap_or(false),
                scale: self.scale.map_or(BordaScale::ToZero, Into::into),
                unranked: self.unranked.map_or(Unranked::Nothing, Into::into),
            }),
            MethodName::Lists => Method::Lists(self.checked_lists()?),
        })
    }

    fn checked_lists(&self) -> Result<Lists, FieldError> {
        let lists = self.lists.as_ref().ok_or_else(|| ("lists".to_owned(), Invalid::new("Is required.")))?;
        let numbers = |list: &ListFormat| list.candidates.iter().map(|number| Candidate::numbered(*number)).collect();
        Ok(Lists {
            divisors: self.divisors.map_or(Divisors::SainteLague, Into::into),
            lists: lists.iter().map(numbers).collect(),
            most_choices: self.most_choices.unwrap_or(0),
            order: self.list_order.map_or(ListOrder::AsListed, Into::into),
        })
    }

    fn checked_list_names(&self) -> Result<Vec<String>, FieldError> {
        let lists = self.lists.iter().flatten().enumerate();
        lists.map(|(index, list)| checked_line(&list.name, &format!("lists.{index}.name"))).collect()
    }

    fn checked_order(&self) -> Result<BallotOrder, FieldError> {
        Ok(match self.order {
            BallotOrderName::AsEntered => BallotOrder::AsEntered,
            BallotOrderName::ByName => BallotOrder::ByName,
            BallotOrderName::Rotated => BallotOrder::Rotated,
            BallotOrderName::ByLot => {
                let seed = self.order_seed.as_deref().map(|seed| check_line_of_terms(seed, MAX_SEED)).transpose();
                let seed = seed.map_err(|requirement| ("orderSeed".to_owned(), requirement))?;
                BallotOrder::ByLot { seed: seed.unwrap_or_default() }
            }
        })
    }
}

fn checked_line(text: &str, path: &str) -> Result<String, FieldError> {
    check_line_of_terms(text, MAX_LINE).map_err(|requirement| (path.to_owned(), requirement))
}

impl CandidateNoteFormat {
    /// The note without blank texts.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn checked(self) -> Result<CandidateNote, (&'static str, Invalid)> {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let line = filled(self.line).map(|line| check_line_of_terms(&line, MAX_LINE)).transpose();
        let about = filled(self.about).map(|about| check_text(&about, MAX_ABOUT)).transpose();
        Ok(CandidateNote {
            line: line.map_err(|wanted| ("line", wanted))?,
            about: about.map_err(|wanted| ("about", wanted))?,
            is_withdrawn: self.is_withdrawn,
        })
    }
}

fn checked_note(index: usize, note: CandidateNoteFormat) -> Result<CandidateNote, FieldError> {
    note.checked().map_err(|(field, wanted)| (format!("candidates.{index}.{field}"), wanted))
}

const RANKS: [&str; 7] =
    ["skippedRanks", "toleratedGap", "repeatedRanks", "equalRanks", "leastRanks", "mostRanks", "tooManyRanks"];

/// The fields of a method beside the general ones.
fn fields_of(method: MethodName) -> Vec<&'static str> {
    let with_ranks = |fields: &[&'static str]| [&RANKS, fields].concat();
    match method {
        MethodName::PerCandidate => vec!["requirement", "yesRanking", "unanswered"],
        MethodName::Plurality => vec!["requirement", "leastChoices", "mostChoices", "repeatedChoices"],
        MethodName::Approval => vec!["leastChoices", "mostChoices", "repeatedChoices"],
        MethodName::Cumulative => vec!["votes", "mostForOne", "needsAllVotes"],
        MethodName::Score => vec!["points", "leastMarked"],
        MethodName::Irv => with_ranks(&["tiesByEarlierStages"]),
        MethodName::StvScottish => with_ranks(&[]),
        MethodName::Schulze => with_ranks(&["allowsEqual", "strength"]),
        MethodName::Borda => with_ranks(&["allowsEqual", "scale", "unranked"]),
        MethodName::Lists => vec!["divisors", "lists", "mostChoices", "listOrder"],
    }
}

impl TryFrom<ElectionRuleFormat> for ElectionRule {
    type Error = FieldError;

    fn try_from(format: ElectionRuleFormat) -> Result<Self, FieldError> {
        format.check_fields()?;
        let numbers = [("votes", format.votes), ("mostForOne", format.most_for_one), ("points", format.points)];
        if let Some((field, _)) = numbers.iter().find(|(_, n)| n.is_some_and(|n| !(1..=MAX_POINTS).contains(&n))) {
            return Err(((*field).to_owned(), Invalid::new(format!("Must be a whole number from 1 to {MAX_POINTS}."))));
        }
        let notes = format.candidates.iter().cloned().enumerate();
        Ok(Self {
            method: format.checked_method()?,
            list_names: format.checked_list_names()?,
            seats: format.seats.map(Seats::new).transpose().map_err(within(""))?,
            unit: format.unit.into(),
            ties: format.ties.into(),
            abstentions: format.abstentions.into(),
            blank: format.blank.into(),
            none_of_the_above: format.none_of_the_above,
            least_support: format.least_support.map(|share| share.checked("leastSupport")).transpose()?,
            order: format.checked_order()?,
            candidates: notes.map(|(index, note)| checked_note(index, note)).collect::<Result<_, _>>()?,
            declined: format.declined.into(),
            follows: format.follows.map(FollowedBallot::from),
        })
    }
}

impl From<&ElectionRule> for ElectionRuleFormat {
    fn from(rule: &ElectionRule) -> Self {
        let (order, order_seed) = match &rule.order {
            BallotOrder::AsEntered => (BallotOrderName::AsEntered, None),
            BallotOrder::ByName => (BallotOrderName::ByName, None),
            BallotOrder::Rotated => (BallotOrderName::Rotated, None),
            BallotOrder::ByLot { seed } => (BallotOrderName::ByLot, Some(seed.clone())),
        };
        let note = |note: &CandidateNote| CandidateNoteFormat {
            line: note.line.clone(),
            about: note.about.clone(),
            is_withdrawn: note.is_withdrawn,
        };
        let general = Self {
            method: (&rule.method).into(),
            seats: rule.seats.map(Seats::get),
            unit: rule.unit.into(),
            ties: rule.ties.into(),
            abstentions: rule.abstentions.into(),
            blank: rule.blank.into(),
            none_of_the_above: rule.none_of_the_above,
            least_support: rule.least_support.map(Into::into),
            order,
            order_seed,
            candidates: rule.candidates.iter().map(note).collect(),
            declined: rule.declined.into(),
            follows: rule.follows.map(Into::into),
            ..Self::without_settings()
        };
        general.with_settings(rule)
    }
}

impl ElectionRuleFormat {
    fn without_settings() -> Self {
        Self {
            method: MethodName::Plurality,
            seats: None,
            unit: heads(),
            ties: lot(),
            abstentions: votes_cast(),
            blank: invalid(),
            none_of_the_above: false,
            least_support: None,
            order: BallotOrderName::default(),
            order_seed: None,
            candidates: Vec::new(),
            declined: next_moves_up(),
            follows: None,
            requirement: None,
            yes_ranking: None,
            unanswered: None,
            least_choices: None,
            most_choices: None,
            repeated_choices: None,
            votes: None,
            most_for_one: None,
            needs_all_votes: None,
            points: None,
            least_marked: None,
            skipped_ranks: None,
            tolerated_gap: None,
            repeated_ranks: None,
            equal_ranks: None,
            least_ranks: None,
            most_ranks: None,
            too_many_ranks: None,
            ties_by_earlier_stages: None,
            allows_equal: None,
            strength: None,
            scale: None,
            unranked: None,
            divisors: None,
            lists: None,
            list_order: None,
        }
    }

    fn with_settings(self, rule: &ElectionRule) -> Self {
        match &rule.method {
            Method::PerCandidate(settings) => Self {
                requirement: Some(settings.requirement.into()),
                yes_ranking: Some(settings.ranking.into()),
                unanswered: Some(settings.unanswered.into()),
                ..self
            },
            Method::Plurality(plurality) => {
                Self { requirement: plurality.requirement.map(Into::into), ..self.with_limits(plurality.limits) }
            }
            Method::Approval(limits) => self.with_limits(*limits),
            Method::Cumulative(cumulative) => Self {
                votes: Some(cumulative.votes),
                most_for_one: Some(cumulative.most_for_one),
                needs_all_votes: Some(cumulative.needs_all_votes),
                ..self
            },
            Method::Score(score) => Self { points: Some(score.most), least_marked: Some(score.least_marked), ..self },
            Method::Irv(irv) => {
                Self { ties_by_earlier_stages: Some(irv.ties_by_earlier_stages), ..self.with_ranking(&irv.ranking) }
            }
            Method::StvScottish(ranking) => self.with_ranking(ranking),
            Method::Schulze(schulze) => Self {
                allows_equal: Some(schulze.allows_equal),
                strength: Some(schulze.strength.into()),
                ..self.with_ranking(&schulze.ranking)
            },
            Method::Borda(borda) => Self {
                allows_equal: Some(borda.allows_equal),
                scale: Some(borda.scale.into()),
                unranked: Some(borda.unranked.into()),
                ..self.with_ranking(&borda.ranking)
            },
            Method::Lists(lists) => self.with_lists(lists, &rule.list_names),
        }
    }

    fn with_limits(self, limits: ChoiceLimits) -> Self {
        Self {
            least_choices: Some(limits.least),
            most_choices: limits.most,
            repeated_choices: Some(limits.repeated.into()),
            ..self
        }
    }

    fn with_ranking(self, ranking: &RankingRules) -> Self {
        Self {
            skipped_ranks: Some(ranking.skipped.into()),
            tolerated_gap: Some(ranking.tolerated_gap),
            repeated_ranks: Some(ranking.repeated.into()),
            equal_ranks: Some(ranking.equal.into()),
            least_ranks: Some(ranking.least),
            most_ranks: ranking.most,
            too_many_ranks: Some(ranking.too_many.into()),
            ..self
        }
    }

    fn with_lists(self, lists: &Lists, names: &[String]) -> Self {
        let list = |(name, candidates): (&String, &Vec<Candidate>)| ListFormat {
            name: name.clone(),
            candidates: candidates.iter().map(|candidate| candidate.number()).collect(),
        };
        Self {
            divisors: Some(lists.divisors.into()),
            lists: Some(names.iter().zip(&lists.lists).map(list).collect()),
            most_choices: Some(lists.most_choices),
            list_order: Some(lists.order.into()),
            ..self
        }
    }
}

impl From<&Method> for MethodName {
    fn from(method: &Method) -> Self {
        match method {
            Method::PerCandidate(_) => Self::PerCandidate,
            Method::Plurality(_) => Self::Plurality,
            Method::Cumulative(_) => Self::Cumulative,
            Method::Approval(_) => Self::Approval,
            Method::Irv(_) => Self::Irv,
            Method::StvScottish(_) => Self::StvScottish,
            Method::Schulze(_) => Self::Schulze,
            Method::Borda(_) => Self::Borda,
            Method::Score(_) => Self::Score,
            Method::Lists(_) => Self::Lists,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(json: Value) -> Result<ElectionRule, String> {
        let format: ElectionRuleFormat = serde_json::from_value(json).map_err(|error| error.to_string())?;
        ElectionRule::try_from(format).map_err(|(field, _)| field)
    }

    const METHODS: [&str; 10] = [
        "per_candidate",
        "plurality",
        "cumulative",
        "approval",
        "irv",
        "stv_scottish",
        "schulze",
        "borda",
        "score",
        "lists",
    ];

    fn short(method: &str) -> Value {
        match method {
            "lists" => json!({ "method": method, "lists": [{ "name": "Greens", "candidates": [2, 1] }] }),
            _ => json!({ "method": method }),
        }
    }

    #[test]
    fn every_method_has_defaults_and_is_parsed_as_it_was_written() {
        for method in METHODS {
            let rule = read(short(method)).unwrap();
            let written = serde_json::to_value(ElectionRuleFormat::from(&rule)).unwrap();
            assert_eq!(written["method"], method);
            assert_eq!(read(written.clone()), Ok(rule), "{written}");
        }
        assert_eq!(read(json!({ "method": "plurality", "seats": 3 })).unwrap().seats.map(Seats::get), Some(3));
    }

    #[test]
    fn a_field_of_another_method_is_refused() {
        for (method, field, value) in [
            ("approval", "strength", json!("margins")),
            ("irv", "allowsEqual", json!(true)),
            ("stv_scottish", "votes", json!(2)),
            ("plurality", "skippedRanks", json!("invalid")),
            ("score", "requirement", json!(null)),
        ] {
            let mut rule = short(method);
            rule[field] = value.clone();
            let refused = read(rule);
            assert_eq!(refused.err().as_deref(), (!value.is_null()).then_some(field), "{method}");
        }
        assert!(read(json!({ "method": "approval", "more": 1 })).unwrap_err().starts_with("unknown field"));
    }

    #[test]
    fn a_wrong_value_is_named_by_its_path() {
        let share = json!({ "base": "votes_cast", "comparison": "more_than", "numerator": 3, "denominator": 2 });
        for (rule, path) in [
            (json!({ "method": "plurality", "requirement": share }), "requirement.numerator"),
            (json!({ "method": "irv", "leastSupport": share }), "leastSupport.numerator"),
            (json!({ "method": "irv", "seats": 0 }), "seats"),
            (json!({ "method": "score", "points": 0 }), "points"),
            (json!({ "method": "lists" }), "lists"),
            (json!({ "method": "lists", "lists": [{ "name": "", "candidates": [] }] }), "lists.0.name"),
            (json!({ "method": "irv", "candidates": [{}, { "line": "x".repeat(121) }] }), "candidates.1.line"),
        ] {
            assert_eq!(read(rule.clone()).unwrap_err(), path, "{rule}");
        }
    }
}
