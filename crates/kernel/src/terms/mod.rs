//! Decision rules, quorums and secrecy: an organizer sets them with a question, and a round freezes them. The voting domain
//! computes results from them.

mod decision_rule;
mod presence;
mod quorum;
mod seats;
mod secrecy;
mod threshold;
mod unit;

pub use decision_rule::{Base, BlockingMinority, Condition, DecisionRule, EachOption, Joined, Majority, OnTie};
pub use presence::PresenceRule;
pub use quorum::{AtOpening, Attendance, MeetingQuorum, Minimum, MinimumAmount, NotedQuorum, PlannedQuorum, Quorum};
pub use seats::Seats;
pub use secrecy::Secrecy;
pub use threshold::{Comparison, Fraction, RuleError, Threshold};
pub use unit::{Measure, Unit, Units};
