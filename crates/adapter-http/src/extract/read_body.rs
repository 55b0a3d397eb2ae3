//! Validates and reads bodies by their [`Shape`]. Reports all missing and invalid fields together, accepts numbers such
//! as `5.0` as whole, and reports unknown fields. Parses only known fields, so that memory does not depend on the size
//! of unknown ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::DateTime;
use rust_decimal::prelude::ToPrimitive as _;
use serde::Deserializer as _;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use serde_path_to_error::{Path, Segment};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::FieldErrors;
use crate::extract::UnknownFields;
use crate::extract::body::bad_json;
use crate::extract::numbers::exactly;
use crate::extract::shape::Kind;
use crate::extract::shape::ObjectShape;
use crate::extract::shape::Shape;

/// The highest number of errors in one response.
const MOST_FAULTS: usize = 20;
/// The field name of an error of the whole body.
const WHOLE: &str = "body";

/// Reads a body, and returns its unknown fields.
///
/// # Errors
/// 400 if the body is not valid JSON, 422 with the name of each invalid field.
pub(crate) fn read<T: DeserializeOwned + ToSchema + 'static>(bytes: &[u8]) -> Result<(T, UnknownFields), ApiError> {
    let text = std::str::from_utf8(bytes).map_err(|_| not_json())?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|_| not_json())?;
    let shape = Shape::of::<T>();
    let mut reader = Reader::default();
    let value = reader.take(raw, &shape, &FieldPath::default()).map_err(|NotJson| not_json())?;
    if !reader.faults.is_empty() {
        return Err(ApiError::invalid(reader.faults));
    }
    let body = serde_path_to_error::deserialize(value).map_err(|error| refusal(&shape, error.path()))?;
    Ok((body, UnknownFields(reader.unknown)))
}

fn not_json() -> ApiError {
    bad_json("The body is not valid JSON.")
}

/// The error for a value that its shape allows and its type rejects, such as a malformed id or a number that is too
/// large.
fn refusal(shape: &Shape, error_path: &Path) -> ApiError {
    let (mut path, mut shape) = (FieldPath::default(), shape);
    for segment in error_path {
        let (name, further) = match segment {
            Segment::Seq { index } => ("", path.at(*index)),
            Segment::Map { key } => (key.as_str(), path.within(key)),
            Segment::Enum { .. } | Segment::Unknown => continue,
        };
        let Some(within) = shape.within(name) else { break };
        (path, shape) = (further, within);
    }
    let expected = match &shape.kind {
        // The reader has checked all other limits, so the number is too large.
        Kind::Whole(number) if !number.is_a_choice() => "a whole number with fewer digits".to_owned(),
        _ => shape.expected(),
    };
    ApiError::invalid_field(path.name(), format!("Must be {expected}."))
}

/// The position of a value in a body.
#[derive(Clone, Default)]
struct FieldPath {
    /// The path for people: `questionOrders.0.orderIndex`.
    name: String,
    /// The path without positions in lists, which may have thousands of entries.
    field: String,
}

impl FieldPath {
    fn within(&self, field: &str) -> Self {
        Self { name: joined(&self.name, field), field: joined(&self.field, field) }
    }

    fn at(&self, index: usize) -> Self {
        Self { name: joined(&self.name, &index.to_string()), field: self.field.clone() }
    }

    fn name(&self) -> &str {
        if self.name.is_empty() { WHOLE } else { &self.name }
    }
}

fn joined(before: &str, name: &str) -> String {
    if before.is_empty() { name.to_owned() } else { format!("{before}.{name}") }
}

/// Invalid JSON inside a value, such as half of a surrogate pair.
struct NotJson;

impl From<serde_json::Error> for NotJson {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}

/// The errors and unknown fields found so far.
#[derive(Default)]
struct Reader {
    faults: FieldErrors,
    unknown: BTreeSet<String>,
}

impl Reader {
    fn note(&mut self, path: &FieldPath, expected: String) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.entry(path.name().to_owned()).or_default().push(expected);
        }
    }

    /// Reads `raw` in the given shape. Records errors, and returns `null` in path of an invalid value.
    fn take(&mut self, raw: &RawValue, shape: &Shape, path: &FieldPath) -> Result<Value, NotJson> {
        let found = Found::of(raw);
        if found == Found::Null && shape.is_nullable {
            return Ok(Value::Null);
        }
        let taken = match (&shape.kind, found) {
            (Kind::Anything, _) => Some(serde_json::from_str(raw.get())?),
            (Kind::Either(shapes), _) => match shapes.iter().find(|shape| found.fits(shape)) {
                Some(shape) => return self.take(raw, shape, path),
                None => None,
            },
            (Kind::Object(object), Found::Object) => Some(self.take_object(raw, object, path)?),
            (Kind::Tagged { tag, variants }, Found::Object) => return self.take_tagged(raw, tag, variants, path),
            (Kind::List { items, most }, Found::List) => Some(self.take_list(raw, items, *most, path)?),
            (Kind::Whole(expected), Found::Number) => match whole(raw.get()) {
                Some(number) if expected.takes_sign_of(&number) => Some(Value::Number(number)),
                _ => {
                    self.note(path, format!("Must be {}.", shape.expected()));
                    return Ok(Value::Null);
                }
            },
            (Kind::Choice(names), Found::Text) => self.take_choice(raw, names, shape, path)?,
            (Kind::Time, Found::Text) => self.take_time(raw, shape, path)?,
            (Kind::Text | Kind::Id, Found::Text)
            | (Kind::Switch, Found::Switch(_))
            | (Kind::Number { .. }, Found::Number) => Some(serde_json::from_str(raw.get())?),
            _ => None,
        };
        Ok(taken.unwrap_or_else(|| {
            let expected = if path.name.is_empty() { "a JSON object".to_owned() } else { shape.expected() };
            self.note(path, format!("Must be {expected}, not {}.", found.name()));
            Value::Null
        }))
    }

    fn take_choice(
        &mut self,
        raw: &RawValue,
        names: &[String],
        shape: &Shape,
        path: &FieldPath,
    ) -> Result<Option<Value>, NotJson> {
        let text: String = serde_json::from_str(raw.get())?;
        if !names.contains(&text) {
            self.note(path, format!("Must be {}.", shape.expected()));
        }
        Ok(Some(Value::String(text)))
    }

    fn take_time(&mut self, raw: &RawValue, shape: &Shape, path: &FieldPath) -> Result<Option<Value>, NotJson> {
        let text: String = serde_json::from_str(raw.get())?;
        if text.parse::<DateTime<chrono::Utc>>().is_err() {
            self.note(path, format!("Must be {}.", shape.expected()));
        }
        Ok(Some(Value::String(text)))
    }

    /// Reads one entry more than the limit, so that the handler can report the excess.
    fn take_list(
        &mut self,
        raw: &RawValue,
        items: &Shape,
        most: Option<usize>,
        path: &FieldPath,
    ) -> Result<Value, NotJson> {
        let kept = most.map_or(usize::MAX, |most| most.saturating_add(1));
        let entries = serde_json::Deserializer::from_str(raw.get()).deserialize_seq(Entries(kept))?;
        let taken = entries.into_iter().enumerate().map(|(index, raw)| self.take(raw, items, &path.at(index)));
        Ok(Value::Array(taken.collect::<Result<_, _>>()?))
    }

    fn take_object(&mut self, raw: &RawValue, object: &ObjectShape, path: &FieldPath) -> Result<Value, NotJson> {
        let fields = self.fields_of(raw, path, |name| object.fields.contains_key(name), object.is_strict)?;
        self.take_fields(fields, object, path)
    }

    /// Reads an object whose fields depend on its tag. The tag may follow the other fields.
    fn take_tagged(
        &mut self,
        raw: &RawValue,
        tag: &str,
        variants: &BTreeMap<String, ObjectShape>,
        path: &FieldPath,
    ) -> Result<Value, NotJson> {
        let is_known = |name: &str| variants.values().any(|object| object.fields.contains_key(name));
        let fields = self.fields_of(raw, path, is_known, true)?;
        let names: Vec<String> = variants.keys().cloned().collect();
        let tag_shape = Shape { kind: Kind::Choice(names), is_nullable: false };
        let Some((_, raw_tag)) = fields.iter().find(|(name, _)| name == tag) else {
            self.note(&path.within(tag), "Is required.".to_owned());
            return Ok(Value::Null);
        };
        let chosen = self.take(raw_tag, &tag_shape, &path.within(tag))?;
        let Some(object) = chosen.as_str().and_then(|name| variants.get(name)) else { return Ok(Value::Null) };
        let (own, others): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| object.fields.contains_key(name));
        for (name, _) in others {
            self.note(&path.within(&name), "Is not a known field.".to_owned());
        }
        self.take_fields(own, object, path)
    }

    fn take_fields(
        &mut self,
        fields: Vec<(String, &RawValue)>,
        object: &ObjectShape,
        path: &FieldPath,
    ) -> Result<Value, NotJson> {
        for name in &object.required {
            if !fields.iter().any(|(given, _)| given == name) {
                self.note(&path.within(name), "Is required.".to_owned());
            }
        }
        let mut taken = Map::new();
        for (name, raw) in fields {
            if let Some(shape) = object.fields.get(&name) {
                let value = self.take(raw, shape, &path.within(&name))?;
                taken.insert(name, value);
            }
        }
        Ok(Value::Object(taken))
    }

    /// The known fields of an object, each once.
    fn fields_of<'a>(
        &mut self,
        raw: &'a RawValue,
        path: &FieldPath,
        is_known: impl Fn(&str) -> bool,
        is_strict: bool,
    ) -> Result<Vec<(String, &'a RawValue)>, NotJson> {
        let given = serde_json::Deserializer::from_str(raw.get()).deserialize_map(Fields(is_known))?;
        for name in given.twice {
            self.note(&path.within(&name), "Must be given at most once.".to_owned());
        }
        for name in given.unknown {
            let path = path.within(&name);
            if is_strict {
                self.note(&path, "Is not a known field.".to_owned());
            } else if self.unknown.len() < UnknownFields::MOST {
                self.unknown.insert(path.field);
            }
        }
        Ok(given.known)
    }
}

/// The JSON type of a value, seen from its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Text,
    Number,
    Switch(bool),
    List,
    Object,
    Null,
}

impl Found {
    fn of(raw: &RawValue) -> Self {
        match raw.get().bytes().next() {
            Some(b'"') => Self::Text,
            Some(b'{') => Self::Object,
            Some(b'[') => Self::List,
            Some(b't') => Self::Switch(true),
            Some(b'f') => Self::Switch(false),
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        match &shape.kind {
            Kind::Text | Kind::Time | Kind::Id | Kind::Choice(_) => self == Self::Text,
            Kind::Switch => matches!(self, Self::Switch(_)),
            Kind::Number { .. } | Kind::Whole(_) => self == Self::Number,
            Kind::List { .. } => self == Self::List,
            Kind::Object(_) | Kind::Tagged { .. } => self == Self::Object,
            Kind::Either(shapes) => shapes.iter().any(|shape| self.fits(shape)),
            Kind::Anything => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Switch(true) => "true",
            Self::Switch(false) => "false",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Null => "null",
        }
    }
}

/// The number without decimals, if all decimals are zeros.
fn whole(digits: &str) -> Option<Number> {
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_plain {
        return serde_json::from_str(digits).ok();
    }
    let number = exactly(digits)?;
    if !number.fract().is_zero() {
        return None;
    }
    serde_json::from_str(&number.to_i128()?.to_string()).ok()
}

/// Reads a list up to this number of entries.
struct Entries(usize);

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while entries.len() < self.0 {
            let Some(entry) = given.next_element()? else { return Ok(entries) };
            entries.push(entry);
        }
        while given.next_element::<IgnoredAny>()?.is_some() {}
        Ok(entries)
    }
}

/// Reads the known fields of an object.
struct Fields<F>(F);

/// The fields of an object, by kind.
#[derive(Default)]
struct GivenFields<'de> {
    known: Vec<(String, &'de RawValue)>,
    twice: Vec<String>,
    unknown: Vec<String>,
}

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for Fields<F> {
    type Value = GivenFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> Result<Self::Value, A::Error> {
        let mut fields = GivenFields::default();
        while let Some(name) = given.next_key::<String>()? {
            if !(self.0)(&name) {
                given.next_value::<IgnoredAny>()?;
                if fields.unknown.len() < UnknownFields::MOST {
                    fields.unknown.push(name);
                }
            } else if fields.known.iter().any(|(known, _)| *known == name) {
                given.next_value::<IgnoredAny>()?;
                if fields.twice.len() < MOST_FAULTS {
                    fields.twice.push(name);
                }
            } else {
                fields.known.push((name, given.next_value()?));
            }
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;
    use serde::{Deserialize, Serialize};
    use uuid::Uuid;

    use super::*;
    use crate::extract::read_exact;

    #[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    struct Sample {
        text: String,
        switch: Option<bool>,
        count: Option<u32>,
        limit: Option<i64>,
        #[schema(minimum = 5, maximum = 3600)]
        seconds: Option<i64>,
        #[serde(deserialize_with = "read_exact")]
        #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
        weight: Option<Decimal>,
        time: Option<DateTime<chrono::Utc>>,
        id: Option<Uuid>,
        status: Option<Status>,
        list: Vec<String>,
        orders: Vec<Order>,
        texts: Option<Texts>,
        rule: Option<plenum_result_format::DecisionRuleFormat>,
    }

    #[derive(Debug, Deserialize, Serialize, ToSchema)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Status {
        Active,
        NotActive,
    }

    #[derive(Debug, Deserialize, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    struct Order {
        order_index: u32,
        question_id: String,
    }

    #[derive(Debug, Deserialize, Serialize, ToSchema)]
    #[serde(untagged)]
    enum Texts {
        Encoded(String),
        Array(Vec<String>),
    }

    fn error(json: &str) -> String {
        read::<Sample>(json.as_bytes()).map(|_| ()).unwrap_err().to_string()
    }

    fn sample(json: &str) -> Sample {
        read::<Sample>(json.as_bytes()).unwrap().0
    }

    #[test]
    fn errors_name_the_field_the_expected_and_the_actual_type() {
        for (json, expected) in [
            (r#"{"text": 5}"#, "text must be a text, not a number."),
            (r#"{"text": null}"#, "text must be a text, not null."),
            (r#"{"switch": "yes"}"#, "switch must be true or false, not a text."),
            (r#"{"switch": 1e400}"#, "switch must be true or false, not a number."),
            (r#"{"count": "10"}"#, "count must be a whole number of at least 0, not a text."),
            (r#"{"count": -4}"#, "count must be a whole number of at least 0."),
            (r#"{"count": 5.5}"#, "count must be a whole number of at least 0."),
            (r#"{"count": 1e400}"#, "count must be a whole number of at least 0."),
            (r#"{"count": 4294967296}"#, "count must be a whole number with fewer digits."),
            (r#"{"limit": {}}"#, "limit must be a whole number, not an object."),
            (r#"{"limit": 99999999999999999999}"#, "limit must be a whole number with fewer digits."),
            (r#"{"seconds": true}"#, "seconds must be a whole number from 5 to 3600, not true."),
            (r#"{"weight": "1"}"#, "weight must be a number from 0 to 100 with at most 4 decimals, not a text."),
            (
                r#"{"weight": {"a": 1}}"#,
                "weight must be a number from 0 to 100 with at most 4 decimals, not an object.",
            ),
            (r#"{"weight": 1e400}"#, "weight must be a number from 0 to 100 with at most 4 decimals."),
            (r#"{"time": "2026-13-01T00:00:00Z"}"#, "time must be a time such as 2026-12-01T18:00:00Z."),
            (r#"{"time": 5}"#, "time must be a time such as 2026-12-01T18:00:00Z, not a number."),
            (r#"{"id": "x"}"#, "id must be an id such as 019a9d5e-0000-7000-8000-000000000004."),
            (r#"{"status": "`, expected `X`"}"#, "status must be one of ACTIVE, NOT_ACTIVE."),
            (r#"{"status": {"ACTIVE": 1}}"#, "status must be one of ACTIVE, NOT_ACTIVE, not an object."),
            (r#"{"list": "Yes"}"#, "list must be a list of texts, not a text."),
            (r#"{"list": ["Yes", 5]}"#, "list.1 must be a text, not a number."),
            (r#"{"orders": [[]]}"#, "orders.0 must be an object, not a list."),
            (r#"{"texts": 5}"#, "texts must be a text or a list of texts, not a number."),
            (r#"{"texts": [5]}"#, "texts.0 must be a text, not a number."),
            (r#"{"rule": {"seats": 1}}"#, "rule.kind is required."),
            (r#"{"rule": {"kind": "chance"}}"#, "rule.kind must be one of each_option, election, majority, plurality."),
            (
                r#"{"rule": {"kind": "plurality", "unit": "heads", "seats": "2"}}"#,
                "rule.seats must be a whole number of at least 0, not a text.",
            ),
            (r#"{"text": "a", "text": "b"}"#, "text must be given at most once."),
        ] {
            assert_eq!(error(json), expected, "{json}");
        }
    }

    #[test]
    fn all_errors_of_a_body_are_reported_together() {
        let json = r#"{"count": "x", "orders": [{"orderIndex": 1}, {}], "status": 1, "time": "soon",
            "rule": {"kind": "plurality", "unit": "heads", "seats": 1, "onTie": "rejected", "kin": 1}}"#;
        let error = read::<Sample>(json.as_bytes()).map(|_| ()).unwrap_err().body();
        let fields: Vec<String> = error.fields.unwrap().into_keys().collect();
        let expected = [
            "count",
            "orders.0.questionId",
            "orders.1.orderIndex",
            "orders.1.questionId",
            "rule.kin",
            "rule.onTie",
            "status",
            "time",
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn thousands_of_errors_are_not_all_reported() {
        let json = format!(r#"{{"orders": [{}]}}"#, vec!["{}"; 20_000].join(","));
        let error = read::<Sample>(json.as_bytes()).map(|_| ()).unwrap_err().body();
        assert_eq!(error.fields.unwrap().len(), MOST_FAULTS);
    }

    #[test]
    fn a_number_without_decimals_is_whole_in_any_notation() {
        for (json, count) in [("5", 5), ("5.0", 5), ("5.000", 5), ("5e0", 5), ("50e-1", 5), ("0.5e1", 5), ("-0.0", 0)] {
            assert_eq!(sample(&format!(r#"{{"count": {json}}}"#)).count, Some(count), "{json}");
        }
        assert_eq!(sample(r#"{"limit": -5.0}"#).limit, Some(-5));
        let within = sample(r#"{"orders": [{"orderIndex": 2.0, "questionId": "a"}]}"#);
        assert_eq!(within.orders[0].order_index, 2);
        let rule = sample(r#"{"rule": {"kind": "plurality", "unit": "heads", "seats": 2.0}}"#);
        assert!(matches!(rule.rule, Some(plenum_result_format::DecisionRuleFormat::Plurality { seats: 2, .. })));
        assert_eq!(sample(r#"{"weight": 1.5000}"#).weight.unwrap().to_string(), "1.5000");
    }

    #[test]
    fn unknown_fields_are_reported_and_not_read() {
        let json = r#"{"text": "a", "colour": [[{"a": 1}]], "orders": [
            {"orderIndex": 1, "questionId": "a", "note": 1}, {"orderIndex": 2, "questionId": "b", "note": 2}]}"#;
        let (sample, unknown) = read::<Sample>(json.as_bytes()).unwrap();
        assert_eq!(sample.text, "a");
        assert_eq!(unknown.0.into_iter().collect::<Vec<_>>(), ["colour", "orders.note"]);
    }

    #[test]
    fn an_error_of_a_body_that_is_not_an_object_names_the_body() {
        for (json, found) in
            [("[]", "a list"), ("\"x\"", "a text"), ("5", "a number"), ("null", "null"), ("true", "true")]
        {
            let error = read::<Sample>(json.as_bytes()).map(|_| ()).unwrap_err().body();
            assert_eq!(error.error, format!("body must be a JSON object, not {found}."));
            assert_eq!(error.fields.unwrap().into_keys().collect::<Vec<_>>(), ["body"]);
        }
    }
}
