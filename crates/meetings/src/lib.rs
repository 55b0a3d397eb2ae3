//! Meetings, who is invited to them, what is put to the vote, and the live picture that all screens show.
//!
//! Values come first (`meeting.rs`, `question.rs`), then what this domain needs of the outside (`ports.rs`), then one
//! file per use case. `live/` holds the live state: what it consists of, how two pictures differ, and the ports by
//! which changes reach the screens. How votes are cast and counted is the business of the crate `voting`.

mod agenda;
mod invitations;
pub mod live;
mod meetings;
mod minutes;
mod participants;
mod people;
mod rehearsals;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use agenda::arrange_agenda::{AddQuestionError, AgendaService, NewQuestion};
pub use agenda::change_question::{ChangeQuestionError, QuestionChanges};
pub use agenda::ports::{MAX_QUESTIONS, QuestionCopy, QuestionDecision, QuestionStore};
pub use agenda::question::{
    AgendaRule, AnswerForm, FormError, MAX_OPTIONS, OptionForm, OptionText, Question, QuestionForm, QuestionOption,
    QuestionText, QuestionUse, option_roles,
};
pub use agenda::reorder_agenda::{AgendaOrder, ReorderError};
pub use invitations::invitation::{
    ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationStanding, InvitationStatus,
    QueueVerdict, Queued, Recipient, RecipientCounts, RecipientFilter, Recipients, SendingOutcome, SiteAddress,
    TimeZone, wait_after,
};
pub use invitations::invitation_text::{Addressee, InvitationText, link_of, write_invitation};
pub use invitations::invite_and_queue::{InvitationPorts, InvitationService};
pub use invitations::ports::{InvitationStore, Mail, MailFailure, MailSignals, Mailer};
pub use invitations::send_invitations::{InvitationSending, QueueInvitationsError, SendingStep};
pub use meetings::meeting::{
    Description, Meeting, MeetingChanges, MeetingClient, MeetingOverview, MeetingRule, MeetingStats, MeetingStatus,
    MeetingTitle, ParticipantLimit, RecurringPattern, Schedule, check_time,
};
pub use meetings::plan_meetings::{
    MeetingFilter, MeetingPorts, MeetingService, MeetingSort, NewMeeting, UpdateMeetingError,
};
pub use meetings::ports::{MAX_VOTER_MEETINGS, MeetingDecision, MeetingStore, VoterMeetings};
pub use meetings::see_meetings::{Invitation, InvitationTarget, SeeMeetingError, VoterMeeting};
pub use minutes::attendance::{
    AttendanceFacts, AttendanceNote, AttendanceStore, MAX_ATTENDANCE_NOTES, Noted, Noting, decide_noting,
};
pub use minutes::ports::RemarkStore;
pub use minutes::remark::{MAX_REMARKS, NewRemark, Remark, RemarkKind, RemarkText, WriteRemarkError};
pub use minutes::write_remarks::RemarkService;
pub use participants::invite::{InviteError, Invitees, ParticipantCount, ParticipantFilter};
pub use participants::ports::{Participant, ParticipantStore};
pub use people::People;
pub use rehearsals::ports::RehearsalStore;
pub use rehearsals::rehearsal::{
    DelayFigures, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalCounts, RehearsalFacts, RehearsalFilter,
    RehearsalPerson, RehearsalReport, RehearsalRule, RehearsalSigns, RehearsalStatus, RehearsalStep, decide_rehearsal,
};
pub use rehearsals::rehearse::{AnswerRehearsalError, EndRehearsalError, RehearsalService, StartRehearsalError};
