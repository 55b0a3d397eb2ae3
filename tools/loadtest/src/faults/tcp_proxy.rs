use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::socket::{Address, Listener, Socket};

/// The handling of data by the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Forwards it.
    Forward,
    /// Delays each piece of data by this time.
    Delay(Duration),
    /// Forwards nothing until the mode changes. Connections stay open.
    Stall,
    /// Forwards requests, and drops responses.
    DropResponses,
}

/// A proxy that can inject faults. Its address stays the same when its destination changes.
#[derive(Debug)]
pub(super) struct Proxy {
    address: Address,
    target: Arc<Mutex<Option<Address>>>,
    state: watch::Sender<State>,
    listening: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    mode: Mode,
    /// Connections with another generation are cut.
    generation: u64,
}

impl Proxy {
    /// Creates a proxy on a free TCP port, without a destination.
    pub(super) async fn on_tcp_port() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = Address::Tcp(listener.local_addr()?);
        Ok(Self::from(Listener::Tcp(listener), address))
    }

    /// Creates a proxy on a new Unix socket.
    pub(super) fn on_unix_socket(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        Ok(Self::from(Listener::Unix(listener), Address::Unix(path.to_owned())))
    }

    fn from(listener: Listener, address: Address) -> Self {
        let (state, _) = watch::channel(State { mode: Mode::Forward, generation: 0 });
        let target = Arc::new(Mutex::new(None));
        let (destination, states) = (Arc::clone(&target), state.clone());
        let listening = tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok(inbound) => {
                        drop(tokio::spawn(forward_connection(inbound, target_of(&destination), states.subscribe())));
                    }
                    // Out of file descriptors for a moment. The client connects again.
                    Err(_) => sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Self { address, target, state, listening }
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// Sets the destination of new connections. Existing connections stay as they are.
    pub(super) fn forward_to(&self, target: Address) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
    }

    pub(super) fn set_mode(&self, mode: Mode) {
        self.state.send_modify(|state| state.mode = mode);
    }

    /// Cuts all connections, and refuses new ones until there is a destination again.
    pub(super) fn refuse(&self) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.cut_connections();
    }

    /// Cuts all connections.
    pub(super) fn cut_connections(&self) {
        self.state.send_modify(|state| state.generation += 1);
    }

    /// Cuts all connections, and forwards the next ones. No more data passes on the old ones.
    pub(super) fn reset(&self) {
        self.state.send_modify(|state| *state = State { mode: Mode::Forward, generation: state.generation + 1 });
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
        self.cut_connections();
    }
}

fn target_of(target: &Mutex<Option<Address>>) -> Option<Address> {
    target.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Forwards data in both directions, until one end closes or the connection is cut.
async fn forward_connection(inbound: Socket, target: Option<Address>, mut states: watch::Receiver<State>) {
    let generation = states.borrow_and_update().generation;
    let connected = async {
        match target {
            Some(target) => Socket::connect(&target).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    };
    let Ok(outbound) = connected.await else {
        // Like a server that does not run.
        inbound.close_with_reset();
        return;
    };
    let requests = Direction { from: &inbound, to: &outbound, generation, is_response: false };
    let responses = Direction { from: &outbound, to: &inbound, generation, is_response: true };
    let is_cut = states.clone();
    let cut = async {
        let mut is_cut = is_cut;
        // An error means that the proxy was dropped.
        let _ = is_cut.wait_for(|state| state.generation != generation).await;
    };
    tokio::select! {
        () = cut => {
            inbound.close_with_reset();
            outbound.close_with_reset();
        }
        () = requests.forward(states.clone()) => {}
        () = responses.forward(states.clone()) => {}
    }
}

/// One direction of a connection.
struct Direction<'a> {
    from: &'a Socket,
    to: &'a Socket,
    /// The generation of the connection.
    generation: u64,
    is_response: bool,
}

impl Direction<'_> {
    /// Forwards data. Returns when the sender closes or the connection is cut.
    async fn forward(&self, mut states: watch::Receiver<State>) {
        while let Ok(bytes) = self.from.read().await {
            let is_let_through = |state: &State| state.mode != Mode::Stall || state.generation != self.generation;
            let Ok(state) = states.wait_for(is_let_through).await.map(|state| *state) else { return };
            if bytes.is_empty() || state.generation != self.generation {
                return;
            }
            match state.mode {
                Mode::DropResponses if self.is_response => continue,
                Mode::Delay(delay) => sleep(delay).await,
                _ => {}
            }
            if self.to.write(&bytes).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
    use tokio::time::{Instant, timeout};

    use super::*;

    const MOMENT: Duration = Duration::from_millis(200);
    const TIMEOUT: Duration = Duration::from_secs(30);

    /// A server that echoes every byte, and reports the bytes that it received.
    async fn echo() -> (Address, UnboundedReceiver<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap());
        let (sender, receiver) = unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let sender = sender.clone();
                tokio::spawn(async move {
                    while let Ok(byte) = stream.read_u8().await {
                        let _ = sender.send(byte);
                        if stream.write_u8(byte).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        (address, receiver)
    }

    async fn connect(proxy: &Proxy) -> TcpStream {
        let Address::Tcp(address) = proxy.address() else { panic!("no port") };
        TcpStream::connect(address).await.unwrap()
    }

    async fn is_echoed(stream: &mut TcpStream, byte: u8) -> bool {
        stream.write_u8(byte).await.unwrap();
        timeout(TIMEOUT, stream.read_u8()).await.unwrap().unwrap() == byte
    }

    #[tokio::test]
    async fn a_proxy_forwards_everything_and_when_stalled_nothing_until_it_forwards_again() {
        let (target, mut got) = echo().await;
        let proxy = Proxy::on_tcp_port().await.unwrap();
        proxy.forward_to(target);
        let mut stream = connect(&proxy).await;
        assert!(is_echoed(&mut stream, 1).await);
        proxy.set_mode(Mode::Stall);
        stream.write_u8(2).await.unwrap();
        assert!(timeout(MOMENT, stream.read_u8()).await.is_err());
        proxy.set_mode(Mode::Forward);
        assert_eq!(timeout(TIMEOUT, stream.read_u8()).await.unwrap().unwrap(), 2);
        assert_eq!((got.recv().await, got.recv().await), (Some(1), Some(2)));
    }

    #[tokio::test]
    async fn a_delaying_proxy_delays_each_piece_of_data() {
        let (target, _got) = echo().await;
        let proxy = Proxy::on_tcp_port().await.unwrap();
        proxy.forward_to(target);
        let mut stream = connect(&proxy).await;
        proxy.set_mode(Mode::Delay(MOMENT));
        let begun = Instant::now();
        assert!(is_echoed(&mut stream, 1).await);
        assert!(begun.elapsed() >= MOMENT * 2, "there and back");
    }

    #[tokio::test]
    async fn requests_arrive_even_if_their_responses_are_dropped() {
        let (target, mut got) = echo().await;
        let proxy = Proxy::on_tcp_port().await.unwrap();
        proxy.forward_to(target);
        let mut stream = connect(&proxy).await;
        assert!(is_echoed(&mut stream, 1).await);
        proxy.set_mode(Mode::DropResponses);
        stream.write_u8(2).await.unwrap();
        assert_eq!((got.recv().await, got.recv().await), (Some(1), Some(2)));
        assert!(timeout(MOMENT, stream.read_u8()).await.is_err());
        proxy.reset();
        assert!(timeout(TIMEOUT, stream.read_u8()).await.unwrap().is_err(), "an incomplete response is useless");
        assert!(is_echoed(&mut connect(&proxy).await, 3).await);
    }

    #[tokio::test]
    async fn a_cut_closes_existing_connections_and_accepts_new_ones() {
        let (target, _got) = echo().await;
        let proxy = Proxy::on_tcp_port().await.unwrap();
        proxy.forward_to(target);
        let mut stream = connect(&proxy).await;
        assert!(is_echoed(&mut stream, 1).await);
        proxy.cut_connections();
        let ended = timeout(TIMEOUT, stream.read_u8()).await.unwrap();
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert!(is_echoed(&mut connect(&proxy).await, 2).await);
    }

    #[tokio::test]
    async fn a_proxy_without_a_destination_closes_connections_and_forwards_them_once_it_has_one() {
        let proxy = Proxy::on_tcp_port().await.unwrap();
        assert!(timeout(TIMEOUT, connect(&proxy).await.read_u8()).await.unwrap().is_err());
        let (target, _got) = echo().await;
        proxy.forward_to(target);
        assert!(is_echoed(&mut connect(&proxy).await, 1).await);
    }

    #[tokio::test]
    async fn a_proxy_can_listen_on_a_unix_socket() {
        let folder = tempfile::tempdir().unwrap();
        let (target, _got) = echo().await;
        let proxy = Proxy::on_unix_socket(&folder.path().join("s")).unwrap();
        proxy.forward_to(target);
        let inbound = Socket::connect(proxy.address()).await.unwrap();
        inbound.write(&[7]).await.unwrap();
        assert_eq!(timeout(TIMEOUT, inbound.read()).await.unwrap().unwrap(), [7]);
        proxy.cut_connections();
        assert!(timeout(TIMEOUT, inbound.read()).await.unwrap().is_ok_and(|bytes| bytes.is_empty()));
    }
}
