//! Parts of responses that several resources share.

mod cast_on;
mod current_question;
mod done;
mod download;
mod election_ballot;
mod group;
mod join_ask;
mod meeting_status;
mod meeting_table;
mod open_vote;
mod question_type;
mod weight_kind;

pub(crate) use cast_on::cast_on_name;
pub(crate) use current_question::{CurrentQuestionView, example_current_question};
pub(crate) use done::DoneView;
pub(crate) use download::{content_type, download};
pub(crate) use election_ballot::ElectionBallotView;
pub(crate) use group::{GroupReferenceView, WANTED_GROUPS, read_audience, read_group_filter};
pub(crate) use join_ask::JoinAskName;
pub(crate) use meeting_status::MeetingStatusName;
pub(crate) use meeting_table::{MeetingTableQuery, MeetingTables};
pub(crate) use open_vote::OpenVoteView;
pub(crate) use question_type::QuestionTypeName;
pub(crate) use weight_kind::{WANTED_WEIGHT_KIND, read_weight_kind};
