//! Settings of the HTTP interface.

mod metrics_token;
mod trusted_proxies;

use plenum_voting::VoteReset;

pub use metrics_token::MetricsToken;
pub use trusted_proxies::TrustedProxies;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use trusted_proxies::read_hop;

use crate::connections::ConnectionLimits;

/// Settings of the HTTP server.
#[derive(Clone, Debug, Default)]
pub struct HttpSettings {
    /// The prefix of every path: empty, or for example `/plenum`.
    pub base_path: String,
    /// The origin of links for other people. If missing, the origin of the page.
    pub public_url: Option<String>,
    /// Other origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// The meetings in which voters can withdraw their vote, for tests.
    pub vote_reset: VoteReset,
    /// The proxies that may report a caller's address, the origin that the caller used, and the id of a request.
    pub trusted_proxies: TrustedProxies,
    /// The limits of connections and streams, for one caller and in total.
    pub limits: ConnectionLimits,
    /// The token for reading the metrics. Without it the metrics cannot be read.
    pub metrics_token: Option<MetricsToken>,
}
