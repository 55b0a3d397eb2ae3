//! A page of a table that was overwritten on the disk.

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use plenum_adapter_postgres::testkit::{StoppableServer, file_of};
use plenum_adapter_postgres::{Db, DbSettings, PostgresAccounts, PostgresClients, migrate, read_all};
use plenum_clients::{AccountStore as _, ClientFilter, ClientStore as _};

#[tokio::test]
async fn a_damaged_page_is_called_so_by_the_call_that_meets_it_and_by_whoever_asks_after_it() {
    let mut server = StoppableServer::start();
    migrate(server.url()).await.unwrap();
    assert!(read_all(server.url()).await.unwrap().is_empty());
    let mut conn = PgConnection::establish(server.url()).unwrap();
    let a_client = "SET plenum.tenant = 'all'; INSERT INTO clients (id, name, client_code, contact_email, status, \
                    subscription_plan, created_at) \
                    VALUES (gen_random_uuid(), 'Club', 'club', 'club@example.org', 'ACTIVE', 'BASIC', now())";
    conn.batch_execute(a_client).unwrap();
    drop(conn);
    let file = file_of(server.url(), "clients");
    server.stop();
    server.damage(&file);
    server.start_again();

    let settings = DbSettings::new(server.url());
    let (one, other) = (Db::new(&settings).unwrap(), Db::new(&settings).unwrap());
    PostgresAccounts::new(one.clone()).has_super_admin().await.expect("what is not damaged can be read");
    assert_eq!(other.damage(), None, "nobody has met it");
    let failure = PostgresClients::new(one.clone()).list(&ClientFilter::default()).await.unwrap_err();
    assert!(failure.is_damaged() && !failure.is_busy(), "{failure:?}");
    for pool in [one, other] {
        let damage = pool.damage().expect("all pools know of it");
        assert!(damage.contains(&file), "{damage}");
    }
    let damages = read_all(server.url()).await.unwrap();
    assert!(damages.len() == 1 && damages[0].contains(&file), "{damages:?}");
}
