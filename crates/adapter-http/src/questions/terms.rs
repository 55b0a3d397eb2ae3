//! The terms of a question in request bodies.

use plenum_kernel::{DecisionRule, OptionRole, PlannedQuorum, Secrecy};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, SecrecyName};

use crate::error::FieldCheck;
use crate::questions::views::OptionRoleName;

/// Reads a decision rule. Records errors by their path in `decisionRule`.
pub(super) fn read_rule(check: &mut FieldCheck, given: DecisionRuleFormat) -> Option<DecisionRule> {
    check.keep_within("decisionRule", given.try_into())
}

/// Reads a quorum. Records errors by their path in `quorum`.
pub(super) fn read_quorum(check: &mut FieldCheck, given: PlannedQuorumFormat) -> Option<PlannedQuorum> {
    check.keep_within("quorum", given.try_into())
}

/// Whether a limit of choices is possible at all, also for a type of question that ignores it. Records an impossible one.
pub(super) fn can_limit(check: &mut FieldCheck, max_choices: Option<u32>) -> bool {
    let is_possible = max_choices != Some(0);
    if !is_possible {
        check.note("maxChoices", "Must be a whole number of at least 1.".to_owned());
    }
    is_possible
}

/// Whether a scale is possible at all, also for a type of question that ignores it. Records an impossible one.
pub(super) fn can_rate(check: &mut FieldCheck, rating_max: Option<u32>) -> bool {
    let is_possible = matches!(rating_max, None | Some(5 | 10));
    if !is_possible {
        check.note("ratingMax", "Must be the number 5 or 10.".to_owned());
    }
    is_possible
}

/// Reads the roles of options.
pub(super) fn read_roles(given: Vec<OptionRoleName>) -> Vec<OptionRole> {
    given.into_iter().map(OptionRole::from).collect()
}

/// Reads the secrecy, which callers state by its name, or by `isNamed`. `None` if they state neither, or only that the question is
/// not named.
pub(super) fn read_secrecy(
    check: &mut FieldCheck,
    secrecy: Option<SecrecyName>,
    is_named: Option<bool>,
) -> Option<Secrecy> {
    let stated = secrecy.map(Secrecy::from);
    match (stated, is_named) {
        (Some(stated), Some(is_named)) if stated.is_named() != is_named => {
            check.note("secrecy", "Must be named exactly if isNamed is true; leave isNamed out.".to_owned());
            None
        }
        (None, Some(true)) => Some(Secrecy::Named),
        _ => stated,
    }
}
