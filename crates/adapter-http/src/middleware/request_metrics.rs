use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Metric;

/// The buckets in seconds: from 5 milliseconds, which most responses need less than, to the longest wait for a sign-in.
const TIMES: [f64; 11] = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0];

/// The metrics of requests. Their labels are routes, methods and statuses, which callers cannot invent.
#[derive(Debug)]
pub struct RequestMetrics {
    running: Gauge,
    responses: Family<ResponseLabels, Counter>,
    times: Family<RouteLabel, Histogram>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResponseLabels {
    /// `GET`, or `other` for an unknown method.
    method: &'static str,
    /// The pattern of the address.
    route: Arc<str>,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: Arc<str>,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        Self {
            running: Gauge::default(),
            responses: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(TIMES)),
        }
    }
}

impl RequestMetrics {
    /// Counts a request as running until the returned value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> RunningRequest {
        self.running.inc();
        RunningRequest(Arc::clone(self))
    }

    pub(crate) fn answered(&self, method: &Method, route: Arc<str>, status: StatusCode, took: Duration) {
        let label = RouteLabel { route };
        self.times.get_or_create(&label).observe(took.as_secs_f64());
        let labels = ResponseLabels { method: name_of(method), route: label.route, status: status.as_u16() };
        self.responses.get_or_create(&labels).inc();
    }

    /// The number of requests whose response has not begun.
    pub fn running(&self) -> impl Metric + use<> {
        self.running.clone()
    }

    /// The number of responses, by `method`, `route` and `status`.
    pub fn responses(&self) -> impl Metric + use<> {
        self.responses.clone()
    }

    /// The time in seconds until the response began, by `route`.
    pub fn times(&self) -> impl Metric + use<> {
        self.times.clone()
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
        self.0.running.dec();
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text::encode;
    use prometheus_client::registry::Registry;

    use super::*;

    fn lines(metric: impl Metric) -> Vec<String> {
        let mut registry = Registry::default();
        registry.register("it", "It", metric);
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        lines.sort();
        lines
    }

    #[test]
    fn responses_are_counted_by_method_route_and_status() {
        let metrics = Arc::new(RequestMetrics::default());
        let running = metrics.begin();
        assert_eq!(lines(metrics.running()), ["it 1"]);
        drop(running);
        assert_eq!(lines(metrics.running()), ["it 0"]);
        for status in [StatusCode::OK, StatusCode::OK, StatusCode::NOT_FOUND] {
            metrics.answered(&Method::GET, "/api/health".into(), status, Duration::from_millis(30));
        }
        assert_eq!(
            lines(metrics.responses()),
            [
                "it_total{method=\"GET\",route=\"/api/health\",status=\"200\"} 2",
                "it_total{method=\"GET\",route=\"/api/health\",status=\"404\"} 1",
            ]
        );
        let times = lines(metrics.times());
        assert!(times.contains(&"it_count{route=\"/api/health\"} 3".to_owned()), "{times:?}");
    }

    #[test]
    fn a_time_is_counted_in_each_bucket_that_reaches_it() {
        let metrics = RequestMetrics::default();
        for milliseconds in [5, 6, 61_000] {
            metrics.answered(&Method::GET, "r".into(), StatusCode::OK, Duration::from_millis(milliseconds));
        }
        let times = lines(metrics.times());
        for (bound, count) in [("0.005", 1), ("0.025", 2), ("60.0", 2), ("+Inf", 3)] {
            let line = format!("it_bucket{{le=\"{bound}\",route=\"r\"}} {count}");
            assert!(times.contains(&line), "{line} is missing in {times:?}");
        }
        assert!(times.contains(&"it_sum{route=\"r\"} 61.011".to_owned()), "{times:?}");
    }

    #[test]
    fn an_invented_method_is_counted_as_other() {
        let metrics = RequestMetrics::default();
        let made_up = Method::from_bytes(b"MAKEUP").unwrap();
        metrics.answered(&made_up, "(other)".into(), StatusCode::NOT_FOUND, Duration::ZERO);
        assert_eq!(lines(metrics.responses()), ["it_total{method=\"other\",route=\"(other)\",status=\"404\"} 1"]);
    }
}
