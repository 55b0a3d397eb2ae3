use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, NamedGroup, PasswordSetter, PortFailure};

use crate::clients::import::decide::decide;
use crate::clients::import::groups::{GroupsByName, plan_groups};
use crate::{
    AddedPerson, ChangedPerson, EndUser, EndUserCredentials, EndUserFilter, EndUserService, EndUserUpdate, ImportError,
    ImportOutcome, ImportPlan, ImportRow, ImportStep, ImportedPeople, Password, PasswordHash, PlannedRow, SetPassword,
};

impl EndUserService {
    /// Plans an import of these rows. Stores nothing.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn check_import(&self, owner: ClientId, rows: &[ImportRow]) -> Result<ImportPlan, PortFailure> {
        Ok(self.plan_import(owner, rows).await?.0)
    }

    /// The plan, and the groups that are there.
    async fn plan_import(
        &self,
        owner: ClientId,
        rows: &[ImportRow],
    ) -> Result<(ImportPlan, Vec<NamedGroup>), PortFailure> {
        let present = self.ports.end_users.list(owner, &EndUserFilter::default()).await?.rows;
        let groups = self.ports.groups.list(owner).await?;
        let groups: Vec<NamedGroup> = groups.iter().map(|known| NamedGroup::from(&known.group)).collect();
        let kinds = self.ports.weight_kinds.kinds(owner).await?;
        let mut plan = decide(&present, rows, &kinds, &groups);
        plan_groups(&mut plan, &groups);
        Ok((plan, groups))
    }

    /// Imports all of the rows, or none. With `skip_errors`, imports the rows that are not refused. New end users get
    /// the password of the file or a random one. All changes happen in one transaction.
    ///
    /// # Errors
    /// Fails when a row is refused and must not be skipped, when all rows are refused, when the end users changed
    /// during the import, or when a person who gets a password may vote in an open round and there is no reason.
    pub async fn import(
        &self,
        owner: ClientId,
        rows: &[ImportRow],
        skip_errors: bool,
        setter: PasswordSetter,
    ) -> Result<ImportOutcome, ImportError> {
        let now = self.ports.clock.now();
        let (plan, known_groups) = self.plan_import(owner, rows).await?;
        let refused = plan.rows.iter().filter(|row| matches!(row.step, ImportStep::Refuse(_))).count();
        if refused > 0 && (!skip_errors || refused == plan.rows.len()) {
            return Err(ImportError::HasErrors);
        }
        let renewed: Vec<EndUserId> = plan.rows.iter().filter_map(renewed).collect();
        self.check_setting(owner, &renewed, &setter).await??;
        let (groups, new_groups) = GroupsByName::of(known_groups, &plan.new_groups, &*self.ports.ids);
        let mut outcome = ImportOutcome { plan, credentials: Vec::new(), signed_out: Vec::new() };
        let mut people = ImportedPeople { groups: new_groups, ..ImportedPeople::default() };
        for row in &outcome.plan.rows {
            match &row.step {
                ImportStep::Add(person) => {
                    let (mut credentials, hash) = self.new_end_user(owner, person, now).await?;
                    credentials.end_user.groups = groups.named(&person.groups);
                    people.new.push((credentials.end_user.clone(), hash));
                    outcome.credentials.push(credentials);
                }
                ImportStep::Change(person) => {
                    let mut update = self.imported_change(person, &setter).await?;
                    update.changes.groups = person.groups.as_deref().map(|names| groups.named(names));
                    people.changed.push(update);
                    outcome.credentials.extend(new_credentials(person));
                    if person.password.is_some() || person.changes.is_active == Some(false) {
                        outcome.signed_out.push(person.before.id);
                    }
                }
                ImportStep::Keep | ImportStep::Refuse(_) => {}
            }
        }
        if !people.new.is_empty() || !people.changed.is_empty() {
            self.ports.end_users.import(owner, people, now).await?;
        }
        Ok(outcome)
    }

    async fn new_end_user(
        &self,
        owner: ClientId,
        person: &AddedPerson,
        now: DateTime<Utc>,
    ) -> Result<(EndUserCredentials, PasswordHash), PortFailure> {
        let (password, hash) = match &person.password {
            Some(password) => (password.clone(), self.ports.hasher.hash(password.clone()).await?),
            None => {
                let password = Password::parse(&self.ports.secrets.password())
                    .map_err(|wanted| PortFailure::new("the source of secrets", wanted.to_string()))?;
                (password.clone(), self.ports.hasher.hash_random(password).await?)
            }
        };
        let end_user = EndUser {
            id: EndUserId::new(&*self.ports.ids),
            client_id: owner,
            username: person.username.clone(),
            name: person.name.clone(),
            email: person.email.clone(),
            address: person.address.clone(),
            weight: person.weight,
            weights: person.weights.clone(),
            groups: Vec::new(),
            is_active: person.is_active,
            last_login_at: None,
            created_at: now,
            is_erased: false,
        };
        Ok((EndUserCredentials { end_user, password }, hash))
    }

    async fn imported_change(
        &self,
        person: &ChangedPerson,
        setter: &PasswordSetter,
    ) -> Result<EndUserUpdate, PortFailure> {
        let password = match &person.password {
            Some(password) => {
                let hash = self.ports.hasher.hash(password.clone()).await?;
                Some(SetPassword { hash, setter: setter.clone() })
            }
            None => None,
        };
        Ok(EndUserUpdate { id: person.before.id, changes: person.changes.clone(), password })
    }
}

/// The end user whose password the row changes.
fn renewed(row: &PlannedRow) -> Option<EndUserId> {
    match &row.step {
        ImportStep::Change(person) => person.password.as_ref().map(|_| person.before.id),
        ImportStep::Add(_) | ImportStep::Keep | ImportStep::Refuse(_) => None,
    }
}

/// The new credentials of a changed end user, if they get a password.
fn new_credentials(person: &ChangedPerson) -> Option<EndUserCredentials> {
    let password = person.password.clone()?;
    let mut end_user = person.before.clone();
    person.changes.clone().apply_to(&mut end_user);
    Some(EndUserCredentials { end_user, password })
}
