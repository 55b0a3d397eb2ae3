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

/// Ordinary weights are between 0 and 100, and those of a kind of weight from 0 to less than 10^18.
pub(super) const WEIGHT_OUT_OF_RANGE: Check = Check {
    name: "weight_out_of_range",
    find: "
        SELECT client_id, 'end_users' AS table_name, id, format('The weight %s is not from 0 to 100.', weight) AS message
        FROM end_users
        WHERE weight NOT BETWEEN 0 AND 100
        UNION ALL
        SELECT client_id, 'register', id,
               format(CASE WHEN weight_kind IS NULL THEN 'The weight %s of %s in the register is not from 0 to 100.'
                           ELSE 'The weight %s of %s in the register is not from 0 to less than 10^18.' END,
                      entries.weight, entries.end_user_id)
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT weight, end_user_id FROM register
            WHERE round_id = scope_rounds.id
              AND (weight < 0 OR weight > CASE WHEN scope_rounds.weight_kind IS NULL THEN 100
                                               ELSE 999999999999999999.999999 END)
            OFFSET 0
        ) AS entries
        UNION ALL
        SELECT client_id, 'register', id,
               format('The second weight %s of %s in the register is not from 0 to less than 10^18.',
                      entries.second_weight, entries.end_user_id)
        FROM scope_rounds
        CROSS JOIN LATERAL (
            SELECT second_weight, end_user_id FROM register
            WHERE round_id = scope_rounds.id AND (second_weight < 0 OR second_weight >= 1000000000000000000)
            OFFSET 0
        ) AS entries",
};

/// The values of a person are decimal texts of the client's kinds of weight, from 0 to less than 10^18, with at most the decimals
/// of the kind.
pub(super) const WEIGHTS_MISFIT: Check = Check {
    name: "weights_misfit",
    find: "
        SELECT end_users.client_id, 'end_users' AS table_name, end_users.id,
               CASE WHEN weight_kinds.id IS NULL
                    THEN format('The value %s is of the kind of weight %s, which the client does not have.',
                                given.value, given.key)
                    ELSE format('The value %s of the kind of weight %s is not a decimal text from 0 to less than 10^18 with at most %s decimals.',
                                given.value, given.key, weight_kinds.decimals) END AS message
        FROM end_users
        CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(end_users.weights) WHEN 'object' THEN end_users.weights ELSE '{}' END)
            AS given (key, value)
        LEFT JOIN weight_kinds ON weight_kinds.client_id = end_users.client_id AND weight_kinds.id::text = given.key
        WHERE end_users.weights <> '{}'
          AND (weight_kinds.id IS NULL OR jsonb_typeof(given.value) <> 'string'
               OR given.value #>> '{}' !~ ('^[0-9]{1,18}([.][0-9]{1,' || greatest(weight_kinds.decimals, 1) || '})?$')
               OR weight_kinds.decimals = 0 AND given.value #>> '{}' ~ '[.]')
        UNION ALL
        SELECT client_id, 'end_users', id, 'The values of kinds of weight are not a JSON object.'
        FROM end_users
        WHERE jsonb_typeof(weights) <> 'object'",
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
