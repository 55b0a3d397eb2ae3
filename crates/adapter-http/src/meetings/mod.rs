//! `/client/meetings`: planning and running the meetings of one's own organization, for its administrators; and the
//! invitation links that lead into them.

mod by_link;
mod create;
mod current_question;
mod delete;
mod errors;
mod find;
mod invitation_link;
mod lifecycle;
mod list;
mod participants;
mod rounds;
mod stats;
mod update;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use by_link::missing_invitation;
pub(crate) use views::{LinkedMeetingView, MeetingStatusName};

/// Fixed segments stand before `{meetingId}`, because the first route that fits wins.
pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(stats::meeting_stats)
        .service(by_link::find_own_meeting_by_link)
        .service(list::list_meetings)
        .service(create::create_meeting)
        .service(find::find_meeting)
        .service(update::update_meeting)
        .service(delete::delete_meeting)
        .service(lifecycle::start_meeting)
        .service(lifecycle::end_meeting)
        .service(participants::list_participants)
        .service(participants::add_participants)
        .service(participants::remove_participants)
        .service(current_question::set_current_question)
        .service(current_question::find_current_question)
        .service(current_question::current_question_stats)
        .service(invitation_link::generate_invitation_link)
        .service(rounds::list_rounds)
        .service(rounds::round_result);
}
