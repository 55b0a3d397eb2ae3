//! Logos and accent colors of organizations.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Nullable, Text, Uuid as SqlUuid};
use plenum_clients::{AccentColor, Branding, BrandingStore, Logo, LogoFormat, StoredLogo};
use plenum_kernel::{ClientId, PortFailure};

use crate::Db;
use crate::pool::failure::damaged;

const FIND: &str = "SELECT accent_color, logo_version FROM client_branding WHERE client_id = $1";

const FIND_LOGO: &str =
    "SELECT logo, logo_type, logo_version FROM client_branding WHERE client_id = $1 AND logo IS NOT NULL";

const SET_ACCENT: &str = "
    INSERT INTO client_branding (client_id, accent_color) SELECT id, $2 FROM clients WHERE id = $1 FOR KEY SHARE
    ON CONFLICT (client_id) DO UPDATE SET accent_color = excluded.accent_color";

const SET_LOGO: &str = "
    INSERT INTO client_branding (client_id, logo, logo_type, logo_version)
        SELECT id, $2, $3, left(encode(sha256($2), 'hex'), 16) FROM clients WHERE id = $1 FOR KEY SHARE
    ON CONFLICT (client_id) DO UPDATE
        SET logo = excluded.logo, logo_type = excluded.logo_type, logo_version = excluded.logo_version";

/// Logos and accent colors in PostgreSQL.
#[derive(Clone)]
pub struct PostgresBranding {
    db: Db,
}

impl PostgresBranding {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl BrandingStore for PostgresBranding {
    async fn branding(&self, owner: ClientId) -> Result<Branding, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let row: Option<BrandingRow> =
                    diesel::sql_query(FIND).bind::<SqlUuid, _>(owner.as_uuid()).get_result(conn).optional()?;
                let Some(row) = row else { return Ok(Branding::default()) };
                let accent =
                    row.accent_color.map(|text| AccentColor::from_stored(&text).map_err(damaged)).transpose()?;
                Ok(Branding { accent, logo_version: row.logo_version })
            })
            .await
    }

    async fn logo(&self, owner: ClientId) -> Result<Option<StoredLogo>, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let row: Option<LogoRow> =
                    diesel::sql_query(FIND_LOGO).bind::<SqlUuid, _>(owner.as_uuid()).get_result(conn).optional()?;
                row.map(LogoRow::read).transpose()
            })
            .await
    }

    async fn set_accent(&self, owner: ClientId, accent: Option<AccentColor>) -> Result<bool, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let stored = diesel::sql_query(SET_ACCENT)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Nullable<Text>, _>(accent.map(|accent| accent.to_string()))
                    .execute(conn)?;
                Ok(stored == 1)
            })
            .await
    }

    async fn set_logo(&self, owner: ClientId, logo: Option<Logo>) -> Result<bool, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let stored = diesel::sql_query(SET_LOGO)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Nullable<Binary>, _>(logo.as_ref().map(Logo::content))
                    .bind::<Nullable<Text>, _>(logo.as_ref().map(|logo| logo.format().media_type()))
                    .execute(conn)?;
                Ok(stored == 1)
            })
            .await
    }
}

#[derive(QueryableByName)]
struct BrandingRow {
    #[diesel(sql_type = Nullable<Text>)]
    accent_color: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    logo_version: Option<String>,
}

#[derive(QueryableByName)]
struct LogoRow {
    #[diesel(sql_type = Binary)]
    logo: Vec<u8>,
    #[diesel(sql_type = Text)]
    logo_type: String,
    #[diesel(sql_type = Text)]
    logo_version: String,
}

impl LogoRow {
    fn read(self) -> QueryResult<StoredLogo> {
        let format = LogoFormat::of_media_type(&self.logo_type)
            .ok_or_else(|| damaged(format!("client_branding.logo_type is {}", self.logo_type)))?;
        Ok(StoredLogo { format, content: self.logo, version: self.logo_version })
    }
}
