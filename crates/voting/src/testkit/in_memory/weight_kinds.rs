use std::collections::HashMap;

use plenum_kernel::{EndUserId, MeetingId, QuestionId, QuestionType, WeightKind, WeightKindId};
use rust_decimal::Decimal;

use super::{KnownRound, State};
use crate::testkit::contract::SeedVoter;
use crate::{OpeningRule, check_register_weight, check_whole_groups};

/// The kinds of weight, and people's values.
#[derive(Debug, Default)]
pub(super) struct KnownWeights {
    pub(super) kinds: HashMap<WeightKindId, WeightKind>,
    pub(super) values: HashMap<(WeightKindId, EndUserId), Decimal>,
}

impl KnownWeights {
    /// A person's weight by a kind, or the ordinary one.
    pub(super) fn of(&self, kind: Option<WeightKindId>, voter: &SeedVoter) -> Decimal {
        let Some(kind) = kind else { return voter.weight };
        self.values.get(&(kind, voter.id)).copied().unwrap_or_default()
    }
}

impl State {
    /// The kind that a question counts as weight, and its second one.
    pub(super) fn kinds_of(
        &self,
        meeting: MeetingId,
        question: QuestionId,
    ) -> (Option<WeightKindId>, Option<WeightKindId>) {
        let known = self.questions.get(&question);
        if known.is_some_and(|known| known.wording.question_type == QuestionType::Election) {
            return (None, None);
        }
        let (own, second) = known.map(|known| known.weight_kinds).unwrap_or_default();
        (own.or(self.kind_of(meeting)), second)
    }

    /// The kind that a meeting counts as weight.
    pub(super) fn kind_of(&self, meeting: MeetingId) -> Option<WeightKindId> {
        self.meetings.get(&meeting).and_then(|known| known.weight_kind)
    }
}

impl KnownRound {
    /// Checks that the register can be counted, by each weight and in each group.
    pub(super) fn check_register(&self) -> Result<(), OpeningRule> {
        let second = self.second_weights.values().sum::<Decimal>() + self.absent_second;
        let has_second = self.round.second_weight_kind.is_some();
        check_register_weight(self.round.register.plus(self.terms.absent).weight, has_second.then_some(second))?;
        check_whole_groups(self.terms.rule.as_ref(), self.terms.presence)
    }
}
