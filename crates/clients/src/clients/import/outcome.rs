use std::collections::BTreeSet;

use plenum_kernel::{EndUserId, NamedGroup, PortFailure, ReasonNeeded, WeightKindId};

use crate::{
    EndUser, EndUserCredentials, EndUserUpdate, ImportPlan, ImportStep, PasswordHash, PlannedRow, WeightChanges,
};

/// The reason why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Some rows are refused. A dry run lists them.
    #[error("some rows have errors")]
    HasErrors,
    /// Another request took a username or removed an end user during the import.
    #[error("the end users have changed in the meantime")]
    Outdated,
    /// The file sets passwords of people in the register of an open round, without a reason.
    #[error(transparent)]
    ReasonNeeded(#[from] ReasonNeeded),
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The result of an import.
#[derive(Clone, Debug)]
pub struct ImportOutcome {
    /// The executed plan.
    pub plan: ImportPlan,
    /// The end users with a new password, in the order of the file.
    pub credentials: Vec<EndUserCredentials>,
    /// The end users whose sessions ended.
    pub signed_out: Vec<EndUserId>,
}

impl ImportOutcome {
    /// The changed end users with other groups, who may lose meetings by it.
    pub fn regrouped(&self) -> Vec<EndUserId> {
        let regrouped = |row: &PlannedRow| match &row.step {
            ImportStep::Change(person) => person.groups.as_ref().map(|_| person.before.id),
            ImportStep::Add(_) | ImportStep::Keep | ImportStep::Refuse(_) => None,
        };
        self.plan.rows.iter().filter_map(regrouped).collect()
    }
}

/// The rows of an import to store.
#[derive(Clone, Debug, Default)]
pub struct ImportedPeople {
    /// New groups, which new and changed end users may be in.
    pub groups: Vec<NamedGroup>,
    /// New end users, each with the hash of the password.
    pub new: Vec<(EndUser, PasswordHash)>,
    /// Changes of existing end users.
    pub changed: Vec<EndUserUpdate>,
}

impl ImportedPeople {
    /// The kinds of weight with new values, each once, in the order of ids. The client must have them.
    pub fn weight_kinds(&self) -> Vec<WeightKindId> {
        let of_new = self.new.iter().flat_map(|(person, _)| person.weights.iter().map(|(kind, _)| kind));
        let of_changed = self.changed.iter().filter_map(|update| update.changes.weights.as_ref());
        let kinds: BTreeSet<WeightKindId> = of_new.chain(of_changed.flat_map(WeightChanges::kinds)).collect();
        kinds.into_iter().collect()
    }
}
