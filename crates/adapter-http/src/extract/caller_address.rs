use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};

use crate::config::HttpSettings;
use crate::error::ApiError;

/// The address that counts for limits. An IPv6 subscriber can choose from a /64, so its whole network is one address.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// The address of the caller: the peer's or, behind trusted proxies, the one that they report.
pub(crate) struct CallerAddress(pub(crate) IpAddr);

impl FromRequest for CallerAddress {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // All callers without an address share one.
        let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
        let proxies = request.app_data::<Data<HttpSettings>>().map(|settings| settings.trusted_proxies.clone());
        let lines: Vec<&HeaderValue> = request.headers().get_all("x-forwarded-for").collect();
        // A line that is not text is an unreadable hop.
        let hops = lines.iter().flat_map(|line| line.to_str().unwrap_or_default().split(','));
        ready(Ok(Self(proxies.unwrap_or_default().caller(peer, hops))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use std::net::SocketAddr;

    use super::*;
    use crate::config::TrustedProxies;

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
    fn the_addresses_of_one_subscriber_count_as_one() {
        let network = |text: &str| network_of(address(text)).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2::9"));
        assert_ne!(network("2001:db8:1:2::9"), network("2001:db8:1:3::9"));
        assert_eq!((network("192.0.2.7").as_str(), network("::ffff:192.0.2.7").as_str()), ("192.0.2.7", "192.0.2.7"));
    }

    #[test]
    fn headers_of_untrusted_peers_are_ignored() {
        assert_eq!(caller("", "192.0.2.1", "198.51.100.1"), "192.0.2.1");
        assert_eq!(caller("10.0.0.0/8", "192.0.2.1", "198.51.100.1"), "192.0.2.1");
    }

    #[test]
    fn a_trusted_proxy_reports_the_address_of_a_caller() {
        assert_eq!(caller("10.0.0.1", "10.0.0.1", "198.51.100.1"), "198.51.100.1");
        assert_eq!(caller("10.0.0.1", "::ffff:10.0.0.1", "198.51.100.1"), "198.51.100.1");
        assert_eq!(caller("::1", "::1", "2001:db8::7"), "2001:db8::7");
        assert_eq!(caller("::ffff:10.0.0.1", "10.0.0.1", "198.51.100.1"), "198.51.100.1");
    }

    #[test]
    fn forged_hops_are_ignored() {
        // The first two are forged by the caller. The proxies added the others.
        let forwarded = "203.0.113.5, 10.9.9.9, 198.51.100.1, 10.0.0.2";
        assert_eq!(caller("10.0.0.0/8", "10.0.0.1", forwarded), "198.51.100.1");
        assert_eq!(caller("10.0.0.1", "10.0.0.1", forwarded), "10.0.0.2");
    }

    #[test]
    fn a_request_of_a_proxy_itself_has_the_proxys_address() {
        assert_eq!(caller("10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
    }

    #[test]
    fn an_unreadable_hop_ends_the_search() {
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
    async fn the_header_may_have_several_lines() {
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
