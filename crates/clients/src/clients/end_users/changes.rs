use plenum_kernel::{EmailAddress, EndUserId, KindWeight, KindWeights, NamedGroup, VotingWeight, WeightKindId};

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
    /// Other values of kinds of weight. Frozen registers keep the old ones.
    pub weights: Option<WeightChanges>,
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
        if let Some(weights) = self.weights {
            weights.apply_to(&mut end_user.weights);
        }
        if let Some(groups) = self.groups {
            end_user.groups = groups;
        }
        if let Some(is_active) = self.is_active {
            end_user.is_active = is_active;
        }
    }
}

/// Changes to the values of kinds of weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightChanges {
    /// The values of all kinds.
    All(KindWeights),
    /// The values of some kinds, each once. The others stay.
    Some(Vec<(WeightKindId, KindWeight)>),
}

impl WeightChanges {
    fn apply_to(self, weights: &mut KindWeights) {
        match self {
            Self::All(all) => *weights = all,
            Self::Some(changed) => changed.into_iter().for_each(|(kind, value)| weights.set(kind, value)),
        }
    }

    /// The kinds with new values, which the client must have.
    pub fn kinds(&self) -> Vec<WeightKindId> {
        match self {
            Self::All(all) => all.iter().map(|(kind, _)| kind).collect(),
            Self::Some(changed) => changed.iter().map(|(kind, _)| *kind).collect(),
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
    use plenum_kernel::{ClientId, EndUserId, WeightDecimals};

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
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active: true,
            last_login_at: Some(DateTime::UNIX_EPOCH),
            created_at: DateTime::UNIX_EPOCH,
            is_erased: false,
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

    #[test]
    fn all_values_of_kinds_are_replaced_or_some_of_them() {
        let ids = CountingIds::new();
        let kinds = [WeightKindId::new(&ids), WeightKindId::new(&ids)];
        let value = |text| KindWeight::parse(text, WeightDecimals::default()).unwrap();
        let mut after = end_user();
        let mut change = |weights: WeightChanges| {
            EndUserChanges { weights: Some(weights), ..EndUserChanges::default() }.apply_to(&mut after);
            kinds.map(|kind| after.weights.of(kind))
        };
        assert_eq!(change(WeightChanges::Some(vec![(kinds[0], value("7"))])), [value("7"), value("0")]);
        assert_eq!(change(WeightChanges::Some(vec![(kinds[1], value("2"))])), [value("7"), value("2")]);
        assert_eq!(change(WeightChanges::Some(vec![(kinds[0], value("0"))])), [value("0"), value("2")]);
        let all = [(kinds[0], value("9"))].into_iter().collect();
        assert_eq!(change(WeightChanges::All(all)), [value("9"), value("0")]);
    }
}
