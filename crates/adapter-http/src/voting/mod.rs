//! `/voting`: the meetings, votes and rehearsals of a voter.

mod cast;
mod find;
mod list;
mod rehearsal;
mod withdraw;

use actix_web::middleware::from_fn;
use actix_web::web;
use utoipa_actix_web::scope;

pub(crate) use cast::{VoteAnswer, VoteView, read_envelope};

use crate::error::no_such_path;
use crate::middleware::errors_as_text;
use crate::proxies::{cast_votes, held_votes};
use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_voter_meetings)
        .service(find::find_voter_meeting)
        .service(rehearsal::answer_rehearsal)
        .service(
            scope::scope("/voting/meetings/{meetingId}/questions/{questionId}")
                .wrap(from_fn(errors_as_text))
                .service(cast::cast_vote)
                .service(withdraw::withdraw_vote)
                .service(cast_votes)
                .service(held_votes)
                .default_service(web::to(no_such_path)),
        );
}
