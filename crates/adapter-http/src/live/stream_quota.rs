use std::future::{Ready, ready};
use std::net::IpAddr;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use futures_util::FutureExt as _;
use plenum_kernel::{Person, PortFailure};

use crate::connections::{ConnectionLimits, ConnectionQuota, QuotaExceeded, QuotaPermit};
use crate::error::ApiError;
use crate::extract::CallerAddress;
use crate::extract::MeetingViewer;
use crate::extract::network_of;
use crate::middleware::asks_for_headers_only;

/// The quota of streams for each person and address.
pub(crate) struct StreamQuota {
    of_addresses: Arc<ConnectionQuota<IpAddr>>,
    of_people: Arc<ConnectionQuota<Person>>,
}

impl StreamQuota {
    /// Four fifths of the connections, in total and for each address. The rest is for votes and other requests of the
    /// watchers. Behind a proxy, the address is the caller's.
    pub(crate) fn new(limits: &ConnectionLimits) -> Self {
        let share = |connections: usize| (connections - connections / 5).max(1);
        Self {
            of_addresses: ConnectionQuota::new(share(limits.connections), share(limits.connections_per_address)),
            of_people: ConnectionQuota::new(usize::MAX, limits.streams_per_person),
        }
    }

    /// Takes a permit, which is released when dropped.
    ///
    /// # Errors
    /// The person, the address or the server has too many streams.
    fn take(&self, from: IpAddr, person: Option<Person>) -> Result<StreamPermit, ApiError> {
        let person = match person {
            Some(person) => Some(self.of_people.take(Some(person)).map_err(|_| too_many("You have"))?),
            None => None,
        };
        let address = self.of_addresses.take(Some(network_of(from))).map_err(|exceeded| match exceeded {
            QuotaExceeded::PerCaller => too_many("Your network has"),
            QuotaExceeded::Total => ApiError::unavailable(&PortFailure::busy("live streams")),
        })?;
        Ok(StreamPermit { is_for_headers_only: false, _of_address: address, _of_person: person })
    }
}

/// The error for too many streams. Screens of the product then poll every few seconds instead.
fn too_many(who: &str) -> ApiError {
    let text = format!("{who} too many live screens open. This one is updated every few seconds instead.");
    ApiError::too_many("too_many_streams", text, 5)
}

/// A permit for a stream.
pub(crate) struct StreamPermit {
    is_for_headers_only: bool,
    _of_address: QuotaPermit<IpAddr>,
    _of_person: Option<QuotaPermit<Person>>,
}

impl StreamPermit {
    /// Whether the request is a `HEAD`. Its caller does not count as connected.
    pub(crate) fn is_for_headers_only(&self) -> bool {
        self.is_for_headers_only
    }
}

fn take(request: &HttpRequest, person: Option<Person>) -> Result<StreamPermit, ApiError> {
    let no_quota = || ApiError::unavailable(&PortFailure::new("the server", "there is no stream quota"));
    let quota = request.app_data::<Data<StreamQuota>>().ok_or_else(no_quota)?;
    let from = CallerAddress::extract(request).now_or_never().ok_or_else(no_quota)??;
    let permit = quota.take(from.0, person)?;
    Ok(StreamPermit { is_for_headers_only: asks_for_headers_only(request), ..permit })
}

impl FromRequest for StreamPermit {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(take(request, None))
    }
}

/// A person who may watch the meetings of a client, with a permit for a stream.
pub(crate) struct AuthorizedStream {
    /// The person.
    pub(crate) viewer: MeetingViewer,
    /// The permit.
    pub(crate) permit: StreamPermit,
}

impl FromRequest for AuthorizedStream {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let viewer = MeetingViewer::from_request(request, payload).into_inner();
        ready(viewer.and_then(|viewer| {
            let permit = take(request, Some(viewer.acting().person))?;
            Ok(Self { viewer, permit })
        }))
    }
}
