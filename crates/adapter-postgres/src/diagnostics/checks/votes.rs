//! Votes, their answers, and their numbers.

use super::Check;

/// The counters of a round add up to its votes. One statement writes both (see `ballot_batch`).
pub(super) const VOTE_COUNT: Check = Check {
    name: "vote_count",
    find: "
        SELECT client_id, 'rounds' AS table_name, id,
               format('The counters say %s votes, and %s are stored.', counters.cast_votes, stored.votes) AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(votes_cast), 0) AS cast_votes FROM round_counters WHERE round_id = scope_rounds.id
        ) AS counters
        CROSS JOIN LATERAL (SELECT count(*) AS votes FROM votes WHERE round_id = scope_rounds.id) AS stored
        WHERE counters.cast_votes <> stored.votes",
};

/// No round has more votes than people in its register.
pub(super) const MORE_VOTES_THAN_REGISTER: Check = Check {
    name: "more_votes_than_register",
    find: "
        SELECT client_id, 'rounds' AS table_name, id,
               format('The round has %s votes, and %s people may vote in it.', stored.votes, register_heads) AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (SELECT count(*) AS votes FROM votes WHERE round_id = scope_rounds.id) AS stored
        WHERE stored.votes > register_heads",
};

/// Every voter is in the register.
pub(super) const VOTE_OUTSIDE_REGISTER: Check = Check {
    name: "vote_outside_register",
    find: "
        SELECT client_id, 'votes' AS table_name, found.id, 'The voter is not in the register of the round.' AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT votes.id FROM votes
            WHERE votes.round_id = scope_rounds.id
              AND NOT EXISTS (SELECT FROM register
                              WHERE register.round_id = scope_rounds.id AND register.end_user_id = votes.end_user_id
                              OFFSET 0)
            OFFSET 0
        ) AS found",
};

/// A voter has at most one vote in a round.
pub(super) const SEVERAL_VOTES_OF_ONE_VOTER: Check = Check {
    name: "several_votes_of_one_voter",
    find: "
        SELECT client_id, 'rounds' AS table_name, id,
               format('%s has %s votes in the round.', found.end_user_id, found.votes) AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT end_user_id, count(*) AS votes FROM votes WHERE round_id = scope_rounds.id
            GROUP BY end_user_id
            HAVING count(*) > 1
        ) AS found",
};

/// Every chosen option was offered.
pub(super) const UNKNOWN_OPTION: Check = Check {
    name: "unknown_option",
    find: "
        SELECT client_id, 'votes' AS table_name, found.id,
               'The vote names an option that the round does not offer.' AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT votes.id FROM votes
            WHERE votes.round_id = scope_rounds.id
              AND EXISTS (SELECT FROM unnest(votes.option_ids) AS chosen (id)
                          WHERE NOT EXISTS (SELECT FROM round_options
                                            WHERE round_options.round_id = scope_rounds.id AND option_id = chosen.id))
            OFFSET 0
        ) AS found",
};

/// Every vote answers the question of its round, by the rules for ballots.
pub(super) const ANSWER_MISFIT: Check = Check {
    name: "answer_misfit",
    find: "
        SELECT client_id, 'votes' AS table_name, votes.id,
               format('The answer does not fit a question of type %s.', question_type) AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT count(*)
                + coalesce(scope_rounds.decision_rule -> 'election' ->> 'noneOfTheAbove' = 'true', false)::int AS names
            FROM round_options WHERE round_id = scope_rounds.id OFFSET 0
        ) AS ballot
        CROSS JOIN LATERAL (SELECT * FROM votes WHERE round_id = scope_rounds.id OFFSET 0) AS votes
        WHERE votes.is_sealed <> (scope_rounds.secrecy = 'SECRET')
           OR NOT votes.is_sealed AND (num_nonnulls(votes.option_ids, votes.number, votes.answer_text) <> 1
           OR NOT coalesce(
                CASE question_type
                    WHEN 'YES_NO' THEN cardinality(votes.option_ids) = 1
                    WHEN 'MULTIPLE_CHOICE' THEN
                        cardinality(votes.option_ids) BETWEEN 1
                            AND coalesce(max_choices, cardinality(votes.option_ids))
                        AND (SELECT count(DISTINCT id) FROM unnest(votes.option_ids) AS chosen (id))
                            = cardinality(votes.option_ids)
                    WHEN 'RATING' THEN
                        votes.number = trunc(votes.number) AND votes.number BETWEEN 1 AND coalesce(rating_max, 5)
                    WHEN 'PERCENTAGE' THEN votes.number BETWEEN 0 AND 100
                    WHEN 'OPEN_TEXT' THEN length(votes.answer_text) BETWEEN 1 AND 2000
                    -- The notation of `BallotForm::read` in plenum-voting.
                    WHEN 'ELECTION' THEN votes.answer_text IN ('abstain', 'blank') OR votes.answer_text <> '' AND NOT EXISTS (
                        SELECT FROM unnest(string_to_array(votes.answer_text, ' ')) AS mark (text)
                        WHERE NOT coalesce(
                            CASE decision_rule -> 'election' ->> 'method'
                                WHEN 'per_candidate' THEN mark.text ~ '^[0-9]{1,4}=(yes|no|abstain)$'
                                WHEN 'plurality' THEN mark.text ~ '^[0-9]{1,4}$'
                                WHEN 'approval' THEN mark.text ~ '^[0-9]{1,4}$'
                                WHEN 'cumulative' THEN mark.text ~ '^[0-9]{1,4}=[0-9]+$'
                                WHEN 'score' THEN mark.text ~ '^[0-9]{1,4}=[0-9]+$'
                                WHEN 'lists' THEN mark.text ~ '^(list=)?[0-9]{1,4}$'
                                ELSE mark.text ~ '^[0-9]{1,4}:[0-9]{1,4}$'
                            END
                            AND (mark.text ~ '^list='
                                 OR substring(mark.text FROM '^(?:[0-9]+:)?([0-9]+)')::numeric BETWEEN 1 AND names),
                            false))
                END,
                false))",
};

/// Every vote on paper is in a batch that was confirmed, and a voting place gave a ballot to everybody who voted at one.
pub(super) const UNEXPLAINED_WAY: Check = Check {
    name: "unexplained_way",
    find: "
        SELECT client_id, 'votes' AS table_name, found.id,
               CASE found.cast_on WHEN 'PAPER' THEN 'The vote on paper is in no confirmed batch.'
                    ELSE 'No voting place gave the voter a ballot.' END AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT votes.id, votes.cast_on FROM votes
            WHERE votes.round_id = scope_rounds.id AND votes.cast_on IS NOT NULL
              AND NOT CASE votes.cast_on
                  WHEN 'PAPER' THEN EXISTS (
                      SELECT FROM paper_batches
                      CROSS JOIN LATERAL (SELECT FROM paper_ballots
                                          WHERE paper_ballots.batch_id = paper_batches.id
                                            AND paper_ballots.end_user_id = votes.end_user_id
                                            AND paper_ballots.outcome = 'COUNTED' OFFSET 0) AS counted
                      WHERE paper_batches.client_id = scope_rounds.client_id AND paper_batches.round_id = scope_rounds.id
                        AND paper_batches.state = 'CONFIRMED')
                  ELSE EXISTS (
                      SELECT FROM issued_ballots
                      WHERE issued_ballots.client_id = scope_rounds.client_id AND issued_ballots.round_id = scope_rounds.id
                        AND issued_ballots.end_user_id = votes.end_user_id)
              END
            OFFSET 0
        ) AS found",
};

/// A sealed vote has its envelope until its round is counted, and not longer.
pub(super) const ENVELOPE: Check = Check {
    name: "envelope",
    find: "
        SELECT client_id, 'votes' AS table_name, votes.id,
               CASE WHEN votes.sealed IS NULL THEN 'The envelope of the vote is missing.'
                    ELSE 'The round is counted, and the vote still has its envelope.' END AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (SELECT * FROM votes WHERE round_id = scope_rounds.id AND is_sealed OFFSET 0) AS votes
        WHERE (votes.sealed IS NULL) <> (scope_rounds.counted_at IS NOT NULL)",
};
