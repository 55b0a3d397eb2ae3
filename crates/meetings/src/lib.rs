//! Meetings, who is invited to them, what is put to the vote, and the live picture that all screens show.
//!
//! Values come first (`meeting.rs`, `question.rs`), then what this domain needs of the outside (`ports.rs`), then one
//! file per use case. `live/` holds the live state: what it consists of, how two pictures differ, and the ports by
//! which changes reach the screens. How votes are cast and counted is the business of the crate `voting`.

mod arrange_agenda;
mod attendance;
mod change_question;
mod invitation;
mod invitation_text;
mod invite;
pub mod live;
mod meeting;
mod people;
mod plan_meetings;
mod ports;
mod question;
mod rehearsal;
mod rehearse;
mod remark;
mod reorder_agenda;
mod run_meeting;
mod see_meetings;
mod send_invitations;
#[cfg(feature = "testkit")]
pub mod testkit;
mod write_remarks;

pub use arrange_agenda::{AddQuestionError, AgendaService, NewQuestion};
pub use attendance::{
    AttendanceFacts, AttendanceNote, AttendanceStore, MAX_ATTENDANCE_NOTES, Noted, Noting, decide_noting,
};
pub use change_question::{ChangeQuestionError, QuestionChanges};
pub use invitation::{
    ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationStanding, InvitationStatus,
    QueueVerdict, Queued, Recipient, RecipientCounts, RecipientFilter, Recipients, SendingOutcome, SiteAddress,
    TimeZone, wait_after,
};
pub use invitation_text::{Addressee, InvitationText, link_of, write_invitation};
pub use invite::{InvitationTarget, Invitations, InviteError, Invitees, ParticipantCount, ParticipantFilter};
pub use meeting::{
    Description, Meeting, MeetingChanges, MeetingClient, MeetingOverview, MeetingRule, MeetingStats, MeetingStatus,
    MeetingTitle, ParticipantLimit, RecurringPattern, Schedule, check_time,
};
pub use people::People;
pub use plan_meetings::{MeetingFilter, MeetingPlanning, MeetingSort, NewMeeting, UpdateMeetingError};
pub use ports::{
    InvitationStore, MAX_QUESTIONS, MAX_VOTER_MEETINGS, Mail, MailFailure, MailSignals, Mailer, MeetingDecision,
    MeetingStore, Participant, ParticipantStore, QuestionCopy, QuestionDecision, QuestionStore, RehearsalStore,
    RemarkStore, VoterMeetings,
};
pub use question::{
    AgendaRule, AnswerForm, FormError, MAX_OPTIONS, OptionForm, OptionText, Question, QuestionForm, QuestionOption,
    QuestionText, QuestionUse, option_roles,
};
pub use rehearsal::{
    DelayFigures, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalCounts, RehearsalFacts, RehearsalFilter,
    RehearsalPerson, RehearsalReport, RehearsalRule, RehearsalSigns, RehearsalStatus, RehearsalStep, decide_rehearsal,
};
pub use rehearse::{AnswerRehearsalError, EndRehearsalError, RehearsalService, StartRehearsalError};
pub use remark::{MAX_REMARKS, NewRemark, Remark, RemarkKind, RemarkText, WriteRemarkError};
pub use reorder_agenda::{AgendaOrder, ReorderError};
pub use run_meeting::MeetingRunning;
pub use see_meetings::{Invitation, SeeMeetingError, VoterMeeting, VoterMeetingService};
pub use send_invitations::{InvitationMailing, InvitationSending, QueueInvitationsError, SendingStep};
pub use write_remarks::RemarkKeeping;
