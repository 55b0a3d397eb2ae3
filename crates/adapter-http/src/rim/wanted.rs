use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::{Error, Path, Segment};

use crate::rim::ApiError;

/// Reads `value`; what is wrong with it is said in words for people, not in those of the parser.
///
/// # Errors
/// Names the field and says what is wanted there.
pub(super) fn read_value<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(&value).map_err(|error: Refusal| {
        let (field, wanted) = name_what_is_wanted::<T>(value, &error);
        ApiError::invalid_field(&field, wanted)
    })
}

/// Reads JSON that is too large to be kept a second time. What is wrong is said as by [`read_value`], if the parser says
/// what it wanted.
///
/// # Errors
/// Names the field and says what is wanted there.
pub(super) fn read_text<T: DeserializeOwned>(json: &[u8]) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(json)).map_err(|error: Refusal| {
        let text = error.inner().to_string();
        // "… at line 1 column 20"
        let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
        let place = Place::at(error.path(), usize::from(text == NO_NUMBER));
        if let Some(field) = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
            return ApiError::invalid_field(&place.within(field).name, "Is required.");
        }
        if let Some(field) = text.strip_prefix("duplicate field `").and_then(|rest| rest.split('`').next()) {
            return ApiError::invalid_field(&place.within(field).name, "Must be given at most once.");
        }
        let field = if place.name.is_empty() { "body" } else { &place.name };
        ApiError::invalid_field(field, in_words(text).unwrap_or_else(|| "Is not valid.".to_owned()))
    })
}

type Refusal = Error<serde_json::Error>;

fn name_what_is_wanted<T: DeserializeOwned>(value: Value, error: &Refusal) -> (String, String) {
    let text = error.inner().to_string();
    let place = Place::of(error);
    if let Some(field) = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        return (place.within(field).name, "Is required.".to_owned());
    }
    if let Some(field) = text.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next()) {
        let is_there = place.pointer.ends_with(&format!("/{field}"));
        let place = if is_there { place } else { place.within(field) };
        return (place.name, "Is not known here.".to_owned());
    }
    let sent = value.pointer(&place.pointer).cloned();
    let wanted = in_words(&text).or_else(|| ask_what_is_wanted::<T>(value, &place));
    let wanted = match wanted {
        Some(number) if number.starts_with(WHOLE_NUMBER) && sent.is_some_and(|sent| is_whole(&sent)) => {
            format!("{WHOLE_NUMBER} with fewer digits.")
        }
        Some(wanted) => wanted,
        None => "Is not valid.".to_owned(),
    };
    (if place.name.is_empty() { "body".to_owned() } else { place.name }, wanted)
}

/// Not every refusal says what would do ("premature end of input", "invalid number"). The refusal of a value of quite
/// another type does.
fn ask_what_is_wanted<T: DeserializeOwned>(mut value: Value, place: &Place) -> Option<String> {
    [json!(false), json!("")].into_iter().find_map(|probe| {
        *value.pointer_mut(&place.pointer)? = probe;
        let refused: Result<T, Refusal> = serde_path_to_error::deserialize(&value);
        let refusal = refused.err().filter(|refusal| Place::of(refusal) == *place)?;
        in_words(&refusal.inner().to_string())
    })
}

const WHOLE_NUMBER: &str = "Must be a whole number";

fn is_whole(sent: &Value) -> bool {
    matches!(sent, Value::Number(number) if number.to_string().bytes().all(|digit| digit.is_ascii_digit()))
}

/// What a refusal of the parser asks for; none when it does not say.
fn in_words(refusal: &str) -> Option<String> {
    // What stands before may be what the caller sent.
    let expected = refusal.rsplit_once(", expected ").map_or(refusal, |(_, expected)| expected);
    let wanted = match expected {
        "a string" => "Must be a text.",
        "a boolean" => "Must be true or false.",
        "a sequence" => "Must be a list.",
        "u32" => "Must be a whole number of at least 0.",
        "i64" => "Must be a whole number.",
        "an RFC 3339 formatted date and time string" => "Must be a time such as 2026-12-01T18:00:00Z.",
        "a JSON string of texts or an array of texts" => "Must be a list of texts.",
        // Weights are the only exact numbers that anybody sends.
        "a JSON number" | "a number that can be stored" | NO_NUMBER => {
            "Must be a number from 0 to 100 with at most 4 decimals."
        }
        _ if expected.starts_with("struct ") => "Must be an object.",
        _ if expected.starts_with("at most ") => return Some(format!("Must be {expected}.")),
        _ if refusal.starts_with("unknown variant `") => return Some(one_of(expected)),
        _ => return None,
    };
    Some(wanted.to_owned())
}

/// "one of `A`, `B`" or "`A` or `B`", as a sentence.
fn one_of(expected: &str) -> String {
    let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    format!("Must be one of {}.", names.join(", "))
}

/// What serde_json says of an object where it reads an exact number, which is an object to it, too.
const NO_NUMBER: &str = "expected field with custom name";

/// Where in a body a field stands.
#[derive(PartialEq, Eq)]
struct Place {
    /// As people read it: `questionOrders.0.orderIndex`.
    name: String,
    /// As a JSON pointer.
    pointer: String,
}

impl Place {
    fn of(error: &Refusal) -> Self {
        let looks_into_number = error.inner().to_string() == NO_NUMBER;
        Self::at(error.path(), usize::from(looks_into_number))
    }

    /// The place at the end of `path` without its last `surplus` segments.
    fn at(path: &Path, surplus: usize) -> Self {
        let top = Self { name: String::new(), pointer: String::new() };
        path.iter().take(path.iter().len().saturating_sub(surplus)).fold(top, |place, segment| match segment {
            Segment::Seq { index } => place.within(&index.to_string()),
            Segment::Map { key } => place.within(key),
            // Both are within what was sent for one field.
            Segment::Enum { .. } | Segment::Unknown => place,
        })
    }

    fn within(self, field: &str) -> Self {
        let dot = if self.name.is_empty() { "" } else { "." };
        Self { name: format!("{}{dot}{field}", self.name), pointer: format!("{}/{field}", self.pointer) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use rust_decimal::Decimal;
    use serde::Deserialize;

    use super::*;
    use crate::rim::read_exact;

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Sample {
        text: String,
        switch: Option<bool>,
        count: Option<u32>,
        limit: Option<i64>,
        #[serde(deserialize_with = "read_exact")]
        weight: Option<Decimal>,
        time: Option<DateTime<Utc>>,
        status: Option<Status>,
        list: Vec<String>,
        orders: Vec<Order>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Status {
        Active,
        NotActive,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only the reading of it is tested")]
    struct Order {
        order_index: u32,
    }

    fn error(json: &str) -> String {
        read_value::<Sample>(serde_json::from_str(json).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn people_are_told_what_is_wanted_where() {
        let weight = "weight must be a number from 0 to 100 with at most 4 decimals.";
        let status = "status must be one of ACTIVE, NOT_ACTIVE.";
        let time = "time must be a time such as 2026-12-01T18:00:00Z.";
        let count = "count must be a whole number of at least 0.";
        for (json, wanted) in [
            (r#"{"text": 5}"#, "text must be a text."),
            (r#"{"text": 5e9}"#, "text must be a text."),
            (r#"{"text": null}"#, "text must be a text."),
            (r#"{"switch": "yes"}"#, "switch must be true or false."),
            (r#"{"count": "x, expected i64"}"#, count),
            (r#"{"count": -4}"#, count),
            (r#"{"count": 1.5}"#, count),
            (r#"{"count": 1e400}"#, count),
            (r#"{"count": 4294967296}"#, "count must be a whole number with fewer digits."),
            (r#"{"limit": {}}"#, "limit must be a whole number."),
            (r#"{"limit": 99999999999999999999}"#, "limit must be a whole number with fewer digits."),
            (r#"{"weight": "1"}"#, weight),
            (r#"{"weight": {}}"#, weight),
            (r#"{"weight": {"a": 1}}"#, weight),
            (r#"{"weight": [1]}"#, weight),
            (r#"{"weight": 1e400}"#, weight),
            (r#"{"time": ""}"#, time),
            (r#"{"time": "tomorrow"}"#, time),
            (r#"{"time": "2026-12-01"}"#, time),
            (r#"{"time": "2026-13-01T00:00:00Z"}"#, time),
            (r#"{"time": 5}"#, time),
            (r#"{"status": "ASLEEP"}"#, status),
            (r#"{"status": "`, expected `X`"}"#, status),
            (r#"{"status": 5}"#, status),
            (r#"{"status": {}}"#, status),
            (r#"{"status": {"a": 1}}"#, status),
            (r#"{"status": {"ACTIVE": 1}}"#, status),
            (r#"{"status": ["ACTIVE"]}"#, status),
            (r#"{"switch": 1e400}"#, "switch must be true or false."),
            (r#"{"time": 1e400}"#, time),
            (r#"{"status": 1e400}"#, status),
            (r#"{"list": 1e400}"#, "list must be a list."),
            (r#"{"orders": [1e400]}"#, "orders.0 must be an object."),
            (r#"{"list": "Yes"}"#, "list must be a list."),
            (r#"{"list": ["Yes", 5]}"#, "list.1 must be a text."),
            (r#"{"orders": ["x"]}"#, "orders.0 must be an object."),
            (r#"{"orders": [[]]}"#, "orders.0 must be an object."),
            (r#"{"orders": [{}]}"#, "orders.0.orderIndex is required."),
            (
                r#"{"orders": [{"orderIndex": 1}, {"orderIndex": 1.5}]}"#,
                "orders.1.orderIndex must be a whole number of at least 0.",
            ),
        ] {
            assert_eq!(error(json), wanted, "{json}");
        }
    }
}
