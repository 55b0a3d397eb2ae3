use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The query of a request. All its parameters are optional.
#[derive(Debug)]
pub(crate) struct Query<T>(T);

impl<T: DeserializeOwned> Query<T> {
    /// Reads a query.
    ///
    /// # Errors
    /// 422 with the name of the first parameter that is invalid or given twice.
    pub(crate) fn read(text: &str) -> Result<Self, ApiError> {
        parse(text).map(Self).ok_or_else(|| {
            let wrong = invalid_parameter::<T>(text);
            // Parameters are texts, which their endpoints read, or ids.
            let requirement = match &wrong {
                Some(wrong) if wrong.is_malformed => "Must be an id, in the form of a UUID.",
                _ => "Must be given at most once, as text.",
            };
            ApiError::invalid_field(wrong.as_ref().map_or("query", |wrong| wrong.name.as_str()), requirement)
        })
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::read(request.query_string()))
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    web::Query::from_query(text).ok().map(web::Query::into_inner)
}

struct InvalidParameter {
    name: String,
    /// Whether it is invalid by itself, and not because it was given before.
    is_malformed: bool,
}

/// The last parameter of the shortest beginning of the query that is invalid.
fn invalid_parameter<T: DeserializeOwned>(text: &str) -> Option<InvalidParameter> {
    let ends: Vec<usize> = text.match_indices('&').map(|(end, _)| end).chain([text.len()]).collect();
    let valid = ends.partition_point(|end| parse::<T>(&text[..*end]).is_some());
    let start = valid.checked_sub(1).map_or(0, |previous| ends[previous] + 1);
    let parameter = &text[start..*ends.get(valid)?];
    let pair: Vec<(String, String)> = parse(parameter)?;
    let (name, _) = pair.into_iter().next()?;
    Some(InvalidParameter { name, is_malformed: parse::<T>(parameter).is_none() })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use uuid::Uuid;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        page_size: Option<String>,
        ticket: Option<Uuid>,
    }

    #[test]
    fn an_error_names_the_parameter() {
        let id = "019a9d5e-0000-7000-8000-000000000001";
        let twice = format!("ticket={id}&ticket={id}");
        for (text, told) in [
            ("pageSize=1&pageSize=2", "pageSize must be given at most once, as text."),
            ("pageSize=1&other=1&other=2&page%53ize=2&ticket=x", "pageSize must be given at most once, as text."),
            (twice.as_str(), "ticket must be given at most once, as text."),
            ("&&pageSize=1&ticket=x", "ticket must be an id, in the form of a UUID."),
            ("ticket=%60a%60", "ticket must be an id, in the form of a UUID."),
        ] {
            assert_eq!(Query::<Sample>::read(text).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn unknown_parameters_may_be_repeated() {
        for text in ["", "&", "other=1&other=2", "pageSize=%FF&other", "ticket=019a9d5e-0000-7000-8000-000000000001"] {
            assert!(Query::<Sample>::read(text).is_ok(), "{text}");
        }
        assert_eq!(Query::<Sample>::read("pageSize=5").unwrap().page_size.as_deref(), Some("5"));
        assert!(Query::<Sample>::read("").unwrap().ticket.is_none());
    }
}
