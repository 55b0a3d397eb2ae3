//! Settings of the HTTP interface.

mod metrics_token;
mod trusted_proxies;

use plenum_voting::VoteReset;

pub use metrics_token::MetricsToken;
pub use trusted_proxies::TrustedProxies;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use trusted_proxies::read_hop;

use crate::connections::ConnectionLimits;

/// How the API is offered.
#[derive(Clone, Debug, Default)]
pub struct HttpSettings {
    /// What stands before every path: empty, or `/plenum`.
    pub base_path: String,
    /// The origin for links that people pass on; the page's own when missing.
    pub public_url: Option<String>,
    /// Other origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// Where voters may take their vote back, for testing.
    pub vote_reset: VoteReset,
    /// The proxies in front, which say where a call comes from.
    pub trusted_proxies: TrustedProxies,
    /// How much of the server one caller may take, and all of them together.
    pub limits: ConnectionLimits,
    /// What whoever reads the metrics has to show; without it nobody can.
    pub metrics_token: Option<MetricsToken>,
}
