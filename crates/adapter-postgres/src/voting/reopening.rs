//! The reopening of a round. Its log names everyone who joins the register, and everyone whose password somebody else
//! has set in the meantime.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use plenum_voting::{OpenRoundError, OpeningRule};
use uuid::Uuid;

use crate::pool::failure::Abort;

/// Passwords of people in the register that somebody else set after the round ended: an index has the few that were set since.
/// Also if their owners changed them later. An organizer could do that in their place, and vote. Without those of people who were
/// excluded before: they leave the register with this reopening, and the log has that already.
const LOG_SET_PASSWORDS: &str = "
    INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight)
    SELECT gen_random_uuid(), rounds.id, person.password_set_at, 'PASSWORD_SET', person.password_set_by,
           register.end_user_id, register.username, register.name, register.weight
    FROM rounds
    CROSS JOIN LATERAL (SELECT id, password_set_at, password_set_by FROM end_users
                        WHERE end_users.client_id = rounds.client_id AND end_users.password_set_at > rounds.ended_at
                        OFFSET 0) AS person
    CROSS JOIN LATERAL (SELECT end_user_id, username, name, weight FROM register
                        WHERE register.round_id = rounds.id AND register.end_user_id = person.id OFFSET 0) AS register
    WHERE rounds.id = $1 AND NOT rounds.is_test
      AND NOT EXISTS (SELECT FROM exclusions
                      WHERE exclusions.question_id = rounds.question_id AND exclusions.end_user_id = person.id
                        AND exclusions.excluded_at < person.password_set_at
                        AND NOT EXISTS (SELECT FROM votes
                                        WHERE votes.round_id = rounds.id AND votes.end_user_id = person.id OFFSET 0)
                      OFFSET 0)
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
