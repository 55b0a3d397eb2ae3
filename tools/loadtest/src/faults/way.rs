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
pub(super) enum Passage {
    /// It passes.
    Free,
    /// Each piece is held back for so long.
    Slow(Duration),
    /// Nothing passes until it is free again. Connections stay.
    Stalled,
    /// What is asked passes, and the answers are thrown away.
    Unanswered,
}

/// A way on which others reach somebody, and which can be disturbed. Its own address stays, wherever it leads.
#[derive(Debug)]
pub(super) struct Way {
    address: Address,
    target: Arc<Mutex<Option<Address>>>,
    order: watch::Sender<Order>,
    listening: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
struct Order {
    passage: Passage,
    /// Connections of another number than this one are cut.
    generation: u64,
}

impl Way {
    /// One that begins at a free port of this machine, and leads nowhere yet.
    pub(super) async fn by_tcp() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = Address::Tcp(listener.local_addr()?);
        Ok(Self::from(Listener::Tcp(listener), address))
    }

    /// One that begins at a socket that is made here.
    pub(super) fn by_socket(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        Ok(Self::from(Listener::Unix(listener), Address::Unix(path.to_owned())))
    }

    fn from(listener: Listener, address: Address) -> Self {
        let (order, _) = watch::channel(Order { passage: Passage::Free, generation: 0 });
        let target = Arc::new(Mutex::new(None));
        let (leads_to, orders) = (Arc::clone(&target), order.clone());
        let listening = tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok(near) => drop(tokio::spawn(join(near, target_of(&leads_to), orders.subscribe()))),
                    // Out of file descriptors for a moment; whoever came comes again.
                    Err(_) => sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Self { address, target, order, listening }
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// From now on it leads there. Connections that there are stay as they are.
    pub(super) fn lead_to(&self, target: Address) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
    }

    pub(super) fn set(&self, passage: Passage) {
        self.order.send_modify(|order| order.passage = passage);
    }

    /// Cuts every connection that there is.
    pub(super) fn cut(&self) {
        self.order.send_modify(|order| order.generation += 1);
    }

    /// Cuts every connection that there is, and is free for the next ones. Nothing passes on the old ones any more.
    pub(super) fn cut_and_free(&self) {
        self.order.send_modify(|order| *order = Order { passage: Passage::Free, generation: order.generation + 1 });
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        self.listening.abort();
        self.cut();
    }
}

fn target_of(target: &Mutex<Option<Address>>) -> Option<Address> {
    target.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Passes on what both ends say, until one of them goes or the connection is cut.
async fn join(near: Socket, target: Option<Address>, mut orders: watch::Receiver<Order>) {
    let generation = orders.borrow_and_update().generation;
    let connected = async {
        match target {
            Some(target) => Socket::connect(&target).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    };
    let Ok(far) = connected.await else {
        // As somebody who is not there.
        near.close_by_cutting();
        return;
    };
    let is_cut = orders.clone();
    let cut = async {
        let mut is_cut = is_cut;
        // An error says that the way itself is gone.
        let _ = is_cut.wait_for(|order| order.generation != generation).await;
    };
    tokio::select! {
        () = cut => {
            near.close_by_cutting();
            far.close_by_cutting();
        }
        () = pump(&near, &far, orders.clone(), generation, false) => {}
        () = pump(&far, &near, orders.clone(), generation, true) => {}
    }
}

/// Passes on what one end says. Returns when it says nothing any more, or may not.
async fn pump(from: &Socket, to: &Socket, mut orders: watch::Receiver<Order>, generation: u64, is_answer: bool) {
    while let Ok(bytes) = from.read().await {
        let order = orders.wait_for(|order| order.passage != Passage::Stalled || order.generation != generation).await;
        let Ok(order) = order.map(|order| *order) else { return };
        if bytes.is_empty() || order.generation != generation {
            return;
        }
        match order.passage {
            Passage::Unanswered if is_answer => continue,
            Passage::Slow(delay) => sleep(delay).await,
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
    const PATIENCE: Duration = Duration::from_secs(30);

    /// Somebody who repeats every byte, and tells which they got.
    async fn echo() -> (Address, UnboundedReceiver<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap());
        let (tell, told) = unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let tell = tell.clone();
                tokio::spawn(async move {
                    while let Ok(byte) = stream.read_u8().await {
                        let _ = tell.send(byte);
                        if stream.write_u8(byte).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        (address, told)
    }

    async fn connect(way: &Way) -> TcpStream {
        let Address::Tcp(address) = way.address() else { panic!("no port") };
        TcpStream::connect(address).await.unwrap()
    }

    async fn is_echoed(stream: &mut TcpStream, byte: u8) -> bool {
        stream.write_u8(byte).await.unwrap();
        timeout(PATIENCE, stream.read_u8()).await.unwrap().unwrap() == byte
    }

    #[tokio::test]
    async fn a_free_way_passes_everything_on_and_a_stalled_one_nothing_until_it_is_free_again() {
        let (target, mut got) = echo().await;
        let way = Way::by_tcp().await.unwrap();
        way.lead_to(target);
        let mut stream = connect(&way).await;
        assert!(is_echoed(&mut stream, 1).await);
        way.set(Passage::Stalled);
        stream.write_u8(2).await.unwrap();
        assert!(timeout(MOMENT, stream.read_u8()).await.is_err());
        way.set(Passage::Free);
        assert_eq!(timeout(PATIENCE, stream.read_u8()).await.unwrap().unwrap(), 2);
        assert_eq!((got.recv().await, got.recv().await), (Some(1), Some(2)));
    }

    #[tokio::test]
    async fn a_slow_way_holds_each_piece_back() {
        let (target, _got) = echo().await;
        let way = Way::by_tcp().await.unwrap();
        way.lead_to(target);
        let mut stream = connect(&way).await;
        way.set(Passage::Slow(MOMENT));
        let begun = Instant::now();
        assert!(is_echoed(&mut stream, 1).await);
        assert!(begun.elapsed() >= MOMENT * 2, "there and back");
    }

    #[tokio::test]
    async fn what_is_not_answered_has_arrived_all_the_same() {
        let (target, mut got) = echo().await;
        let way = Way::by_tcp().await.unwrap();
        way.lead_to(target);
        let mut stream = connect(&way).await;
        assert!(is_echoed(&mut stream, 1).await);
        way.set(Passage::Unanswered);
        stream.write_u8(2).await.unwrap();
        assert_eq!((got.recv().await, got.recv().await), (Some(1), Some(2)));
        assert!(timeout(MOMENT, stream.read_u8()).await.is_err());
        way.cut_and_free();
        assert!(timeout(PATIENCE, stream.read_u8()).await.unwrap().is_err(), "half an answer is of no use");
        assert!(is_echoed(&mut connect(&way).await, 3).await);
    }

    #[tokio::test]
    async fn a_cut_ends_the_connections_that_there_are_and_lets_new_ones_in() {
        let (target, _got) = echo().await;
        let way = Way::by_tcp().await.unwrap();
        way.lead_to(target);
        let mut stream = connect(&way).await;
        assert!(is_echoed(&mut stream, 1).await);
        way.cut();
        let ended = timeout(PATIENCE, stream.read_u8()).await.unwrap();
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert!(is_echoed(&mut connect(&way).await, 2).await);
    }

    #[tokio::test]
    async fn a_way_that_leads_nowhere_takes_nobody_and_one_that_leads_elsewhere_takes_the_next() {
        let way = Way::by_tcp().await.unwrap();
        assert!(timeout(PATIENCE, connect(&way).await.read_u8()).await.unwrap().is_err());
        let (target, _got) = echo().await;
        way.lead_to(target);
        assert!(is_echoed(&mut connect(&way).await, 1).await);
    }

    #[tokio::test]
    async fn a_way_can_begin_at_a_socket_of_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let (target, _got) = echo().await;
        let way = Way::by_socket(&folder.path().join("s")).unwrap();
        way.lead_to(target);
        let near = Socket::connect(way.address()).await.unwrap();
        near.write(&[7]).await.unwrap();
        assert_eq!(timeout(PATIENCE, near.read()).await.unwrap().unwrap(), [7]);
        way.cut();
        assert!(timeout(PATIENCE, near.read()).await.unwrap().is_ok_and(|bytes| bytes.is_empty()));
    }
}
