use plenum_kernel::{EmailAddress, KindWeight, KindWeights, VotingWeight, WeightKindId};

use crate::{Address, EndUser, EndUserChanges, GroupName, ImportField, Password, PersonName, Username, WeightChanges};

/// The most rows of an import.
pub const MAX_IMPORTED_ROWS: usize = 20_000;

/// The most rows of an import with a password, because a chosen password needs a slow hash.
pub const MAX_IMPORTED_PASSWORDS: usize = 500;

/// A row of a file, as text. Missing and blank fields have no value.
#[derive(Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct ImportRow {
    /// The line in the file, for messages.
    pub line: u32,
    /// Whether the texts come from the cells of a workbook.
    pub is_from_workbook: bool,
    pub name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub username: Option<String>,
    pub email: Option<String>,
    pub address: Option<String>,
    pub weight: Option<String>,
    /// The values of kinds of weight.
    pub weights: Vec<(WeightKindId, String)>,
    pub groups: Option<String>,
    pub is_active: Option<String>,
    pub password: Option<String>,
}

/// An error in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The field with the error.
    pub field: ImportField,
    /// The requirement for the field, as a sentence.
    pub wanted: String,
}

/// The plan of an import, row by row in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportPlan {
    /// One entry for each row.
    pub rows: Vec<PlannedRow>,
    /// The groups that the import creates, in the order of the file.
    pub new_groups: Vec<GroupName>,
}

/// The plan for one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRow {
    /// The line in the file.
    pub line: u32,
    /// The username of the end user, or the text of the file if it is wrong.
    pub username: Option<String>,
    /// The name of the end user, or the text of the file if it is wrong.
    pub name: Option<String>,
    /// The action.
    pub step: ImportStep,
}

/// The action for one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// Adds an end user.
    Add(Box<AddedPerson>),
    /// Changes an end user.
    Change(Box<ChangedPerson>),
    /// Changes nothing, because all values are equal.
    Keep,
    /// Refuses the row because of these errors.
    Refuse(Vec<RowFault>),
}

impl ImportStep {
    /// The values of kinds of weight that a new end user gets, or that change.
    pub fn weights(&self) -> Vec<(WeightKindId, KindWeight)> {
        match self {
            Self::Add(person) => person.weights.iter().collect(),
            Self::Change(person) => match &person.changes.weights {
                Some(WeightChanges::Some(values)) => values.clone(),
                Some(WeightChanges::All(values)) => values.iter().collect(),
                None => Vec::new(),
            },
            Self::Keep | Self::Refuse(_) => Vec::new(),
        }
    }
}

/// An end user whom an import adds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct AddedPerson {
    pub username: Username,
    pub name: PersonName,
    pub email: Option<EmailAddress>,
    pub address: Option<Address>,
    pub weight: VotingWeight,
    pub weights: KindWeights,
    pub groups: Vec<GroupName>,
    pub is_active: bool,
    /// The password of the file; `None` for a random one.
    pub password: Option<Password>,
}

/// An end user whom an import changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPerson {
    /// The end user before the change.
    pub before: EndUser,
    /// The changes, without groups.
    pub changes: EndUserChanges,
    /// The groups, if they differ.
    pub groups: Option<Vec<GroupName>>,
    /// The new password, if the file has one.
    pub password: Option<Password>,
    /// The fields that differ.
    pub fields: Vec<ImportField>,
}
