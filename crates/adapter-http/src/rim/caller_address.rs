use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use ipnet::IpNet;

use crate::rim::ApiError;
use crate::settings::HttpSettings;

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
    pub(super) fn caller<'a>(&self, peer: IpAddr, hops: impl DoubleEndedIterator<Item = &'a str>) -> IpAddr {
        let mut caller = peer.to_canonical();
        for hop in hops.rev() {
            let Some(before) = read_hop(hop).filter(|_| self.contain(caller)) else { break };
            caller = before;
        }
        caller
    }
}

/// What is counted as one address: an IPv6 subscriber has a whole /64 to choose addresses from.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
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
pub(super) fn read_hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// Where a call comes from: the peer's address or, behind trusted proxies, the one that they name.
pub(crate) struct CallerAddress(pub(crate) IpAddr);

impl FromRequest for CallerAddress {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // Who has no address at all shares one with all who have none.
        let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
        let proxies = request.app_data::<Data<HttpSettings>>().map(|settings| settings.trusted_proxies.clone());
        let lines: Vec<&HeaderValue> = request.headers().get_all("x-forwarded-for").collect();
        // A line that is no text is a hop that cannot be read.
        let hops = lines.iter().flat_map(|line| line.to_str().unwrap_or_default().split(','));
        ready(Ok(Self(proxies.unwrap_or_default().caller(peer, hops))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn proxies(text: &str) -> TrustedProxies {
        TrustedProxies::parse(text).unwrap()
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn caller(trusted: &str, peer: &str, forwarded: &str) -> String {
        let trusted = if trusted.is_empty() { TrustedProxies::default() } else { proxies(trusted) };
        trusted.caller(address(peer), forwarded.split(',')).to_string()
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        for text in ["10.0.0.1", "10.0.0.0/8", "10.0.0.1, 192.168.0.0/16,2001:db8::/32, ::1", "::ffff:10.0.0.1"] {
            assert!(TrustedProxies::parse(text).is_some(), "{text}");
        }
        for text in ["", "proxy", "10.0.0.1,", "10.0.0.0/33", "10.0.0.1:80", "10.0.0.1 10.0.0.2", "*"] {
            assert_eq!(TrustedProxies::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_addresses_of_one_subscriber_are_one() {
        let network = |text: &str| network_of(address(text)).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2::9"));
        assert_ne!(network("2001:db8:1:2::9"), network("2001:db8:1:3::9"));
        assert_eq!((network("192.0.2.7").as_str(), network("::ffff:192.0.2.7").as_str()), ("192.0.2.7", "192.0.2.7"));
    }

    #[test]
    fn nobody_is_believed_who_is_not_trusted() {
        assert_eq!(caller("", "192.0.2.1", "198.51.100.1"), "192.0.2.1");
        assert_eq!(caller("10.0.0.0/8", "192.0.2.1", "198.51.100.1"), "192.0.2.1");
    }

    #[test]
    fn a_trusted_proxy_says_where_a_call_comes_from() {
        assert_eq!(caller("10.0.0.1", "10.0.0.1", "198.51.100.1"), "198.51.100.1");
        assert_eq!(caller("10.0.0.1", "::ffff:10.0.0.1", "198.51.100.1"), "198.51.100.1");
        assert_eq!(caller("::1", "::1", "2001:db8::7"), "2001:db8::7");
        assert_eq!(caller("::ffff:10.0.0.1", "10.0.0.1", "198.51.100.1"), "198.51.100.1");
    }

    #[test]
    fn what_the_caller_made_up_is_not_believed() {
        // The caller wrote the first two; the proxies added where they got the call from.
        let forwarded = "203.0.113.5, 10.9.9.9, 198.51.100.1, 10.0.0.2";
        assert_eq!(caller("10.0.0.0/8", "10.0.0.1", forwarded), "198.51.100.1");
        assert_eq!(caller("10.0.0.1", "10.0.0.1", forwarded), "10.0.0.2");
    }

    #[test]
    fn a_call_from_a_proxy_itself_has_its_address() {
        assert_eq!(caller("10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
    }

    #[test]
    fn what_cannot_be_read_ends_the_search() {
        for forwarded in ["", "unknown", "198.51.100.1, unknown", "198.51.100.1, "] {
            assert_eq!(caller("10.0.0.0/8", "10.0.0.1", forwarded), "10.0.0.1", "{forwarded}");
        }
    }

    #[test]
    fn a_hop_may_have_a_port_or_brackets() {
        for (hop, read) in [
            ("198.51.100.1:4711", "198.51.100.1"),
            ("[2001:db8::7]:4711", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("::ffff:198.51.100.1", "198.51.100.1"),
        ] {
            assert_eq!(caller("10.0.0.1", "10.0.0.1", hop), read);
        }
    }

    #[actix_web::test]
    async fn the_header_may_come_in_several_lines() {
        let settings = HttpSettings { trusted_proxies: proxies("10.0.0.0/8"), ..HttpSettings::default() };
        let extract = async |peer: &str, lines: &[&str]| {
            let request = TestRequest::default()
                .app_data(Data::new(settings.clone()))
                .peer_addr(SocketAddr::new(address(peer), 4711));
            let request = lines.iter().fold(request, |request, line| request.append_header(("X-Forwarded-For", *line)));
            CallerAddress::extract(&request.to_http_request()).await.unwrap().0.to_string()
        };
        let lines = ["203.0.113.5", "198.51.100.1, 10.0.0.3", "10.0.0.2"];
        assert_eq!(extract("10.0.0.1", &lines).await, "198.51.100.1");
        assert_eq!(extract("192.0.2.1", &lines).await, "192.0.2.1");
        assert_eq!(extract("10.0.0.1", &[]).await, "10.0.0.1");
    }
}
