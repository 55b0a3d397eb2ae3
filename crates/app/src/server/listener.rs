use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use nix::errno::Errno;
use socket2::SockRef;

use crate::config::tls::RedirectListen;

/// The number of connections that may wait to be accepted. The system may allow fewer.
///
/// When all phones of a hall connect at once, the system drops connections beyond this number without a response, and the
/// phones retry after 1, 2 and 4 seconds. The standard library asks for 128.
const BACKLOG: i32 = 4096;

/// The time after which a connection ends if the other side acknowledges nothing, such as a phone that left the network.
/// The default of the system is about 15 minutes, in which the connection would count against the quota.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(30);

/// Listens on this address, with a long queue.
///
/// # Errors
/// Fails when the address does not belong to this machine, is in use, or is not permitted.
pub(crate) fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = bind(address)?;
    let socket = SockRef::from(&listener);
    // Connections inherit it from the listener.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_TIMEOUT))?;
    socket.listen(BACKLOG)?;
    Ok(listener)
}

/// Binds to this address. All addresses of a machine without IPv6 are those of IPv4.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    match TcpListener::bind(address) {
        Err(error) if error.raw_os_error() == Some(Errno::EAFNOSUPPORT as i32) && address.ip().is_unspecified() => {
            TcpListener::bind((Ipv4Addr::UNSPECIFIED, address.port()))
        }
        bound => bound,
    }
}

/// The listener that leads from plain http to the encrypted address, if there is one.
///
/// # Errors
/// The address of `PLENUM_REDIRECT_LISTEN` cannot be used. Port 80 without that variable may be taken by another program, or be
/// forbidden.
pub(crate) fn listen_for_redirects(redirect: RedirectListen) -> Result<Option<TcpListener>, String> {
    match redirect {
        RedirectListen::Off => Ok(None),
        RedirectListen::On(address) => {
            let refused = |error| {
                format!("cannot listen on {address}: {error}. Set PLENUM_REDIRECT_LISTEN to another address, or to off.")
            };
            listen_on(address).map(Some).map_err(refused)
        }
        RedirectListen::IfFree(address) => Ok(listen_on(address)
            .inspect_err(|error| {
                tracing::warn!(%address, %error, "http:// is not redirected to https://, because the port cannot be used");
            })
            .ok()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    /// The longest queue that the system allows.
    fn longest_queue() -> usize {
        let text = fs::read_to_string("/proc/sys/net/core/somaxconn").ok();
        text.and_then(|number| number.trim().parse().ok()).unwrap_or(128)
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_listener_closes_connections_of_clients_that_are_gone() {
        let listener = listen_on("127.0.0.1:0".parse().unwrap()).unwrap();
        let _caller = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        assert_eq!(SockRef::from(&accepted).tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED_TIMEOUT));
    }

    #[test]
    fn hundreds_of_connections_can_wait_to_be_accepted() {
        let listener = listen_on("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let many = longest_queue().min(600);
        // Connections beyond the queue would wait for ever.
        let limit = Duration::from_secs(10);
        let waiting: Vec<_> = (0..many).map(|_| TcpStream::connect_timeout(&address, limit)).collect();
        assert!(waiting.iter().all(Result::is_ok), "{many} connections");
    }
}
