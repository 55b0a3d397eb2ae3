//! The existing end users, as rows of a file describe them.

use std::collections::{HashMap, HashSet};

use plenum_kernel::{EmailAddress, folded_name, lower_case};

use crate::{EndUser, PersonName};

/// The existing end users, by username and by name.
pub(super) struct People<'a> {
    by_username: HashMap<String, &'a EndUser>,
    by_name: HashMap<String, Namesakes<'a>>,
}

impl<'a> People<'a> {
    pub(super) fn new(present: &'a [EndUser]) -> Self {
        let by_username = present.iter().map(|end_user| (lower_case(end_user.username.as_str()), end_user)).collect();
        let mut by_name: HashMap<String, Namesakes<'a>> = HashMap::new();
        for end_user in present {
            by_name.entry(folded_name(end_user.name.as_str())).or_default().add(end_user);
        }
        Self { by_username, by_name }
    }

    /// The usernames, in lower case.
    pub(super) fn usernames(&self) -> HashSet<String> {
        self.by_username.keys().cloned().collect()
    }

    /// The end user with this username, in any case.
    pub(super) fn with_username(&self, username: &str) -> Option<&'a EndUser> {
        self.by_username.get(&lower_case(username)).copied()
    }

    /// The end user with this name and address. If one of the two has no address, the end user with this name.
    pub(super) fn named(&self, name: &PersonName, email: Option<&EmailAddress>) -> Found<'a> {
        let namesakes = self.by_name.get(&folded_name(name.as_str()));
        namesakes.map_or(Found::Nobody, |namesakes| namesakes.with_email(email))
    }
}

/// The end users that a description fits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Found<'a> {
    #[default]
    Nobody,
    One(&'a EndUser),
    Several,
}

impl<'a> Found<'a> {
    fn and(self, end_user: &'a EndUser) -> Self {
        match self {
            Self::Nobody => Self::One(end_user),
            Self::One(_) | Self::Several => Self::Several,
        }
    }
}

/// The end users with one name. A row looks up its address among them: thousands may have the same name.
#[derive(Default)]
struct Namesakes<'a> {
    all: Found<'a>,
    by_email: HashMap<Option<&'a str>, Found<'a>>,
}

impl<'a> Namesakes<'a> {
    fn add(&mut self, end_user: &'a EndUser) {
        self.all = self.all.and(end_user);
        let same = self.by_email.entry(end_user.email.as_ref().map(EmailAddress::as_str)).or_default();
        *same = same.and(end_user);
    }

    fn with_email(&self, email: Option<&EmailAddress>) -> Found<'a> {
        let Some(email) = email else { return self.all };
        match self.by_email.get(&Some(email.as_str())) {
            Some(found) => *found,
            // The addresses distinguish all of them.
            None if !self.by_email.contains_key(&None::<&str>) => Found::Nobody,
            None => self.all,
        }
    }
}
