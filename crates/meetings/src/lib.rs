//! Meetings, their participants, agendas, invitations, rehearsals and minutes, and the live snapshot that all screens
//! show.
//!
//! Each folder holds one subject: its values and rules, its ports (`ports.rs`), and its use cases, one per file.
//!
//! - `meetings`: plan, start, end, and the view of a voter
//! - `participants`, `invitations`: participant lists, and invitations by mail
//! - `agenda`: questions and their order
//! - `rehearsals`: messages to all connected voters before a vote
//! - `minutes`: attendance and remarks
//! - `check_in`: who is present, as a record, and the desks that write it
//! - `live`: the live state, the changes between two snapshots, and the ports to the screens
//!
//! The crate `voting` casts and counts votes.

mod agenda;
mod check_in;
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
pub use agenda::next_ballot::NextBallot;
pub use agenda::ports::{MAX_QUESTIONS, QuestionCopy, QuestionDecision, QuestionStore};
pub use agenda::question::{
    AgendaRule, OptionText, Question, QuestionOption, QuestionText, QuestionUse, QuestionWeights,
};
pub use agenda::question_form::{AnswerForm, FormError, MAX_OPTIONS, OptionForm, QuestionForm, option_roles};
pub use agenda::reorder_agenda::{AgendaOrder, ReorderError};
pub use check_in::attendance_list::{
    AttendanceFilter, AttendancePage, AttendanceRecord, AttendanceTotals, Attendee, MAX_DESK_PAGE, PresenceFilter,
    PresentSince,
};
pub use check_in::desk::{
    CallingDesk, DESK_TOKEN_MARK, Desk, DeskName, DeskPurpose, DeskTokenHash, MAX_DESKS, MakeDeskError, NewDesk,
};
pub use check_in::ports::{CheckInStore, DeskStore, NotePresenceError, OwnCheckIn};
pub use check_in::presence::{
    CheckInRule, MAX_PRESENCE_ENTRIES, NewPresence, PresenceBy, PresenceEntry, PresenceKind, PresenceOutcome,
    PresenceRole, PresenceVerdict, check_in_code, check_taking, decide_presence,
};
pub use check_in::self_code::CODE_SECONDS;
pub use check_in::service::{CheckInPorts, CheckInService, DeskEntry, DeskTokens, ShownCode};
pub use invitations::invitation::{
    ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationState, InvitationStatus,
    PersonalLinks, QueueVerdict, Queued, Recipient, RecipientCounts, RecipientFilter, Recipients, SendingOutcome,
    SiteAddress, TimeZone, wait_after,
};
pub use invitations::invitation_text::{Addressee, InvitationText, link_of, write_invitation};
pub use invitations::invite_and_queue::{InvitationPorts, InvitationRequest, InvitationService};
pub use invitations::ports::{AttachedCode, InvitationStore, Mail, MailFailure, MailSignals, Mailer};
pub use invitations::send_invitations::{InvitationSending, QueueInvitationsError, SendingPorts, SendingStep};
pub use meetings::copy_meeting::{CopyPlan, MeetingCopy};
pub use meetings::meeting::{
    CheckIn, Description, Meeting, MeetingChanges, MeetingRule, MeetingStatus, MeetingTitle, ParticipantLimit,
    RecurringPattern,
};
pub use meetings::overview::{MeetingClient, MeetingOverview, MeetingStats};
pub use meetings::plan_meetings::{
    MeetingFilter, MeetingPorts, MeetingService, MeetingSort, MeetingUpdate, NewMeeting, UpdateMeetingError,
};
pub use meetings::ports::{MAX_VOTER_MEETINGS, MeetingDecision, MeetingStore, VoterMeetings};
pub use meetings::run_meeting::StartRequest;
pub use meetings::schedule::{Schedule, check_time};
pub use meetings::see_meetings::{Invitation, InvitationTarget, SeeMeetingError, VoterMeeting};
pub use minutes::attendance::{
    AttendanceFacts, AttendanceNote, AttendanceStore, MAX_ATTENDANCE_NOTES, Noted, Noting, decide_noting,
};
pub use minutes::ports::RemarkStore;
pub use minutes::remark::{
    MAX_REMARKS, NewRemark, Remark, RemarkKind, RemarkText, RemarkToStrike, Striking, Struck, WriteRemarkError,
    decide_striking,
};
pub use minutes::write_remarks::{RemarkDraft, RemarkService};
pub use participants::invite::{InviteError, InviteOutcome, Invitees, ParticipantCount, ParticipantFilter};
pub use participants::ports::{Participant, ParticipantStore};
pub use people::People;
pub use rehearsals::ports::RehearsalStore;
pub use rehearsals::rehearsal::{
    DelayStatistics, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalCounts, RehearsalFacts, RehearsalFilter,
    RehearsalPerson, RehearsalReport, RehearsalRule, RehearsalSigns, RehearsalStatus, RehearsalStep, decide_rehearsal,
};
pub use rehearsals::rehearse::{
    AnswerRehearsalError, EndRehearsalError, NewRehearsalAnswer, RehearsalPorts, RehearsalService, StartRehearsalError,
};
