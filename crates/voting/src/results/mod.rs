//! Results: tally, count, declaration, the record of a meeting, and the curation of answers.

pub(crate) mod answer_curation;
pub(crate) mod archives;
pub(crate) mod closing;
pub(crate) mod count_and_declare;
pub(crate) mod countable_round;
pub(crate) mod curation_store;
pub(crate) mod decide_tie;
pub(crate) mod destroy_keys;
pub(crate) mod election_count;
pub(crate) mod election_sentence;
pub(crate) mod meeting_record;
pub(crate) mod note_casting_vote;
pub(crate) mod purge;
pub(crate) mod purge_clock;
pub(crate) mod record;
pub(crate) mod result;
pub(crate) mod result_store;
pub(crate) mod sealing_keys;
pub(crate) mod seat_answer;
pub(crate) mod see_results;
pub(crate) mod succession;
pub(crate) mod tally;
pub(crate) mod timestamps;
pub(crate) mod urn_store;
pub(crate) mod urn_tally;
pub(crate) mod ways;
