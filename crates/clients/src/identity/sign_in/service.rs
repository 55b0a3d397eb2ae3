use std::net::IpAddr;
use std::sync::Arc;

use plenum_kernel::{
    AccountId, ActingPerson, Clock, EmailAddress, NewIds, Person, PortFailure, Role, Secrets, SessionId, SignInTicket,
};

use crate::identity::accounts::password::normalized;
use crate::identity::rate_limiter::RateLimiter;
use crate::identity::second_factor::factor::{PASSWORDS_ALONE, WRONG_CODES, account_of};
use crate::identity::sessions::session::refresh_lifetime;
use crate::identity::sign_in::attempt::{Attempt, Place, SignInName};
use crate::identity::sign_in::password_check::CheckUnderWay;
use crate::identity::sign_in::throttle::SignInThrottle;
use crate::{
    AccessClaims, AccessTokens, AccountStore, AuditTrail, ClientKey, ClientStore, DeviceMark, DeviceTokens, KnownPlace,
    MAX_DEVICE_TOKENS, NewRefreshToken, NewSession, NotedAct, PasswordHasher, PasswordStore, PersonProfile,
    RefreshError, RefreshTokens, Renewal, Rotation, SecondFactorCipher, SecondFactorProof, SecondFactorStore,
    SessionOrigin, SessionStore, SignInError, SignInQueue, StoredCredentials, Turn, TurnAnswer, Username, Waiting,
};

/// A portal that only one role may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portal {
    /// The portal of super administrators.
    SuperAdmin,
    /// The portal of client administrators.
    Client,
}

/// What someone with an account typed, and where.
#[derive(Clone, Debug)]
pub struct AccountSignIn {
    /// `None` when it was no address at all.
    pub email: Option<EmailAddress>,
    /// The password as it was typed.
    pub password: String,
    /// Whether they want to stay signed in.
    pub remember_me: bool,
    /// The portal they came through, if it said so.
    pub portal: Option<Portal>,
    /// The address that they called from.
    pub from: IpAddr,
    /// What their browser says of itself.
    pub device: Option<String>,
    /// What earlier sign-ins on the device have left there, at most [`MAX_DEVICE_TOKENS`]; see [`DeviceTokens`].
    pub device_tokens: Vec<String>,
    /// A code of their second factor, or a recovery code, if they typed one.
    pub code: Option<String>,
    /// How they wait.
    pub waiting: Waiting,
}

/// What an end user typed, and where.
#[derive(Clone, Debug)]
pub struct EndUserSignIn {
    /// Their organization; `None` when it was neither a code nor an id.
    pub client: Option<ClientKey>,
    /// `None` when it could be no username.
    pub username: Option<Username>,
    /// The password as it was typed.
    pub password: String,
    /// Whether they want to stay signed in.
    pub remember_me: bool,
    /// The address that they called from.
    pub from: IpAddr,
    /// What their browser says of itself.
    pub device: Option<String>,
    /// What earlier sign-ins on the device have left there, at most [`MAX_DEVICE_TOKENS`]; see [`DeviceTokens`].
    pub device_tokens: Vec<String>,
    /// How they wait.
    pub waiting: Waiting,
}

/// An access token with the refresh token for the next one.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenPair {
    /// Good for 15 minutes.
    pub access: String,
    /// Good once, for 1 or 30 days.
    pub refresh: String,
}

/// A sign-in that succeeded.
pub struct SignedIn {
    /// Their tokens.
    pub tokens: TokenPair,
    /// Who they are.
    pub profile: PersonProfile,
    /// To be kept on the device for the next sign-in of the same name; see [`DeviceTokens`].
    pub device_token: String,
}

/// What signing in needs of the outside.
#[derive(Clone)]
pub struct SignInPorts {
    /// Where the names that somebody typed are looked up.
    pub accounts: Arc<dyn AccountStore>,
    /// Where the organizations that somebody named are looked up.
    pub clients: Arc<dyn ClientStore>,
    /// Where those who are signed in are looked up: they stand behind nobody who only comes.
    pub profiles: Arc<dyn AccountStore>,
    /// Where sign-ins are kept.
    pub sessions: Arc<dyn SessionStore>,
    /// Where passwords are changed.
    pub passwords: Arc<dyn PasswordStore>,
    /// Where second factors are kept.
    pub factors: Arc<dyn SecondFactorStore>,
    /// Makes, seals and reads the secrets of second factors.
    pub factor_cipher: Arc<dyn SecondFactorCipher>,
    /// Checks passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Makes access tokens.
    pub access_tokens: Arc<dyn AccessTokens>,
    /// Hashes refresh tokens.
    pub refresh_tokens: Arc<dyn RefreshTokens>,
    /// Recognizes devices.
    pub device_tokens: Arc<dyn DeviceTokens>,
    /// Makes refresh tokens.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Ids of sessions.
    pub ids: Arc<dyn NewIds>,
    /// Where failures are noted.
    pub trail: Arc<dyn AuditTrail>,
}

/// Lets people in, keeps them in, and lets them out.
pub struct SignInService {
    pub(crate) ports: SignInPorts,
    pace: Arc<SignInThrottle>,
    /// How often the codes of an account may be wrong.
    pub(crate) wrong_codes: RateLimiter<AccountId>,
    /// How often the right password may come without a code.
    pub(crate) passwords_alone: RateLimiter<AccountId>,
}

impl SignInService {
    /// Sign-in by these ports.
    pub fn new(ports: SignInPorts) -> Self {
        let pace = Arc::new(SignInThrottle::new(Arc::clone(&ports.clock)));
        let pace_of = |(at_once, one_more_each)| RateLimiter::new(Arc::clone(&ports.clock), at_once, one_more_each);
        let (wrong_codes, passwords_alone) = (pace_of(WRONG_CODES), pace_of(PASSWORDS_ALONE));
        Self { ports, pace, wrong_codes, passwords_alone }
    }

    /// Signs in someone with an account. An unknown address takes as long as a wrong password.
    ///
    /// # Errors
    /// Fails when address and password do not belong together, the account's client is not active, the account's role
    /// is not the portal's, a code of the second factor is missing or wrong, or there were too many failures.
    pub async fn sign_in_account(&self, typed: AccountSignIn) -> Result<SignedIn, SignInError> {
        let typed_at = self.ports.clock.now();
        let name = typed.email.as_ref().map(SignInName::account);
        let attempt = self.recognize(name, typed.from, &typed.device_tokens);
        let origin = SessionOrigin::new(typed.from, typed.device.as_deref());
        self.admit(&attempt, &typed.waiting)?;
        let found = match &typed.email {
            Some(email) => self.ports.accounts.account_credentials(email).await?,
            None => None,
        };
        let (check, checked) = self.verify_password(attempt.clone(), found, typed.password, typed.waiting).await?;
        let asked = account_of(checked.person).zip(self.factor_of(checked.person).await?);
        let role = checked.person.role();
        let is_at_home = match typed.portal {
            Some(Portal::SuperAdmin) => role == Role::SuperAdmin,
            Some(Portal::Client) => role == Role::Client,
            None => true,
        };
        let proof = match &asked {
            None => check.settle(true).map(|()| SecondFactorProof::NotAsked)?,
            Some((account, factor)) if is_at_home => self
                .check_factor(&check, *account, factor, typed.code.as_deref(), typed_at)
                .inspect_err(|error| self.note_wrong_code(checked.person, error))?,
            Some((account, _)) => self.stop_short(&check, *account).map(|()| SecondFactorProof::NotAsked)?,
        };
        if !is_at_home {
            return Err(SignInError::WrongPortal);
        }
        self.open_session(&attempt, checked, proof, typed.remember_me, origin).await
    }

    pub(crate) fn note_wrong_code(&self, person: Person, error: &SignInError) {
        if matches!(error, SignInError::SecondFactorWrong) {
            self.ports.trail.note_aside(NotedAct::SignInFailed(person));
        }
    }

    /// Signs in an end user. An unknown organization or name takes as long as a wrong password.
    ///
    /// # Errors
    /// Fails when organization, username and password do not belong together, one of them is not active, or there were
    /// too many failures.
    pub async fn sign_in_end_user(&self, typed: EndUserSignIn) -> Result<SignedIn, SignInError> {
        let origin = SessionOrigin::new(typed.from, typed.device.as_deref());
        // Who comes from where too much has failed keeps no store busy.
        if !self.has_device_token(&typed.device_tokens) {
            self.admit(&self.pace.attempt(None, typed.from, None), &typed.waiting)?;
        }
        let client = self.resolve(typed.client).await?;
        let name = client.as_ref().zip(typed.username.as_ref());
        let name = name.map(|(client, username)| SignInName::end_user(client, username));
        let attempt = self.recognize(name, typed.from, &typed.device_tokens);
        self.admit(&attempt, &typed.waiting)?;
        let found = match (&client, &typed.username) {
            (Some(client), Some(username)) => self.ports.accounts.end_user_credentials(client, username).await?,
            _ => None,
        };
        let checked = self.check_password(attempt.clone(), found, typed.password, typed.waiting).await?;
        self.open_session(&attempt, checked, SecondFactorProof::NotAsked, typed.remember_me, origin).await
    }

    /// How many wait to be signed in, seen from whose sign-in has this ticket, or else from a newcomer.
    pub fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue {
        self.ports.hasher.queue(ticket)
    }

    /// Gives a fresh pair for a refresh token, which is presented from here. Each token has one successor: a second use
    /// within the grace time gives the same one.
    ///
    /// # Errors
    /// Fails when the token is unknown, used up for longer than the grace time, its session has ended, or the session is
    /// renewed too often.
    pub async fn refresh(&self, refresh_token: &str, from: &SessionOrigin) -> Result<TokenPair, RefreshError> {
        let tokens = &self.ports.refresh_tokens;
        let refresh = tokens.successor(refresh_token);
        let renewal = Renewal {
            presented: tokens.hash(refresh_token),
            next: tokens.hash(&refresh),
            by: DeviceMark(tokens.hash(&from.mark()).0),
        };
        match self.ports.sessions.rotate(renewal, self.ports.clock.now()).await? {
            Rotation::TooOften { retry_after } => Err(RefreshError::TooOften { retry_after }),
            Rotation::Renewed { session, person } => {
                Ok(TokenPair { access: self.access_token(ActingPerson { session, person }), refresh })
            }
            Rotation::Refused => Err(RefreshError::SessionEnded),
        }
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn sign_out(&self, session: SessionId) -> Result<(), PortFailure> {
        self.ports.sessions.end(session, self.ports.clock.now()).await
    }

    /// Who a signed-in person is, in words. `None` when they were removed meanwhile.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure> {
        self.ports.profiles.profile(person).await
    }

    /// The organization by its id if there is one with this code, so that both ways to name it are one.
    async fn resolve(&self, client: Option<ClientKey>) -> Result<Option<ClientKey>, PortFailure> {
        let Some(ClientKey::Code(code)) = &client else { return Ok(client) };
        let found = self.ports.clients.find_by_code(code).await?;
        Ok(found.map(|found| ClientKey::Id(found.id)).or(client))
    }

    /// An attempt with this name, from this address and with these device tokens.
    fn recognize(&self, name: Option<SignInName>, from: IpAddr, device_tokens: &[String]) -> Attempt {
        let (tokens, now) = (device_tokens.iter().take(MAX_DEVICE_TOKENS), self.ports.clock.now());
        let device = name.as_ref().map(ToString::to_string).and_then(|name| {
            let mut tokens = tokens;
            tokens.find_map(|token| self.ports.device_tokens.read(&name, token, now))
        });
        self.pace.attempt(name, from, device)
    }

    /// Whether one of them is ours, for whatever name.
    fn has_device_token(&self, device_tokens: &[String]) -> bool {
        let now = self.ports.clock.now();
        device_tokens.iter().take(MAX_DEVICE_TOKENS).any(|token| self.ports.device_tokens.is_genuine(token, now))
    }

    /// The place from which somebody asks for a new password of this account, if the account has signed in there before. As
    /// for a sign-in; asks no store, so that nothing is told of who has an account.
    pub fn known_place(&self, email: &EmailAddress, from: IpAddr, device_tokens: &[String]) -> Option<KnownPlace> {
        let attempt = self.recognize(Some(SignInName::account(email)), from, device_tokens);
        match attempt.place {
            Place::KnownDevice(device) => Some(KnownPlace::Device(device)),
            Place::KnownAddress => Some(KnownPlace::Address(attempt.from)),
            Place::SharedAddress | Place::Elsewhere => None,
        }
    }

    /// A device token for somebody with an account who has just shown that they read its mail. `None` when they are gone.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn device_token_of(&self, person: Person) -> Result<Option<String>, PortFailure> {
        let profile = self.profile(person).await?;
        let name = profile.as_ref().and_then(name_of);
        let now = self.ports.clock.now();
        Ok(name.map(|name| self.ports.device_tokens.issue(&name.to_string(), None, now)))
    }

    /// An attempt of somebody who is signed in: tries here and at the sign-in are counted together.
    pub(crate) fn own_attempt(&self, profile: &PersonProfile, from: IpAddr) -> Attempt {
        self.pace.attempt(name_of(profile), from, None)
    }

    /// Whether the attempt may line up. Who comes back to a place in the queue is not turned away for what others at the
    /// same address did; the turn itself waits for that.
    pub(crate) fn admit(&self, attempt: &Attempt, waiting: &Waiting) -> Result<(), SignInError> {
        let has_place = || waiting.ticket.is_some_and(|ticket| self.queue(Some(ticket)).is_own);
        self.pace.check(attempt).or_else(|refusal| {
            self.pace.check_name(attempt)?;
            if has_place() { Ok(()) } else { Err(refusal) }
        })
    }

    /// Checks a password that is all that is asked for.
    pub(crate) async fn check_password(
        &self,
        attempt: Attempt,
        found: Option<StoredCredentials>,
        typed: String,
        waiting: Waiting,
    ) -> Result<StoredCredentials, SignInError> {
        let (check, checked) = self.verify_password(attempt, found, typed, waiting).await?;
        check.settle(true)?;
        Ok(checked)
    }

    /// Checks a password. Who gets this check has to settle it: that the password was right is not noted.
    pub(crate) async fn verify_password(
        &self,
        attempt: Attempt,
        found: Option<StoredCredentials>,
        typed: String,
        waiting: Waiting,
    ) -> Result<(Arc<CheckUnderWay>, StoredCredentials), SignInError> {
        let check = Arc::new(self.pace.begin(attempt)?);
        let hash = found.as_ref().map(|credentials| credentials.password_hash.clone());
        let candidate = normalized(&typed);
        // There may be thousands who wait, each with what they typed.
        drop(typed);
        let verified = self.ports.hasher.verify(candidate, hash, turn_of(&check, waiting)).await;
        let is_right = match verified {
            Ok(is_right) => is_right,
            Err(failure) => {
                // Perhaps the turn was given up because the name had too many failures by then.
                self.pace.check_name(check.attempt())?;
                return Err(failure.into());
            }
        };
        let known = found.as_ref().map(|credentials| credentials.person);
        if let Some(checked) = found.filter(|credentials| is_right && credentials.may_sign_in) {
            return Ok((check, checked));
        }
        // Failures beyond the pace are noted no more: a flood of them would fill the log.
        check.settle(false)?;
        if let Some(person) = known {
            self.ports.trail.note_aside(NotedAct::SignInFailed(person));
        }
        Err(SignInError::WrongCredentials)
    }

    async fn open_session(
        &self,
        attempt: &Attempt,
        checked: StoredCredentials,
        second_factor: SecondFactorProof,
        remember_me: bool,
        origin: SessionOrigin,
    ) -> Result<SignedIn, SignInError> {
        let StoredCredentials { person, password_hash, .. } = checked;
        let profile = self.ports.profiles.profile(person).await?.ok_or(SignInError::WrongCredentials)?;
        let now = self.ports.clock.now();
        let id = SessionId::new(&*self.ports.ids);
        let refresh = self.ports.secrets.token();
        let first_token = NewRefreshToken {
            hash: self.ports.refresh_tokens.hash(&refresh),
            issued_at: now,
            expires_at: now + refresh_lifetime(remember_me),
        };
        // Of several who come with one code at once, one gets in.
        let refusal = match second_factor {
            SecondFactorProof::NotAsked => SignInError::WrongCredentials,
            SecondFactorProof::Step(_) | SecondFactorProof::Recovery(_) => SignInError::SecondFactorWrong,
        };
        let session = NewSession { id, person, password_hash, second_factor, remember_me, origin, first_token };
        if !self.ports.sessions.open(session).await? {
            self.note_wrong_code(person, &refusal);
            return Err(refusal);
        }
        let access = self.access_token(ActingPerson { session: id, person });
        self.pace.remember(attempt, person.client());
        // Whoever was let in had a name.
        let name = attempt.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let device_token = self.ports.device_tokens.issue(&name, attempt.device(), now);
        Ok(SignedIn { tokens: TokenPair { access, refresh }, profile, device_token })
    }

    fn access_token(&self, acting: ActingPerson) -> String {
        let expires_at = self.ports.clock.now() + AccessClaims::LIFETIME;
        self.ports.access_tokens.issue(&AccessClaims { acting, expires_at })
    }
}

/// The name that somebody signs in with.
fn name_of(profile: &PersonProfile) -> Option<SignInName> {
    match profile.person {
        Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => profile.email.as_ref().map(SignInName::account),
        Person::EndUser { client, .. } => {
            profile.username.as_ref().map(|username| SignInName::end_user(&ClientKey::Id(client), username))
        }
    }
}

/// A turn that is given up when nobody waits for its outcome, or its outcome would be told to nobody: a flood that was let
/// in before its first failures costs no more hashes than one that came later.
fn turn_of(check: &Arc<CheckUnderWay>, waiting: Waiting) -> Turn {
    // Whoever gave up the check has no turn any more, wherever the turn still lies.
    let check = Arc::downgrade(check);
    Turn {
        ticket: waiting.ticket,
        has_left: Box::new(move || waiting.has_left()),
        answer: Box::new(move || check.upgrade().map_or(TurnAnswer::Gone, |check| check.take_turn())),
    }
}
