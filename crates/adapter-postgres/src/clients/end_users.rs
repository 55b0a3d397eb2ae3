use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{exists, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text, Uuid as SqlUuid};
use plenum_clients::{
    AddEndUserError, Address, ChangeEndUserError, EndUser, EndUserFilter, EndUserSort, EndUserStats, EndUserStore,
    EndUserUpdate, EraseEndUserError, Erasure, ImportError, ImportedPeople, PasswordHash, PersonName,
    RemoveEndUserError, Username, WeightChanges,
};
use plenum_kernel::{
    ClientId, EmailAddress, EndUserId, OpenVote, Page, PageRequest, Person, PortFailure, VotingWeight,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::clients::end_user_erasure::erase;
use crate::clients::end_user_import::import;
use crate::clients::groups::{set_groups, with_groups};
use crate::clients::open_votes::{PasswordSetting, find_open_votes, lock_running_meetings, log_set_passwords};
use crate::clients::weight_kinds::{lock_kinds, unknown_kind};
use crate::identity::sessions::end_sessions_of;
use crate::pool::failure::{Abort, violated_constraint};
use crate::rows::columns::{count, kept, lower};
use crate::rows::end_user_owner::is_of;
use crate::rows::test_data::counts_in_its_client;
use crate::rows::weights::WeightsColumn;
use crate::schema::{end_user_counts, end_users, register, rounds};
use crate::voting::prepared_registers::forget_prepared;
use crate::voting::rows::is_open;

diesel::define_sql_function! {
    /// The position of `part` in `text`, from 1; 0 if it is absent.
    fn strpos(text: Text, part: Text) -> Integer;
}

/// End users in PostgreSQL.
#[derive(Clone)]
pub struct PostgresEndUsers {
    db: Db,
}

impl PostgresEndUsers {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl EndUserStore for PostgresEndUsers {
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError> {
        self.db
            .of(end_user.client_id)
            .transaction(move |conn| {
                let kinds = end_user.weights.iter().map(|(kind, _)| kind);
                if !lock_kinds(conn, end_user.client_id, kinds)? {
                    return Err(Abort::Refused(AddEndUserError::Port(unknown_kind())));
                }
                diesel::insert_into(end_users::table)
                    .values((EndUserRow::from(&end_user), end_users::password_hash.eq(password.as_str())))
                    .execute(conn)
                    .map_err(|error| match violated_constraint(&error) {
                        Some("end_users_client_id_username_key") => Abort::Refused(AddEndUserError::UsernameTaken),
                        _ => error.into(),
                    })?;
                if !end_user.groups.is_empty() {
                    set_groups(conn, end_user.client_id, &[(end_user.id.as_uuid(), &end_user.groups)])?;
                }
                Ok(())
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let row = end_users::table
                    .find(id.as_uuid())
                    .filter(is_of(owner))
                    .select(EndUserRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(with_groups(conn, owner, row.map(EndUser::from).into_iter().collect())?.pop())
            })
            .await
    }

    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        let filter = filter.clone();
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let query = in_order(fitting(owner, &filter), filter.sort);
                let Some(page) = filter.page else {
                    let rows: Vec<EndUserRow> = query.select(EndUserRow::as_select()).load(conn)?;
                    let rows = with_groups(conn, owner, rows.into_iter().map(EndUser::from).collect())?;
                    return Ok(Page { total: rows.len() as u64, rows });
                };
                // The index alone finds the page, however many rows come before.
                let ids: Vec<Uuid> =
                    query.select(end_users::id).limit(i64::from(page.page_size)).offset(page.offset()).load(conn)?;
                let is_narrow = filter.search.is_some() || filter.group.is_some();
                let total = match (is_narrow, total_by_page(page, ids.len())) {
                    (false, _) => kept_total(conn, owner, &filter)?,
                    (true, Some(total)) => total,
                    (true, None) => count(fitting(owner, &filter).count().get_result(conn)?)?,
                };
                let rows = load_in_order(conn, owner, &ids)?;
                Ok(Page { rows: with_groups(conn, owner, rows)?, total })
            })
            .await
    }

    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let mut all = end_user_stats(conn, &[owner.as_uuid()])?;
                Ok(all.remove(&owner.as_uuid()).unwrap_or_default())
            })
            .await
    }

    async fn open_votes(&self, owner: ClientId, people: &[EndUserId]) -> Result<Vec<OpenVote>, PortFailure> {
        let people: Vec<Uuid> = people.iter().map(|person| person.as_uuid()).collect();
        self.db.of(owner).snapshot(move |conn| find_open_votes(conn, owner, &people)).await
    }

    async fn update(
        &self,
        owner: ClientId,
        update: EndUserUpdate,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError> {
        let EndUserUpdate { id, changes, password } = update;
        self.db
            .of(owner)
            .transaction(move |conn| {
                let password = match password {
                    Some(new) => {
                        let setting = PasswordSetting { people: &[id.as_uuid()], setter: &new.setter, now };
                        let set = log_set_passwords(conn, owner, &setting)?;
                        Some((new.hash, set))
                    }
                    None => None,
                };
                let kinds = changes.weights.as_ref().map(WeightChanges::kinds).unwrap_or_default();
                if !lock_kinds(conn, owner, kinds)? {
                    return Err(Abort::Refused(ChangeEndUserError::Port(unknown_kind())));
                }
                let row: EndUserRow = end_users::table
                    .find(id.as_uuid())
                    .filter(is_of(owner))
                    .select(EndUserRow::as_select())
                    // Keeps the id, so that a round may register the end user meanwhile.
                    .for_no_key_update()
                    .first(conn)
                    .optional()?
                    .ok_or(Abort::Refused(ChangeEndUserError::NotFound))?;
                let mut end_user = EndUser::from(row);
                if end_user.is_erased {
                    return Err(Abort::Refused(ChangeEndUserError::Erased));
                }
                let has_new_groups = changes.groups.is_some();
                changes.apply_to(&mut end_user);
                diesel::update(end_users::table.find(id.as_uuid()))
                    .set((
                        EndUserRow::from(&end_user),
                        password.as_ref().map(|(hash, set)| {
                            (
                                end_users::password_hash.eq(hash.as_str()),
                                end_users::password_set_at.eq(set.at),
                                end_users::password_set_by.eq(&set.by),
                            )
                        }),
                    ))
                    .execute(conn)
                    .map_err(|error| match violated_constraint(&error) {
                        Some("end_users_client_id_username_key") => Abort::Refused(ChangeEndUserError::UsernameTaken),
                        _ => error.into(),
                    })?;
                if has_new_groups {
                    set_groups(conn, owner, &[(id.as_uuid(), &end_user.groups)])?;
                }
                if password.is_some() || !end_user.is_active {
                    end_sessions_of(conn, Person::EndUser { end_user: id, client: owner }, now)?;
                }
                with_groups(conn, owner, vec![end_user])?.pop().ok_or(Abort::Refused(ChangeEndUserError::NotFound))
            })
            .await
    }

    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<(), RemoveEndUserError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let running = lock_running_meetings(conn, owner)?;
                if is_voting_now(conn, running, id)? {
                    return Err(Abort::Refused(RemoveEndUserError::VotingNow));
                }
                let removed = diesel::delete(end_users::table.find(id.as_uuid())).filter(is_of(owner)).execute(conn)?;
                forget_prepared(conn, owner, id)?;
                if removed > 0 { Ok(()) } else { Err(Abort::Refused(RemoveEndUserError::NotFound)) }
            })
            .await
    }

    async fn erase(&self, owner: ClientId, erasure: Erasure) -> Result<(), EraseEndUserError> {
        self.db.of(owner).transaction(move |conn| erase(conn, owner, erasure)).await
    }

    async fn inactive_since(
        &self,
        before: DateTime<Utc>,
        behind: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<(ClientId, EndUserId)>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let found: Vec<(Uuid, Uuid)> = end_users::table
                    .filter(end_users::inactive_since.lt(before))
                    .filter(end_users::erased_at.is_null())
                    .filter(end_users::last_login_at.is_null().or(end_users::last_login_at.lt(before)))
                    .filter(end_users::id.gt(behind.map_or(Uuid::nil(), EndUserId::as_uuid)))
                    .order(end_users::id)
                    .limit(i64::from(limit))
                    .select((end_users::client_id, end_users::id))
                    .load(conn)?;
                let place = |(client, id)| (ClientId::from_uuid(client), EndUserId::from_uuid(id));
                Ok(found.into_iter().map(place).collect())
            })
            .await
    }

    async fn import(&self, owner: ClientId, people: ImportedPeople, now: DateTime<Utc>) -> Result<(), ImportError> {
        self.db.of(owner).transaction(move |conn| import(conn, owner, people, now)).await
    }
}

/// Whether the end user is in the register of an open round of these meetings.
pub(super) fn is_voting_now(conn: &mut PgConnection, running: Vec<Uuid>, id: EndUserId) -> QueryResult<bool> {
    // Not joined: the register may be newer than the statistics. Its entries are found by key.
    let open: Vec<Uuid> =
        rounds::table.filter(rounds::meeting_id.eq_any(running)).filter(is_open()).select(rounds::id).load(conn)?;
    let entries =
        register::table.filter(register::round_id.eq_any(open)).filter(register::end_user_id.eq(id.as_uuid()));
    diesel::select(exists(entries)).get_result(conn)
}

/// Maintained counts and weights of the end users of these clients.
pub(crate) fn end_user_stats(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, EndUserStats>> {
    let numbers: Vec<(Uuid, bool, i64, Decimal)> = end_user_counts::table
        .filter(end_user_counts::client_id.eq_any(ids))
        .filter(end_user_counts::number.ne(0))
        .filter(sql::<Bool>(counts_in_its_client!("end_user_counts")))
        .select((
            end_user_counts::client_id,
            end_user_counts::is_active,
            end_user_counts::number,
            end_user_counts::weight,
        ))
        .load(conn)?;
    let mut all: HashMap<Uuid, EndUserStats> = HashMap::new();
    for (client, is_active, number, weight) in numbers {
        let number = kept(number);
        let stats = all.entry(client).or_default();
        stats.total += number;
        if is_active {
            stats.active += number;
            stats.total_weight = (stats.total_weight + weight).normalize();
        } else {
            stats.inactive += number;
        }
    }
    Ok(all)
}

/// The maintained number of the client's end users for a filter without a search.
fn kept_total(conn: &mut PgConnection, owner: ClientId, filter: &EndUserFilter) -> QueryResult<u64> {
    let mut query = end_user_counts::table.filter(end_user_counts::client_id.eq(owner.as_uuid())).into_boxed();
    if let Some(is_active) = filter.is_active {
        query = query.filter(end_user_counts::is_active.eq(is_active));
    }
    if filter.counted_only {
        query = query.filter(sql::<Bool>(counts_in_its_client!("end_user_counts")));
    }
    let numbers: Vec<i64> = query.select(end_user_counts::number).load(conn)?;
    Ok(kept(numbers.iter().sum()))
}

fn in_order(query: end_users::BoxedQuery<'static, Pg>, sort: EndUserSort) -> end_users::BoxedQuery<'static, Pg> {
    match sort {
        EndUserSort::NameAscending => query.order((lower(end_users::name).asc(), end_users::id.asc())),
        EndUserSort::NameDescending => query.order((lower(end_users::name).desc(), end_users::id.desc())),
    }
}

/// The client's end users with these ids, in the order of ids. Found by id alone: a condition on the client might use the
/// index of names, and read all its end users.
fn load_in_order(conn: &mut PgConnection, owner: ClientId, ids: &[Uuid]) -> QueryResult<Vec<EndUser>> {
    let rows: Vec<EndUserRow> =
        end_users::table.filter(end_users::id.eq_any(ids)).select(EndUserRow::as_select()).load(conn)?;
    let of_client = rows.into_iter().filter(|row| row.client_id == owner.as_uuid());
    let mut rows: HashMap<Uuid, EndUserRow> = of_client.map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).map(EndUser::from).collect())
}

/// The total number of rows, if the page shows it: the last page does.
fn total_by_page(page: PageRequest, rows: usize) -> Option<u64> {
    let before = u64::try_from(page.offset()).ok()?;
    let is_last = rows < page.page_size as usize && (rows > 0 || before == 0);
    is_last.then_some(before + rows as u64)
}

/// The client's end users that match the filter, in no order.
fn fitting(owner: ClientId, filter: &EndUserFilter) -> end_users::BoxedQuery<'static, Pg> {
    let mut query = end_users::table.filter(end_users::client_id.eq(owner.as_uuid())).into_boxed();
    if let Some(is_active) = filter.is_active {
        query = query.filter(end_users::is_active.eq(is_active));
    }
    if filter.counted_only {
        query = query.filter(sql::<Bool>(counts_in_its_client!("end_users")));
    }
    if let Some(group) = filter.group {
        // One array instead of a join, whose plan would depend on the statistics of all groups.
        let is_member =
            sql::<Bool>("end_users.id = ANY (ARRAY(SELECT end_user_id FROM group_members WHERE group_id = ")
                .bind::<SqlUuid, _>(group.as_uuid())
                .sql("))");
        query = query.filter(is_member);
    }
    if let Some(search) = &filter.search {
        // Folded by the database, like the column, in a query of its own: once, and not for each row.
        let folded = diesel::select(lower(search.as_str().to_owned())).single_value();
        query = query.filter(strpos(end_users::search_text, folded.assume_not_null()).gt(0));
    }
    query
}

#[derive(Queryable, QueryableByName, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = end_users, check_for_backend(Pg), treat_none_as_null = true)]
pub(crate) struct EndUserRow {
    id: Uuid,
    client_id: Uuid,
    username: String,
    name: String,
    email: Option<String>,
    address: Option<String>,
    weight: Decimal,
    weights: WeightsColumn,
    is_active: bool,
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    /// Written by an erasure only, with the time of the database.
    #[diesel(skip_insertion, skip_update)]
    erased_at: Option<DateTime<Utc>>,
}

impl From<&EndUser> for EndUserRow {
    fn from(end_user: &EndUser) -> Self {
        Self {
            id: end_user.id.as_uuid(),
            client_id: end_user.client_id.as_uuid(),
            username: end_user.username.as_str().to_owned(),
            name: end_user.name.as_str().to_owned(),
            email: end_user.email.as_ref().map(|email| email.as_str().to_owned()),
            address: end_user.address.as_ref().map(|address| address.as_str().to_owned()),
            weight: end_user.weight.as_decimal(),
            weights: WeightsColumn(end_user.weights.clone()),
            is_active: end_user.is_active,
            last_login_at: end_user.last_login_at,
            created_at: end_user.created_at,
            erased_at: None,
        }
    }
}

/// Without groups, which [`with_groups`] adds.
impl From<EndUserRow> for EndUser {
    fn from(row: EndUserRow) -> Self {
        Self {
            id: EndUserId::from_uuid(row.id),
            client_id: ClientId::from_uuid(row.client_id),
            username: Username::from_stored(row.username),
            name: PersonName::from_stored(row.name),
            email: row.email.map(EmailAddress::from_stored),
            address: row.address.map(Address::from_stored),
            weight: VotingWeight::from_stored(row.weight),
            weights: row.weights.0,
            groups: Vec::new(),
            is_active: row.is_active,
            last_login_at: row.last_login_at,
            created_at: row.created_at,
            is_erased: row.erased_at.is_some(),
        }
    }
}
