use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use plenum_metrics::{Histogram, Level, Reading};

/// The buckets: from 5 milliseconds, which most responses need less than, to the longest wait for a sign-in.
const TIMES: &[u64] =
    &[5_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 60_000_000];

/// The metrics of requests. Their labels are routes, methods and statuses, which callers cannot invent.
#[derive(Debug, Default)]
pub struct RequestMetrics {
    running: Level,
    routes: RwLock<HashMap<String, Arc<RouteMetrics>>>,
}

#[derive(Debug)]
struct RouteMetrics {
    answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    time: Histogram,
}

/// The number of responses of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerCount {
    /// `GET`, or `other` for an unknown method.
    pub method: &'static str,
    /// The pattern of the address.
    pub route: String,
    /// The status of the response.
    pub status: u16,
    /// The number of responses.
    pub count: u64,
}

impl RequestMetrics {
    /// Counts a request as running until the returned value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> RunningRequest {
        self.running.up();
        RunningRequest(Arc::clone(self))
    }

    pub(crate) fn answered(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        let metrics = self.route(route);
        let mut answers = metrics.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry((name_of(method), status.as_u16())).or_default() += 1;
        drop(answers);
        metrics.time.note_time(took);
    }

    fn route(&self, route: &str) -> Arc<RouteMetrics> {
        let known = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(route).map(Arc::clone);
        known.unwrap_or_else(|| {
            let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(RouteMetrics { answers: Mutex::default(), time: Histogram::of_times(TIMES) });
            Arc::clone(routes.entry(route.to_owned()).or_insert_with(new))
        })
    }

    fn all(&self) -> BTreeMap<String, Arc<RouteMetrics>> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        routes.iter().map(|(route, metrics)| (route.clone(), Arc::clone(metrics))).collect()
    }

    /// The number of requests whose response has not begun.
    pub fn running(&self) -> u64 {
        self.running.get()
    }

    /// The number of responses by route, method and status, in a fixed order.
    pub fn answers(&self) -> Vec<AnswerCount> {
        let mut all = Vec::new();
        for (route, metrics) in self.all() {
            let answers = metrics.answers.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(answers.iter().map(|((method, status), count)| AnswerCount {
                method,
                route: route.clone(),
                status: *status,
                count: *count,
            }));
        }
        all
    }

    /// The time until the response began, by route, in a fixed order.
    pub fn times(&self) -> Vec<(String, Reading)> {
        self.all().into_iter().map(|(route, metrics)| (route, metrics.time.read())).collect()
    }
}

/// The name of a known method. Callers may send any word.
fn name_of(method: &Method) -> &'static str {
    const KNOWN: [&str; 6] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// A running request, until dropped.
pub(crate) struct RunningRequest(Arc<RequestMetrics>);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.running.down();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_method_route_and_status() {
        let metrics = Arc::new(RequestMetrics::default());
        let running = metrics.begin();
        assert_eq!(metrics.running(), 1);
        drop(running);
        assert_eq!(metrics.running(), 0);
        for status in [StatusCode::OK, StatusCode::OK, StatusCode::NOT_FOUND] {
            metrics.answered(&Method::GET, "/api/health", status, Duration::from_millis(30));
        }
        let answers = metrics.answers();
        let counts: Vec<_> = answers.iter().map(|answer| (answer.method, answer.status, answer.count)).collect();
        assert_eq!(counts, [("GET", 200, 2), ("GET", 404, 1)]);
        let times = metrics.times();
        assert_eq!((times.len(), times[0].1.count), (1, 3));
    }

    #[test]
    fn an_invented_method_is_counted_as_other() {
        let metrics = Arc::new(RequestMetrics::default());
        let made_up = Method::from_bytes(b"MAKEUP").unwrap();
        metrics.answered(&made_up, "(other)", StatusCode::NOT_FOUND, Duration::ZERO);
        assert_eq!(metrics.answers()[0].method, "other");
    }
}
