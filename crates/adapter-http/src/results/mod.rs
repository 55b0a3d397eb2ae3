//! Results of a round or a meeting, as responses and files, for organizers, voters and the presentation.
//! `plenum-records` reads them from the record of a declared result, or counts them, in the format of
//! `plenum-result-format`.

mod answer_curation;
mod answer_wall;
mod answers;
mod archive;
mod casting_vote;
mod client_archives;
mod count;
mod declare;
mod export;
mod meeting_results;
mod of_voter;
mod presentation_result;
mod receipts;
mod revote;
mod round_result;
mod seat_answers;
mod tie_decision;

use actix_web::web::Json;
use plenum_kernel::RoundId;
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;
use plenum_voting::ResultStepError;

use crate::error::ApiError;
use crate::meetings::ControlledMeeting;
use crate::registration::Routes;

/// The response to a step with the result of a round: the result, or the reason for the rejection.
async fn result_after_step(
    outcome: Result<(), ResultStepError>,
    meeting: ControlledMeeting<'_>,
    round: RoundId,
    results: &RecordedResults,
) -> Result<Json<RoundResult>, ApiError> {
    match outcome {
        Ok(()) => Ok(Json(results.result(meeting.admin.client_id, meeting.id, round).await?)),
        Err(error) => Err(meeting.refused_step(error.into()).await),
    }
}

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(revote::start_revote)
        .service(round_result::round_result)
        .service(count::count_round)
        .service(declare::declare_result)
        .service(tie_decision::decide_tie)
        .service(casting_vote::note_casting_vote)
        .service(seat_answers::note_seat_answer)
        .service(seat_answers::meeting_elections)
        .service(answers::round_answers)
        .service(answer_curation::curated_answers)
        .service(answer_curation::answer_curation)
        .service(answer_curation::curate_answers)
        .service(meeting_results::meeting_results)
        .service(export::export_results)
        .service(archive::archive_meeting)
        .service(client_archives::list_client_archives)
        .service(client_archives::download_client_archive)
        .service(of_voter::voter_results)
        .service(receipts::voter_receipts)
        .service(receipts::round_receipts)
        .service(presentation_result::presentation_result)
        .service(answer_wall::presentation_answers);
}
