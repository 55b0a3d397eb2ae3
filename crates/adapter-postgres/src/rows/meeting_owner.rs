use diesel::dsl::exists;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId};

use crate::schema::meetings;

/// Whether the client has this meeting.
pub(crate) fn is_meeting_of(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<bool> {
    let known = meetings::table.find(meeting.as_uuid()).filter(meetings::client_id.eq(owner.as_uuid()));
    diesel::select(exists(known)).get_result(conn)
}
