use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, sum};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_clients::{
    AddEndUserError, Address, EndUser, EndUserFilter, EndUserSort, EndUserStats, EndUserStore, PasswordHash,
    PersonName, Username,
};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, Page, PortFailure, VotingWeight};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::db::{Abort, violated_constraint};
use crate::rows::{count, lower};
use crate::schema::end_users;

/// End users in PostgreSQL.
#[derive(Clone)]
pub struct PostgresEndUsers {
    db: Db,
}

impl PostgresEndUsers {
    /// End users in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl EndUserStore for PostgresEndUsers {
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError> {
        self.db
            .transaction(move |conn| {
                diesel::insert_into(end_users::table)
                    .values((EndUserRow::from(&end_user), end_users::password_hash.eq(password.as_str())))
                    .execute(conn)
                    .map_err(|error| match violated_constraint(&error) {
                        Some("end_users_client_id_username_key") => Abort::Refused(AddEndUserError::UsernameTaken),
                        _ => error.into(),
                    })?;
                Ok(())
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        self.db
            .run(move |conn| {
                let row = end_users::table
                    .find(id.as_uuid())
                    .filter(end_users::client_id.eq(owner.as_uuid()))
                    .select(EndUserRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(row.map(EndUser::from))
            })
            .await
    }

    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        let filter = filter.clone();
        self.db
            .snapshot(move |conn| {
                let mut query = fitting(owner, &filter).select(EndUserRow::as_select());
                query = match filter.sort {
                    EndUserSort::NameAscending => query.order((lower(end_users::name).asc(), end_users::id.asc())),
                    EndUserSort::NameDescending => query.order((lower(end_users::name).desc(), end_users::id.desc())),
                };
                if let Some(page) = filter.page {
                    query = query.limit(i64::from(page.page_size)).offset(page.offset());
                }
                let rows: Vec<EndUserRow> = query.load(conn)?;
                let total = match filter.page {
                    Some(_) => count(fitting(owner, &filter).count().get_result(conn)?)?,
                    None => rows.len() as u64,
                };
                Ok(Page { rows: rows.into_iter().map(EndUser::from).collect(), total })
            })
            .await
    }

    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        self.db
            .run(move |conn| {
                let by_activity: Vec<(bool, i64, Option<Decimal>)> = end_users::table
                    .filter(end_users::client_id.eq(owner.as_uuid()))
                    .group_by(end_users::is_active)
                    .select((end_users::is_active, count_star(), sum(end_users::weight)))
                    .load(conn)?;
                let mut stats = EndUserStats::default();
                for (is_active, number, weight) in by_activity {
                    let number = count(number)?;
                    stats.total += number;
                    if is_active {
                        stats.active = number;
                        stats.total_weight = weight.unwrap_or_default().normalize();
                    } else {
                        stats.inactive = number;
                    }
                }
                Ok(stats)
            })
            .await
    }
}

/// The client's end users that fit the filter, in no order.
fn fitting(owner: ClientId, filter: &EndUserFilter) -> end_users::BoxedQuery<'static, Pg> {
    let mut query = end_users::table.filter(end_users::client_id.eq(owner.as_uuid())).into_boxed();
    if let Some(is_active) = filter.is_active {
        query = query.filter(end_users::is_active.eq(is_active));
    }
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(
            end_users::name
                .ilike(pattern.clone())
                .or(end_users::username.ilike(pattern.clone()))
                // A missing address fits nothing, and is not the unknown of SQL.
                .or(end_users::email.is_not_null().and(end_users::email.assume_not_null().ilike(pattern))),
        );
    }
    query
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = end_users, check_for_backend(Pg))]
struct EndUserRow {
    id: Uuid,
    client_id: Uuid,
    username: String,
    name: String,
    email: Option<String>,
    address: Option<String>,
    weight: Decimal,
    is_active: bool,
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
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
            is_active: end_user.is_active,
            last_login_at: end_user.last_login_at,
            created_at: end_user.created_at,
        }
    }
}

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
            is_active: row.is_active,
            last_login_at: row.last_login_at,
            created_at: row.created_at,
        }
    }
}
