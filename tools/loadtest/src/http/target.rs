use std::fmt::Write as _;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::net::{TcpSocket, TcpStream};

use crate::failure::LoadFailure;

/// The most addresses of this machine for connections. A system has about 28,000 ports for connections from one address
/// to one server.
const SOURCES: u32 = 64;
/// The start of the addresses of other clients: 127.0.0.101.
const ELSEWHERE: u32 = 100;

/// A server, or several instances of it.
#[derive(Clone, Debug)]
pub struct Target {
    addresses: Vec<SocketAddr>,
    host: String,
    base: String,
    /// The address of the last connection, as its distance from 127.0.0.1.
    source: Arc<AtomicU32>,
}

impl Target {
    /// Reads the addresses of several instances. Connections alternate between them by number. All requests name the
    /// host of the first, as behind a load balancer.
    ///
    /// # Errors
    /// Fails if an address is invalid, a host is unknown, or the servers differ: a request is written before its server
    /// is chosen.
    pub async fn find_all(urls: &[String]) -> Result<Self, LoadFailure> {
        let (first, others) = urls.split_first().ok_or_else(|| LoadFailure::Address("nothing".to_owned()))?;
        let mut all = Self::find(first).await?;
        for url in others {
            let other = Self::find(url).await?;
            if other.base != all.base {
                return Err(LoadFailure::Settings(format!("{first} and {url} must have the same path")));
            }
            all.addresses.extend(other.addresses);
        }
        Ok(all)
    }

    /// Reads an address like `http://127.0.0.1:8080/plenum`, and looks its host up.
    ///
    /// # Errors
    /// Fails when the address is invalid, or the host is unknown.
    pub async fn find(url: &str) -> Result<Self, LoadFailure> {
        let wrong = || LoadFailure::Address(url.to_owned());
        let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
        let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        if host.is_empty() {
            return Err(wrong());
        }
        let with_port = if has_port(host) { host.to_owned() } else { format!("{host}:80") };
        let mut found = tokio::net::lookup_host(&with_port).await.map_err(|_| wrong())?;
        let address = found.next().ok_or_else(wrong)?;
        let base = path.trim_end_matches('/').to_owned();
        Ok(Self { addresses: vec![address], host: host.to_owned(), base, source: Arc::default() })
    }

    /// The address without its path.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The same server, with connections from another address of this machine, if it is on a loopback network.
    #[must_use]
    pub fn from_elsewhere(&self) -> Self {
        Self { source: Arc::new(AtomicU32::new(ELSEWHERE)), ..self.clone() }
    }

    /// Opens the connection with this number, which determines the instance. When an address of this machine has no
    /// port left, connections use the next address of the loopback network.
    ///
    /// # Errors
    /// Fails when the server does not accept the connection, or this machine has no port or file left.
    pub async fn connect(&self, number: usize) -> io::Result<TcpStream> {
        self.connect_with(number, None).await
    }

    /// The same, with a receive buffer of this many bytes.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub async fn connect_with(&self, number: usize, receive_buffer: Option<u32>) -> io::Result<TcpStream> {
        let address = self.address_for(number);
        loop {
            let source = self.source.load(Ordering::Relaxed);
            match connect_from(source_of(source, address), address, receive_buffer).await {
                Err(error) if is_used_up(&error) && self.go_on_from(source, address) => {}
                connected => return connected,
            }
        }
    }

    /// Moves to the next address when this one has no port left. Returns whether there is one. Several tasks may notice
    /// at once.
    fn go_on_from(&self, source: u32, address: SocketAddr) -> bool {
        let is_possible = is_on_loopback(address) && source + 1 < SOURCES;
        if is_possible {
            let _ = self.source.compare_exchange(source, source + 1, Ordering::Relaxed, Ordering::Relaxed);
        }
        is_possible
    }

    fn address_for(&self, number: usize) -> SocketAddr {
        self.addresses[number % self.addresses.len()]
    }

    /// A request below the base path.
    pub fn request(&self, method: &str, path: &str) -> Request {
        self.request_at(method, &format!("{}{path}", self.base))
    }

    /// A request at exactly this path.
    pub fn request_at(&self, method: &str, path: &str) -> Request {
        Request { head: format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.host), body: None }
    }
}

async fn connect_from(
    source: Option<IpAddr>,
    address: SocketAddr,
    receive_buffer: Option<u32>,
) -> io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_nodelay(true)?;
    if let Some(size) = receive_buffer {
        socket.set_recv_buffer_size(size)?;
    }
    if let Some(source) = source {
        socket.bind(SocketAddr::new(source, 0))?;
    }
    socket.connect(address).await
}

/// The system chooses the first address by itself.
fn source_of(source: u32, address: SocketAddr) -> Option<IpAddr> {
    let is_chosen = source > 0 && is_on_loopback(address);
    is_chosen.then(|| IpAddr::V4(Ipv4Addr::from(u32::from(Ipv4Addr::LOCALHOST) + source)))
}

fn is_on_loopback(address: SocketAddr) -> bool {
    address.is_ipv4() && address.ip().is_loopback()
}

/// Without a bound address, connecting fails for lack of a port. With one, binding fails.
fn is_used_up(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AddrNotAvailable | io::ErrorKind::AddrInUse)
}

fn has_port(host: &str) -> bool {
    host.rsplit_once(':')
        .is_some_and(|(before, port)| port.parse::<u16>().is_ok() && (!before.contains(':') || before.ends_with(']')))
}

/// A request under construction.
#[derive(Clone, Debug)]
pub struct Request {
    head: String,
    body: Option<String>,
}

impl Request {
    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        // Writing to a string never fails.
        let _ = write!(self.head, "{name}: {value}\r\n");
        self
    }

    /// Adds this access token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Adds a JSON body.
    #[must_use]
    pub fn json(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", "application/json")
    }

    /// The bytes of the request.
    pub fn bytes(self) -> Vec<u8> {
        let body = self.body.unwrap_or_default();
        format!("{}accept: application/json\r\ncontent-length: {}\r\n\r\n{body}", self.head, body.len()).into_bytes()
    }

    /// The bytes of a request for an event stream.
    pub fn bytes_of_stream(self) -> Vec<u8> {
        format!("{}accept: text/event-stream\r\n\r\n", self.head).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_has_a_host_and_optionally_port_and_path() {
        let target = Target::find("http://127.0.0.1:8080/plenum/").await.unwrap();
        assert_eq!((target.address_for(0).to_string().as_str(), target.base()), ("127.0.0.1:8080", "/plenum"));
        let target = Target::find("http://127.0.0.1").await.unwrap();
        assert_eq!((target.address_for(7).port(), target.base()), (80, ""));
        assert_eq!(Target::find("http://[::1]:9").await.unwrap().address_for(0).to_string(), "[::1]:9");
        for wrong in ["https://127.0.0.1", "127.0.0.1:80", "http://"] {
            assert!(matches!(Target::find(wrong).await, Err(LoadFailure::Address(_))), "{wrong}");
        }
    }

    #[tokio::test]
    async fn instances_get_connections_in_turn_and_have_one_path() {
        let urls = |urls: [&str; 2]| urls.map(str::to_owned);
        let target = Target::find_all(&urls(["http://127.0.0.1:1/a", "http://127.0.0.1:2/a/"])).await.unwrap();
        assert_eq!([0, 1, 2, 3].map(|number| target.address_for(number).port()), [1, 2, 1, 2]);
        let differs = Target::find_all(&urls(["http://127.0.0.1:1/a", "http://127.0.0.1:2"])).await;
        assert!(matches!(differs, Err(LoadFailure::Settings(_))), "{differs:?}");
        assert!(matches!(Target::find_all(&[]).await, Err(LoadFailure::Address(_))));
    }

    #[tokio::test]
    async fn connections_use_the_next_address_when_one_has_no_port_left() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = Target::find(&format!("http://{address}")).await.unwrap();
        let from = |stream: TcpStream| stream.local_addr().unwrap().ip();
        assert_eq!(from(target.connect(60_000).await.unwrap()), IpAddr::from([127, 0, 0, 1]));
        // Two tasks notice at once that the first address has no port left, and move on once.
        assert!(target.go_on_from(0, address) && target.go_on_from(0, address));
        assert_eq!(from(target.connect(0).await.unwrap()), IpAddr::from([127, 0, 0, 2]));
        assert!(!target.go_on_from(SOURCES - 1, address));
        assert_eq!(from(target.from_elsewhere().connect(0).await.unwrap()), IpAddr::from([127, 0, 0, 101]));
        let elsewhere = "[::1]:9".parse().unwrap();
        assert!(!target.go_on_from(0, elsewhere) && source_of(1, elsewhere).is_none());
        assert!(is_used_up(&io::ErrorKind::AddrNotAvailable.into()) && is_used_up(&io::ErrorKind::AddrInUse.into()));
        assert!(!is_used_up(&io::ErrorKind::ConnectionRefused.into()));
    }

    #[tokio::test]
    async fn a_request_names_its_host_and_its_length() {
        let target = Target::find("http://127.0.0.1:8080/plenum").await.unwrap();
        let bytes = target.request("POST", "/api/x").bearer("t").json("{\"ä\":1}").bytes();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "POST /plenum/api/x HTTP/1.1\r\nhost: 127.0.0.1:8080\r\nauthorization: Bearer t\r\n\
             content-type: application/json\r\naccept: application/json\r\ncontent-length: 8\r\n\r\n{\"ä\":1}"
        );
    }
}
