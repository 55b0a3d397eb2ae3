//! The maintained counts of end users and meetings agree with the rows (decision 31).

use super::Check;

/// The counts and weights of end users of each kind are right.
pub(super) const END_USER_COUNTS: Check = Check {
    name: "end_user_counts",
    find: "
        SELECT clients.id AS client_id, 'end_user_counts' AS table_name, clients.id,
               format('%s %s end users of weight %s are kept for the client, and there are %s of weight %s.',
                      coalesce(kept.number::text, 'No number of'),
                      CASE WHEN kinds.is_active THEN 'active' ELSE 'inactive' END
                          || CASE WHEN kinds.is_test THEN ' test' ELSE '' END,
                      coalesce(kept.weight, 0), coalesce(stored.number, 0), coalesce(stored.weight, 0)) AS message
        FROM clients
        CROSS JOIN (VALUES (false, false), (false, true), (true, false), (true, true)) AS kinds (is_active, is_test)
        LEFT JOIN end_user_counts AS kept
            ON kept.client_id = clients.id AND kept.is_active = kinds.is_active AND kept.is_test = kinds.is_test
        LEFT JOIN (
            SELECT client_id, is_active, is_test, count(*) AS number, sum(weight) AS weight
            FROM end_users WHERE $1 IS NULL OR client_id = $1
            GROUP BY client_id, is_active, is_test
        ) AS stored
            ON stored.client_id = clients.id AND stored.is_active = kinds.is_active AND stored.is_test = kinds.is_test
        WHERE ($1 IS NULL OR clients.id = $1)
          AND (kept.number IS NULL OR kept.number <> coalesce(stored.number, 0)
               OR kept.weight <> coalesce(stored.weight, 0))",
};

/// The counts of meetings of each status are right.
pub(super) const MEETING_COUNTS: Check = Check {
    name: "meeting_counts",
    find: "
        SELECT clients.id AS client_id, 'meeting_counts' AS table_name, clients.id,
               format('%s %s meetings are kept for the client, and there are %s.',
                      coalesce(kept.number::text, 'No number of'),
                      statuses.status || CASE WHEN kinds.is_test THEN ' test' ELSE '' END,
                      coalesce(stored.number, 0)) AS message
        FROM clients
        CROSS JOIN (VALUES ('DRAFT'), ('SCHEDULED'), ('ACTIVE'), ('COMPLETED'), ('CANCELLED')) AS statuses (status)
        CROSS JOIN (VALUES (false), (true)) AS kinds (is_test)
        LEFT JOIN meeting_counts AS kept
            ON kept.client_id = clients.id AND kept.status = statuses.status AND kept.is_test = kinds.is_test
        LEFT JOIN (
            SELECT client_id, status, is_test, count(*) AS number
            FROM meetings WHERE $1 IS NULL OR client_id = $1
            GROUP BY client_id, status, is_test
        ) AS stored
            ON stored.client_id = clients.id AND stored.status = statuses.status AND stored.is_test = kinds.is_test
        WHERE ($1 IS NULL OR clients.id = $1)
          AND (kept.number IS NULL OR kept.number <> coalesce(stored.number, 0))",
};
