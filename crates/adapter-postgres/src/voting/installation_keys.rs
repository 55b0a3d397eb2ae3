use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use plenum_kernel::PortFailure;

use crate::Db;
use crate::schema::installation_keys;

/// A key that a database expects.
#[derive(Clone)]
pub struct ExpectedKey {
    db: Db,
    purpose: &'static str,
}

impl ExpectedKey {
    /// The key that signs records and exports.
    pub fn evidence(db: Db) -> Self {
        Self { db, purpose: "evidence" }
    }

    /// The key that signs access tokens.
    pub fn signing(db: Db) -> Self {
        Self { db, purpose: "signing" }
    }

    /// The fingerprint of the key that was used last. `None` before the first start.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn fingerprint(&self) -> Result<Option<String>, PortFailure> {
        let purpose = self.purpose;
        self.db
            .platform()
            .run(move |conn| {
                let found = installation_keys::table.find(purpose).select(installation_keys::fingerprint);
                found.first(conn).optional()
            })
            .await
    }

    /// As [`Self::fingerprint`], and `None` also in a database without tables.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn fingerprint_if_migrated(&self) -> Result<Option<String>, PortFailure> {
        let has_table = self
            .db
            .platform()
            .run(|conn| diesel::select(sql::<Bool>("to_regclass('installation_keys') IS NOT NULL")).get_result(conn))
            .await?;
        if has_table { self.fingerprint().await } else { Ok(None) }
    }

    /// Expects the key with this fingerprint from now on, if the database still expects `before`. Returns the fingerprint that
    /// it then expects: another one if another instance was faster.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn replace(&self, before: Option<String>, fingerprint: String) -> Result<String, PortFailure> {
        let purpose = self.purpose;
        self.db
            .platform()
            .transaction(move |conn| {
                let key = installation_keys::table;
                let row = (installation_keys::purpose.eq(purpose), installation_keys::fingerprint.eq(&fingerprint));
                match before {
                    None => diesel::insert_into(key).values(row).on_conflict_do_nothing().execute(conn)?,
                    Some(before) => diesel::update(key.find(purpose))
                        .filter(installation_keys::fingerprint.eq(before))
                        .set(installation_keys::fingerprint.eq(&fingerprint))
                        .execute(conn)?,
                };
                Ok(key.find(purpose).select(installation_keys::fingerprint).first(conn)?)
            })
            .await
    }
}
