use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use plenum_kernel::{InstanceId, PortFailure, RoundId};
use plenum_voting::{
    CastEnvelope, Envelope, HeldShare, KeyShare, OpenedBallot, PreparedKey, Sealing, ShareBus, ShareMessage,
    UnlockError, UrnKeys,
};
use tokio::select;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use uuid::Uuid;

use super::FolderUrnKeys;
use super::share_cipher::{Reply, Request, ShareCipher};
use crate::random::random;

/// How long an instance waits for others.
#[derive(Clone, Copy)]
struct Limits {
    /// For the replies of instances that are known.
    reply: Duration,
    /// To learn which instances there are, while none is known.
    roll_call: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { reply: Duration::from_secs(2), roll_call: Duration::from_millis(500) }
    }
}

/// The replies that a request waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those of all instances that are known. If none is known, it does not wait.
    Known,
    /// One that has the share, from an instance that is known or not.
    Share,
    /// All that come in the time of a roll call.
    RollCall,
}

/// Keys of secret rounds for several instances, each with a folder of its own. An instance that makes a key hands its share to
/// the others before the round opens, asks them for one that it does not have, and tells them when it is destroyed.
///
/// All messages are encrypted by a key that the instances derive from the common signing key. The instances that have replied
/// to any request are known, until one of them does not reply in time.
pub struct SharedUrnKeys {
    peer: Arc<Peer>,
    serving: AbortHandle,
}

/// One of the instances.
struct Peer {
    folder: FolderUrnKeys,
    bus: Arc<dyn ShareBus>,
    cipher: ShareCipher,
    instance: InstanceId,
    limits: Limits,
    known: Mutex<HashSet<InstanceId>>,
    /// Rounds whose share was destroyed, so that an offer that comes late, or is repeated by somebody else, brings none back.
    destroyed: Mutex<HashSet<RoundId>>,
}

impl SharedUrnKeys {
    /// Answers the other instances from now on. The task runs on the runtime of the caller.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn start(folder: FolderUrnKeys, bus: Arc<dyn ShareBus>, instance: InstanceId, signing_key: &[u8]) -> Self {
        Self::serve(Peer::new(folder, bus, instance, signing_key))
    }

    fn serve(peer: Peer) -> Self {
        let peer = Arc::new(peer);
        let (requests, replies) = (peer.bus.requests(), peer.bus.replies());
        let serving = tokio::spawn({
            let peer = Arc::clone(&peer);
            async move {
                select! {
                    () = requests.for_each(|request| peer.answer(request)) => {}
                    () = replies.for_each(async |reply| peer.meet(&reply)) => {}
                }
            }
        });
        Self { peer, serving: serving.abort_handle() }
    }
}

impl Drop for SharedUrnKeys {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl fmt::Debug for SharedUrnKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedUrnKeys(…)")
    }
}

impl Peer {
    fn new(folder: FolderUrnKeys, bus: Arc<dyn ShareBus>, instance: InstanceId, signing_key: &[u8]) -> Self {
        let (cipher, limits) = (ShareCipher::new(signing_key), Limits::default());
        Self { folder, bus, cipher, instance, limits, known: Mutex::default(), destroyed: Mutex::default() }
    }

    /// Handles the request of another instance, and replies.
    async fn answer(&self, message: ShareMessage) {
        let Some((_, request)) = self.cipher.open_request(&message) else {
            tracing::warn!("ignored a request about vote keys that no instance with this signing key sent");
            return;
        };
        let reply = match self.handle(request).await {
            Ok(reply) => reply,
            Err(failure) => {
                tracing::error!(
                    error = &failure as &dyn std::error::Error,
                    "could not handle another instance's request about a vote key"
                );
                Reply::None
            }
        };
        self.bus.reply(self.cipher.seal_reply(message.request, self.instance, &reply));
    }

    async fn handle(&self, request: Request) -> Result<Reply, PortFailure> {
        Ok(match request {
            Request::Hello => Reply::Done,
            Request::Offer(round, _) if self.destroyed().contains(&round) => Reply::None,
            // If it has another share of the round, it does not hold this one.
            Request::Offer(round, share) if self.folder.keep(round, share.clone()).await? == share => Reply::Done,
            Request::Offer(..) => Reply::None,
            Request::Ask(round) => self.folder.share(round).await?.map_or(Reply::None, Reply::Share),
            Request::Destroy(round) => {
                self.destroyed().insert(round);
                self.folder.destroy(round).await?;
                Reply::Done
            }
        })
    }

    /// Gets to know an instance by its reply to any request.
    fn meet(&self, message: &ShareMessage) {
        if let Some((from, _)) = self.cipher.open_reply(message) {
            self.known().insert(from);
        }
    }

    /// Sends a request, and collects the replies. There are none without a connection.
    async fn ask(&self, request: &Request, wanted: Wanted) -> HashMap<InstanceId, Reply> {
        let mut replied = HashMap::new();
        if !self.bus.is_connected() {
            return replied;
        }
        let known = self.known().clone();
        let id = Uuid::from_bytes(random());
        let mut replies = self.bus.replies();
        self.bus.send(self.cipher.seal_request(id, self.instance, request));
        let is_enough = |replied: &HashMap<InstanceId, Reply>| match wanted {
            Wanted::Known => known.iter().all(|instance| replied.contains_key(instance)),
            Wanted::Share => replied.values().any(|reply| matches!(reply, Reply::Share(_))),
            Wanted::RollCall => false,
        };
        let enough = async {
            while !is_enough(&replied) {
                let Some(message) = replies.next().await else { return };
                if message.request == id {
                    replied.extend(self.cipher.open_reply(&message));
                }
            }
        };
        let limit = if wanted == Wanted::RollCall { self.limits.roll_call } else { self.limits.reply };
        if timeout(limit, enough).await.is_err() && wanted != Wanted::RollCall {
            let silent: Vec<_> = known.iter().filter(|instance| !replied.contains_key(instance)).collect();
            if !silent.is_empty() {
                tracing::warn!(instances = silent.len(), "instances did not reply to a request about a vote key");
            }
            self.known().retain(|instance| !silent.contains(&instance));
        }
        self.known().extend(replied.keys());
        replied
    }

    fn known(&self) -> MutexGuard<'_, HashSet<InstanceId>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn destroyed(&self) -> MutexGuard<'_, HashSet<RoundId>> {
        self.destroyed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_done(replies: &HashMap<InstanceId, Reply>) -> u32 {
    let done = replies.values().filter(|reply| **reply == Reply::Done).count();
    u32::try_from(done).unwrap_or(u32::MAX)
}

#[async_trait]
impl UrnKeys for SharedUrnKeys {
    /// Waits until all known instances have stored the share, at most two seconds.
    async fn prepare(&self, round: RoundId) -> Result<PreparedKey, PortFailure> {
        let prepared = self.peer.folder.prepare(round).await?;
        let share = self.peer.folder.share(round).await?;
        let share = share.ok_or_else(|| PortFailure::damaged("the folder of vote keys", "a new share is gone"))?;
        if self.peer.known().is_empty() {
            self.peer.ask(&Request::Hello, Wanted::RollCall).await;
        }
        let replies = self.peer.ask(&Request::Offer(round, share), Wanted::Known).await;
        Ok(PreparedKey { holders: prepared.holders.saturating_add(count_done(&replies)), ..prepared })
    }

    /// Without a connection to the other instances it fails, because one of them may have the share.
    async fn fetch(&self, round: RoundId) -> Result<(), UnlockError> {
        match self.peer.folder.fetch(round).await {
            Err(UnlockError::ShareLost) => {}
            done => return done,
        }
        if !self.peer.bus.is_connected() {
            return Err(PortFailure::new("the connection to the other instances", "one may have the vote key").into());
        }
        let shares = self.peer.ask(&Request::Ask(round), Wanted::Share).await;
        let is_share = |reply: Reply| if let Reply::Share(share) = reply { Some(share) } else { None };
        let share = shares.into_values().find_map(is_share).ok_or(UnlockError::ShareLost)?;
        self.peer.folder.keep(round, share).await?;
        Ok(())
    }

    async fn public_key(&self, round: RoundId, database_share: &KeyShare) -> Result<Vec<u8>, UnlockError> {
        self.fetch(round).await?;
        self.peer.folder.public_key(round, database_share).await
    }

    fn unlock(
        &self,
        round: RoundId,
        public_key: &[u8],
        database_share: &KeyShare,
        envelopes: &[CastEnvelope],
    ) -> Result<Vec<Option<OpenedBallot>>, UnlockError> {
        self.peer.folder.unlock(round, public_key, database_share, envelopes)
    }

    fn seal(&self, ballot: &OpenedBallot, size: usize, sealing: Sealing) -> Result<Envelope, PortFailure> {
        self.peer.folder.seal(ballot, size, sealing)
    }

    /// An instance that does not hear of it sweeps its folder later: the share belongs to a round that is counted.
    async fn destroy(&self, round: RoundId) -> Result<(), PortFailure> {
        self.peer.destroyed().insert(round);
        self.peer.folder.destroy(round).await?;
        self.peer.ask(&Request::Destroy(round), Wanted::Known).await;
        Ok(())
    }

    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure> {
        self.peer.folder.held().await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::Deref;
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures_util::stream;
    use plenum_kernel::EndUserId;
    use plenum_kernel::testkit::CountingIds;
    use plenum_voting::ShareMessageStream;
    use tempfile::TempDir;
    use tokio::sync::broadcast;
    use tokio::time::Instant;

    use super::*;

    const SIGNING_KEY: &[u8] = &[7; 32];

    /// Messages with their senders.
    type Channel = broadcast::Sender<(u128, ShareMessage)>;

    /// Connects the instances of a test.
    #[derive(Clone)]
    struct Network {
        requests: Channel,
        replies: Channel,
    }

    impl Network {
        fn new() -> Self {
            Self { requests: Channel::new(64), replies: Channel::new(64) }
        }
    }

    /// The bus of one instance, which does not receive its own messages.
    struct TestBus {
        network: Network,
        number: u128,
        is_connected: AtomicBool,
    }

    impl TestBus {
        fn messages_of_others(&self, channel: &Channel) -> ShareMessageStream {
            let (own, received) = (self.number, channel.subscribe());
            Box::pin(stream::unfold(received, move |mut received| async move {
                loop {
                    match received.recv().await {
                        Ok((from, message)) if from != own => return Some((message, received)),
                        Ok(_) => {}
                        Err(_) => return None,
                    }
                }
            }))
        }
    }

    impl ShareBus for TestBus {
        fn send(&self, request: ShareMessage) {
            if self.is_connected() {
                let _ = self.network.requests.send((self.number, request));
            }
        }

        fn reply(&self, reply: ShareMessage) {
            if self.is_connected() {
                let _ = self.network.replies.send((self.number, reply));
            }
        }

        fn requests(&self) -> ShareMessageStream {
            self.messages_of_others(&self.network.requests)
        }

        fn replies(&self) -> ShareMessageStream {
            self.messages_of_others(&self.network.replies)
        }

        fn is_connected(&self) -> bool {
            self.is_connected.load(Ordering::Relaxed)
        }
    }

    /// For tests in which every instance replies: they do not wait for so long.
    const PATIENT: Limits = Limits { reply: Duration::from_secs(30), roll_call: Duration::from_millis(300) };

    /// For tests in which an instance does not reply.
    const IMPATIENT: Limits = Limits { reply: Duration::from_millis(300), ..PATIENT };

    /// An instance with a folder of its own.
    struct Instance {
        keys: SharedUrnKeys,
        bus: Arc<TestBus>,
        dir: TempDir,
    }

    impl Instance {
        fn start(limits: Limits, network: &Network, number: u128, signing_key: &[u8]) -> Self {
            let dir = TempDir::new().unwrap();
            let folder = FolderUrnKeys::open(&dir.path().join("keys")).unwrap();
            let bus = Arc::new(TestBus { network: network.clone(), number, is_connected: true.into() });
            let instance = InstanceId::from_uuid(Uuid::from_u128(number));
            let keys = SharedUrnKeys::serve(Peer {
                limits,
                ..Peer::new(folder, Arc::clone(&bus) as _, instance, signing_key)
            });
            Self { keys, bus, dir }
        }

        async fn rounds(&self) -> Vec<RoundId> {
            self.keys.held().await.unwrap().iter().map(|held| held.round).collect()
        }

        fn lose(&self, round: RoundId) {
            fs::remove_file(self.dir.path().join("keys").join(round.to_string())).unwrap();
        }

        /// Lets its folder fail.
        fn break_folder(&self) {
            let folder = self.dir.path().join("keys");
            fs::remove_dir_all(&folder).unwrap();
            fs::write(folder, "").unwrap();
        }
    }

    fn pair(limits: Limits) -> (Instance, Instance) {
        let network = Network::new();
        (Instance::start(limits, &network, 1, SIGNING_KEY), Instance::start(limits, &network, 2, SIGNING_KEY))
    }

    fn round() -> RoundId {
        RoundId::new(&CountingIds::new())
    }

    /// One of two instances.
    struct OneOfTwo(Instance, #[expect(dead_code, reason = "it answers")] Instance);

    impl Deref for OneOfTwo {
        type Target = SharedUrnKeys;

        fn deref(&self) -> &SharedUrnKeys {
            &self.0.keys
        }
    }

    mod contract {
        use super::{IMPATIENT, OneOfTwo, pair};

        plenum_voting::urn_keys_contract!({
            let (one, other) = pair(IMPATIENT);
            OneOfTwo(one, other)
        });
    }

    #[tokio::test]
    async fn each_instance_has_the_share_before_the_round_opens_and_opens_its_urn() {
        let (one, other) = pair(PATIENT);
        let key = one.keys.prepare(round()).await.unwrap();
        assert_eq!(key.holders, 2);
        assert_eq!(other.rounds().await, [key.round]);
        let voter = EndUserId::new(&CountingIds::new());
        let yes = OpenedBallot::Text("yes".to_owned());
        let sealing = Sealing { round: key.round, public_key: key.public_key.clone(), voter };
        let envelope = one.keys.seal(&yes, 256, sealing).unwrap();
        let opened =
            other.keys.unlock(key.round, &key.public_key, &key.database_share, &[CastEnvelope { voter, envelope }]);
        assert_eq!(opened.unwrap(), [Some(yes)]);
        // Known instances are not waited for any longer than they need.
        let begun = Instant::now();
        assert_eq!(one.keys.prepare(round()).await.unwrap().holders, 2);
        assert!(begun.elapsed() < PATIENT.reply, "{:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn a_share_is_fetched_from_an_instance_that_has_it() {
        let (one, other) = pair(IMPATIENT);
        let key = one.keys.prepare(round()).await.unwrap();
        one.lose(key.round);
        let opened = one.keys.unlock(key.round, &key.public_key, &key.database_share, &[]);
        assert!(matches!(opened, Err(UnlockError::ShareLost)));
        one.keys.fetch(key.round).await.unwrap();
        assert_eq!(one.keys.unlock(key.round, &key.public_key, &key.database_share, &[]).unwrap(), []);
        assert_eq!(one.rounds().await, other.rounds().await);
        one.lose(key.round);
        other.lose(key.round);
        assert!(matches!(one.keys.fetch(key.round).await, Err(UnlockError::ShareLost)));
    }

    #[tokio::test]
    async fn a_destroyed_share_is_gone_everywhere_and_a_repeated_offer_brings_it_not_back() {
        let (one, other) = pair(IMPATIENT);
        let mut offers = other.bus.requests();
        let key = one.keys.prepare(round()).await.unwrap();
        let offer = offers.next().await.unwrap();
        one.keys.destroy(key.round).await.unwrap();
        assert_eq!(other.rounds().await, []);
        assert!(matches!(other.keys.fetch(key.round).await, Err(UnlockError::ShareLost)));
        other.keys.peer.answer(offer).await;
        assert_eq!(other.rounds().await, []);
    }

    #[tokio::test]
    async fn an_instance_that_was_away_still_has_the_share_and_is_not_waited_for_again() {
        let (one, other) = pair(IMPATIENT);
        let key = one.keys.prepare(round()).await.unwrap();
        other.bus.is_connected.store(false, Ordering::Relaxed);
        drop(other.keys);
        one.keys.destroy(key.round).await.unwrap();
        assert_eq!(one.rounds().await, []);
        assert!(one.keys.peer.known().is_empty());
        assert!(other.dir.path().join("keys").join(key.round.to_string()).exists(), "a later sweep finds it");
    }

    #[tokio::test]
    async fn without_a_connection_an_instance_is_alone_and_calls_no_share_lost() {
        let (one, other) = pair(PATIENT);
        one.bus.is_connected.store(false, Ordering::Relaxed);
        let begun = Instant::now();
        let key = one.keys.prepare(round()).await.unwrap();
        assert_eq!(key.holders, 1);
        assert_eq!(other.rounds().await, []);
        assert!(begun.elapsed() < PATIENT.reply);
        one.lose(key.round);
        assert!(matches!(one.keys.fetch(key.round).await, Err(UnlockError::Port(_))));
    }

    #[tokio::test]
    async fn an_instance_whose_folder_fails_is_no_holder() {
        let (one, other) = pair(PATIENT);
        other.break_folder();
        assert_eq!(one.keys.prepare(round()).await.unwrap().holders, 1);
        one.break_folder();
        assert!(one.keys.prepare(round()).await.is_err());
    }

    #[tokio::test]
    async fn an_instance_with_another_share_of_the_round_is_no_holder() {
        let (one, other) = pair(PATIENT);
        let round = round();
        other.keys.peer.folder.keep(round, KeyShare([1; 32])).await.unwrap();
        assert_eq!(one.keys.prepare(round).await.unwrap().holders, 1);
        assert_eq!(other.keys.peer.folder.share(round).await.unwrap(), Some(KeyShare([1; 32])));
    }

    #[tokio::test]
    async fn another_installation_gets_no_share_and_destroys_none() {
        let network = Network::new();
        let (one, stranger) =
            (Instance::start(IMPATIENT, &network, 1, SIGNING_KEY), Instance::start(IMPATIENT, &network, 2, &[8; 32]));
        let key = one.keys.prepare(round()).await.unwrap();
        assert_eq!(key.holders, 1);
        assert_eq!(stranger.rounds().await, []);
        assert!(matches!(stranger.keys.fetch(key.round).await, Err(UnlockError::ShareLost)));
        stranger.keys.destroy(key.round).await.unwrap();
        assert_eq!(one.rounds().await, [key.round]);
    }
}
