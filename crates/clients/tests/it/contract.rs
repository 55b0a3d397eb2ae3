//! The stores in memory keep the contract that the database keeps.

use plenum_clients::testkit::contract::Stores;

async fn fresh() -> Stores {
    Stores::in_memory()
}

plenum_clients::clients_contract!(fresh);
