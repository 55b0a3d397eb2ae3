//! Every row has its parent, and belongs to the same client as the parent.

use super::Check;

/// No row lacks its parent. Tokens and rows of a round have no client of their own. Without a parent their client is
/// unknown, so they are checked only for all clients.
pub(super) const MISSING_PARENT: Check = Check {
    name: "missing_parent",
    find: "
        SELECT client_id, 'accounts' AS table_name, id, 'The client of the account is missing.' AS message
        FROM accounts
        WHERE client_id IS NOT NULL AND NOT EXISTS (SELECT FROM clients WHERE clients.id = accounts.client_id)
        UNION ALL
        SELECT client_id, 'end_users', id, 'The client of the end user is missing.'
        FROM end_users
        WHERE NOT EXISTS (SELECT FROM clients WHERE clients.id = end_users.client_id)
        UNION ALL
        SELECT DISTINCT client_id, 'end_user_counts', client_id, 'The client of the kept numbers of end users is missing.'
        FROM end_user_counts
        WHERE NOT EXISTS (SELECT FROM clients WHERE clients.id = end_user_counts.client_id)
        UNION ALL
        SELECT DISTINCT client_id, 'meeting_counts', client_id, 'The client of the kept numbers of meetings is missing.'
        FROM meeting_counts
        WHERE NOT EXISTS (SELECT FROM clients WHERE clients.id = meeting_counts.client_id)
        UNION ALL
        SELECT client_id, 'sessions', id, 'The client of the session is missing.'
        FROM sessions
        WHERE client_id IS NOT NULL AND NOT EXISTS (SELECT FROM clients WHERE clients.id = sessions.client_id)
        UNION ALL
        SELECT client_id, 'sessions', id, 'The account of the session is missing.'
        FROM sessions
        WHERE account_id IS NOT NULL AND NOT EXISTS (SELECT FROM accounts WHERE accounts.id = sessions.account_id)
        UNION ALL
        SELECT client_id, 'sessions', id, 'The end user of the session is missing.'
        FROM sessions
        WHERE end_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM end_users WHERE end_users.id = sessions.end_user_id)
        UNION ALL
        SELECT NULL, 'password_resets', account_id, 'The account of a link for a new password is missing.'
        FROM password_resets
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM accounts WHERE accounts.id = password_resets.account_id)
        UNION ALL
        SELECT NULL, 'second_factors', account_id, 'The account of a second factor is missing.'
        FROM second_factors
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM accounts WHERE accounts.id = second_factors.account_id)
        UNION ALL
        SELECT DISTINCT NULL::uuid, 'recovery_codes', account_id, 'The second factor of recovery codes is missing.'
        FROM recovery_codes
        WHERE $1 IS NULL
          AND NOT EXISTS (SELECT FROM second_factors WHERE second_factors.account_id = recovery_codes.account_id)
        UNION ALL
        SELECT NULL, 'refresh_tokens', session_id, 'The session of a refresh token is missing.'
        FROM refresh_tokens
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM sessions WHERE sessions.id = refresh_tokens.session_id)
        UNION ALL
        SELECT client_id, 'meetings', id, 'The client of the meeting is missing.'
        FROM meetings
        WHERE NOT EXISTS (SELECT FROM clients WHERE clients.id = meetings.client_id)
        UNION ALL
        SELECT client_id, 'participants', meeting_id, format('The meeting of the participant %s is missing.', end_user_id)
        FROM participants
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = participants.meeting_id)
        UNION ALL
        SELECT client_id, 'participants', meeting_id, format('The participant %s is not an end user.', end_user_id)
        FROM participants
        WHERE NOT EXISTS (SELECT FROM end_users WHERE end_users.id = participants.end_user_id)
        UNION ALL
        SELECT client_id, 'invitations', meeting_id, format('The meeting of the invitation of %s is missing.', end_user_id)
        FROM invitations
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = invitations.meeting_id)
        UNION ALL
        SELECT client_id, 'invitations', meeting_id, format('%s has an invitation and is not an end user.', end_user_id)
        FROM invitations
        WHERE NOT EXISTS (SELECT FROM end_users WHERE end_users.id = invitations.end_user_id)
        UNION ALL
        SELECT client_id, 'questions', id, 'The meeting of the question is missing.'
        FROM questions
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = questions.meeting_id)
        UNION ALL
        SELECT client_id, 'options', id, 'The question of the option is missing.'
        FROM options
        WHERE NOT EXISTS (SELECT FROM questions WHERE questions.id = options.question_id)
        UNION ALL
        SELECT client_id, 'rounds', id, 'The meeting of the round is missing.'
        FROM rounds
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = rounds.meeting_id)
        UNION ALL
        SELECT client_id, 'rounds', id, 'The question of the round is missing.'
        FROM rounds
        WHERE NOT EXISTS (SELECT FROM questions WHERE questions.id = rounds.question_id)
        UNION ALL
        SELECT NULL, 'round_options', option_id, 'The round of the option is missing.'
        FROM round_options
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rounds WHERE rounds.id = round_options.round_id)
        UNION ALL
        SELECT NULL, 'register', round_id, format('The round in whose register %s stands is missing.', end_user_id)
        FROM register
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rounds WHERE rounds.id = register.round_id)
          AND NOT EXISTS (SELECT FROM prepared_registers WHERE prepared_registers.round_id = register.round_id)
        UNION ALL
        SELECT client_id, 'prepared_registers', round_id, 'The meeting of the prepared register is missing.'
        FROM prepared_registers
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = prepared_registers.meeting_id)
        UNION ALL
        SELECT NULL, 'round_counters', round_id, 'The round of a counter is missing.'
        FROM round_counters
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rounds WHERE rounds.id = round_counters.round_id)
        UNION ALL
        SELECT NULL, 'votes', id, 'The round of the vote is missing.'
        FROM votes
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rounds WHERE rounds.id = votes.round_id)
        UNION ALL
        SELECT NULL, 'exclusions', question_id, format('The question from which %s is excluded is missing.', end_user_id)
        FROM exclusions
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM questions WHERE questions.id = exclusions.question_id)
        UNION ALL
        SELECT questions.client_id, 'exclusions', question_id, format('%s is excluded and is not an end user.', end_user_id)
        FROM exclusions JOIN questions ON questions.id = question_id
        WHERE NOT EXISTS (SELECT FROM end_users WHERE end_users.id = exclusions.end_user_id)
        UNION ALL
        SELECT NULL, 'round_log', id, 'The round of an entry in a log is missing.'
        FROM round_log
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rounds WHERE rounds.id = round_log.round_id)
        UNION ALL
        SELECT client_id, 'remarks', id, 'The meeting of the remark is missing.'
        FROM remarks
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = remarks.meeting_id)
        UNION ALL
        SELECT client_id, 'rehearsals', id, 'The meeting of the rehearsal is missing.'
        FROM rehearsals
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = rehearsals.meeting_id)
        UNION ALL
        SELECT NULL, 'rehearsal_answers', rehearsal_id, format('The rehearsal that %s has answered is missing.', end_user_id)
        FROM rehearsal_answers
        WHERE $1 IS NULL AND NOT EXISTS (SELECT FROM rehearsals WHERE rehearsals.id = rehearsal_answers.rehearsal_id)
        UNION ALL
        SELECT rehearsals.client_id, 'rehearsal_answers', rehearsal_id,
               format('%s has answered a rehearsal and is not an end user.', end_user_id)
        FROM rehearsal_answers JOIN rehearsals ON rehearsals.id = rehearsal_id
        WHERE NOT EXISTS (SELECT FROM end_users WHERE end_users.id = rehearsal_answers.end_user_id)
        UNION ALL
        SELECT client_id, 'attendance', meeting_id, 'The meeting whose attendance was noted is missing.'
        FROM attendance
        WHERE NOT EXISTS (SELECT FROM meetings WHERE meetings.id = attendance.meeting_id)",
};

/// No reference crosses clients. The message does not name the other client.
pub(super) const FOREIGN_CLIENT: Check = Check {
    name: "foreign_client",
    find: "
        SELECT sessions.client_id, 'sessions' AS table_name, sessions.id,
               'The session belongs to a different client from its account.' AS message
        FROM sessions JOIN accounts ON accounts.id = sessions.account_id
        WHERE sessions.client_id IS DISTINCT FROM accounts.client_id
        UNION ALL
        SELECT sessions.client_id, 'sessions', sessions.id, 'The session belongs to a different client from its end user.'
        FROM sessions JOIN end_users ON end_users.id = sessions.end_user_id
        WHERE sessions.client_id IS DISTINCT FROM end_users.client_id
        UNION ALL
        SELECT participants.client_id, 'participants', meeting_id,
               format('The participant %s is listed for a different client from that of the meeting.', end_user_id)
        FROM participants JOIN meetings ON meetings.id = meeting_id
        WHERE participants.client_id <> meetings.client_id
        UNION ALL
        SELECT participants.client_id, 'participants', meeting_id,
               format('The participant %s is an end user of another client.', end_user_id)
        FROM participants JOIN end_users ON end_users.id = end_user_id
        WHERE participants.client_id <> end_users.client_id
        UNION ALL
        SELECT invitations.client_id, 'invitations', meeting_id,
               format('The invitation of %s belongs to a different client from the meeting.', end_user_id)
        FROM invitations JOIN meetings ON meetings.id = meeting_id
        WHERE invitations.client_id <> meetings.client_id
        UNION ALL
        SELECT invitations.client_id, 'invitations', meeting_id,
               format('The invitation is for %s, an end user of another client.', end_user_id)
        FROM invitations JOIN end_users ON end_users.id = end_user_id
        WHERE invitations.client_id <> end_users.client_id
        UNION ALL
        SELECT questions.client_id, 'questions', questions.id, 'The question belongs to a different client from its meeting.'
        FROM questions JOIN meetings ON meetings.id = meeting_id
        WHERE questions.client_id <> meetings.client_id
        UNION ALL
        SELECT options.client_id, 'options', options.id, 'The option belongs to a different client from its question.'
        FROM options JOIN questions ON questions.id = question_id
        WHERE options.client_id <> questions.client_id
        UNION ALL
        SELECT rounds.client_id, 'rounds', rounds.id, 'The round belongs to a different client from its meeting.'
        FROM rounds JOIN meetings ON meetings.id = meeting_id
        WHERE rounds.client_id <> meetings.client_id
        UNION ALL
        SELECT questions.client_id, 'exclusions', question_id,
               format('%s, an end user of another client, is excluded.', end_user_id)
        FROM exclusions
        JOIN questions ON questions.id = question_id
        JOIN end_users ON end_users.id = end_user_id
        WHERE questions.client_id <> end_users.client_id
        UNION ALL
        SELECT remarks.client_id, 'remarks', remarks.id, 'The remark belongs to a different client from its meeting.'
        FROM remarks JOIN meetings ON meetings.id = meeting_id
        WHERE remarks.client_id <> meetings.client_id
        UNION ALL
        SELECT rehearsals.client_id, 'rehearsals', rehearsals.id, 'The rehearsal belongs to a different client from its meeting.'
        FROM rehearsals JOIN meetings ON meetings.id = meeting_id
        WHERE rehearsals.client_id <> meetings.client_id
        UNION ALL
        SELECT rehearsals.client_id, 'rehearsal_answers', rehearsal_id,
               format('%s, an end user of another client, has answered the rehearsal.', end_user_id)
        FROM rehearsal_answers
        JOIN rehearsals ON rehearsals.id = rehearsal_id
        JOIN end_users ON end_users.id = end_user_id
        WHERE rehearsals.client_id <> end_users.client_id
        UNION ALL
        SELECT attendance.client_id, 'attendance', meeting_id,
               'The attendance belongs to a different client from the meeting.'
        FROM attendance JOIN meetings ON meetings.id = meeting_id
        WHERE attendance.client_id <> meetings.client_id",
};

/// A question that is shown or voted on is on the meeting's agenda.
pub(super) const FOREIGN_QUESTION: Check = Check {
    name: "foreign_question",
    find: "
        SELECT client_id, 'meetings' AS table_name, id, 'The current question is not on the agenda of the meeting.' AS message
        FROM meetings
        WHERE current_question_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM questions
                          WHERE questions.id = current_question_id AND questions.meeting_id = meetings.id)
        UNION ALL
        SELECT rounds.client_id, 'rounds', rounds.id, 'The question of the round is on the agenda of another meeting.'
        FROM rounds JOIN questions ON questions.id = rounds.question_id
        WHERE rounds.meeting_id <> questions.meeting_id",
};
