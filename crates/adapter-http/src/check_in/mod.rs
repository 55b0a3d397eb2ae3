//! Check-in of a meeting: the organizer's list of who is there, desks, a voter's own check-in, and the code on the presentation.

mod attendance;
mod by_hand;
mod code;
mod desks;
mod errors;
mod export;
mod own;
mod views;

pub(crate) use desks::DeskPurposeName;
pub(crate) use errors::refusal_of;
pub(crate) use views::{
    AttendeeView, CheckInName, PresenceEntryView, PresenceKindName, PresenceOutcomeView, example_entry,
};

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(own::own_check_in)
        .service(own::check_self_in)
        .service(code::check_in_code)
        .service(export::export_attendance)
        .service(attendance::list_attendance)
        .service(by_hand::note_presence)
        .service(desks::list_desks)
        .service(desks::make_desk)
        .service(desks::revoke_desk);
}
