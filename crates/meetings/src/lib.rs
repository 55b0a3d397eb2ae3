//! Meetings, who is invited to them, what is put to the vote, and the live picture that all screens show.
//!
//! Values come first (`meeting.rs`, `question.rs`), then what this domain needs of the outside (`ports.rs`), then one
//! file per use case. `live/` holds the live state: what it consists of, how two pictures differ, and the ports by
//! which changes reach the screens. How votes are cast and counted is the business of the crate `voting`.

mod arrange_agenda;
mod change_question;
mod invite;
pub mod live;
mod meeting;
mod plan_meetings;
mod ports;
mod question;
mod reorder_agenda;
mod run_meeting;
mod see_meetings;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use arrange_agenda::{AddQuestionError, AgendaService, NewQuestion};
pub use change_question::{ChangeQuestionError, QuestionChanges};
pub use invite::{InvitationTarget, Invitations, InviteError, Invitees, ParticipantCount};
pub use meeting::{
    Description, Meeting, MeetingChanges, MeetingClient, MeetingOverview, MeetingRule, MeetingStats, MeetingStatus,
    MeetingTitle, ParticipantLimit, RecurringPattern, Schedule, check_time,
};
pub use plan_meetings::{MeetingFilter, MeetingPlanning, MeetingSort, NewMeeting, UpdateMeetingError};
pub use ports::{
    MAX_QUESTIONS, MAX_VOTER_MEETINGS, MeetingDecision, MeetingStore, Participant, ParticipantStore, QuestionCopy,
    QuestionDecision, QuestionStore, VoterMeetings,
};
pub use question::{
    AgendaRule, AnswerForm, FormError, MAX_OPTIONS, OptionText, Question, QuestionForm, QuestionOption, QuestionText,
    QuestionUse, option_roles,
};
pub use reorder_agenda::{AgendaOrder, ReorderError};
pub use run_meeting::MeetingRunning;
pub use see_meetings::{Invitation, SeeMeetingError, VoterMeetingService};
