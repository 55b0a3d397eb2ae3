//! `/sse` and the public presentation: the live state as a picture and as a stream of events.

mod access;
mod departures;
mod frames;
mod participant_count;
mod presentation;
mod presentation_stream;
mod pushed_out;
mod quorum;
mod seats;
mod sse;
mod state;
mod stream;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub use departures::Departures;
pub use frames::JsonFrames;
pub(crate) use seats::Seats;
pub(crate) use views::VoterQuestionType;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(stream::live_stream)
        .service(state::live_state)
        .service(participant_count::participant_count)
        .service(presentation::presentation)
        .service(presentation_stream::presentation_stream);
}
