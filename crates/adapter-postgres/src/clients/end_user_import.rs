//! Imports end users: one statement inserts new ones, one changes existing ones.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Jsonb, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{EndUser, EndUserUpdate, ImportError, ImportedPeople, PasswordHash};
use plenum_kernel::{ClientId, EndUserId, NamedGroup};
use uuid::Uuid;

use crate::clients::end_users::EndUserRow;
use crate::clients::groups::{insert_groups, set_groups};
use crate::clients::open_votes::{PasswordSetting, PasswordsSet, log_set_passwords};
use crate::clients::weight_kinds::lock_kinds;
use crate::identity::sessions::end_sessions_of_end_users;
use crate::pool::failure::{Abort, violated_constraint};
use crate::pool::statistics::{Grown, refresh_for};
use crate::rows::weights::stored_weights;

/// Sorted by username, so that two imports of the same people never deadlock.
const ADD: &str = "
    INSERT INTO end_users
        (id, client_id, username, name, email, address, weight, weights, is_active, created_at, password_hash)
    SELECT given.id, $1, given.username, given.name, given.email, given.address, given.weight, given.weights,
           given.is_active, given.created_at, given.password_hash
    FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        AS given (id, username, name, email, address, weight, weights, is_active, created_at, password_hash)
    ORDER BY lower(given.username)";

/// Changes everything but the username. By id alone, because [`lock`] found them in the client: a condition on the client
/// might read all its end users for each change.
const CHANGE: &str = "
    UPDATE end_users
    SET name = given.name, email = given.email, address = given.address, weight = given.weight,
        weights = given.weights, is_active = given.is_active, password_hash = coalesce(given.password_hash, end_users.password_hash),
        password_set_at = CASE WHEN given.password_hash IS NULL THEN end_users.password_set_at ELSE $9 END,
        password_set_by = CASE WHEN given.password_hash IS NULL THEN end_users.password_set_by ELSE $10 END
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
        AS given (id, name, email, address, weight, weights, is_active, password_hash)
    WHERE end_users.id = given.id";

/// Finds each by key, for any statistics.
const LOCK: &str = "
    SELECT found.* FROM unnest($1) AS given (id)
    CROSS JOIN LATERAL (
        SELECT id, client_id, username, name, email, address, weight, weights, is_active, last_login_at, created_at, erased_at
        FROM end_users WHERE end_users.id = given.id AND erased_at IS NULL OFFSET 0 FOR NO KEY UPDATE) AS found
    WHERE found.client_id = $2";

/// Stores all rows, or returns why none can be stored.
///
/// It locks in this order:
/// 1. the running meetings, if it sets passwords, as openings do;
/// 2. the kinds of weight, as their removal does;
/// 3. the end users that change. From the first statement that changes a maintained count, other writers of end users
///    wait for this transaction, so it must not wait for their rows any more;
/// 4. the new usernames, whose insertion changes such a count;
/// 5. the sessions, because transactions that hold sessions wait for no count.
pub(crate) fn import(
    conn: &mut PgConnection,
    owner: ClientId,
    people: ImportedPeople,
    now: DateTime<Utc>,
) -> Result<(), Abort<ImportError>> {
    let kinds = people.weight_kinds();
    let ImportedPeople { groups, new, changed } = people;
    let regrouped: Vec<(Uuid, Vec<NamedGroup>)> = groups_to_set(&new, &changed);
    let set = log_passwords(conn, owner, &changed, now)?;
    if !lock_kinds(conn, owner, kinds)? {
        return Err(Abort::Refused(ImportError::Outdated));
    }
    let (locked, rows) = (lock(conn, owner, &changed)?, new.len() + changed.len());
    if !new.is_empty() {
        add(conn, owner, &new)?;
    }
    if !changed.is_empty() {
        let signed_out = change(conn, locked, changed, set.as_ref())?;
        end_sessions_of_end_users(conn, owner, &signed_out, now)?;
    }
    refresh_for(conn, Grown::EndUsers, rows)?;
    let groups: Vec<(Uuid, &str)> = groups.iter().map(|group| (group.id.as_uuid(), group.name.as_str())).collect();
    if !groups.is_empty() {
        insert_groups(conn, owner, &groups)?.map_err(|_| Abort::Refused(ImportError::Outdated))?;
    }
    let regrouped: Vec<(Uuid, &[NamedGroup])> =
        regrouped.iter().map(|(person, groups)| (*person, groups.as_slice())).collect();
    Ok(set_groups(conn, owner, &regrouped)?)
}

/// New people who are in groups, and changed people with new groups.
fn groups_to_set(new: &[(EndUser, PasswordHash)], changed: &[EndUserUpdate]) -> Vec<(Uuid, Vec<NamedGroup>)> {
    let of_new = new.iter().map(|(person, _)| (person.id.as_uuid(), &person.groups));
    let of_new = of_new.filter(|(_, groups)| !groups.is_empty());
    let of_changed = changed.iter().filter_map(|update| Some((update.id.as_uuid(), update.changes.groups.as_ref()?)));
    of_new.chain(of_changed).map(|(person, groups)| (person, groups.clone())).collect()
}

fn add(conn: &mut PgConnection, owner: ClientId, new: &[(EndUser, PasswordHash)]) -> Result<(), Abort<ImportError>> {
    let people = || new.iter().map(|(end_user, _)| end_user);
    diesel::sql_query(ADD)
        .bind::<SqlUuid, _>(owner.as_uuid())
        .bind::<Array<SqlUuid>, _>(people().map(|person| person.id.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(people().map(|person| person.username.as_str()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(people().map(|person| person.name.as_str()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(people().map(email).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(people().map(address).collect::<Vec<_>>())
        .bind::<Array<Numeric>, _>(people().map(|person| person.weight.as_decimal()).collect::<Vec<_>>())
        .bind::<Array<Jsonb>, _>(people().map(|person| stored_weights(&person.weights)).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(people().map(|person| person.is_active).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(people().map(|person| person.created_at).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(new.iter().map(|(_, password)| password.as_str()).collect::<Vec<_>>())
        .execute(conn)
        .map_err(|error| match violated_constraint(&error) {
            Some("end_users_client_id_username_key") => Abort::Refused(ImportError::Outdated),
            _ => error.into(),
        })?;
    Ok(())
}

/// Logs the passwords that the import sets in the open rounds of these people, or refuses the import.
fn log_passwords(
    conn: &mut PgConnection,
    owner: ClientId,
    changed: &[EndUserUpdate],
    now: DateTime<Utc>,
) -> Result<Option<PasswordsSet>, Abort<ImportError>> {
    let renewed = || changed.iter().filter_map(|change| Some((change.id.as_uuid(), change.password.as_ref()?)));
    let Some((_, first)) = renewed().next() else { return Ok(None) };
    let people: Vec<Uuid> = renewed().map(|(id, _)| id).collect();
    log_set_passwords(conn, owner, &PasswordSetting { people: &people, setter: &first.setter, now }).map(Some)
}

/// Changes the locked end users. Returns those whose sessions end.
fn change(
    conn: &mut PgConnection,
    mut locked: HashMap<Uuid, EndUser>,
    changed: Vec<EndUserUpdate>,
    set: Option<&PasswordsSet>,
) -> Result<Vec<EndUserId>, Abort<ImportError>> {
    let mut people = Vec::with_capacity(changed.len());
    for EndUserUpdate { id, changes, password } in changed {
        let mut end_user = locked.remove(&id.as_uuid()).ok_or(Abort::Refused(ImportError::Outdated))?;
        changes.apply_to(&mut end_user);
        people.push((end_user, password.map(|password| password.hash)));
    }
    store(conn, &people, set)?;
    let signed_out = people.iter().filter(|(end_user, password)| password.is_some() || !end_user.is_active);
    Ok(signed_out.map(|(end_user, _)| end_user.id).collect())
}

/// The current rows of end users to change, locked in a fixed order.
fn lock(conn: &mut PgConnection, owner: ClientId, changed: &[EndUserUpdate]) -> QueryResult<HashMap<Uuid, EndUser>> {
    let mut ids: Vec<Uuid> = changed.iter().map(|change| change.id.as_uuid()).collect();
    ids.sort_unstable();
    let rows: Vec<EndUserRow> =
        diesel::sql_query(LOCK).bind::<Array<SqlUuid>, _>(ids).bind::<SqlUuid, _>(owner.as_uuid()).load(conn)?;
    Ok(rows.into_iter().map(EndUser::from).map(|end_user| (end_user.id.as_uuid(), end_user)).collect())
}

fn store(
    conn: &mut PgConnection,
    changed: &[(EndUser, Option<PasswordHash>)],
    set: Option<&PasswordsSet>,
) -> QueryResult<()> {
    let people = || changed.iter().map(|(end_user, _)| end_user);
    let passwords = changed.iter().map(|(_, password)| password.as_ref().map(PasswordHash::as_str));
    diesel::sql_query(CHANGE)
        .bind::<Array<SqlUuid>, _>(people().map(|person| person.id.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(people().map(|person| person.name.as_str()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(people().map(email).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(people().map(address).collect::<Vec<_>>())
        .bind::<Array<Numeric>, _>(people().map(|person| person.weight.as_decimal()).collect::<Vec<_>>())
        .bind::<Array<Jsonb>, _>(people().map(|person| stored_weights(&person.weights)).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(people().map(|person| person.is_active).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(passwords.collect::<Vec<_>>())
        .bind::<Nullable<Timestamptz>, _>(set.map(|set| set.at))
        .bind::<Nullable<Text>, _>(set.map(|set| set.by.as_str()))
        .execute(conn)?;
    Ok(())
}

fn email(end_user: &EndUser) -> Option<&str> {
    end_user.email.as_ref().map(|email| email.as_str())
}

fn address(end_user: &EndUser) -> Option<&str> {
    end_user.address.as_ref().map(|address| address.as_str())
}
