//! `/client/meetings`: planning and running the meetings of the caller's organization, for its administrators. Also the
//! invitation links of these meetings.

mod admissions;
mod by_link;
mod copy;
mod countdown;
mod create;
mod current_question;
mod delete;
mod errors;
mod exclusions;
mod find;
mod invitation_link;
mod invitations;
mod lifecycle;
mod list;
mod missing_weights;
mod participants;
mod register;
mod rehearsal;
mod rehearsal_report;
mod remarks;
mod rounds;
mod secrecy_forecast;
mod stats;
mod steps;
mod update;
mod views;

pub(crate) use by_link::missing_invitation;
pub(crate) use current_question::CurrentQuestionAnswer;
pub(crate) use steps::{ControlledMeeting, StepQuery};
pub(crate) use views::LinkedMeetingView;

use crate::registration::Routes;

/// Fixed segments are before `{meetingId}`, because the first matching route wins.
pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(stats::meeting_stats)
        .service(by_link::find_own_meeting_by_link)
        .service(list::list_meetings)
        .service(create::create_meeting)
        .service(find::find_meeting)
        .service(update::update_meeting)
        .service(delete::delete_meeting)
        .service(copy::copy_meeting)
        .service(lifecycle::start_meeting)
        .service(lifecycle::end_meeting)
        .service(participants::list_participants)
        .service(participants::add_participants)
        .service(participants::remove_participants)
        .service(current_question::set_current_question)
        .service(current_question::find_current_question)
        .service(current_question::current_question_stats)
        .service(countdown::start_countdown)
        .service(countdown::cancel_countdown)
        .service(invitation_link::generate_invitation_link)
        .service(invitations::list_invitations)
        .service(invitations::send_invitations)
        .service(invitations::stop_invitations)
        .service(rounds::list_rounds)
        .service(register::round_register)
        .service(missing_weights::missing_weights)
        .service(secrecy_forecast::secrecy_forecast)
        .service(admissions::admit_latecomer)
        .service(exclusions::list_exclusions)
        .service(exclusions::exclude)
        .service(exclusions::lift_exclusion)
        .service(remarks::list_remarks)
        .service(remarks::write_remark)
        .service(remarks::delete_remark)
        .service(rehearsal_report::rehearsal_report)
        .service(rehearsal::start_rehearsal)
        .service(rehearsal::end_rehearsal)
        .service(rehearsal::discard_rehearsal);
}
