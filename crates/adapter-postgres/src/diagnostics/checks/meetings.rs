//! Agendas, times of meetings, rounds and their registers.

use super::Check;

/// The questions of a meeting have the positions 1, 2, 3 and so on.
pub(super) const AGENDA_PLACES: Check = Check {
    name: "agenda_places",
    find: "
        SELECT client_id, 'meetings' AS table_name, meeting_id AS id,
               format('The places of the %s questions on the agenda have a gap, or one is taken twice.', count(*))
                   AS message
        FROM questions
        GROUP BY client_id, meeting_id
        HAVING min(position) <> 1 OR max(position) <> count(*) OR count(DISTINCT position) <> count(*)",
};

/// A running meeting has a start and no later end.
pub(super) const ACTIVE_MEETING_TIMES: Check = Check {
    name: "active_meeting_times",
    find: "
        SELECT client_id, 'meetings' AS table_name, id,
               CASE WHEN started_at IS NULL THEN 'The meeting is running and was never started.'
                    ELSE 'The meeting is running and has ended.' END AS message
        FROM meetings
        WHERE status = 'ACTIVE' AND (started_at IS NULL OR ended_at IS NOT NULL)",
};

/// At most one question is open.
pub(super) const SEVERAL_OPEN_ROUNDS: Check = Check {
    name: "several_open_rounds",
    find: "
        SELECT client_id, 'meetings' AS table_name, meeting_id AS id,
               format('The meeting has %s open rounds.', count(*)) AS message
        FROM rounds
        WHERE status = 'OPEN'
        GROUP BY client_id, meeting_id
        HAVING count(*) > 1",
};

/// Rounds are open in running meetings only.
pub(super) const OPEN_ROUND_IN_INACTIVE_MEETING: Check = Check {
    name: "open_round_in_inactive_meeting",
    find: "
        SELECT rounds.client_id, 'rounds' AS table_name, rounds.id,
               format('The round is open, and its meeting is %s.', meetings.status) AS message
        FROM rounds JOIN meetings ON meetings.client_id = rounds.client_id AND meetings.id = rounds.meeting_id
        WHERE rounds.status = 'OPEN' AND meetings.status <> 'ACTIVE'",
};

/// Weights are between 0 and 100.
pub(super) const WEIGHT_OUT_OF_RANGE: Check = Check {
    name: "weight_out_of_range",
    find: "
        SELECT client_id, 'end_users' AS table_name, id, format('The weight %s is not from 0 to 100.', weight) AS message
        FROM end_users
        WHERE weight NOT BETWEEN 0 AND 100
        UNION ALL
        SELECT client_id, 'register', id,
               format('The weight %s of %s in the register is not from 0 to 100.', entries.weight, entries.end_user_id)
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT weight, end_user_id FROM register
            WHERE round_id = scope_rounds.id AND weight NOT BETWEEN 0 AND 100
            OFFSET 0
        ) AS entries",
};

/// The stored size and weight of a register are those of its entries.
pub(super) const REGISTER_TOTALS: Check = Check {
    name: "register_totals",
    find: "
        SELECT client_id, 'rounds' AS table_name, id,
               format('The round keeps %s heads of weight %s, and its register has %s of weight %s.',
                      register_heads, register_weight, entries.heads, entries.weight) AS message
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT count(*) AS heads, coalesce(sum(weight), 0) AS weight FROM register WHERE round_id = scope_rounds.id
        ) AS entries
        WHERE register_heads <> entries.heads OR register_weight <> entries.weight",
};
