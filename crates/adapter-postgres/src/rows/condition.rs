use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::Bool;

/// A constant SQL condition.
///
/// Diesel's `sql` would parse and plan the whole statement for each call, because its text might change. When a whole hall
/// signs in at once, that would be most of the database's work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition(pub(crate) &'static str);

impl Expression for Condition {
    type SqlType = Bool;
}

impl QueryId for Condition {
    type QueryId = ();

    // The cache key of the statement contains its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend> QueryFragment<DB> for Condition {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

impl<GB> ValidGrouping<GB> for Condition {
    type IsAggregate = is_aggregate::Never;
}

impl<QS> AppearsOnTable<QS> for Condition {}

impl<QS> SelectableExpression<QS> for Condition {}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, EndUserId, MeetingId};
    use plenum_meetings::VoterMeetings as _;

    use crate::testkit::{TestDatabase, prepared_for_open_rounds};
    use crate::{Db, DbSettings, PostgresVoterMeetings};

    #[tokio::test]
    async fn a_statement_with_the_condition_is_prepared_once_for_each_connection() {
        let database = TestDatabase::fresh().await;
        let db = Db::new(&DbSettings { pool_size: 1, ..DbSettings::new(database.url()) }).unwrap();
        let (meetings, ids) = (PostgresVoterMeetings::new(db.clone()), CountingIds::new());
        for _ in 0..3 {
            let (client, voter) = (ClientId::new(&ids), EndUserId::new(&ids));
            assert!(meetings.find(client, voter, MeetingId::new(&ids)).await.unwrap().is_none());
            assert!(meetings.list(client, voter).await.unwrap().is_empty());
        }
        assert_eq!(prepared_for_open_rounds(&db).await, 2, "one that finds, and one that lists");
    }
}
