use diesel::prelude::*;
use plenum_kernel::PortFailure;

use crate::Db;
use crate::schema::installation_keys;

const PURPOSE: &str = "evidence";

/// The key that a database expects.
#[derive(Clone)]
pub struct ExpectedEvidenceKey {
    db: Db,
}

impl ExpectedEvidenceKey {
    /// The expectation of this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// The fingerprint of the key that signed last. `None` before the first start.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn fingerprint(&self) -> Result<Option<String>, PortFailure> {
        self.db
            .platform()
            .run(|conn| {
                let found = installation_keys::table.find(PURPOSE).select(installation_keys::fingerprint);
                found.first(conn).optional()
            })
            .await
    }

    /// Expects the key with this fingerprint from now on, if the database still expects `before`. Returns the fingerprint that
    /// it then expects: another one if another instance was faster.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn replace(&self, before: Option<String>, fingerprint: String) -> Result<String, PortFailure> {
        self.db
            .platform()
            .transaction(move |conn| {
                let key = installation_keys::table;
                let row = (installation_keys::purpose.eq(PURPOSE), installation_keys::fingerprint.eq(&fingerprint));
                match before {
                    None => diesel::insert_into(key).values(row).on_conflict_do_nothing().execute(conn)?,
                    Some(before) => diesel::update(key.find(PURPOSE))
                        .filter(installation_keys::fingerprint.eq(before))
                        .set(installation_keys::fingerprint.eq(&fingerprint))
                        .execute(conn)?,
                };
                Ok(key.find(PURPOSE).select(installation_keys::fingerprint).first(conn)?)
            })
            .await
    }
}
