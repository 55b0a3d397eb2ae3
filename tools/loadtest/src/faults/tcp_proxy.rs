use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::socket::{Address, Listener, Socket};

/// What happens to what passes on a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It passes.
    Forward,
    /// Each piece is held back for so long.
    Delay(Duration),
    /// Nothing passes until it is free again. Connections stay.
    Stall,
    /// What is asked passes, and the answers are thrown away.
    DropResponses,
}

/// A way on which others reach somebody, and which can be disturbed. Its own address stays, wherever it leads.
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
    /// Connections of another number than this one are cut.
    generation: u64,
}

impl Proxy {
    /// One that begins at a free port of this machine, and leads nowhere yet.
    pub(super) async fn on_tcp_port() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = Address::Tcp(listener.local_addr()?);
        Ok(Self::from(Listener::Tcp(listener), address))
    }

    /// One that begins at a socket that is made here.
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
                        drop(tokio::spawn(forward_connection(inbound, target_of(&destination), states.subscribe())))
                    }
                    // Out of file descriptors for a moment; whoever came comes again.
                    Err(_) => sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Self { address, target, state, listening }
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// From now on it leads there. Connections that there are stay as they are.
    pub(super) fn forward_to(&self, target: Address) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
    }

    pub(super) fn set_mode(&self, mode: Mode) {
        self.state.send_modify(|state| state.mode = mode);
    }

    /// Cuts every connection that there is.
    pub(super) fn cut_connections(&self) {
        self.state.send_modify(|state| state.generation += 1);
    }

    /// Cuts every connection that there is, and is free for the next ones. Nothing passes on the old ones any more.
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

/// Passes on what both ends say, until one of them goes or the connection is cut.
async fn forward_connection(inbound: Socket, target: Option<Address>, mut states: watch::Receiver<State>) {
    let generation = states.borrow_and_update().generation;
    let connected = async {
        match target {
            Some(target) => Socket::connect(&target).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    };
    let Ok(outbound) = connected.await else {
        // As somebody who is not there.
        inbound.close_with_reset();
        return;
    };
    let is_cut = states.clone();
    let cut = async {
        let mut is_cut = is_cut;
        // An error says that the way itself is gone.
        let _ = is_cut.wait_for(|state| state.generation != generation).await;
    };
    tokio::select! {
        () = cut => {
            inbound.close_with_reset();
            outbound.close_with_reset();
        }
        () = forward(&inbound, &outbound, states.clone(), generation, false) => {}
        () = forward(&outbound, &inbound, states.clone(), generation, true) => {}
    }
}

/// Passes on what one end says. Returns when it says nothing any more, or may not.
async fn forward(from: &Socket, to: &Socket, mut states: watch::Receiver<State>, generation: u64, is_response: bool) {
    while let Ok(bytes) = from.read().await {
        let state = states.wait_for(|state| state.mode != Mode::Stall || state.generation != generation).await;
        let Ok(state) = state.map(|state| *state) else { return };
        if bytes.is_empty() || state.generation != generation {
            return;
        }
        match state.mode {
            Mode::DropResponses if is_response => continue,
            Mode::Delay(delay) => sleep(delay).await,
            _ => {}
        }
        if to.write(&bytes).await.is_err() {
            return;
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

    /// Somebody who repeats every byte, and tells which they got.
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
    async fn a_free_way_passes_everything_on_and_a_stalled_one_nothing_until_it_is_free_again() {
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
    async fn a_slow_way_holds_each_piece_back() {
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
    async fn what_is_not_answered_has_arrived_all_the_same() {
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
        assert!(timeout(TIMEOUT, stream.read_u8()).await.unwrap().is_err(), "half an answer is of no use");
        assert!(is_echoed(&mut connect(&proxy).await, 3).await);
    }

    #[tokio::test]
    async fn a_cut_ends_the_connections_that_there_are_and_lets_new_ones_in() {
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
    async fn a_way_that_leads_nowhere_takes_nobody_and_one_that_leads_elsewhere_takes_the_next() {
        let proxy = Proxy::on_tcp_port().await.unwrap();
        assert!(timeout(TIMEOUT, connect(&proxy).await.read_u8()).await.unwrap().is_err());
        let (target, _got) = echo().await;
        proxy.forward_to(target);
        assert!(is_echoed(&mut connect(&proxy).await, 1).await);
    }

    #[tokio::test]
    async fn a_way_can_begin_at_a_socket_of_this_machine() {
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
