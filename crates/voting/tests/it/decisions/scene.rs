//! Rounds to decide, built from their counts.

use chrono::DateTime;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, MeetingId, OptionId, OptionRole, QuestionId, QuestionType, RoundId, Secrecy};
use plenum_kernel::{DecisionRule, Majority, WeightDecimals, WeightKind, WeightKindId};
use plenum_voting::{
    Answer, CastingVote, Count, CountedVote, RegisteredGroup, Round, RoundOption, RoundResult, RoundStatus,
    SecondTerms, Terms, Wording,
};
use rust_decimal::Decimal;

/// A round before its decision.
pub(crate) struct Scene {
    pub(crate) wording: Wording,
    pub(crate) register: Count,
    pub(crate) terms: Terms,
    pub(crate) votes: Vec<CountedVote>,
    /// The names of the weight and of the second one.
    pub(crate) kinds: Option<[&'static str; 2]>,
}

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

impl Scene {
    /// A yes/no question with Yes, No and Abstain.
    pub(crate) fn motion(rule: Majority) -> Self {
        let roles = [OptionRole::Yes, OptionRole::No, OptionRole::Abstain];
        Self::of(QuestionType::YesNo, &["Yes", "No", "Abstain"], &roles, Some(DecisionRule::Majority(rule)))
    }

    /// A multiple-choice question with these options.
    pub(crate) fn election(names: &[&str], rule: DecisionRule) -> Self {
        Self::of(QuestionType::MultipleChoice, names, &vec![OptionRole::Choice; names.len()], Some(rule))
    }

    /// A question of this type, with a rule that fits it, if with any.
    pub(crate) fn of(
        question_type: QuestionType,
        texts: &[&str],
        roles: &[OptionRole],
        rule: Option<DecisionRule>,
    ) -> Self {
        assert!(rule.iter().all(|rule| rule.check_for(question_type, roles).is_ok()));
        let ids = CountingIds::new();
        let option = |((position, text), role): ((u32, &&str), &OptionRole)| RoundOption {
            id: OptionId::new(&ids),
            text: (*text).to_owned(),
            position,
            role: *role,
        };
        let options = (1..).zip(texts).zip(roles).map(option).collect();
        let text = "?".to_owned();
        let wording = Wording { text, question_type, options, rating_max: None, max_choices: None, election: None };
        let terms = Terms { rule, ..Terms::default() };
        Self { wording, register: Count::default(), terms, votes: Vec::new(), kinds: None }
    }

    /// Adds people of this weight to the register who choose the options at these positions. Without positions they do not vote.
    pub(crate) fn add(&mut self, people: u32, weight: &str, places: &[usize]) {
        let weight = decimal(weight);
        let chosen: Vec<OptionId> = places.iter().map(|place| self.wording.options[*place].id).collect();
        for _ in 0..people {
            self.register.add(weight);
            if !chosen.is_empty() {
                let answer = Answer::Options(chosen.clone());
                self.votes.push(CountedVote {
                    answer,
                    weight,
                    second_weight: None,
                    was_connected: false,
                    groups: Vec::new(),
                    cast_on: None,
                });
            }
        }
    }

    /// The same question, which counts by a kind of weight and by a second one.
    pub(crate) fn by_kinds(mut self, kinds: [&'static str; 2]) -> Self {
        self.kinds = Some(kinds);
        self.terms.second = Some(SecondTerms::default());
        self
    }

    /// Adds a person with these two weights to the register, who chooses the options at these positions.
    pub(crate) fn with_two_weights(mut self, people: &[(&str, &str, Option<usize>)]) -> Self {
        for (weight, second, place) in people {
            let votes_before = self.votes.len();
            self.add(1, weight, place.as_slice());
            self.votes[votes_before..].iter_mut().for_each(|vote| vote.second_weight = Some(decimal(second)));
            self.terms.second.as_mut().unwrap().register.add(decimal(second));
        }
        self
    }

    /// This number of people of weight 1 were connected at opening: first those who vote, then others.
    pub(crate) fn with_connected(mut self, people: u32) -> Self {
        self.terms.connected_at_opening = Count { heads: people.into(), weight: people.into() };
        self.votes.iter_mut().take(people as usize).for_each(|vote| vote.was_connected = true);
        self
    }

    /// People of weight 1 who vote yes, no and abstain, and others who do not vote.
    pub(crate) fn with_heads(mut self, yes: u32, no: u32, abstain: u32, silent: u32) -> Self {
        for (place, people) in [yes, no, abstain].into_iter().enumerate() {
            self.add(people, "1", &[place]);
        }
        self.add(silent, "1", &[]);
        self
    }

    /// One person for each weight, who chooses the option at this position.
    pub(crate) fn with_weights(mut self, weights: &[(&str, usize)]) -> Self {
        for (weight, place) in weights {
            self.add(1, weight, &[*place]);
        }
        self
    }

    /// Adds people of weight 1 to a group at this place among those of the rule, which is named when it is met first.
    pub(crate) fn add_to_group(&mut self, (place, name): (usize, &str), people: u32, places: &[usize]) {
        if self.terms.groups.len() <= place {
            let (register, connected) = (Count::default(), Count::default());
            self.terms.groups.push(RegisteredGroup {
                name: name.to_owned(),
                register,
                connected,
                represented: Count::default(),
            });
        }
        let votes_before = self.votes.len();
        self.add(people, "1", places);
        self.votes[votes_before..].iter_mut().for_each(|vote| vote.groups.push(place as u16));
        (0..people).for_each(|_| self.terms.groups[place].register.add(Decimal::ONE));
    }

    /// The chair casts this vote on a tie.
    pub(crate) fn with_casting_vote(mut self, in_favor: bool) -> Self {
        let cast_by = "Ada Young".to_owned();
        self.terms.casting_vote = Some(CastingVote { in_favor, cast_by, at: DateTime::UNIX_EPOCH, noted_by: None });
        self
    }

    /// The result of the round.
    pub(crate) fn result(self) -> RoundResult {
        let ids = CountingIds::new();
        let opened_at = DateTime::UNIX_EPOCH;
        let kind = |place: usize| {
            let name = self.kinds?[place].to_owned();
            Some(WeightKind { id: WeightKindId::new(&ids), name, unit: None, decimals: WeightDecimals::default() })
        };
        let [weight_kind, second_weight_kind] = [0, 1].map(kind);
        let round = Round {
            id: RoundId::new(&ids),
            client_id: ClientId::new(&ids),
            meeting_id: MeetingId::new(&ids),
            question_id: QuestionId::new(&ids),
            number: 1,
            status: RoundStatus::Ended,
            wording: self.wording,
            opened_at,
            ended_at: Some(opened_at),
            closes_at: None,
            register: self.register,
            reason: None,
            secrecy: Secrecy::Unshown,
            counts_heads: false,
            groups: Vec::new(),
            weight_kind,
            second_weight_kind,
            urn: None,
            counted_at: None,
            declared: None,
        };
        RoundResult::of(round, self.terms, &self.votes, None)
    }
}

/// The texts of options of a result.
pub(crate) fn texts<'a>(result: &'a RoundResult, options: &[OptionId]) -> Vec<&'a str> {
    options.iter().map(|option| result.round.wording.text_of(*option).unwrap()).collect()
}
