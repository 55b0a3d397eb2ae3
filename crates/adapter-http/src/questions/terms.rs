//! The terms of a question as they come in bodies.

use plenum_kernel::{DecisionRule, OptionRole, Quorum};
use plenum_result_format::{DecisionRuleFormat, QuorumFormat};

use crate::error::FieldCheck;
use crate::questions::views::OptionRoleName;

/// Checks a decision rule; what is wrong is noted by its path within `decisionRule`.
pub(super) fn read_rule(check: &mut FieldCheck, given: DecisionRuleFormat) -> Option<DecisionRule> {
    check.keep_within("decisionRule", given.try_into())
}

/// Checks a quorum; what is wrong is noted by its path within `quorum`.
pub(super) fn read_quorum(check: &mut FieldCheck, given: QuorumFormat) -> Option<Quorum> {
    check.keep_within("quorum", given.try_into())
}

/// What options are said to mean.
pub(super) fn read_roles(given: Vec<OptionRoleName>) -> Vec<OptionRole> {
    given.into_iter().map(OptionRole::from).collect()
}
