use plenum_kernel::EmailAddress;

use crate::{Account, Client, ClientCode, ClientName, ClientStatus, PersonName, SubscriptionPlan};

/// Changes to a client and its contact administrator. `None` keeps a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientChanges {
    /// A new name; the code stays.
    pub name: Option<ClientName>,
    /// A new code.
    pub code: Option<ClientCode>,
    /// A new contact address. It changes no sign-in.
    pub contact_email: Option<EmailAddress>,
    /// Another status.
    pub status: Option<ClientStatus>,
    /// Another plan.
    pub plan: Option<SubscriptionPlan>,
    /// A new first name of the contact administrator.
    pub first_name: Option<PersonName>,
    /// A new last name of the contact administrator.
    pub last_name: Option<PersonName>,
}

impl ClientChanges {
    /// Applies the changes to the client itself.
    pub fn apply_to(&self, client: &mut Client) {
        set(&mut client.name, self.name.as_ref());
        set(&mut client.code, self.code.as_ref());
        set(&mut client.contact_email, self.contact_email.as_ref());
        set(&mut client.status, self.status.as_ref());
        set(&mut client.plan, self.plan.as_ref());
    }

    /// Applies the changes to the contact administrator.
    pub fn apply_to_contact(&self, contact: &mut Account) {
        set(&mut contact.first_name, self.first_name.as_ref());
        set(&mut contact.last_name, self.last_name.as_ref());
    }
}

fn set<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{AccountId, ClientId};

    use super::*;
    use crate::{AccountRole, PasswordHash};

    fn client() -> Client {
        Client {
            id: ClientId::new(&CountingIds::new()),
            name: ClientName::parse("The Club").unwrap(),
            code: ClientCode::parse("the-club").unwrap(),
            contact_email: EmailAddress::parse("club@example.org").unwrap(),
            status: ClientStatus::Active,
            plan: SubscriptionPlan::Basic,
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    fn contact(client: &Client) -> Account {
        Account {
            id: AccountId::new(&CountingIds::new()),
            role: AccountRole::ClientAdmin(client.id),
            email: EmailAddress::parse("ada@example.org").unwrap(),
            password_hash: PasswordHash::new("hash".to_owned()),
            first_name: PersonName::parse("Ada").unwrap(),
            last_name: PersonName::parse("Lovelace").unwrap(),
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn omitted_values_stay() {
        let (before, contact_before) = (client(), contact(&client()));
        let (mut after, mut contact_after) = (before.clone(), contact_before.clone());
        ClientChanges::default().apply_to(&mut after);
        ClientChanges::default().apply_to_contact(&mut contact_after);
        assert_eq!((after, contact_after), (before, contact_before));
    }

    #[test]
    fn everything_can_change_except_the_contacts_sign_in_address() {
        let changes = ClientChanges {
            name: Some(ClientName::parse("New").unwrap()),
            code: Some(ClientCode::parse("new").unwrap()),
            contact_email: Some(EmailAddress::parse("new@example.org").unwrap()),
            status: Some(ClientStatus::Suspended),
            plan: Some(SubscriptionPlan::Enterprise),
            first_name: Some(PersonName::parse("Grace").unwrap()),
            last_name: Some(PersonName::parse("Hopper").unwrap()),
        };
        let mut after = client();
        let expected = Client {
            name: ClientName::parse("New").unwrap(),
            code: ClientCode::parse("new").unwrap(),
            contact_email: EmailAddress::parse("new@example.org").unwrap(),
            status: ClientStatus::Suspended,
            plan: SubscriptionPlan::Enterprise,
            ..after.clone()
        };
        changes.apply_to(&mut after);
        assert_eq!(after, expected);

        let mut contact_after = contact(&after);
        let expected = Account {
            first_name: PersonName::parse("Grace").unwrap(),
            last_name: PersonName::parse("Hopper").unwrap(),
            ..contact_after.clone()
        };
        changes.apply_to_contact(&mut contact_after);
        assert_eq!(contact_after, expected);
    }
}
