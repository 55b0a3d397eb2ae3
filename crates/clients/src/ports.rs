use std::pin::Pin;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::Stream;
use plenum_kernel::{AccountId, ClientId, EmailAddress, EndUserId, Page, Person, PortFailure, SessionId, SignInTicket};

use crate::{
    Account, AccountFilter, AccountOverview, Activity, AddClientError, AddEndUserError, AuditEntry, AuditFilter,
    AuditScope, ChangeClientError, ChangeEndUserError, Client, ClientChanges, ClientCode, ClientFilter, ClientOverview,
    ClientReport, ClientStats, EndUser, EndUserChanges, EndUserFilter, EndUserStats, FactorConfirmation, ImportError,
    ImportedChange, NewFactor, NewReset, NewSession, NotedAct, OwnSession, Password, PasswordHash, PersonProfile,
    ReadSheet, RecoveryCodeHash, Renewal, ResetRequest, ResetTokenHash, Rotation, SealedSecret, SecondFactorProof,
    SessionRevocation, SessionStats, Sheet, SheetFormat, SignInQueue, Standing, StoredFactor, TableChoice, TotpCode,
    TotpSecret, TotpStep, Turn, Username,
};

/// Where client organizations are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientStore: Send + Sync {
    /// Stores a client together with its first administrator; stores nothing if either is refused.
    ///
    /// # Errors
    /// MUST return `CodeTaken` or `EmailTaken` also when another call took the name in the same moment.
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError>;

    /// One client, with its counts: without test data, unless it is test data itself.
    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure>;

    /// The client with this code.
    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure>;

    /// The clients that fit the filter, in its order.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure>;

    /// How many clients there are, without test data ([`Client::is_test`]).
    async fn stats(&self) -> Result<ClientStats, PortFailure>;

    /// Locks the client and its contact administrator (the oldest account), makes `changes` and sets the contact's
    /// password if there is a new one, which ends the contact's sessions; makes nothing if anything is refused.
    ///
    /// # Errors
    /// `NotFound`; MUST return `CodeTaken` also when another call took the code in the same moment.
    async fn update(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ChangeClientError>;

    /// Removes the client and everything of it: accounts, end users, sessions, and meetings with their agendas, rounds
    /// and votes. A running round is ended first, at `now` and after the ballots that are being written. Says whether
    /// there was such a client.
    async fn remove(&self, id: ClientId, now: DateTime<Utc>) -> Result<bool, PortFailure>;
}

/// Where end users are kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait EndUserStore: Send + Sync {
    /// Stores an end user.
    ///
    /// # Errors
    /// MUST return `UsernameTaken` also when another call took the name in the same moment.
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError>;

    /// `None` also for an end user of another client.
    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure>;

    /// The client's end users that fit the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure>;

    /// How many end users the client has, and what those who are active weigh together; without test data
    /// ([`EndUser::is_test`]), unless the client is.
    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure>;

    /// Locks the end user, makes `changes`, and sets the password if there is a new one. A new password, and an end
    /// user who is not active any more, end the end user's sessions at `now`.
    ///
    /// # Errors
    /// `NotFound` also for an end user of another client; MUST return `UsernameTaken` also when another call took the
    /// name in the same moment.
    async fn update(
        &self,
        owner: ClientId,
        id: EndUserId,
        changes: EndUserChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError>;

    /// Removes the end user with their sessions and invitations. Registers and votes stay. Says whether the client had
    /// such an end user.
    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<bool, PortFailure>;

    /// Stores all of the `new` end users and makes all of the changes, or nothing; in a few statements, however many
    /// they are. Those who are changed are locked first; a new password, and an end user who is not active any more,
    /// end the end user's sessions at `now`.
    ///
    /// # Errors
    /// MUST return `Outdated` when a username is taken, also by another call in the same moment, and when an end user
    /// who is to be changed is not there or is another client's. Never returns `HasErrors`.
    async fn import(
        &self,
        owner: ClientId,
        new: Vec<(EndUser, PasswordHash)>,
        changed: Vec<ImportedChange>,
        now: DateTime<Utc>,
    ) -> Result<(), ImportError>;
}

/// Why an account could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum AddAccountError {
    /// Another account signs in with this e-mail address.
    #[error("the e-mail address is taken")]
    EmailTaken,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// What a password is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredentials {
    /// Who signs in with them.
    pub person: Person,
    /// The hash of their password.
    pub password_hash: PasswordHash,
    /// False when the person or their client is not active.
    pub may_sign_in: bool,
}

/// How an end user names their organization when they sign in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClientKey {
    /// By its code.
    Code(ClientCode),
    /// By its id.
    Id(ClientId),
}

/// Where the people who sign in are looked up, and super administrators are kept.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores a super administrator.
    ///
    /// # Errors
    /// MUST return `EmailTaken` also when another call took the address in the same moment.
    async fn add(&self, account: Account) -> Result<(), AddAccountError>;

    /// Stores the first super administrator, and says whether it did: not where there is one already. Of several instances that
    /// start at once MUST only one do it, and the others wait for that one.
    ///
    /// # Errors
    /// As [`Self::add`].
    async fn add_first_super_admin(&self, account: Account) -> Result<bool, AddAccountError>;

    /// Whether there is any super administrator.
    async fn has_super_admin(&self) -> Result<bool, PortFailure>;

    /// What the account with this address signs in with.
    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure>;

    /// What the end user with this name, in whatever case, signs in with.
    async fn end_user_credentials(
        &self,
        client: &ClientKey,
        username: &Username,
    ) -> Result<Option<StoredCredentials>, PortFailure>;

    /// The accounts of every client and of super administrators that fit the filter, in its order.
    async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure>;

    /// Who a person is, in words.
    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure>;
}

/// Where sign-ins are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Stores a session with its first refresh token, and the time as the person's last sign-in. MUST store nothing and
    /// say no when the person is gone or about to go with their client, was deactivated, or has another password than was
    /// checked: whoever did that signed them out everywhere.
    ///
    /// MUST also say no when a second factor is on and none was shown; and use up what was shown, or say no when that is not
    /// good any more: a step that is not after the last one, a recovery code that was used or never was one, or anything
    /// where none is on. So each of them opens one session, however many come with it at once.
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure>;

    /// Locks the session and the token that is presented, asks [`crate::PresentedToken::spend`], and does what it says:
    /// stores the successor at the first use (it ends at [`crate::PresentedToken::next_expiry`]), notes by whom a token
    /// was used first and [`crate::PresentedToken::next_renewals`] of the session at every renewal, ends the session, or
    /// does nothing. However often a token is presented at the same moment, there is one successor.
    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure>;

    /// Ends a session with all its refresh tokens. Ending it twice changes nothing.
    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure>;

    /// The person's sessions that go on at `now`, the one that was used last first, at most `limit`.
    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure>;

    /// Ends a session of this person with all its refresh tokens, and says whether it went on. MUST leave another person's
    /// as it is and say no.
    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Ends all sessions of this person that go on, but not `kept`, and says how many. A refresh token of one of them that
    /// is presented in the same moment MUST NOT bring it back.
    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure>;

    /// Removes sessions that ended or expired before `before`, and refresh tokens that expired before it, at most
    /// `limit` of each, and says how many rows went.
    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure>;

    /// How many sessions go on at `now`: they have neither ended nor expired, and their owners may act. MUST leave out
    /// those of test data, be it the person or their client.
    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure>;

    /// Whether the session's owner may still act. `None` when there is no such session.
    async fn standing(&self, session: SessionId) -> Result<Option<Standing>, PortFailure>;
}

/// A password in place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordChange {
    /// Whose.
    pub person: Person,
    /// The hash that their password was checked against.
    pub checked: PasswordHash,
    /// The new one.
    pub new: PasswordHash,
    /// The session that goes on.
    pub kept: SessionId,
    /// When.
    pub at: DateTime<Utc>,
}

/// Where people change the passwords that they have. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordStore: Send + Sync {
    /// What the person signs in with. `None` when they are gone.
    async fn of_person(&self, person: Person) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Stores the new password and ends all other sessions of the person. MUST change nothing and say no when they are
    /// gone, or have another password than was checked.
    async fn change(&self, change: PasswordChange) -> Result<bool, PortFailure>;

    /// Stores a reset link of an account, and removes those of anybody that are too old. MUST store nothing and say no when
    /// the account is gone, or has another password or address than the link is for.
    async fn keep_reset(&self, reset: NewReset) -> Result<bool, PortFailure>;

    /// Whether [`Self::reset`] would set a password by this token.
    async fn has_reset(&self, token: &ResetTokenHash, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Sets the password of the account whose reset link has this token, ends all its sessions, and says whose they are.
    /// MUST change nothing when there is no such link, it has expired, the account has another password or address than it
    /// had when the link was made, or its client is not active. So each link works once, and none after another one did.
    async fn reset(
        &self,
        token: &ResetTokenHash,
        new: PasswordHash,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure>;
}

/// Where second factors are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SecondFactorStore: Send + Sync {
    /// The second factor of an account, be it on or not. `None` when there is none.
    async fn find(&self, account: AccountId) -> Result<Option<StoredFactor>, PortFailure>;

    /// Whose account this is. `None` when it is gone.
    async fn owner(&self, account: AccountId) -> Result<Option<Person>, PortFailure>;

    /// Stores a second factor that is not on yet, in place of another one that is not. MUST change nothing and say no when
    /// one is on, or the person is gone or has another password than was checked.
    async fn begin(&self, new: NewFactor) -> Result<bool, PortFailure>;

    /// Turns a second factor on with these recovery codes, and ends all other sessions of the person. The step counts as
    /// used. MUST change nothing and say no when there is none with this secret, or one is on.
    async fn confirm(&self, confirmation: FactorConfirmation) -> Result<bool, PortFailure>;

    /// Uses up the proof, and stores these recovery codes in place of all others. MUST change nothing and say no when the
    /// proof is not good, as in [`SessionStore::open`]; [`crate::SecondFactorProof::NotAsked`] is none.
    async fn renew_codes(
        &self,
        person: Person,
        proof: SecondFactorProof,
        codes: Vec<RecoveryCodeHash>,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure>;

    /// Uses up the proof, and removes the second factor with its recovery codes. MUST change nothing and say no as
    /// [`Self::renew_codes`] does.
    async fn remove(&self, person: Person, proof: SecondFactorProof, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Removes the second factor of somebody who cannot prove that it is theirs, ends all their sessions, and says whose
    /// they are. `None`, and nothing changes, when none is on.
    async fn take_away(&self, account: AccountId, now: DateTime<Utc>) -> Result<Option<Person>, PortFailure>;
}

/// Makes the secrets of second factors, and seals them: a store alone gives none of them away.
pub trait SecondFactorCipher: Send + Sync {
    /// A random secret.
    fn new_secret(&self) -> TotpSecret;

    /// The secret as it is kept for this account.
    fn seal(&self, account: AccountId, secret: &TotpSecret) -> SealedSecret;

    /// What was sealed for this account. `None` when it was sealed for another one, by another key, or was changed.
    fn open(&self, account: AccountId, sealed: &SealedSecret) -> Option<TotpSecret>;

    /// The code of a step: HMAC-SHA-1 of its number (RFC 6238), cut by [`TotpCode::of_mac`].
    fn code(&self, secret: &TotpSecret, step: TotpStep) -> TotpCode;
}

/// Carries out the wishes of those who have forgotten their passwords, later.
pub trait ResetRequests: Send + Sync {
    /// Takes a wish; says no when too many wait. MUST NOT wait for anything, nor look whether there is such an account:
    /// whoever asks must not learn that by the time it takes.
    fn put(&self, wish: ResetRequest) -> bool;
}

/// What happened lately, read from what this domain and its neighbours store. Each call is one reading.
///
/// It tells of end users that were added (those of one moment together, and those who came one by one within ten minutes,
/// told at the time of the last), of meetings that were created, started and ended, of
/// rounds that were opened and ended, and of the last sign-in to each account. The newest comes first; what happened at
/// the same moment stands by [`crate::ActivityKind::place`], the highest first. It MUST NOT tell of test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ActivitySource: Send + Sync {
    /// What happened in this client, and nothing of another; at most `limit`. A client that is test data is told
    /// everything.
    async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure>;

    /// What happened in all clients and to super administrators, and which clients were made; at most `limit`.
    async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure>;
}

/// How much clients use the product, counted over what this domain and its neighbours store, without test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientReportSource: Send + Sync {
    /// A report of each client that fits the filter and is no test data, in its order, as of one moment. Of its end users
    /// and meetings, with their questions, rounds and votes, those that are test data MUST NOT be counted.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure>;
}

/// Hashes passwords, slowly on purpose, on threads of its own.
///
/// Passwords are checked in the order in which that was asked for, and before new hashes are made: of these, only as
/// many as hardly delay the checks. MUST fail as busy, with the time after which to come back, when too many wait.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A hash with a salt of its own.
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// A hash of a password that came from [`plenum_kernel::Secrets::password`] and from nowhere else, made with little
    /// work, so that thousands of end users are imported in seconds.
    ///
    /// A slow hash protects passwords that people think up, of which a few million cover most. Of those with 12 random
    /// characters there are 2 to the power of 73: whoever steals a quick hash of one does not find it either.
    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// Whether `candidate` is the password. Without a hash the answer is no, after the same time; and the time does not
    /// tell by which of the two methods the hash was made. When the turn has come, MUST hash if the turn's answer is
    /// [`crate::TurnAnswer::Wanted`], keep the place and ask again if it is `NotYet`, and fail, and not hash, if it is `Gone` or
    /// whoever waited has left for good.
    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure>;

    /// How many wait for [`Self::verify`], seen from the turn with this ticket, or from the end of the queue. Asks nobody.
    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue;
}

/// The most rows below the headings of a table that is read.
pub const MAX_SHEET_ROWS: usize = 20_000;
/// The most columns of a table that is read.
pub const MAX_SHEET_COLUMNS: usize = 50;
/// The largest file that is read, in bytes.
pub const MAX_SHEET_BYTES: usize = 5 * 1024 * 1024;

/// Why no table was read from a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadSheetError {
    /// The name ends in something that no table is kept in.
    #[error("the file must be named .csv, .txt, .tsv or .xlsx")]
    UnknownKind,
    /// An older kind of workbook, or one of another program.
    #[error("the workbook must be saved as .xlsx or .csv first")]
    OtherWorkbook,
    /// A workbook that only opens with a password.
    #[error("the workbook is protected by a password")]
    Protected,
    /// Whatever it is, it is no table, or a damaged one.
    #[error("the file holds no table that can be read")]
    NoTable,
    /// There are no rows below the headings.
    #[error("the file has no rows below its headings")]
    Empty,
    /// The workbook has no sheet of that name with a table on it.
    #[error("the workbook has no such sheet")]
    NoSuchSheet,
    /// The row that is said to hold the headings is blank, not there, or the last one.
    #[error("the sheet has no such row with rows below it")]
    NoSuchHeaderRow,
    /// The file is larger than [`MAX_SHEET_BYTES`], or what is packed in it is much larger.
    #[error("the file is too large")]
    TooLarge,
    /// There are more than [`MAX_SHEET_ROWS`].
    #[error("the file has too many rows")]
    TooManyRows,
    /// There are more than [`MAX_SHEET_COLUMNS`].
    #[error("the file has too many columns")]
    TooManyColumns,
    /// The reader did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Reads tables out of files that people made.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetReader: Send + Sync {
    /// The table in a file with this name and content, at the place that was chosen. Where nobody chose, the sheet and the
    /// row are taken that look most like the headings of a list of people: a cover sheet, a title and blank rows above
    /// them are passed over. Nothing in the file makes it use more memory or time than the
    /// largest table does.
    ///
    /// # Errors
    /// Says why there is no such table.
    async fn read(&self, file_name: &str, content: Vec<u8>, choice: TableChoice) -> Result<ReadSheet, ReadSheetError>;
}

/// Writes tables into files for people.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetWriter: Send + Sync {
    /// The content of a file. No text in it is taken for a formula by the programs that open it.
    ///
    /// # Errors
    /// Fails when the writer does not answer.
    async fn write(&self, sheet: Sheet, format: SheetFormat) -> Result<Vec<u8>, PortFailure>;
}

/// Departures that other instances tell of. An item of `None` says that some may have been missed.
pub type RevocationStream = Pin<Box<dyn Stream<Item = Option<SessionRevocation>> + Send>>;

/// Tells other instances whose sessions have ended, and hears the same of them. Only ids travel; whoever hears of one
/// asks the store.
pub trait RevocationBus: Send + Sync {
    /// Tells the others. MUST not wait for anything.
    fn tell(&self, departure: SessionRevocation);

    /// What the others tell from now on.
    fn departures(&self) -> RevocationStream;
}

/// Where a chain of the audit log ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainState {
    /// The number and the hash of its last link, as they are kept beside the chain; none of an empty one.
    pub head: Option<(u64, Vec<u8>)>,
    /// How many entries are not linked yet.
    pub waiting: u64,
}

/// The audit log. Changes of what is stored write themselves into it; here is noted what changes nothing, and read.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AuditTrail: Send + Sync {
    /// Notes an act, on behalf of whom the call is made. MUST note nothing in a client that is gone.
    async fn note(&self, act: NotedAct) -> Result<(), PortFailure>;

    /// Notes an act, and MUST NOT wait for it: how long a refused sign-in takes would tell whether there is such a name. May
    /// leave it out while very many wait.
    fn note_aside(&self, act: NotedAct);

    /// The entries that fit the filter, the newest first, at most `limit`; MUST NOT hold any of another scope.
    async fn list(&self, scope: AuditScope, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;

    /// Where the chain ends.
    async fn chain_state(&self, scope: AuditScope) -> Result<ChainState, PortFailure>;

    /// The links of the chain that come after this number, in order, at most `limit`.
    async fn chain_after(&self, scope: AuditScope, number: u64, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;
}
