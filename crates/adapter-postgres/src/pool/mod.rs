//! The connection pool, row level security on its connections, failures, migrations, and the lock of instances.

pub(crate) mod connection;
pub(crate) mod connection_health;
pub(crate) mod damage;
pub(crate) mod database;
pub(crate) mod failure;
pub(crate) mod instances;
pub(crate) mod migrations;
pub(crate) mod origin;
pub(crate) mod outage;
pub(crate) mod requirements;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod statistics;
pub(crate) mod tenants;
pub(crate) mod url;
