//! Connections to the database: their pool, what they may see, their failures, and the migrations that make the schema.

pub(crate) mod connection;
pub(crate) mod connection_health;
pub(crate) mod damage;
pub(crate) mod database;
pub(crate) mod failure;
pub(crate) mod migrations;
pub(crate) mod origin;
pub(crate) mod outage;
pub(crate) mod settings;
pub(crate) mod statistics;
pub(crate) mod tenants;
pub(crate) mod url;
