//! From a tally to a decision: thresholds, checks, quorum, outcome, and the sentences that explain it.

pub(crate) mod arithmetic;
pub(crate) mod casting_vote;
pub(crate) mod check;
pub(crate) mod group_tally;
pub(crate) mod outcome;
pub(crate) mod presence;
pub(crate) mod quorum;
pub(crate) mod second_weight;
pub(crate) mod threshold;
pub(crate) mod unit;
