use diesel::prelude::*;
use plenum_kernel::ClientId;
use uuid::Uuid;

use crate::schema::end_users;

/// Whether an end user found by id belongs to the client. Prevents the use of an index: with statistics of one person for
/// each client, PostgreSQL rates the index by client as good as the key, and then reads everyone of the client.
#[diesel::dsl::auto_type]
pub(crate) fn is_of(owner: ClientId) -> _ {
    let owner: Uuid = owner.as_uuid();
    end_users::client_id.is_not_distinct_from(owner)
}
