//! Results of a round or a meeting, as responses and files, for organizers, voters and the presentation. All of them
//! show what `plenum-records` reads from the record of a declared result, or counts, in the form of `plenum-result-format`.

mod answers;
mod count;
mod declare;
mod export;
mod meeting_results;
mod of_voter;
mod presentation_result;
mod revote;
mod round_result;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(revote::start_revote)
        .service(round_result::round_result)
        .service(count::count_round)
        .service(declare::declare_result)
        .service(answers::round_answers)
        .service(meeting_results::meeting_results)
        .service(export::export_results)
        .service(of_voter::voter_results)
        .service(presentation_result::presentation_result);
}
