use std::borrow::Cow;

/// The error for a value that breaks a rule of its type. The text states the requirement, as a sentence for the person
/// who typed the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(Cow<'static, str>);

impl Invalid {
    /// `requirement` is a full sentence ("Must be between 0 and 100.").
    pub fn new(requirement: impl Into<Cow<'static, str>>) -> Self {
        Self(requirement.into())
    }
}
