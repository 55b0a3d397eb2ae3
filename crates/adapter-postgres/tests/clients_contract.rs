//! The stores of organizations, people and sessions keep their contract on PostgreSQL.

use std::sync::Arc;

use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresAccounts, PostgresClients, PostgresEndUsers, PostgresSessions};
use plenum_clients::testkit::contract::Stores;

async fn fresh() -> Stores {
    let database = TestDatabase::fresh().await;
    Stores {
        clients: Arc::new(PostgresClients::new(database.db())),
        end_users: Arc::new(PostgresEndUsers::new(database.db())),
        accounts: Arc::new(PostgresAccounts::new(database.db())),
        sessions: Arc::new(PostgresSessions::new(database.db())),
        keeps_alive: Box::new(database),
    }
}

plenum_clients::clients_contract!(fresh);
