use std::pin::Pin;

use futures_util::Stream;
use uuid::Uuid;

/// A request of an instance to all others about a share, or the reply to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareMessage {
    /// The id of the request, which its replies have too.
    pub request: Uuid,
    /// The content, encrypted and authenticated: the bus is not trusted.
    pub content: Vec<u8>,
}

/// Messages of other instances. A receiver that falls behind misses some.
pub type ShareMessageStream = Pin<Box<dyn Stream<Item = ShareMessage> + Send>>;

/// Carries requests about shares to the other instances, and their replies. It stores nothing: a request reaches the instances
/// that are there at that moment.
pub trait ShareBus: Send + Sync {
    /// Sends a request to all other instances. MUST NOT wait.
    fn send(&self, request: ShareMessage);

    /// Sends a reply. MUST NOT wait.
    fn reply(&self, reply: ShareMessage);

    /// The requests of the other instances from now on.
    fn requests(&self) -> ShareMessageStream;

    /// The replies of the other instances from now on, to any request.
    fn replies(&self) -> ShareMessageStream;

    /// Whether other instances can be reached at this moment.
    fn is_connected(&self) -> bool;
}
