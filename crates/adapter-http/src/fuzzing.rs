//! Properties of headers, queries and bodies for any input. The tests below and the targets `headers`, `queries` and
//! `bodies` of `fuzz/` check them.

use std::net::IpAddr;

use actix_web::ResponseError as _;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, HeaderMap, HeaderValue};
use chrono::{DateTime, Utc};
use plenum_kernel::{DecisionRule, MAX_PAGE_SIZE, MeetingQuorum, VotingWeight};
use plenum_result_format::{DecisionRuleFormat, MeetingQuorumFormat};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::TrustedProxies;
use crate::config::read_hop;
use crate::error::ApiError;
use crate::extract::ListQuery;
use crate::extract::Query;
use crate::extract::read;
use crate::extract::read_exact;
use crate::middleware::wants_json;

/// Reads the first line of `data` as trusted proxies, the second as the peer and the rest as `X-Forwarded-For`. Reads
/// all of it as `Accept`.
pub fn headers(data: &[u8]) {
    accept(data);
    let text = String::from_utf8_lossy(data);
    let mut lines = text.splitn(3, '\n');
    let trusted = lines.next().and_then(TrustedProxies::parse).unwrap_or_default();
    let peer = lines.next().and_then(|line| line.trim().parse().ok()).unwrap_or(IpAddr::from([10, 0, 0, 1]));
    forwarded(&trusted, peer, lines.next().unwrap_or_default());
}

/// The caller is the peer, or an address in the header that a trusted proxy reported. Forged hops before it change
/// nothing.
pub fn forwarded(trusted: &TrustedProxies, peer: IpAddr, header: &str) {
    let (peer, hops) = (peer.to_canonical(), || header.split(','));
    let caller = trusted.caller(peer, hops());
    if !trusted.contain(peer) {
        assert_eq!(caller, peer, "{header:?} was believed");
    }
    assert!(caller == peer || hops().filter_map(read_hop).any(|hop| hop == caller), "{caller} is not in {header:?}");
    for made_up in ["203.0.113.9", "10.0.0.1", "unknown", ""] {
        let with_more = trusted.caller(peer, [made_up].into_iter().chain(hops()));
        assert!(
            with_more == caller || trusted.contain(caller),
            "{made_up:?} before {header:?} made {with_more} of {caller}"
        );
    }
}

/// A header that accepts JSON keeps its meaning after any other value.
pub fn accept(value: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(value) else { return };
    let mut headers = HeaderMap::new();
    headers.append(ACCEPT, value);
    let _ = wants_json(&headers);
    headers.append(ACCEPT, HeaderValue::from_static("text/plain, Application/JSON;q=0.1"));
    assert!(wants_json(&headers));
}

/// Reads `data` as the query of a list. The result is valid, or an error with a text.
pub fn queries(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(query) = Query::<ListQuery>::read(&text) else { return };
    match query.read(&[("ACTIVE", true), ("INACTIVE", false)], &[("name", true), ("-name", false)]) {
        Ok(listing) => {
            if let Some(page) = listing.page {
                assert!(page.page >= 1 && (1..=MAX_PAGE_SIZE).contains(&page.page_size), "{page:?}");
                assert!(page.offset() >= 0, "{page:?}");
            }
            assert!(listing.search.is_none_or(|search| !search.as_str().is_empty()));
        }
        Err(error) => assert_readable_error(&error),
    }
}

/// A body with a field of every kind.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct Sample {
    text: String,
    switch: Option<bool>,
    count: Option<u32>,
    limit: Option<i64>,
    #[serde(deserialize_with = "read_exact")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    weight: Option<Decimal>,
    time: Option<DateTime<Utc>>,
    list: Vec<String>,
    options: Option<Texts>,
    inner: Vec<Inner>,
    rule: Option<DecisionRuleFormat>,
    quorum: Option<MeetingQuorumFormat>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "a JSON string of texts or an array of texts")]
enum Texts {
    Encoded(String),
    Array(Vec<String>),
}

#[derive(Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inner {
    order_index: u32,
}

/// Reads `data` as a body. The result is valid, or an error with a text. Numbers keep their value, unknown fields
/// change nothing, and terms are written as they were read.
pub fn bodies(data: &[u8]) {
    let taken = match read::<Sample>(data) {
        Ok((taken, _)) => taken,
        Err(error) => return assert_readable_error(&error),
    };
    let inner = data.trim_ascii_start().strip_prefix(b"{").expect("only objects are accepted");
    let comma: &[u8] = if inner.trim_ascii_start().starts_with(b"}") { b"" } else { b"," };
    let with_more = [br#"{"nobody knows": [{"text": 5}]"#, comma, inner].concat();
    let (again, unknown) = read::<Sample>(&with_more).expect("unknown fields are ignored");
    assert_eq!(again, taken);
    assert!(unknown.names().any(|name| name == "nobody knows") || unknown.names().count() >= 20);
    if let Some(weight) = taken.weight.filter(|weight| VotingWeight::new(*weight).is_ok()) {
        is_as_sent(data, weight);
    }
    if let Some(Ok(rule)) = taken.rule.map(DecisionRule::try_from) {
        let written = DecisionRuleFormat::from(&rule);
        assert_eq!(DecisionRule::try_from(written), Ok(rule));
    }
    if let Some(Ok(quorum)) = taken.quorum.map(MeetingQuorum::try_from) {
        assert_eq!(MeetingQuorum::try_from(MeetingQuorumFormat::from(quorum)), Ok(quorum));
    }
}

fn assert_readable_error(error: &ApiError) {
    let text = error.to_string();
    assert!(matches!(error.status_code(), StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY), "{text}");
    assert!(text.ends_with('.') && !text.starts_with(' '), "{text:?}");
}

fn is_as_sent(data: &[u8], weight: Decimal) {
    // An unknown text may contain half of a surrogate pair.
    let Ok(sent) = serde_json::from_slice::<serde_json::Value>(data) else { return };
    let sent = sent["weight"].to_string();
    assert_eq!(value_of(&weight.to_string()), value_of(&sent), "{sent} became {weight}");
}

/// The digits of a number without zeros at either end, and its power of ten. `None` for 0.
fn value_of(number: &str) -> Option<(String, i64)> {
    let (digits, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{decimals}");
    let shorter = digits.trim_end_matches('0');
    let zeros = digits.len() - shorter.len();
    let power = power.parse::<i64>().unwrap_or(i64::MAX).saturating_add_unsigned(zeros as u64);
    let power = power.saturating_sub_unsigned(decimals.len() as u64);
    let digits = shorter.trim_start_matches(['-', '0']);
    (!digits.is_empty()).then(|| (digits.to_owned(), power))
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn hop() -> impl Strategy<Value = String> {
        prop_oneof![
            (0_u8..3).prop_map(|last| format!("10.0.0.{last}")),
            any::<[u8; 4]>().prop_map(|parts| IpAddr::from(parts).to_string()),
            any::<[u8; 16]>().prop_map(|parts| format!("[{}]:80", IpAddr::from(parts))),
            select(vec!["::ffff:10.0.0.1", "[::1]", "10.0.0.1:80", "unknown", "", "_hidden", " 10.0.0.2 "])
                .prop_map(str::to_owned),
            vec(any::<char>(), 0..8).prop_map(String::from_iter),
        ]
    }

    fn any_name() -> impl Strategy<Value = String> {
        let names = vec![
            "text",
            "switch",
            "count",
            "limit",
            "weight",
            "time",
            "list",
            "options",
            "inner",
            "rule",
            "quorum",
            "orderIndex",
            "type",
            "conditions",
            "units",
            "base",
            "comparison",
            "numerator",
            "denominator",
            "unit",
            "attendance",
            "atOpening",
            "a/b",
            "a~b",
            "",
            "$serde_json::private::Number",
            "x`y",
        ];
        select(names).prop_map(|name| format!("{name:?}"))
    }

    /// JSON, or almost JSON, as text. A parser's result may depend on the notation of numbers.
    fn any_json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "-?(0|[1-9][0-9]{0,3})([.][0-9]{1,40})?([eE][+-]?[0-9]{1,4})?",
            select(vec![
                "1.00000000000000000000000000000000001e0",
                "null",
                "true",
                "1e400",
                "1e-28",
                "0e99999999999999999999",
                "100.0000000000000000000000000000001",
                "-0",
                "-0.0",
                "\"2026-12-01T18:00:00Z\"",
                "\"+262142-12-31T23:59:60Z\"",
                "\"[\\\"Yes\\\"]\"",
                "\"majority\"",
                "\"heads\"",
                "\"weight\"",
                "\"both\"",
                "\"yes_plus_no\"",
                "\"votes_cast\"",
                "\"more_than\"",
                "\"at_least\"",
                "\"present\"",
                "\"warn\"",
                "\"a`, expected `b\"",
                "\"\\ud800\"",
                "nul",
            ])
            .prop_map(str::to_owned),
            vec(any::<char>(), 0..6).prop_map(|letters| format!("{:?}", String::from_iter(letters))),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(|values| format!("[{}]", values.join(","))),
                vec((any_name(), inner), 0..6).prop_map(|fields| {
                    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}:{value}")).collect();
                    format!("{{{}}}", fields.join(","))
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn callers_cannot_forge_their_address(
            trusted in select(vec!["", "10.0.0.0/8", "10.0.0.1", "10.0.0.0/31, ::1", "0.0.0.0/0"]), peer in hop(),
            hops in vec(hop(), 0..6),
        ) {
            let trusted = TrustedProxies::parse(trusted).unwrap_or_default();
            forwarded(&trusted, read_hop(&peer).unwrap_or(IpAddr::from([10, 0, 0, 1])), &hops.join(","));
        }

        #[test]
        fn json_can_be_accepted_after_any_other_value(value in vec(any::<u8>(), 0..60), text in "[a-z/;,=.0-9 *+-]{0,60}") {
            accept(&value);
            accept(text.as_bytes());
        }

        #[test]
        fn a_query_is_rejected_with_a_text_or_valid(
            fields in vec((select(vec!["search", "status", "sort", "page", "pageSize", "page%53ize", "x"]), prop_oneof![
                "[0-9+-]{0,12}",
                "[%_a-zA-Z0-9&=+-]{0,12}",
                select(vec!["%FF%FE", "%00", "%E2%80%8B", "ACTIVE", "-name", "4294967295", "4294967296", "%2B1"])
                    .prop_map(str::to_owned),
                vec(any::<char>(), 0..6).prop_map(String::from_iter),
            ]), 0..6),
        ) {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
            queries(fields.join("&").as_bytes());
        }

        #[test]
        fn a_body_is_rejected_with_a_text_or_read_as_sent(
            fields in vec((any_name(), any_json()), 0..5), other in any_json(), bytes in vec(any::<u8>(), 0..40),
        ) {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}:{value}")).collect();
            bodies(format!("{{{}}}", fields.join(",")).as_bytes());
            bodies(other.as_bytes());
            bodies(&bytes);
        }
    }

    #[test]
    fn the_seeds_of_the_fuzzer_hold() {
        fuzz_seeds("headers").iter().for_each(|seed| headers(seed));
        fuzz_seeds("queries").iter().for_each(|seed| queries(seed));
        fuzz_seeds("bodies").iter().for_each(|seed| bodies(seed));
    }

    #[test]
    fn a_body_of_opening_brackets_is_not_valid_json_at_any_length() {
        for bracket in ["[", "{\"a\":"] {
            let body = bracket.repeat(10 * 1024 * 1024 / bracket.len());
            bodies(body.as_bytes());
            assert!(read::<Sample>(body.as_bytes()).is_err());
        }
    }
}
