//! The terms of a question in request bodies.

use plenum_kernel::{DecisionRule, OptionRole, Quorum};
use plenum_result_format::{DecisionRuleFormat, QuorumFormat};

use crate::error::FieldCheck;
use crate::questions::views::OptionRoleName;

/// Reads a decision rule. Records errors by their path in `decisionRule`.
pub(super) fn read_rule(check: &mut FieldCheck, given: DecisionRuleFormat) -> Option<DecisionRule> {
    check.keep_within("decisionRule", given.try_into())
}

/// Reads a quorum. Records errors by their path in `quorum`.
pub(super) fn read_quorum(check: &mut FieldCheck, given: QuorumFormat) -> Option<Quorum> {
    check.keep_within("quorum", given.try_into())
}

/// Reads the roles of options.
pub(super) fn read_roles(given: Vec<OptionRoleName>) -> Vec<OptionRole> {
    given.into_iter().map(OptionRole::from).collect()
}
