use diesel::dsl::exists;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use plenum_kernel::PortFailure;
use uuid::Uuid;

use crate::pool::failure::Abort;
use crate::schema::clients;

/// Locks the client against removal until the transaction commits, and returns whether it exists.
///
/// Never waits: a removal may delete years of votes, and each of the client's people would hold a connection meanwhile. A
/// change of the client's code holds the same lock. As long as it is open whether such a transaction commits, the client is
/// neither there nor gone, so the failure is that of a busy dependency: the caller tries again, and learns nothing wrong.
pub(crate) fn lock_client(conn: &mut PgConnection, client: Uuid) -> Result<bool, Abort<PortFailure>> {
    let locked: Option<Uuid> =
        clients::table.find(client).select(clients::id).for_key_share().skip_locked().first(conn).optional()?;
    if locked.is_some() {
        return Ok(true);
    }
    let is_there: bool = diesel::select(exists(clients::table.find(client))).get_result(conn)?;
    if is_there { Err(Abort::Refused(PortFailure::busy("the organization"))) } else { Ok(false) }
}
