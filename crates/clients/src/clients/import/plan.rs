use plenum_kernel::{EmailAddress, VotingWeight};

use crate::{Address, EndUser, EndUserChanges, ImportField, Password, PersonName, Username};

/// The most rows that one import may have.
pub const MAX_IMPORTED_ROWS: usize = 20_000;

/// The most rows of one import that may bring a password along, because a password that somebody chose has to be
/// hashed slowly.
pub const MAX_IMPORTED_PASSWORDS: usize = 500;

/// One row of a file, as texts. A field that is missing or blank says nothing.
#[derive(Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct ImportRow {
    /// Where it stands in the file, for messages.
    pub line: u32,
    pub name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub username: Option<String>,
    pub email: Option<String>,
    pub address: Option<String>,
    pub weight: Option<String>,
    pub is_active: Option<String>,
    pub password: Option<String>,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// In this field.
    pub field: ImportField,
    /// What is wanted there, as a sentence.
    pub wanted: String,
}

/// What an import would do, row by row in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportPlan {
    /// One for each row.
    pub rows: Vec<PlannedRow>,
}

/// What an import would do with one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRow {
    /// Where it stands in the file.
    pub line: u32,
    /// The username of the end user; what the file says, if that is wrong.
    pub username: Option<String>,
    /// The name of the end user; what the file says, if that is wrong.
    pub name: Option<String>,
    /// What would be done.
    pub step: ImportStep,
}

/// What is done with one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// Somebody is made.
    Add(Box<AddedPerson>),
    /// Somebody is changed.
    Change(Box<ChangedPerson>),
    /// Nothing: everything is so already.
    Keep,
    /// Nothing can be done, for these reasons.
    Refuse(Vec<RowFault>),
}

/// Somebody whom an import makes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct AddedPerson {
    pub username: Username,
    pub name: PersonName,
    pub email: Option<EmailAddress>,
    pub address: Option<Address>,
    pub weight: VotingWeight,
    pub is_active: bool,
    /// The one of the file; a random one where there is none.
    pub password: Option<Password>,
}

/// Somebody whom an import changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPerson {
    /// As they are before.
    pub before: EndUser,
    /// What is different.
    pub changes: EndUserChanges,
    /// Their new password, if the file has one.
    pub password: Option<Password>,
    /// The names of what is different.
    pub fields: Vec<ImportField>,
}
