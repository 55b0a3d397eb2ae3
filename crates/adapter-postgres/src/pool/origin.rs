//! The person or job on whose behalf the database is changed.

use std::future::Future;

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::result::QueryResult;
use plenum_kernel::{Origin, Person, Role};

tokio::task_local! {
    static ORIGIN: Origin;
}

/// Runs work on behalf of this origin. Each of its transactions names the origin, and the audit log stores it with each
/// change. Spawned tasks and the program's own jobs have no origin.
pub async fn on_behalf_of<T>(origin: Origin, work: impl Future<Output = T>) -> T {
    ORIGIN.scope(origin, work).await
}

/// The origin of the current task.
pub(crate) fn current_origin() -> Option<Origin> {
    ORIGIN.try_with(|origin| *origin).ok()
}

/// Sets the origin for the current transaction.
pub(crate) fn set_origin(conn: &mut PgConnection, origin: Origin) -> QueryResult<()> {
    conn.batch_execute(&statement(origin))
}

/// The statement of [`set_origin`] for the current task, if it has an origin, to be sent with the start of a transaction.
pub(crate) fn origin_statement() -> Option<String> {
    current_origin().map(statement)
}

/// Ids, roles and addresses contain no character that needs quoting.
fn statement(origin: Origin) -> String {
    let person = origin.acting.map_or_else(
        || r#""role":"NOBODY""#.to_owned(),
        |acting| {
            let (role, id) = match acting.person {
                Person::SuperAdmin { account } => (Role::SuperAdmin, account.as_uuid()),
                Person::ClientAdmin { account, .. } => (Role::Client, account.as_uuid()),
                Person::EndUser { end_user, .. } => (Role::EndUser, end_user.as_uuid()),
            };
            format!(r#""role":"{}","id":"{id}""#, role_text(role))
        },
    );
    format!(r#"SET LOCAL plenum.origin = '{{{person},"address":"{}"}}'"#, origin.address)
}

fn role_text(role: Role) -> &'static str {
    match role {
        Role::SuperAdmin => "SUPER_ADMIN",
        Role::Client => "CLIENT",
        Role::EndUser => "END_USER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_without_a_person_is_nobody() {
        let origin = Origin { acting: None, address: "2001:db8::7".parse().unwrap() };
        assert_eq!(statement(origin), r#"SET LOCAL plenum.origin = '{"role":"NOBODY","address":"2001:db8::7"}'"#);
    }
}
