//! What a round does when it is opened again: it tells who joins its register, and whose password somebody set in the meantime.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use plenum_voting::{OpenRoundError, OpeningRule};
use uuid::Uuid;

use crate::pool::failure::Abort;

/// Passwords of people in the register that somebody else set after the round ended. Each person is found by key.
const LOG_SET_PASSWORDS: &str = "
    INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight)
    SELECT gen_random_uuid(), rounds.id, person.password_set_at, 'PASSWORD_SET', person.password_set_by,
           register.end_user_id, register.username, register.name, register.weight
    FROM rounds
    JOIN register ON register.round_id = rounds.id
    CROSS JOIN LATERAL (SELECT password_set_at, password_set_by FROM end_users
                        WHERE end_users.id = register.end_user_id OFFSET 0) AS person
    WHERE rounds.id = $1 AND NOT rounds.is_test AND person.password_set_at > rounds.ended_at
    ORDER BY person.password_set_at, lower(register.username) COLLATE \"C\"";

/// Logs the passwords of people in the register that somebody else set while the round was closed. The round is locked by its
/// meeting and not open yet.
pub(crate) fn log_passwords_of_pause(conn: &mut PgConnection, round: Uuid) -> QueryResult<()> {
    diesel::sql_query(LOG_SET_PASSWORDS).bind::<SqlUuid, _>(round).execute(conn)?;
    Ok(())
}

/// Refuses a register that names two people alike: somebody in it was renamed, and the person who has the name now joined.
pub(crate) fn require_unique_usernames(conn: &mut PgConnection, round: Uuid) -> Result<(), Abort<OpenRoundError>> {
    #[derive(QueryableByName)]
    struct Shared {
        #[diesel(sql_type = Text)]
        username: String,
    }
    let shared: Option<Shared> = diesel::sql_query(
        "SELECT min(username) AS username FROM register WHERE round_id = $1 \
         GROUP BY lower(username) HAVING count(*) > 1 ORDER BY 1 LIMIT 1",
    )
    .bind::<SqlUuid, _>(round)
    .get_result(conn)
    .optional()?;
    shared
        .map_or(Ok(()), |Shared { username }| Err(Abort::Refused(OpeningRule::UsernameInRegister { username }.into())))
}
