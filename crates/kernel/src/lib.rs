//! Types that all domain crates share: typed ids, the acting person, the ports for time, ids and secrets, and checked
//! values.
//!
//! The kernel knows no database, no wire format and no framework. A type belongs here only if two or more domain crates
//! need it, because domain crates do not use each other.

pub mod election;
mod email;
mod failure;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod group;
mod ids;
mod invalid;
mod listing;
mod origin;
mod password_setting;
mod person;
mod ports;
mod question_type;
mod step;
mod terms;
mod test_data;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod text;
mod weight;
mod weight_kind;

pub use email::EmailAddress;
pub use failure::PortFailure;
pub use group::{MAX_AUDIENCE, NamedGroup, audience};
pub use ids::{
    AccountId, ArchiveId, ClientId, DeskId, EndUserId, GroupId, InstanceId, IssuedBallotId, JoinLinkId, LogEntryId,
    MeetingId, OptionId, PaperBatchId, PresenceEntryId, ProxyId, QuestionId, RehearsalId, RemarkId, RoundId, SessionId,
    SignInTicket, VoteId, WeightKindId,
};
pub use invalid::Invalid;
pub use listing::{MAX_PAGE_SIZE, Page, PageRequest, SearchText};
pub use origin::Origin;
pub use password_setting::{OpenVote, PasswordReason, PasswordSetter, ReasonNeeded, decide_setting};
pub use person::{ActingPerson, Person, Role};
pub use ports::{Clock, Endorsement, EvidenceKey, EvidenceKeys, NewIds, PersonalLinkTokens, Secrets};
pub use question_type::{OptionRole, QuestionType};
pub use step::Step;
pub use terms::{
    AtOpening, Attendance, Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Fraction, Joined,
    Majority, Measure, MeetingQuorum, Minimum, MinimumAmount, NotedQuorum, OnTie, PlannedQuorum, PresenceRule, Quorum,
    RuleError, Seats, Secrecy, Threshold, Unit, Units,
};
pub use test_data::{TEST_PREFIX, is_test_name};
pub use text::{
    capitalized, check_distinct_name, check_group_name, check_line, check_line_of_terms, check_text, folded_name,
    listed, look, lower_case, nfc, spelled,
};
pub use weight::VotingWeight;
pub use weight_kind::{KindWeight, KindWeights, MAX_WEIGHT_KINDS, WeightDecimals, WeightKind};
