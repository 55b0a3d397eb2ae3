//! Organizations, the people who sign in to them, and their sessions.
//!
//! Values come first (`client.rs`, `account.rs`, `end_user.rs`, `session.rs`, `password.rs`, `activity.rs`), then what
//! this domain needs of the outside (`ports.rs`), then one file per use case, each with its service or a part of one.
//!
//! To add a use case: write the rule as a method of the value it concerns, add what must be stored as one method of a
//! store in `ports.rs` (one method is one transaction), write a case for it in `testkit/contract`, and put the
//! sequence of calls into a file named after what it does.

mod access_token;
mod account;
mod activity;
mod add_client;
mod add_end_user;
mod audit;
mod change_client;
mod change_end_user;
mod change_password;
mod check_access;
mod client;
mod client_code;
mod count_sessions;
mod create_super_admin;
mod device_token;
mod end_user;
mod export_end_users;
mod forgotten_password;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod import_columns;
mod import_end_users;
mod import_values;
mod list_accounts;
mod list_clients;
mod list_end_users;
mod own_second_factor;
mod password;
mod ports;
mod rate_limiter;
mod report_clients;
mod reset_letter;
mod reset_password;
mod run_import;
mod second_factor;
mod second_factor_recovery;
mod see_activity;
mod see_audit;
mod see_sessions;
mod session;
mod session_revocation;
mod sheet;
mod sign_in;
mod sign_in_attempt;
mod sign_in_queue;
mod sign_in_throttle;
mod sweep_sessions;
#[cfg(feature = "testkit")]
pub mod testkit;
mod totp;

pub use access_token::{AccessClaims, AccessTokens, TokenRefusal};
pub use account::{Account, AccountRole, ContactAdmin, PersonName};
pub use activity::{Activity, ActivityKind};
pub use add_client::{AddClientError, ClientAdditions, NewClient};
pub use add_end_user::{AddEndUserError, EndUserAdditions, EndUserCredentials, NewEndUser};
pub use audit::{AUDIT_KINDS, AuditEntry, AuditFilter, AuditPlace, AuditScope, AuditedChange, ChainLink, NotedAct};
pub use change_client::{ChangeClientError, ClientChanges, ClientKeeping};
pub use change_end_user::{ChangeEndUserError, EndUserChanges, EndUserKeeping};
pub use change_password::{ChangePasswordError, OwnPasswordChange};
pub use check_access::{AccessCheck, AccessRefusal};
pub use client::{Client, ClientName, ClientOverview, ClientReference, ClientStats, ClientStatus, SubscriptionPlan};
pub use client_code::ClientCode;
pub use count_sessions::{SessionCounting, SessionStats};
pub use create_super_admin::{FoundingError, SuperAdminCreation};
pub use device_token::{DEVICE_TOKEN_LIFETIME, DeviceId, DeviceTokens, MAX_DEVICE_TOKENS};
pub use end_user::{Address, EndUser, EndUserStats, Username};
pub use export_end_users::{EndUserExport, SheetFile};
pub use forgotten_password::{ForgottenPasswordError, ForgottenPasswords, KnownPlace, ResetRequest};
pub use import_columns::{ImportField, suggest_columns};
pub use import_end_users::{
    AddedPerson, ChangedPerson, ImportPlan, ImportRow, ImportStep, MAX_IMPORTED_PASSWORDS, MAX_IMPORTED_ROWS,
    PlannedRow, RowFault,
};
pub use list_accounts::{AccountDirectory, AccountFilter, AccountOverview, AccountSort};
pub use list_clients::{ClientDirectory, ClientFilter, ClientSort};
pub use list_end_users::{EndUserDirectory, EndUserFilter, EndUserSort};
pub use own_second_factor::{OwnPassword, OwnSecondFactor, SecondFactorError, SetUp};
pub use password::{Password, PasswordHash};
pub use ports::{
    AccountStore, ActivitySource, AddAccountError, AuditTrail, ChainState, ClientKey, ClientReportSource, ClientStore,
    EndUserStore, MAX_SHEET_BYTES, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, PasswordChange, PasswordHasher, PasswordStore,
    ReadSheetError, ResetRequests, RevocationBus, RevocationStream, SecondFactorCipher, SecondFactorStore,
    SessionStore, SheetReader, SheetWriter, StoredCredentials,
};
pub use report_clients::{ClientReport, ClientReports, MeetingCounts};
pub use reset_letter::ResetLetter;
pub use reset_password::{NewReset, PasswordResets, ResetPasswordError, ResetPorts, ResetTokenHash};
pub use run_import::{EndUserImport, ImportError, ImportOutcome, ImportedChange};
pub use second_factor::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, StoredFactor,
};
pub use second_factor_recovery::{SecondFactorRecovery, SecondFactorRecoveryError};
pub use see_activity::ActivityFeed;
pub use see_audit::{AuditLog, MAX_AUDIT_ROWS};
pub use see_sessions::OwnSessions;
pub use session::{
    DeviceMark, NewRefreshToken, NewSession, OwnSession, PresentedToken, RefreshTokenHash, RefreshTokens, Renewal,
    Rotation, SessionOrigin, Spending, Standing, Successor,
};
pub use session_revocation::SessionRevocation;
pub use sheet::{MAX_HEADER_ROWS, ReadSheet, Sheet, SheetCell, SheetFormat, SheetRow, TableChoice};
pub use sign_in::{
    AccountSignIn, EndUserSignIn, PersonProfile, Portal, RefreshError, SignInError, SignInPorts, SignInService,
    SignedIn, TokenPair,
};
pub use sign_in_queue::{CallerLiveness, SignInQueue, Turn, TurnAnswer, Waiting};
pub use sweep_sessions::SessionSweeping;
pub use totp::{RecoveryCode, TotpCode, TotpSecret, TotpStep};
