use async_trait::async_trait;
use plenum_kernel::{ClientId, PortFailure};

use crate::{AccentColor, Logo, LogoFormat};

/// The branding of an organization, without the file of its logo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branding {
    /// The accent color.
    pub accent: Option<AccentColor>,
    /// The version of the logo, if there is one. It changes with the file.
    pub logo_version: Option<String>,
}

/// The file of a stored logo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLogo {
    /// The format.
    pub format: LogoFormat,
    /// The file.
    pub content: Vec<u8>,
    /// The version: equal for equal files, of letters and digits.
    pub version: String,
}

/// Stores the logos and accent colors of organizations. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait BrandingStore: Send + Sync {
    /// The branding of the client; empty without any.
    async fn branding(&self, owner: ClientId) -> Result<Branding, PortFailure>;

    /// The logo of the client.
    async fn logo(&self, owner: ClientId) -> Result<Option<StoredLogo>, PortFailure>;

    /// Stores or removes the accent color. The logo stays. False if there is no such client, also if it is being removed.
    async fn set_accent(&self, owner: ClientId, accent: Option<AccentColor>) -> Result<bool, PortFailure>;

    /// Stores, replaces or removes the logo. The accent color stays. False if there is no such client.
    async fn set_logo(&self, owner: ClientId, logo: Option<Logo>) -> Result<bool, PortFailure>;
}
