use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

/// The proxies that are believed when they say, in `X-Forwarded-For`, where a call comes from. Without any, nobody is:
/// everybody may write that header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads addresses and networks (`10.0.0.0/8`) with commas between them. `None` when one of them is neither, or would have
    /// half of the world believed: a network wider than /8, of IPv6 than /7.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|part| read_network(part.trim())).collect::<Option<_>>().map(Self)
    }

    /// Whether a call from this address is believed.
    pub(crate) fn trust(&self, peer: IpAddr) -> bool {
        self.contain(peer.to_canonical())
    }

    /// Whether this is one of them.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Where a call comes from that `peer` passed on with these hops, the latest one last: the nearest address that no
    /// trusted proxy has. What stands before it in the header, the caller may have made up.
    pub(crate) fn caller<'a>(&self, peer: IpAddr, hops: impl DoubleEndedIterator<Item = &'a str>) -> IpAddr {
        let mut caller = peer.to_canonical();
        for hop in hops.rev() {
            let Some(before) = read_hop(hop).filter(|_| self.contain(caller)) else { break };
            caller = before;
        }
        caller
    }
}

/// A network, or an address as a network of its own.
fn read_network(text: &str) -> Option<IpNet> {
    let network: IpNet =
        text.parse().ok().or_else(|| text.parse().ok().map(|address: IpAddr| address.to_canonical().into()))?;
    let is_narrow = match network {
        IpNet::V4(network) => network.prefix_len() >= 8,
        // Addresses of IPv4 are looked for as such.
        IpNet::V6(network) => network.prefix_len() >= 7 && network.network().to_ipv4_mapped().is_none(),
    };
    (is_narrow && !network.network().is_unspecified()).then_some(network)
}

/// An address as proxies write it: bare, with a port behind it, or in brackets.
pub(crate) fn read_hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}
