//! `/client/questions`: the agendas of the organization's meetings, for its administrators.

mod add_several;
mod create;
mod delete;
mod duplicate;
mod errors;
mod find;
mod list;
mod new_question;
mod next_ballot;
mod options;
mod read_candidates;
mod reorder;
mod terms;
mod update;
mod views;

pub(crate) use new_question::{NewQuestionBody, read_questions};

use crate::registration::Routes;

/// Fixed segments are before `{questionId}`, because the first matching route wins.
pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_questions)
        .service(add_several::add_questions)
        .service(reorder::reorder_questions)
        .service(read_candidates::read_candidates)
        .service(create::create_question)
        .service(find::find_question)
        .service(update::update_question)
        .service(delete::delete_question)
        .service(duplicate::duplicate_question)
        .service(next_ballot::add_next_ballot);
}
