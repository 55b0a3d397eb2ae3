use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Numeric, Text, Uuid as SqlUuid};
use plenum_clients::{
    AddWeightKindError, ChangeWeightKindError, RemoveWeightKindError, WeightKindChanges, WeightKindOverview,
    WeightKindStore,
};
use plenum_kernel::{ClientId, MAX_WEIGHT_KINDS, PortFailure, WeightKind, WeightKindId};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::clients::addition_lock::lock_additions;
use crate::clients::places_of_use::{PlacesOfUse, References, places_of_use};
use crate::pool::failure::{Abort, violated_constraint};
use crate::rows::columns::lower;
use crate::rows::weight_kinds::stored_kind;
use crate::schema::weight_kinds;

/// The constraint on the names of kinds.
const NAME_KEY: &str = "weight_kinds_client_id_name_key";

/// Kinds of weight in PostgreSQL.
#[derive(Clone)]
pub struct PostgresWeightKinds {
    db: Db,
}

impl PostgresWeightKinds {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl WeightKindStore for PostgresWeightKinds {
    async fn kinds(&self, owner: ClientId) -> Result<Vec<WeightKind>, PortFailure> {
        self.db.of(owner).run(move |conn| load(conn, owner)?.into_iter().map(WeightKind::try_from).collect()).await
    }

    async fn list(&self, owner: ClientId) -> Result<Vec<WeightKindOverview>, PortFailure> {
        self.db.of(owner).snapshot(move |conn| overviews(conn, owner)).await
    }

    async fn find(&self, owner: ClientId, id: WeightKindId) -> Result<Option<WeightKindOverview>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| Ok(overviews(conn, owner)?.into_iter().find(|known| known.kind.id == id)))
            .await
    }

    async fn add(
        &self,
        owner: ClientId,
        kind: WeightKind,
        created_at: DateTime<Utc>,
    ) -> Result<(), AddWeightKindError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                lock_additions(conn, owner, "kinds of weight")?;
                // After the lock, so that the last kind of a concurrent call is counted, and a repeat is told that the
                // name is taken.
                let known = load(conn, owner)?;
                diesel::insert_into(weight_kinds::table)
                    .values(KindRow::new(owner, kind, created_at))
                    .execute(conn)
                    .map_err(|error| match violated_constraint(&error) {
                        Some(NAME_KEY) => Abort::Refused(AddWeightKindError::NameTaken),
                        _ => error.into(),
                    })?;
                if known.len() >= MAX_WEIGHT_KINDS { Err(Abort::Refused(AddWeightKindError::TooMany)) } else { Ok(()) }
            })
            .await
    }

    async fn change(
        &self,
        owner: ClientId,
        id: WeightKindId,
        changes: WeightKindChanges,
    ) -> Result<WeightKindOverview, ChangeWeightKindError> {
        self.db.of(owner).transaction(move |conn| change(conn, owner, id, changes)).await
    }

    async fn remove(&self, owner: ClientId, id: WeightKindId) -> Result<(), RemoveWeightKindError> {
        self.db.of(owner).transaction(move |conn| remove(conn, owner, id)).await
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = weight_kinds, check_for_backend(diesel::pg::Pg))]
struct KindRow {
    id: Uuid,
    client_id: Uuid,
    name: String,
    unit: Option<String>,
    decimals: i16,
    created_at: DateTime<Utc>,
}

impl KindRow {
    fn new(owner: ClientId, kind: WeightKind, created_at: DateTime<Utc>) -> Self {
        let (id, client_id, decimals) = (kind.id.as_uuid(), owner.as_uuid(), i16::from(kind.decimals.get()));
        Self { id, client_id, name: kind.name, unit: kind.unit, decimals, created_at }
    }
}

impl TryFrom<KindRow> for WeightKind {
    type Error = diesel::result::Error;

    fn try_from(row: KindRow) -> QueryResult<Self> {
        stored_kind((row.id, row.name, row.unit, row.decimals))
    }
}

/// The kinds of the client, by name.
fn load(conn: &mut PgConnection, owner: ClientId) -> QueryResult<Vec<KindRow>> {
    weight_kinds::table
        .filter(weight_kinds::client_id.eq(owner.as_uuid()))
        .order((lower(weight_kinds::name), weight_kinds::id))
        .select(KindRow::as_select())
        .load(conn)
}

/// The kinds of the client, by name, with their sums.
fn overviews(conn: &mut PgConnection, owner: ClientId) -> QueryResult<Vec<WeightKindOverview>> {
    let kinds = load(conn, owner)?;
    if kinds.is_empty() {
        return Ok(Vec::new());
    }
    let mut totals = totals(conn, owner)?;
    let overview = |row: KindRow| {
        let (total, created_at) = (totals.remove(&row.id.to_string()).unwrap_or_default(), row.created_at);
        Ok(WeightKindOverview { kind: row.try_into()?, total: total.normalize(), created_at })
    };
    kinds.into_iter().map(overview).collect()
}

/// The sums of all values, by the id of the kind: one pass over the client's people. Erased people have no values.
fn totals(conn: &mut PgConnection, owner: ClientId) -> QueryResult<HashMap<String, Decimal>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        kind: String,
        #[diesel(sql_type = Numeric)]
        total: Decimal,
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT given.key AS kind, sum(given.value::numeric) AS total \
         FROM end_users CROSS JOIN LATERAL jsonb_each_text(end_users.weights) AS given (key, value) \
         WHERE end_users.client_id = $1 GROUP BY given.key",
    )
    .bind::<SqlUuid, _>(owner.as_uuid())
    .load(conn)?;
    Ok(rows.into_iter().map(|row| (row.kind, row.total)).collect())
}

fn change(
    conn: &mut PgConnection,
    owner: ClientId,
    id: WeightKindId,
    changes: WeightKindChanges,
) -> Result<WeightKindOverview, Abort<ChangeWeightKindError>> {
    let row = weight_kinds::table
        .find(id.as_uuid())
        .filter(weight_kinds::client_id.eq(owner.as_uuid()))
        .select(KindRow::as_select())
        // Keeps the id, so that values of the kind may be stored meanwhile.
        .for_no_key_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(ChangeWeightKindError::NotFound))?;
    let created_at = row.created_at;
    let mut kind = WeightKind::try_from(row)?;
    changes.apply_to(&mut kind).map_err(Abort::Refused)?;
    diesel::update(weight_kinds::table.find(id.as_uuid()))
        .set((
            weight_kinds::name.eq(&kind.name),
            weight_kinds::unit.eq(&kind.unit),
            weight_kinds::decimals.eq(i16::from(kind.decimals.get())),
        ))
        .execute(conn)
        .map_err(|error| match violated_constraint(&error) {
            Some(NAME_KEY) => Abort::Refused(ChangeWeightKindError::NameTaken),
            _ => error.into(),
        })?;
    let total = totals(conn, owner)?.remove(&id.to_string()).unwrap_or_default();
    Ok(WeightKindOverview { kind, total: total.normalize(), created_at })
}

fn remove(conn: &mut PgConnection, owner: ClientId, id: WeightKindId) -> Result<(), Abort<RemoveWeightKindError>> {
    // Waits for people, meetings and questions that are being stored with the kind: they lock it as well.
    let known: Option<Uuid> = weight_kinds::table
        .find(id.as_uuid())
        .filter(weight_kinds::client_id.eq(owner.as_uuid()))
        .select(weight_kinds::id)
        .for_update()
        .first(conn)
        .optional()?;
    known.ok_or(Abort::Refused(RemoveWeightKindError::NotFound))?;
    if let Some(PlacesOfUse { places, more }) = places_of_use(conn, owner, id.as_uuid(), &REFERENCES)? {
        return Err(Abort::Refused(RemoveWeightKindError::InUse { places, more }));
    }
    // Before its values: the audit log tells the deletion of the kind, and not a change of each person.
    diesel::delete(weight_kinds::table.find(id.as_uuid())).execute(conn)?;
    // Locked in the order of imports, so that the two never deadlock.
    for statement in [
        "SELECT FROM end_users WHERE client_id = $1 AND weights ? $2 ORDER BY id FOR NO KEY UPDATE",
        "UPDATE end_users SET weights = weights - $2 WHERE client_id = $1 AND weights ? $2",
    ] {
        diesel::sql_query(statement)
            .bind::<SqlUuid, _>(owner.as_uuid())
            .bind::<Text, _>(id.to_string())
            .execute(conn)?;
    }
    Ok(())
}

/// A meeting or a question counts by the kind.
const REFERENCES: References = References {
    of_meetings: "meetings.weight_kind_id = $2",
    of_questions: "questions.weight_kind_id = $2 OR questions.second_weight_kind_id = $2",
};

/// Whether all of these are kinds of the client, however often each is named. Locks them against deletion, until the values
/// are stored. MUST come before locks on the people, as in the removal of a kind.
pub(super) fn lock_kinds(
    conn: &mut PgConnection,
    owner: ClientId,
    ids: impl IntoIterator<Item = WeightKindId>,
) -> QueryResult<bool> {
    let ids: BTreeSet<Uuid> = ids.into_iter().map(WeightKindId::as_uuid).collect();
    if ids.is_empty() {
        return Ok(true);
    }
    let locked: Vec<Uuid> = weight_kinds::table
        .filter(weight_kinds::client_id.eq(owner.as_uuid()).and(weight_kinds::id.eq_any(ids.iter().copied())))
        .order(weight_kinds::id)
        .select(weight_kinds::id)
        .for_key_share()
        .load(conn)?;
    Ok(locked.len() == ids.len())
}

/// The failure for a value of a kind that was removed, as for a violated foreign key.
pub(super) fn unknown_kind() -> PortFailure {
    PortFailure::outdated("the database", "a kind of weight is missing")
}
