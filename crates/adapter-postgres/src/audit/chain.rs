use std::collections::{HashMap, HashSet};

use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Uuid as SqlUuid};
use plenum_clients::ChainState;
use plenum_kernel::PortFailure;
use plenum_result_format::{AuditFileEntry, CHAIN_START};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::Db;
use crate::audit::rows::AuditRow;
use crate::audit::trail::{links_after, state_of};
use crate::pool::failure::damaged;
use crate::schema::{audit_entries, audit_heads, clients};

/// The maximum number of entries linked in one transaction.
const AT_ONCE: i64 = 1_000;

/// The number of waiting entries among which the longest chains are chosen. More than are linked at once, so that a client
/// that is being removed does not block the others.
const LOOKED_AT: i64 = 10 * AT_ONCE;

/// The chains of the audit log. A change writes its entry, and one job links entries a moment later, so that no vote or
/// sign-in waits for the end of a chain.
#[derive(Clone)]
pub struct AuditChains {
    db: Db,
}

/// Links of a chain, in order, with all that is needed to verify them.
#[derive(Clone, Debug)]
pub struct ChainPage {
    /// The links.
    pub entries: Vec<AuditFileEntry>,
    /// Whether the chain may have further links.
    pub is_full: bool,
}

impl AuditChains {
    /// The chains of this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Links entries that are not in a chain yet, the oldest first, and returns whether there may be more. Does nothing
    /// while another instance links.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn link(&self) -> Result<bool, PortFailure> {
        self.db.platform().transaction(|conn| Ok(link(conn)?)).await
    }

    /// All chains that have entries or a head.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn all(&self) -> Result<Vec<Uuid>, PortFailure> {
        // One index lookup for each chain, however many entries it has.
        const CHAINS: &str = "
            WITH RECURSIVE known AS (
                (SELECT chain FROM audit_entries ORDER BY chain LIMIT 1)
                UNION ALL
                SELECT (SELECT e.chain FROM audit_entries e WHERE e.chain > known.chain ORDER BY e.chain LIMIT 1)
                FROM known WHERE known.chain IS NOT NULL
            )
            SELECT chain FROM known WHERE chain IS NOT NULL UNION SELECT chain FROM audit_heads ORDER BY 1";
        self.db
            .platform()
            .run(|conn| {
                let rows: Vec<Chain> = diesel::sql_query(CHAINS).load(conn)?;
                Ok(rows.into_iter().map(|row| row.chain).collect())
            })
            .await
    }

    /// The end of a chain.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn state(&self, chain: Uuid) -> Result<ChainState, PortFailure> {
        self.db.platform().snapshot(move |conn| state_of(conn, chain)).await
    }

    /// The links after this number.
    ///
    /// # Errors
    /// Fails when the database does not respond, or contains an invalid entry.
    pub async fn page(&self, chain: Uuid, after: u64) -> Result<ChainPage, PortFailure> {
        const PAGE: u32 = 1_000;
        self.db
            .platform()
            .run(move |conn| {
                let rows = links_after(conn, chain, after, PAGE)?;
                let is_full = rows.len() == PAGE as usize;
                let entries: QueryResult<Vec<AuditFileEntry>> = rows.into_iter().map(linked_entry).collect();
                Ok(ChainPage { entries: entries?, is_full })
            })
            .await
    }
}

#[derive(QueryableByName)]
struct Chain {
    #[diesel(sql_type = SqlUuid)]
    chain: Uuid,
}

fn linked_entry(row: AuditRow) -> QueryResult<AuditFileEntry> {
    let number = row.linked_number()?.ok_or_else(|| damaged("an entry without a number was asked for by it"))?;
    row.into_file_entry(number)
}

fn link(conn: &mut PgConnection) -> QueryResult<bool> {
    if !is_mine(conn)? {
        return Ok(false);
    }
    let chains = waiting_chains(conn)?;
    if chains.is_empty() {
        return Ok(false);
    }
    let rows: Vec<AuditRow> = audit_entries::table
        .filter(audit_entries::number.is_null())
        .filter(audit_entries::chain.eq_any(&chains))
        .order(audit_entries::id)
        .limit(AT_ONCE)
        .select(AuditRow::as_select())
        .load(conn)?;
    let there_may_be_more = rows.len() as i64 == AT_ONCE;
    let heads: Vec<(Uuid, i64, Vec<u8>)> = audit_heads::table.filter(audit_heads::chain.eq_any(&chains)).load(conn)?;
    let mut heads: HashMap<Uuid, (i64, Vec<u8>)> =
        heads.into_iter().map(|(chain, number, hash)| (chain, (number, hash))).collect();
    let mut links = Links::default();
    for row in rows {
        let (id, chain) = (row.id, row.chain);
        let (number, previous) = heads.remove(&chain).unwrap_or_else(|| (0, CHAIN_START.to_vec()));
        let number = number + 1;
        let entry = row.into_file_entry(number.unsigned_abs())?;
        let hash = hash_of(&previous, &entry.canonical(chain));
        links.push(id, number, previous, hash.clone());
        heads.insert(chain, (number, hash));
    }
    links.store(conn)?;
    store_heads(conn, heads)?;
    Ok(there_may_be_more)
}

/// The hash of an entry after one with this hash.
fn hash_of(previous: &[u8], canonical: &[u8]) -> Vec<u8> {
    Sha256::new().chain_update(previous).chain_update(canonical).finalize().to_vec()
}

/// Takes the lock of linking, and returns whether this transaction has it.
fn is_mine(conn: &mut PgConnection) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Mine {
        #[diesel(sql_type = Bool)]
        is_mine: bool,
    }
    const TAKE: &str = "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema()::text, 2)) AS is_mine";
    Ok(diesel::sql_query(TAKE).get_result::<Mine>(conn)?.is_mine)
}

/// The chains with entries to link, except those of clients that are being removed. The others cannot be removed until this
/// transaction commits.
fn waiting_chains(conn: &mut PgConnection) -> QueryResult<Vec<Uuid>> {
    // Not among all waiting entries: after a large import each round would read them all again.
    let oldest: Vec<Uuid> = audit_entries::table
        .filter(audit_entries::number.is_null())
        .order(audit_entries::id)
        .limit(LOOKED_AT)
        .select(audit_entries::chain)
        .load(conn)?;
    let waiting: HashSet<Uuid> = oldest.into_iter().collect();
    // A deleted client's log is kept. A client that is being removed is still in its table, and locked.
    let known: HashSet<Uuid> = clients::table
        .filter(clients::id.eq_any(waiting.iter().copied().collect::<Vec<_>>()))
        .select(clients::id)
        .load(conn)?
        .into_iter()
        .collect();
    let mut chains: Vec<Uuid> = clients::table
        .filter(clients::id.eq_any(waiting.iter().copied().collect::<Vec<_>>()))
        .order(clients::id)
        .select(clients::id)
        .for_key_share()
        .skip_locked()
        .load(conn)?;
    // The platform's chain is among them.
    chains.extend(waiting.into_iter().filter(|chain| !known.contains(chain)));
    Ok(chains)
}

/// The columns that linking fills in.
#[derive(Default)]
struct Links {
    ids: Vec<i64>,
    numbers: Vec<i64>,
    previous_hashes: Vec<Vec<u8>>,
    hashes: Vec<Vec<u8>>,
}

impl Links {
    fn push(&mut self, id: i64, number: i64, previous_hash: Vec<u8>, hash: Vec<u8>) {
        self.ids.push(id);
        self.numbers.push(number);
        self.previous_hashes.push(previous_hash);
        self.hashes.push(hash);
    }

    fn store(self, conn: &mut PgConnection) -> QueryResult<()> {
        const FILL_IN: &str = "
            UPDATE audit_entries e SET number = link.number, previous_hash = link.previous_hash, hash = link.hash
            FROM unnest($1, $2, $3, $4) AS link (id, number, previous_hash, hash) WHERE e.id = link.id";
        diesel::sql_query(FILL_IN)
            .bind::<Array<BigInt>, _>(self.ids)
            .bind::<Array<BigInt>, _>(self.numbers)
            .bind::<Array<Binary>, _>(self.previous_hashes)
            .bind::<Array<Binary>, _>(self.hashes)
            .execute(conn)?;
        Ok(())
    }
}

/// Skips heads that did not change: the table refuses to store them again.
fn store_heads(conn: &mut PgConnection, heads: HashMap<Uuid, (i64, Vec<u8>)>) -> QueryResult<()> {
    const STORE: &str = "
        INSERT INTO audit_heads AS head (chain, number, hash) SELECT * FROM unnest($1, $2, $3)
        ON CONFLICT ON CONSTRAINT audit_heads_pkey DO UPDATE SET number = excluded.number, hash = excluded.hash
        WHERE head.number < excluded.number";
    let (mut chains, mut numbers, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
    for (chain, (number, hash)) in heads {
        chains.push(chain);
        numbers.push(number);
        hashes.push(hash);
    }
    diesel::sql_query(STORE)
        .bind::<Array<SqlUuid>, _>(chains)
        .bind::<Array<BigInt>, _>(numbers)
        .bind::<Array<Binary>, _>(hashes)
        .execute(conn)?;
    Ok(())
}
