use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use plenum_adapter_postgres::testkit::TestDatabase;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::queries::{count, poll};

/// A transaction that is held open by the test.
pub(crate) struct HeldTransaction {
    conn: PgConnection,
    pid: i64,
}

impl HeldTransaction {
    pub(crate) fn begin(database: &TestDatabase, statements: &str) -> Self {
        let mut conn = database.connection();
        let pid = count(&mut conn, "SELECT pg_backend_pid()::bigint AS count");
        conn.batch_execute("BEGIN").expect("the test server does it");
        conn.batch_execute(statements).expect("the test server does it");
        Self { conn, pid }
    }

    /// Waits until `number` connections wait for this transaction, directly or indirectly.
    pub(crate) async fn until_blocking(&self, fixture: &PostgresVoting, number: i64) {
        let query = format!(
            "WITH RECURSIVE behind (pid) AS ( \
                 SELECT {}::integer \
                 UNION \
                 SELECT waiting.pid FROM pg_stat_activity AS waiting \
                 JOIN behind ON behind.pid = ANY (pg_blocking_pids(waiting.pid)) \
             ) SELECT count(*) - 1 AS count FROM behind",
            self.pid
        );
        poll("someone waits for the transaction", || fixture.count(&query) >= number).await;
    }

    /// Ends the connections that wait for this transaction.
    pub(crate) fn terminate_waiting(&self, fixture: &PostgresVoting) {
        let ended = fixture.count(&format!(
            "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) AS count \
             FROM pg_stat_activity WHERE {} = ANY (pg_blocking_pids(pid))",
            self.pid
        ));
        assert!(ended > 0, "nobody waited");
    }

    /// Commits it.
    pub(crate) fn run(&mut self, statements: &str) {
        self.conn.batch_execute(statements).expect("nobody is in the way");
    }

    pub(crate) fn commit(mut self) {
        self.conn.batch_execute("COMMIT").expect("the test server does it");
    }

    pub(crate) fn roll_back(mut self) {
        self.conn.batch_execute("ROLLBACK").expect("the test server does it");
    }
}
