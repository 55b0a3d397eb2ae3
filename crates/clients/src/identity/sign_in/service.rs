use std::net::IpAddr;
use std::sync::Arc;

use plenum_kernel::{
    AccountId, ActingPerson, Clock, EmailAddress, NewIds, Person, PortFailure, Role, Secrets, SessionId, SignInTicket,
};

use crate::identity::accounts::password::normalized;
use crate::identity::join_links::code::CODE_MAILS;
use crate::identity::rate_limiter::RateLimiter;
use crate::identity::second_factor::factor::{MISSING_CODES, WRONG_CODES, account_of};
use crate::identity::sessions::session::refresh_lifetime;
use crate::identity::sign_in::attempt::{Attempt, Place, SignInName};
use crate::identity::sign_in::password_check::PasswordCheck;
use crate::identity::sign_in::second_factor_check::CodeEntry;
use crate::identity::sign_in::throttle::SignInThrottle;
use crate::{
    AccessClaims, AccessTokens, AccountStore, AuditTrail, ClientKey, ClientStore, DeviceTokens, JoinCodeMails,
    JoinLinkStore, JoinLinkUse, JoinTokenHash, KnownPlace, MAX_DEVICE_TOKENS, NewRefreshToken, NewSession, NotedAct,
    PasswordHasher, PasswordStore, PersonProfile, RefreshTokens, SecondFactorCipher, SecondFactorProof,
    SecondFactorStore, SessionOrigin, SessionStore, SignInError, SignInQueue, StoredCredentials, Turn, TurnAnswer,
    Username, Waiting,
};

/// A portal for one role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portal {
    /// The portal of super administrators.
    SuperAdmin,
    /// The portal of client administrators.
    Client,
}

/// A sign-in to an account.
#[derive(Clone, Debug)]
pub struct AccountSignIn {
    /// `None` for text that cannot be an address.
    pub email: Option<EmailAddress>,
    /// The password, as typed.
    pub password: String,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The portal of the request, if it names one.
    pub portal: Option<Portal>,
    /// The network address of the caller.
    pub from: IpAddr,
    /// The browser's description of itself.
    pub device: Option<String>,
    /// The device tokens of earlier sign-ins on the device, at most [`MAX_DEVICE_TOKENS`]; see [`DeviceTokens`].
    pub device_tokens: Vec<String>,
    /// A code of the second factor or a recovery code, if the request has one.
    pub code: Option<String>,
    /// The place of the request in the queue.
    pub waiting: Waiting,
}

/// A sign-in of an end user.
#[derive(Clone, Debug)]
pub struct EndUserSignIn {
    /// The client; `None` for text that is neither a code nor an id.
    pub client: Option<ClientKey>,
    /// `None` for text that cannot be a username.
    pub username: Option<Username>,
    /// The password, as typed.
    pub password: String,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The network address of the caller.
    pub from: IpAddr,
    /// The browser's description of itself.
    pub device: Option<String>,
    /// The device tokens of earlier sign-ins on the device, at most [`MAX_DEVICE_TOKENS`]; see [`DeviceTokens`].
    pub device_tokens: Vec<String>,
    /// The place of the request in the queue.
    pub waiting: Waiting,
}

/// An access token, and the refresh token for the next one.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenPair {
    /// Valid for 15 minutes.
    pub access: String,
    /// Works once, for 1 or 30 days.
    pub refresh: String,
}

/// A successful sign-in.
pub struct SignedIn {
    /// The tokens of the session.
    pub tokens: TokenPair,
    /// The names of the person.
    pub profile: PersonProfile,
    /// The token to store on the device for the next sign-in of the same name; see [`DeviceTokens`].
    pub device_token: String,
}

/// The terms of a new session.
pub(crate) struct SessionTerms {
    /// The proof of the second factor, which the store redeems.
    pub(crate) second_factor: SecondFactorProof,
    /// The personal link of the sign-in, whose use the store notes.
    pub(crate) join_link: Option<JoinLinkUse>,
    /// The first refresh token, if the sign-in determines it. Otherwise it is random.
    pub(crate) first_token: Option<String>,
    /// Whether the person chose to stay signed in.
    pub(crate) remember_me: bool,
    /// The address and device of the sign-in.
    pub(crate) origin: SessionOrigin,
}

/// The ports that sign-in needs.
#[derive(Clone)]
pub struct SignInPorts {
    /// Finds the credentials of typed names.
    pub accounts: Arc<dyn AccountStore>,
    /// Finds the named clients.
    pub clients: Arc<dyn ClientStore>,
    /// Finds the profiles of signed-in people. Separate from `accounts`, so that they do not queue behind sign-ins.
    pub profiles: Arc<dyn AccountStore>,
    /// Stores sessions.
    pub sessions: Arc<dyn SessionStore>,
    /// Stores passwords.
    pub passwords: Arc<dyn PasswordStore>,
    /// Finds personal links.
    pub join_links: Arc<dyn JoinLinkStore>,
    /// Stores second factors.
    pub factors: Arc<dyn SecondFactorStore>,
    /// Makes, seals and opens the secrets of second factors.
    pub factor_cipher: Arc<dyn SecondFactorCipher>,
    /// Checks passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Issues access tokens.
    pub access_tokens: Arc<dyn AccessTokens>,
    /// Hashes refresh tokens.
    pub refresh_tokens: Arc<dyn RefreshTokens>,
    /// Recognizes devices.
    pub device_tokens: Arc<dyn DeviceTokens>,
    /// Supplies refresh tokens.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Supplies the ids of sessions.
    pub ids: Arc<dyn NewIds>,
    /// Records failures.
    pub trail: Arc<dyn AuditTrail>,
    /// Mails the codes of personal links, if a mail server is configured.
    pub code_mails: Option<Arc<dyn JoinCodeMails>>,
}

/// Signs people in, renews their tokens, and signs them out.
pub struct SignInService {
    pub(crate) ports: SignInPorts,
    throttle: Arc<SignInThrottle>,
    /// The limit on wrong codes of an account.
    pub(crate) wrong_codes: RateLimiter<AccountId>,
    /// The limit on right passwords without a code.
    pub(crate) missing_codes: RateLimiter<AccountId>,
    /// The limit on mails with the codes of a personal link.
    pub(crate) code_mails: RateLimiter<JoinTokenHash>,
}

impl SignInService {
    /// A service by these ports.
    pub fn new(ports: SignInPorts) -> Self {
        let throttle = Arc::new(SignInThrottle::new(Arc::clone(&ports.clock)));
        let limiter = |(burst, interval)| RateLimiter::new(Arc::clone(&ports.clock), burst, interval);
        let (wrong_codes, missing_codes) = (limiter(WRONG_CODES), limiter(MISSING_CODES));
        let code_mails = RateLimiter::new(Arc::clone(&ports.clock), CODE_MAILS.0, CODE_MAILS.1);
        Self { ports, throttle, wrong_codes, missing_codes, code_mails }
    }

    /// Signs in to an account. An unknown address takes as long as a wrong password.
    ///
    /// # Errors
    /// Fails when address and password do not match, the account's client is not active, the portal is for another
    /// role, the code of the second factor is missing or wrong, or there were too many failures.
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
        let required = account_of(checked.person).zip(self.factor_of(checked.person).await?);
        let role = checked.person.role();
        let is_right_portal = match typed.portal {
            Some(Portal::SuperAdmin) => role == Role::SuperAdmin,
            Some(Portal::Client) => role == Role::Client,
            None => true,
        };
        let proof = match &required {
            None => check.settle(true).map(|()| SecondFactorProof::NotAsked)?,
            Some((account, factor)) if is_right_portal => self
                .check_factor(&check, *account, factor, CodeEntry { code: typed.code.as_deref(), typed_at })
                .inspect_err(|error| self.note_wrong_code(checked.person, error))?,
            Some((account, _)) => self.end_early(&check, *account).map(|()| SecondFactorProof::NotAsked)?,
        };
        if !is_right_portal {
            return Err(SignInError::WrongPortal);
        }
        let terms = SessionTerms {
            second_factor: proof,
            join_link: None,
            first_token: None,
            remember_me: typed.remember_me,
            origin,
        };
        self.open_session(&attempt, checked, terms).await
    }

    pub(crate) fn note_wrong_code(&self, person: Person, error: &SignInError) {
        if matches!(error, SignInError::SecondFactorWrong) {
            self.ports.trail.note_in_background(NotedAct::SignInFailed(person));
        }
    }

    /// Signs in an end user. An unknown client or name takes as long as a wrong password.
    ///
    /// # Errors
    /// Fails when client, username and password do not match, one of them is not active, or there were too many
    /// failures.
    pub async fn sign_in_end_user(&self, typed: EndUserSignIn) -> Result<SignedIn, SignInError> {
        let origin = SessionOrigin::new(typed.from, typed.device.as_deref());
        // An address at its limit does not reach the store.
        if !self.has_device_token(&typed.device_tokens) {
            self.admit(&self.throttle.attempt(None, typed.from, None), &typed.waiting)?;
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
        let terms = SessionTerms {
            second_factor: SecondFactorProof::NotAsked,
            join_link: None,
            first_token: None,
            remember_me: typed.remember_me,
            origin,
        };
        self.open_session(&attempt, checked, terms).await
    }

    /// The length of the sign-in queue, before the sign-in with this ticket or else before a new one.
    pub fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue {
        self.ports.hasher.queue(ticket)
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn sign_out(&self, session: SessionId) -> Result<(), PortFailure> {
        self.ports.sessions.end(session, self.ports.clock.now()).await
    }

    /// Finds the names of a signed-in person. `None` when the person was removed.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure> {
        self.ports.profiles.profile(person).await
    }

    /// Replaces a client's code by its id if the client exists, so that both count as one.
    async fn resolve(&self, client: Option<ClientKey>) -> Result<Option<ClientKey>, PortFailure> {
        let Some(ClientKey::Code(code)) = &client else { return Ok(client) };
        let found = self.ports.clients.find_by_code(code).await?;
        Ok(found.map(|found| ClientKey::Id(found.id)).or(client))
    }

    /// An attempt with this name, from this address and with these device tokens.
    pub(crate) fn recognize(&self, name: Option<SignInName>, from: IpAddr, device_tokens: &[String]) -> Attempt {
        let (tokens, now) = (device_tokens.iter().take(MAX_DEVICE_TOKENS), self.ports.clock.now());
        let device = name.as_ref().map(ToString::to_string).and_then(|name| {
            let mut tokens = tokens;
            tokens.find_map(|token| self.ports.device_tokens.read(&name, token, now))
        });
        self.throttle.attempt(name, from, device)
    }

    /// Whether the server has issued one of the tokens, for any name.
    fn has_device_token(&self, device_tokens: &[String]) -> bool {
        let now = self.ports.clock.now();
        device_tokens.iter().take(MAX_DEVICE_TOKENS).any(|token| self.ports.device_tokens.is_genuine(token, now))
    }

    /// The known place from which a person requests a new password, if the account has signed in there before. Asks no
    /// store, so that it does not reveal which accounts exist.
    pub fn known_place(&self, email: &EmailAddress, from: IpAddr, device_tokens: &[String]) -> Option<KnownPlace> {
        let attempt = self.recognize(Some(SignInName::account(email)), from, device_tokens);
        match attempt.place {
            Place::KnownDevice(device) => Some(KnownPlace::Device(device)),
            Place::KnownAddress => Some(KnownPlace::Address(attempt.from)),
            Place::SharedAddress | Place::Elsewhere => None,
        }
    }

    /// Issues a device token for the owner of an account who has just proved that they read its mail. `None` when the
    /// account was removed.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn device_token_of(&self, person: Person) -> Result<Option<String>, PortFailure> {
        let profile = self.profile(person).await?;
        let name = profile.as_ref().and_then(name_of);
        let now = self.ports.clock.now();
        Ok(name.map(|name| self.ports.device_tokens.issue(&name.to_string(), None, now)))
    }

    /// An attempt of a signed-in person. It shares its limits with sign-ins.
    pub(crate) fn own_attempt(&self, profile: &PersonProfile, from: IpAddr) -> Attempt {
        self.throttle.attempt(name_of(profile), from, None)
    }

    /// Checks whether the attempt may join the queue. A caller who returns to their place is admitted also when others
    /// at the same address have reached its limit; the turn then waits.
    pub(crate) fn admit(&self, attempt: &Attempt, waiting: &Waiting) -> Result<(), SignInError> {
        let has_place = || waiting.ticket.is_some_and(|ticket| self.queue(Some(ticket)).is_own);
        self.throttle.check(attempt).or_else(|refusal| {
            self.throttle.check_name(attempt)?;
            if has_place() { Ok(()) } else { Err(refusal) }
        })
    }

    /// Checks a password that no second factor follows.
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

    /// Checks a password. The caller must settle the returned check, because a right password is not recorded here.
    pub(crate) async fn verify_password(
        &self,
        attempt: Attempt,
        found: Option<StoredCredentials>,
        typed: String,
        waiting: Waiting,
    ) -> Result<(Arc<PasswordCheck>, StoredCredentials), SignInError> {
        let check = Arc::new(self.throttle.begin(attempt)?);
        let hash = found.as_ref().map(|credentials| credentials.password_hash.clone());
        let candidate = normalized(&typed);
        // Thousands of sign-ins may wait, each with its typed text.
        drop(typed);
        let verified = self.ports.hasher.verify(candidate, hash, turn_of(&check, waiting)).await;
        let is_right = match verified {
            Ok(is_right) => is_right,
            Err(failure) => {
                // The turn may have been given up because the name had too many failures meanwhile.
                self.throttle.check_name(check.attempt())?;
                return Err(failure.into());
            }
        };
        let known = found.as_ref().map(|credentials| credentials.person);
        if let Some(checked) = found.filter(|credentials| is_right && credentials.may_sign_in) {
            return Ok((check, checked));
        }
        // Failures beyond the limit are not recorded: a flood of them would fill the log.
        check.settle(false)?;
        if let Some(person) = known {
            self.ports.trail.note_in_background(NotedAct::SignInFailed(person));
        }
        Err(SignInError::WrongCredentials)
    }

    pub(crate) async fn open_session(
        &self,
        attempt: &Attempt,
        checked: StoredCredentials,
        terms: SessionTerms,
    ) -> Result<SignedIn, SignInError> {
        let SessionTerms { second_factor, join_link, first_token, remember_me, origin } = terms;
        let StoredCredentials { person, password_hash, .. } = checked;
        let profile = self.ports.profiles.profile(person).await?.ok_or(SignInError::WrongCredentials)?;
        let now = self.ports.clock.now();
        let id = SessionId::new(&*self.ports.ids);
        let refresh = first_token.unwrap_or_else(|| self.ports.secrets.token());
        let first_token = NewRefreshToken {
            hash: self.ports.refresh_tokens.hash(&refresh),
            issued_at: now,
            expires_at: now + refresh_lifetime(remember_me),
        };
        // Of several sign-ins with the same code at once, one succeeds.
        let refusal = match second_factor {
            SecondFactorProof::NotAsked => SignInError::WrongCredentials,
            SecondFactorProof::Step(_) | SecondFactorProof::Recovery(_) => SignInError::SecondFactorWrong,
        };
        let session =
            NewSession { id, person, password_hash, second_factor, join_link, remember_me, origin, first_token };
        if !self.ports.sessions.open(session).await? {
            self.note_wrong_code(person, &refusal);
            return Err(refusal);
        }
        self.throttle.remember(attempt, person.client());
        Ok(self.signed_in(attempt, ActingPerson { session: id, person }, refresh, profile))
    }

    /// The response to the sign-in of this session.
    pub(crate) fn signed_in(
        &self,
        attempt: &Attempt,
        acting: ActingPerson,
        refresh: String,
        profile: PersonProfile,
    ) -> SignedIn {
        let access = self.access_token(acting);
        // A successful sign-in has a name.
        let name = attempt.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let device_token = self.ports.device_tokens.issue(&name, attempt.device(), self.ports.clock.now());
        SignedIn { tokens: TokenPair { access, refresh }, profile, device_token }
    }

    pub(crate) fn access_token(&self, acting: ActingPerson) -> String {
        let expires_at = self.ports.clock.now() + AccessClaims::LIFETIME;
        self.ports.access_tokens.issue(&AccessClaims { acting, expires_at })
    }
}

/// The name with which the person signs in.
pub(crate) fn name_of(profile: &PersonProfile) -> Option<SignInName> {
    match profile.person {
        Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => profile.email.as_ref().map(SignInName::account),
        Person::EndUser { client, .. } => {
            profile.username.as_ref().map(|username| SignInName::end_user(&ClientKey::Id(client), username))
        }
    }
}

/// A turn that is given up when its caller has left, or may not learn the result. So a flood that joined the queue
/// before its first failures costs no more hashes than a later one.
fn turn_of(check: &Arc<PasswordCheck>, waiting: Waiting) -> Turn {
    // A check that was dropped has no turn any more, even if the queue still holds it.
    let check = Arc::downgrade(check);
    Turn {
        ticket: waiting.ticket,
        has_left: Box::new(move || waiting.has_left()),
        answer: Box::new(move || check.upgrade().map_or(TurnAnswer::Gone, |check| check.take_turn())),
    }
}
