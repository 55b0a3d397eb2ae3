//! `/desk`: what a helper with the link of a desk can do. The caller is a desk with the right purpose, and nobody else.

mod ballots;
mod entries;
mod people;
mod question;
mod state;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(entries::send_desk_entries)
        .service(entries::list_desk_entries)
        .service(people::list_desk_people)
        .service(question::desk_question)
        .service(ballots::issue_ballot)
        .service(ballots::cast_at_place)
        .service(state::desk_state);
}
