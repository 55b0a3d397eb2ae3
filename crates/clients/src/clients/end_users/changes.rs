use plenum_kernel::{EmailAddress, EndUserId, NamedGroup, VotingWeight};

use crate::{Address, EndUser, PersonName, SetPassword, Username};

/// Changes to an end user. `None` keeps a value, and an inner `None` clears an optional one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndUserChanges {
    /// Another username.
    pub username: Option<Username>,
    /// Another full name.
    pub name: Option<PersonName>,
    /// Another email address, or none.
    pub email: Option<Option<EmailAddress>>,
    /// Another postal address, or none.
    pub address: Option<Option<Address>>,
    /// Another voting weight. Frozen registers keep the old one.
    pub weight: Option<VotingWeight>,
    /// Other groups, by name, in place of all earlier ones.
    pub groups: Option<Vec<NamedGroup>>,
    /// Whether they may sign in and vote.
    pub is_active: Option<bool>,
}

impl EndUserChanges {
    /// Applies all of the changes.
    pub fn apply_to(self, end_user: &mut EndUser) {
        if let Some(username) = self.username {
            end_user.username = username;
        }
        if let Some(name) = self.name {
            end_user.name = name;
        }
        if let Some(email) = self.email {
            end_user.email = email;
        }
        if let Some(address) = self.address {
            end_user.address = address;
        }
        if let Some(weight) = self.weight {
            end_user.weight = weight;
        }
        if let Some(groups) = self.groups {
            end_user.groups = groups;
        }
        if let Some(is_active) = self.is_active {
            end_user.is_active = is_active;
        }
    }
}

/// The update of one end user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndUserUpdate {
    /// The id of the end user.
    pub id: EndUserId,
    /// The changes.
    pub changes: EndUserChanges,
    /// The new password, if there is one, and the person who sets it.
    pub password: Option<SetPassword>,
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, EndUserId};

    use super::*;

    fn end_user() -> EndUser {
        let ids = CountingIds::new();
        EndUser {
            id: EndUserId::new(&ids),
            client_id: ClientId::new(&ids),
            username: Username::parse("anna").unwrap(),
            name: PersonName::parse("Anna Voter").unwrap(),
            email: EmailAddress::parse("anna@example.org").ok(),
            address: Address::parse("Hauptstraße 1").ok(),
            weight: VotingWeight::ONE,
            groups: Vec::new(),
            is_active: true,
            last_login_at: Some(DateTime::UNIX_EPOCH),
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn omitted_values_stay() {
        let before = end_user();
        let mut after = before.clone();
        EndUserChanges::default().apply_to(&mut after);
        assert_eq!(after, before);
    }

    #[test]
    fn optional_values_are_cleared_or_replaced() {
        let mut after = end_user();
        let expected = EndUser { email: None, address: Address::parse("Nebengasse 2").ok(), ..after.clone() };
        let changes = EndUserChanges {
            email: Some(None),
            address: Some(Address::parse("Nebengasse 2").ok()),
            ..EndUserChanges::default()
        };
        changes.apply_to(&mut after);
        assert_eq!(after, expected);
    }

    #[test]
    fn the_changes_leave_all_other_values_as_they_were() {
        let mut after = end_user();
        let weight = VotingWeight::new("2.5".parse().unwrap()).unwrap();
        let expected = EndUser {
            username: Username::parse("änna").unwrap(),
            name: PersonName::parse("Änna").unwrap(),
            weight,
            is_active: false,
            ..after.clone()
        };
        let changes = EndUserChanges {
            username: Some(expected.username.clone()),
            name: Some(expected.name.clone()),
            weight: Some(weight),
            is_active: Some(false),
            ..EndUserChanges::default()
        };
        changes.apply_to(&mut after);
        assert_eq!(after, expected);
    }
}
