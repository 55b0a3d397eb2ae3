use diesel::prelude::*;
use plenum_kernel::ClientId;
use uuid::Uuid;

use crate::schema::end_users;

/// Whether somebody who is looked up by the id is the client's. No index is offered for it: where the statistics know of one person
/// in each client, PostgreSQL takes one by the client for as good as the key, and reads everybody whom this client has.
#[diesel::dsl::auto_type]
pub(crate) fn is_of(owner: ClientId) -> _ {
    let owner: Uuid = owner.as_uuid();
    end_users::client_id.is_not_distinct_from(owner)
}
