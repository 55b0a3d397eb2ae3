//! Reading all rows of a round at the cost of one check of its policy.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use uuid::Uuid;

use crate::pool::tenants::Tenant;

#[derive(QueryableByName)]
struct Current {
    #[diesel(sql_type = Nullable<Text>)]
    tenant: Option<String>,
}

/// Runs `read` if the current tenant sees this round. Otherwise returns an empty value.
///
/// The policies of `register` and `votes` look up the round of every row, which takes longer than reading the rows. In a
/// transaction, `read` therefore sees all tenants, and MUST read rows of this round only.
pub(crate) fn of_visible_round<T: Default>(
    conn: &mut PgConnection,
    round: Uuid,
    read: impl FnOnce(&mut PgConnection) -> QueryResult<T>,
) -> QueryResult<T> {
    const VISIBLE: &str = "SELECT current_setting('plenum.tenant', true) AS tenant FROM rounds WHERE id = $1";
    let visible = diesel::sql_query(VISIBLE).bind::<SqlUuid, _>(round).get_result::<Current>(conn).optional()?;
    let Some(Current { tenant }) = visible else { return Ok(T::default()) };
    see_until_the_transaction_ends(conn, &Tenant::All.to_string())?;
    let found = read(conn)?;
    see_until_the_transaction_ends(conn, &tenant.unwrap_or_default())?;
    Ok(found)
}

/// Without a transaction, this has no effect beyond its own statement.
fn see_until_the_transaction_ends(conn: &mut PgConnection, tenant: &str) -> QueryResult<()> {
    diesel::sql_query("SELECT set_config('plenum.tenant', $1, true)").bind::<Text, _>(tenant).execute(conn)?;
    Ok(())
}
