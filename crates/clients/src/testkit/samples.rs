use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{
    AccountId, ClientId, Clock, EmailAddress, EndUserId, KindWeights, MeetingId, PasswordSetter, Person, QuestionId,
    RoundId, SessionId, VotingWeight, WeightDecimals, WeightKind, WeightKindId,
};

use super::contract::{SeedMeeting, SeedQuestion, SeedRound, SeedStatus};
use super::{InstantHasher, PlainRefreshTokens};
use crate::{
    Account, AccountRole, Client, ClientCode, ClientName, ClientStatus, EndUser, NewRefreshToken, NewSession,
    PasswordHash, PersonName, RefreshTokens, SecondFactorProof, SessionOrigin, SetPassword, SubscriptionPlan, Username,
};

/// Makes plain people and organizations. Each is created a second after the one before. Tests change the fields that
/// matter to them.
#[derive(Debug, Default)]
pub struct Samples {
    ids: CountingIds,
    clock: StillClock,
}

impl Samples {
    /// The password of all sample people.
    pub const PASSWORD: &str = "correct horse";

    /// The source of ids.
    pub fn ids(&self) -> &CountingIds {
        &self.ids
    }

    /// Samples with their own ids.
    pub fn new() -> Self {
        Self::default()
    }

    /// The creation time of the newest sample.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// An active client with this code. Its name is the code, its contact address `contact@<code>.example.org`.
    pub fn client(&self, code: &str) -> Client {
        Client {
            id: ClientId::new(&self.ids),
            name: ClientName::from_stored(code.to_owned()),
            code: ClientCode::from_stored(code.to_owned()),
            contact_email: EmailAddress::from_stored(format!("contact@{code}.example.org")),
            status: ClientStatus::Active,
            plan: SubscriptionPlan::Basic,
            created_at: self.next_second(),
        }
    }

    /// A password that an organizer sets without a reason. The account is not stored.
    pub fn set_password(&self, hash: PasswordHash) -> SetPassword {
        SetPassword { hash, setter: PasswordSetter { by: AccountId::new(&self.ids), reason: None } }
    }

    /// An administrator of the client, with the address `admin@<code>.example.org`.
    pub fn admin_of(&self, client: &Client) -> Account {
        let email = format!("admin@{}.example.org", client.code);
        Account { role: AccountRole::ClientAdmin(client.id), ..self.super_admin(&email) }
    }

    /// A super administrator with this address.
    pub fn super_admin(&self, email: &str) -> Account {
        Account {
            id: AccountId::new(&self.ids),
            role: AccountRole::SuperAdmin,
            email: EmailAddress::from_stored(email.to_owned()),
            password_hash: InstantHasher::hash_of(Self::PASSWORD),
            first_name: PersonName::from_stored("Ada".to_owned()),
            last_name: PersonName::from_stored("Lovelace".to_owned()),
            created_at: self.next_second(),
        }
    }

    /// An active end user of the client with weight 1 and no address. The name is the username.
    pub fn end_user(&self, client: &Client, username: &str) -> EndUser {
        EndUser {
            id: EndUserId::new(&self.ids),
            client_id: client.id,
            username: Username::from_stored(username.to_owned()),
            name: PersonName::from_stored(username.to_owned()),
            email: None,
            address: None,
            weight: VotingWeight::ONE,
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active: true,
            last_login_at: None,
            created_at: self.next_second(),
            is_erased: false,
        }
    }

    /// A kind of weight with this name, in m² with two decimals.
    pub fn weight_kind(&self, name: &str) -> WeightKind {
        WeightKind {
            id: WeightKindId::new(&self.ids),
            name: name.to_owned(),
            unit: Some("m²".to_owned()),
            decimals: WeightDecimals::new(2).expect("a number of decimals"),
        }
    }

    /// A session of a day with [`Self::PASSWORD`] and this refresh token.
    pub fn session(&self, person: Person, refresh_token: &str) -> NewSession {
        let issued_at = self.next_second();
        NewSession {
            id: SessionId::new(&self.ids),
            person,
            password_hash: InstantHasher::hash_of(Self::PASSWORD),
            second_factor: SecondFactorProof::NotAsked,
            join_link: None,
            remember_me: false,
            origin: SessionOrigin::default(),
            first_token: NewRefreshToken {
                hash: PlainRefreshTokens.hash(refresh_token),
                issued_at,
                expires_at: issued_at + TimeDelta::days(1),
            },
        }
    }

    /// A scheduled meeting of the client.
    pub fn meeting(&self, client: &Client, title: &str) -> SeedMeeting {
        SeedMeeting {
            id: MeetingId::new(&self.ids),
            client: client.id,
            title: title.to_owned(),
            status: SeedStatus::Scheduled,
            created_at: self.next_second(),
            started_at: None,
            ended_at: None,
        }
    }

    /// A question on the agenda of the meeting.
    pub fn question(&self, meeting: &SeedMeeting, text: &str) -> SeedQuestion {
        SeedQuestion { id: QuestionId::new(&self.ids), meeting: meeting.id, text: text.to_owned() }
    }

    /// An open round with an empty register.
    pub fn round(&self, question: &SeedQuestion) -> SeedRound {
        SeedRound {
            id: RoundId::new(&self.ids),
            question: question.id,
            opened_at: self.next_second(),
            ended_at: None,
            register_heads: 0,
            votes_by_writer: Vec::new(),
        }
    }

    /// The id of a session that was never opened.
    pub fn session_id(&self) -> SessionId {
        SessionId::new(&self.ids)
    }

    fn next_second(&self) -> DateTime<Utc> {
        self.clock.advance(TimeDelta::seconds(1));
        self.clock.now()
    }
}
