//! SQL conditions for the groups that a meeting or a question is for (decision 91). No other module has such conditions.

/// Whether the person with the id `$person` is in one of the groups of the row `$id` of `$table` (meetings or questions), or
/// the row is for everybody. A row that does not exist is.
///
/// Members are read once, as one array, and found in a hash table: PostgreSQL estimates every such array at ten elements, so the
/// table does not depend on statistics, which may not know thousands of members yet.
macro_rules! is_in_audience {
    ($person:literal, $table:literal, $id:literal) => {
        concat!(
            "(NOT EXISTS (SELECT FROM ",
            $table,
            " AS meant_for WHERE meant_for.id = ",
            $id,
            " AND meant_for.group_ids <> '{}') OR ",
            $person,
            " IN (SELECT unnest(ARRAY(SELECT group_members.end_user_id FROM group_members \
                                      WHERE group_members.group_id = ANY (ARRAY( \
                                          SELECT unnest(meant_for.group_ids) FROM ",
            $table,
            " AS meant_for WHERE meant_for.id = ",
            $id,
            "))))))"
        )
    };
}

/// The same for one person and a meeting of an outer query, whose membership is found by key.
macro_rules! is_member_for {
    ($person:literal, $meeting:literal) => {
        concat!(
            "(",
            $meeting,
            ".group_ids = '{}' OR EXISTS (SELECT FROM group_members \
                                          WHERE group_members.group_id = ANY (",
            $meeting,
            ".group_ids) AND group_members.end_user_id = ",
            $person,
            " OFFSET 0))"
        )
    };
}

pub(crate) use {is_in_audience, is_member_for};
