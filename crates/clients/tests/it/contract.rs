//! The contract of the stores, on the stores in memory.

use plenum_clients::testkit::contract::Stores;

async fn fresh() -> Stores {
    Stores::in_memory()
}

plenum_clients::clients_contract!(fresh);
