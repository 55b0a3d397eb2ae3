//! Client organizations, their accounts and end users, and their sessions.
//!
//! `identity` holds accounts, sessions, sign-in, personal links, the second factor and password resets. `clients` holds organizations,
//! end users, their import, reports and the audit log. Each folder has its values, its ports (`ports.rs`: its needs
//! from outside) and its service.
//!
//! To add a use case: write the rule as a method of the value that it concerns. Add the data to store as one method of
//! a store in the folder's `ports.rs` (one method is one transaction), and write a case for it in `testkit/contract`.
//! Put the sequence of calls into the folder's service.

mod clients;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod identity;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use clients::audit::entry::{
    AUDIT_KINDS, AuditEntry, AuditFilter, AuditPlace, AuditScope, AuditedChange, ChainLink, NotedAct,
};
pub use clients::audit::log::{AuditLog, MAX_AUDIT_ROWS};
pub use clients::audit::ports::{AuditTrail, ChainState};
pub use clients::branding::accent::AccentColor;
pub use clients::branding::logo::{Logo, LogoFormat, MAX_LOGO_BYTES, MAX_LOGO_SIDE};
pub use clients::branding::ports::{Branding, BrandingStore, StoredLogo};
pub use clients::end_users::changes::{EndUserChanges, EndUserUpdate, WeightChanges};
pub use clients::end_users::end_user::{Address, EndUser, EndUserCredentials, EndUserStats, Username};
pub use clients::end_users::erasure::{ERASED_NAME, ErasedBy, Erasure, FailedErasure, RuleErasures};
pub use clients::end_users::filter::{EndUserFilter, EndUserSort};
pub use clients::end_users::ports::{
    AddEndUserError, ChangeEndUserError, EndUserStore, EraseEndUserError, RemoveEndUserError,
};
pub use clients::end_users::service::{EndUserPorts, EndUserService, NewEndUser};
pub use clients::end_users::set_password::SetPassword;
pub use clients::groups::group::{
    Group, GroupName, GroupOverview, MAX_GROUPS, MAX_GROUPS_OF_PERSON, MAX_MEMBER_CHANGES, MemberChanges,
    MembersChanged, sort_groups,
};
pub use clients::groups::ports::{AddGroupError, ChangeMembersError, GroupStore, RemoveGroupError, RenameGroupError};
pub use clients::groups::service::GroupService;
pub use clients::import::columns::{ImportField, normalized_heading, suggest_columns, suggest_columns_of};
pub use clients::import::outcome::{ImportError, ImportOutcome, ImportedPeople};
pub use clients::import::plan::{
    AddedPerson, ChangedPerson, ImportPlan, ImportRow, ImportStep, MAX_IMPORTED_PASSWORDS, MAX_IMPORTED_ROWS,
    PlannedRow, RowFault,
};
pub use clients::organizations::changes::ClientChanges;
pub use clients::organizations::client::{
    Client, ClientName, ClientOverview, ClientReference, ClientStats, ClientStatus, SubscriptionPlan,
};
pub use clients::organizations::code::{ClientCode, ClientKey, CodeCheck, CodeOwner};
pub use clients::organizations::filter::{ClientFilter, ClientSort};
pub use clients::organizations::ports::{AddClientError, ChangeClientError, ClientStore};
pub use clients::organizations::service::{ClientPorts, ClientService, NewClient};
pub use clients::places_of_use::PlaceOfUse;
pub use clients::reports::activity::{Activity, ActivityKind};
pub use clients::reports::client_report::{ClientReport, MeetingCounts};
pub use clients::reports::ports::{ActivitySource, ClientReportSource};
pub use clients::reports::service::ReportService;
pub use clients::sheet::{
    MAX_HEADER_ROWS, MAX_SHEET_BYTES, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, ReadSheet, ReadSheetError, Sheet, SheetCell,
    SheetFile, SheetFormat, SheetReader, SheetRow, SheetSeal, SheetWriter, TableChoice,
};
pub use clients::weight_kinds::ports::{
    AddWeightKindError, ChangeWeightKindError, RemoveWeightKindError, WeightKindStore,
};
pub use clients::weight_kinds::service::WeightKindService;
pub use clients::weight_kinds::weight_kind::{
    NewWeightKind, WeightKindChanges, WeightKindName, WeightKindOverview, WeightUnit,
};
pub use identity::accounts::account::{Account, AccountRole, ContactAdmin, PersonName};
pub use identity::accounts::change_password::{ChangePasswordError, OwnPasswordChange};
pub use identity::accounts::create_super_admin::{
    CreateSuperAdminError, SuperAdminPorts, create_first_super_admin, create_super_admin,
};
pub use identity::accounts::overview::{AccountFilter, AccountOverview, AccountSort};
pub use identity::accounts::password::{Password, PasswordHash};
pub use identity::accounts::ports::{
    AccountStore, AddAccountError, PasswordChange, PasswordHasher, PasswordStore, StoredCredentials,
};
pub use identity::accounts::profile::PersonProfile;
pub use identity::accounts::service::AccountService;
pub use identity::join_links::code::{
    CODE_TRIES, JoinCodeHash, JoinCodeLetter, JoinCodeMails, NewJoinCode, masked_address,
};
pub use identity::join_links::link::{
    FoundJoinLink, JoinAsk, JoinLink, JoinLinkChoice, JoinLinkFilter, JoinLinkOrder, JoinLinkUse, JoinPeople,
    JoinPerson, JoinTokenHash, MadeJoinLink, NewJoinLinks,
};
pub use identity::join_links::ports::{JoinLinkStore, MakeJoinLinksError};
pub use identity::join_links::service::{
    JoinLinkPorts, JoinLinkService, MAX_JOIN_LINKS, SetJoinAskError, join_token_hash,
};
pub use identity::join_links::sign_in::{FoundJoin, JoinError, JoinSignIn};
pub use identity::password_reset::letter::{ResetLetter, ResetLetters};
pub use identity::password_reset::link::{NewReset, ResetTokenHash};
pub use identity::password_reset::ports::{ResetPorts, ResetRequests};
pub use identity::password_reset::request::ResetRequest;
pub use identity::password_reset::service::{ForgottenPasswordError, PasswordResetService, ResetPasswordError};
pub use identity::second_factor::factor::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, StoredFactor,
};
pub use identity::second_factor::ports::{SecondFactorCipher, SecondFactorStore};
pub use identity::second_factor::service::{
    OwnPassword, OwnSecondFactor, SecondFactorError, SecondFactorRecoveryError, SecondFactorService, SetUp,
};
pub use identity::second_factor::totp::{RecoveryCode, TotpCode, TotpSecret, TotpStep};
pub use identity::sessions::access_check::{AccessCheck, AccessRefusal};
pub use identity::sessions::access_token::{AccessClaims, AccessTokens, TokenRefusal};
pub use identity::sessions::ports::{RevocationBus, RevocationStream, SessionStore};
pub use identity::sessions::revocation::SessionRevocation;
pub use identity::sessions::service::SessionService;
pub use identity::sessions::session::{
    DeviceMark, NewRefreshToken, NewSession, OpenedSession, OwnSession, PresentedToken, RefreshTokenHash,
    RefreshTokens, Renewal, Rotation, SessionOrigin, SessionState, SessionStats, Spending, Successor,
};
pub use identity::sign_in::attempt::KnownPlace;
pub use identity::sign_in::device_token::{DEVICE_TOKEN_LIFETIME, DeviceId, DeviceTokens, MAX_DEVICE_TOKENS};
pub use identity::sign_in::error::{RefreshError, SignInError};
pub use identity::sign_in::queue::{CallerLiveness, SignInQueue, Turn, TurnAnswer, Waiting};
pub use identity::sign_in::service::{
    AccountSignIn, EndUserSignIn, Portal, SignInPorts, SignInService, SignedIn, TokenPair,
};
