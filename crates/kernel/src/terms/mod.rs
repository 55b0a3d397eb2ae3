//! By what a question is decided: values that an organizer sets with a question and that a round freezes. How a result
//! follows from them is the voting domain's matter.

mod decision_rule;
mod quorum;
mod threshold;
mod unit;

pub use decision_rule::{Base, Condition, DecisionRule, EachOption, Majority, OnTie, Seats};
pub use quorum::{AtOpening, Attendance, MeetingQuorum, Quorum};
pub use threshold::{Comparison, Fraction, RuleError, Threshold};
pub use unit::{Unit, Units};
