//! Two database servers: a primary, and a standby that confirms each of its commits.

use std::path::{Path, PathBuf};

use plenum_embedded_postgres::testkit::StoppableServer;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep};

use super::database::Session;
use super::inject::END_SESSIONS;
use super::installation::{SOCKET, cannot};
use super::kind::Kind;
use super::plan::Fault;
use super::socket::Address;
use super::tcp_proxy::{Mode, Proxy};
use crate::failure::LoadFailure;
use crate::rng::Rng;

/// Name under which the standby confirms commits.
const STANDBY: &str = "standby";

/// A database server, and the proxy on the product's way to it.
#[derive(Debug)]
struct Member {
    server: StoppableServer,
    proxy: Proxy,
    /// Folder of the proxy's socket.
    way: PathBuf,
}

impl Member {
    fn new(server: StoppableServer, way: PathBuf) -> Result<Self, LoadFailure> {
        std::fs::create_dir(&way).map_err(cannot("make a folder"))?;
        let proxy = Proxy::on_unix_socket(&way.join(SOCKET)).map_err(cannot("open a socket"))?;
        let member = Self { server, proxy, way };
        member.open_way();
        Ok(member)
    }

    /// Cuts what was connected or stalled, and forwards the next connections.
    fn open_way(&self) {
        self.proxy.forward_to(Address::Unix(self.socket()));
        self.proxy.reset();
    }

    fn socket(&self) -> PathBuf {
        self.server.socket_folder().join(SOCKET)
    }

    /// Runs statements in it. It bypasses the proxy.
    async fn run(&self, statements: &str) -> Result<(), LoadFailure> {
        let failed = "run a statement in a database server";
        let mut session = Session::open(&self.socket()).await.map_err(cannot(failed))?;
        session.run(statements).await.map(drop).map_err(cannot(failed))
    }
}

/// A primary and its standby. Their roles change with each promotion.
#[derive(Debug)]
pub(super) struct Pair {
    primary: Member,
    standby: Member,
    /// Whether the standby follows. After a promotion it does not.
    is_whole: bool,
}

impl Pair {
    /// Starts a primary on the data of a folder, and a standby in another folder. The sockets of the proxies are below `ways`.
    pub(super) fn start(data: PathBuf, copy: PathBuf, ways: &Path) -> Result<Self, LoadFailure> {
        let (mut primary, mut standby) = (StoppableServer::durable_in(data), StoppableServer::durable_in(copy));
        block_in_place(|| primary.set_up_standby(&mut standby, STANDBY));
        Ok(Self {
            primary: Member::new(primary, ways.join("way-1"))?,
            standby: Member::new(standby, ways.join("way-2"))?,
            is_whole: true,
        })
    }

    /// The folders of the sockets through which the product reaches both servers, always in the same order.
    pub(super) fn ways(&self) -> [&Path; 2] {
        let mut ways = [self.primary.way.as_path(), self.standby.way.as_path()];
        ways.sort_unstable();
        ways
    }

    /// The socket of the primary. It bypasses the proxy.
    pub(super) fn socket(&self) -> PathBuf {
        self.primary.socket()
    }

    /// Makes the former primary the standby of the promoted one, as an operator does. Does nothing while there is a standby.
    pub(super) fn mend(&mut self) {
        if !self.is_whole {
            block_in_place(|| self.primary.server.set_up_standby(&mut self.standby.server, STANDBY));
            self.is_whole = true;
        }
    }

    /// Injects a fault of one of [`Kind::OF_STANDBYS`]. Returns the time from which nothing prevents recovery.
    pub(super) async fn inject(&mut self, fault: &Fault) -> Result<Instant, LoadFailure> {
        match fault.kind {
            Kind::PrimaryKilled => {
                block_in_place(|| self.primary.server.kill());
                sleep(fault.duration()).await;
                self.promote().await?;
            }
            Kind::PrimaryCutOff => self.cut_off_primary(fault).await?,
            _ => {
                block_in_place(|| self.standby.server.kill());
                sleep(fault.duration()).await;
                block_in_place(|| self.standby.server.start_again());
            }
        }
        Ok(Instant::now())
    }

    /// The way to the primary is blocked: either nothing passes and connections stay open, or connections are refused. At the end
    /// the former primary is reachable again, accepts writes without any standby, and the product has to find a server anew.
    async fn cut_off_primary(&mut self, fault: &Fault) -> Result<(), LoadFailure> {
        let duration = fault.duration();
        // In force from the next reload: before it, a commit that the standby does not confirm is not reported.
        self.primary.run("ALTER SYSTEM RESET synchronous_standby_names").await?;
        let is_silent = Rng::new(fault.seed).below(2) == 1;
        if is_silent {
            self.primary.proxy.set_mode(Mode::Stall);
        } else {
            self.primary.proxy.refuse();
        }
        sleep(duration / 2).await;
        self.promote().await?;
        sleep(duration / 2).await;
        let former = &self.standby;
        former.open_way();
        former.run("SELECT pg_reload_conf()").await?;
        self.primary.run(END_SESSIONS).await
    }

    /// Promotes the standby, which becomes the primary.
    async fn promote(&mut self) -> Result<(), LoadFailure> {
        self.standby.run("SELECT pg_promote()").await?;
        std::mem::swap(&mut self.primary, &mut self.standby);
        self.is_whole = false;
        Ok(())
    }
}
