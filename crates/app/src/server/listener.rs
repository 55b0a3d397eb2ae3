use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::SockRef;

/// So many connections may wait until they are taken; the system may allow fewer. When a hall's phones come in the same
/// moment, whoever finds no place is not even refused: their phone tries again after a second, then after two, then four.
/// The standard library asks for 128.
const WAITING: i32 = 4096;

/// For so long a connection is kept whose other end takes nothing, as that of a phone that left the network. Without it
/// the system tries for a quarter of an hour, and a place is taken meanwhile.
#[cfg(target_os = "linux")]
const GONE_AFTER: std::time::Duration = std::time::Duration::from_secs(30);

/// Listens on this address, for many who come at once.
///
/// # Errors
/// Fails when the address is not ours, is taken, or may not be used.
pub(crate) fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    let socket = SockRef::from(&listener);
    // Connections have it from the listener.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(GONE_AFTER))?;
    socket.listen(WAITING)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    /// How many the system allows to wait.
    fn allowed() -> usize {
        let told = fs::read_to_string("/proc/sys/net/core/somaxconn").ok();
        told.and_then(|number| number.trim().parse().ok()).unwrap_or(128)
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_listener_closes_connections_of_clients_that_are_gone() {
        let listener = listen_on("127.0.0.1:0".parse().unwrap()).unwrap();
        let _caller = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (taken, _) = listener.accept().unwrap();
        assert_eq!(SockRef::from(&taken).tcp_user_timeout().unwrap(), Some(GONE_AFTER));
    }

    #[test]
    fn hundreds_of_connections_can_wait_to_be_accepted() {
        let listener = listen_on("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let many = allowed().min(600);
        // Whoever finds no place waits for ever.
        let timeouts = Duration::from_secs(10);
        let waiting: Vec<_> = (0..many).map(|_| TcpStream::connect_timeout(&address, timeouts)).collect();
        assert!(waiting.iter().all(Result::is_ok), "{many} connections");
    }
}
