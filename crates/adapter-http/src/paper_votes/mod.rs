//! `/client/meetings/{meetingId}/rounds/{roundId}/paper-batches`: votes on paper, which one teller enters and another confirms.

mod batches;
mod enter;
mod errors;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(batches::list_paper_batches)
        .service(enter::enter_paper_batch)
        .service(batches::find_paper_batch)
        .service(batches::confirm_paper_batch)
        .service(batches::discard_paper_batch);
}
