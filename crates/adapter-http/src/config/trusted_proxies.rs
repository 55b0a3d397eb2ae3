use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

/// The proxies whose headers the server believes: `X-Forwarded-For`, `X-Request-Id`, and those about the origin that the
/// caller used. It is empty by default, because any caller can send these headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads addresses and networks (`10.0.0.0/8`), separated by commas. `None` if an entry is invalid or too wide:
    /// wider than /8 for IPv4, /7 for IPv6.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|part| read_network(part.trim())).collect::<Option<_>>().map(Self)
    }

    /// Whether there are none, so that people reach the server directly.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the server believes the headers of this peer.
    pub(crate) fn trust(&self, peer: IpAddr) -> bool {
        self.contain(peer.to_canonical())
    }

    /// Whether this address belongs to a trusted proxy.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The address of the caller, given the peer and the hops of the header, the latest last. It is the nearest address
    /// that belongs to no trusted proxy. Hops before it may be forged.
    pub(crate) fn caller<'a>(&self, peer: IpAddr, hops: impl DoubleEndedIterator<Item = &'a str>) -> IpAddr {
        let mut caller = peer.to_canonical();
        for hop in hops.rev() {
            let Some(before) = read_hop(hop).filter(|_| self.contain(caller)) else { break };
            caller = before;
        }
        caller
    }
}

/// Reads a network, or an address as a network of one.
fn read_network(text: &str) -> Option<IpNet> {
    let network: IpNet =
        text.parse().ok().or_else(|| text.parse().ok().map(|address: IpAddr| address.to_canonical().into()))?;
    let is_narrow = match network {
        IpNet::V4(network) => network.prefix_len() >= 8,
        // IPv4 addresses are compared as IPv4, so mapped networks would never match.
        IpNet::V6(network) => network.prefix_len() >= 7 && network.network().to_ipv4_mapped().is_none(),
    };
    (is_narrow && !network.network().is_unspecified()).then_some(network)
}

/// Reads an address as proxies write it: plain, with a port, or in brackets.
pub(crate) fn read_hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}
