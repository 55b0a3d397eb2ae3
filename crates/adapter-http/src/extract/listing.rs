use actix_web::web::QueryConfig;
use plenum_kernel::{MAX_PAGE_SIZE, Page, PageRequest, SearchText};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::FieldCheck;

/// Which part of a list is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Plain text to look for, of which the first 200 characters count; `%` and `_` are letters.
    pub(crate) search: Option<String>,
    /// Only rows with this status. Which there are each list says by [`status_parameter`].
    #[param(ignore)]
    pub(crate) status: Option<String>,
    /// In this order.
    #[param(schema_with = sort_schema)]
    pub(crate) sort: Option<String>,
    /// The page, from 1; without it the answer holds all rows.
    #[param(value_type = Option<u64>, minimum = 1)]
    pub(crate) page: Option<String>,
    /// Rows on a page, at most 200; 50 when missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub(crate) page_size: Option<String>,
}

/// What every list can be sorted by, as the document says it.
fn sort_schema() -> Object {
    let order = "By name (of meetings the title), from the first on or from the last. Empty is as good as missing.";
    choice_schema(["name", "-name"].into_iter()).description(Some(order)).build()
}

/// The parameter `status`, as the document says it of a list that takes these `statuses`.
pub(crate) fn status_parameter<S>(statuses: &[(&str, S)]) -> Parameter {
    ParameterBuilder::new()
        .name("status")
        .parameter_in(ParameterIn::Query)
        .description(Some("Only rows with this status. Empty is as good as missing."))
        .schema(Some(choice_schema(statuses.iter().map(|(name, _)| *name)).build()))
        .build()
}

/// One of `names`, or nothing.
fn choice_schema<'a>(names: impl Iterator<Item = &'a str>) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names.chain([""])))
}

/// Says of a query that cannot be read what is wrong with it, in the shape of every other error.
pub(crate) fn query_config() -> QueryConfig {
    QueryConfig::default().error_handler(|error, _| {
        let text = error.to_string();
        // "… duplicate field `page`"
        let field = text.split('`').nth(1).unwrap_or("query");
        ApiError::invalid_field(field, "Must be given at most once, as text.").into()
    })
}

/// How many rows a page has when nobody says.
const DEFAULT_PAGE_SIZE: u32 = 50;

/// What the query of a list asks for, checked.
pub(crate) struct Listing<S, O> {
    /// What to look for.
    pub(crate) search: Option<SearchText>,
    /// Only rows with this status.
    pub(crate) status: Option<S>,
    /// In this order.
    pub(crate) sort: Option<O>,
    /// This part of them; all when missing.
    pub(crate) page: Option<PageRequest>,
}

impl ListQuery {
    /// Reads the query, where `statuses` and `sorts` name what may be asked for.
    pub(crate) fn read<S: Copy, O: Copy>(
        &self,
        statuses: &[(&str, S)],
        sorts: &[(&str, O)],
    ) -> Result<Listing<S, O>, ApiError> {
        let mut check = FieldCheck::default();
        let listing = Listing {
            search: self.search.as_deref().and_then(SearchText::parse),
            status: read_choice(&mut check, "status", self.status.as_deref(), statuses),
            sort: read_choice(&mut check, "sort", self.sort.as_deref(), sorts),
            page: self.read_page(&mut check),
        };
        check.finish(Some(listing))
    }

    fn read_page(&self, check: &mut FieldCheck) -> Option<PageRequest> {
        let page = read_number(check, "page", self.page.as_deref(), 1, u32::MAX)?;
        let page_size = read_number(check, "pageSize", self.page_size.as_deref(), DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)?;
        self.page.as_ref().map(|_| PageRequest { page, page_size })
    }
}

/// One of the values that a parameter may have. A missing or empty one is none.
pub(crate) fn read_choice<T: Copy>(
    check: &mut FieldCheck,
    field: &str,
    text: Option<&str>,
    choices: &[(&str, T)],
) -> Option<T> {
    let text = text.filter(|text| !text.is_empty())?;
    let chosen = choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
    if chosen.is_none() {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        check.note(field, format!("Must be one of {}.", names.join(", ")));
    }
    chosen
}

/// A whole number from 1 to `max`, `default` when missing.
pub(crate) fn read_number(
    check: &mut FieldCheck,
    field: &str,
    text: Option<&str>,
    default: u32,
    max: u32,
) -> Option<u32> {
    let Some(text) = text else { return Some(default) };
    let number = text.parse().ok().filter(|number| (1..=max).contains(number));
    if number.is_none() {
        let end = if max == u32::MAX { "1".to_owned() } else { format!("1 to {max}") };
        check.note(field, format!("Must be a whole number from {end}."));
    }
    number
}

/// Which page an answer holds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageMeta {
    /// From 1.
    pub(crate) page: u32,
    /// Rows on a full page.
    pub(crate) page_size: u32,
    /// All rows that fit the filter.
    pub(crate) total: u64,
}

/// The `meta` of a page; none when all rows were asked for.
pub(crate) fn meta_of<T>(request: Option<PageRequest>, page: &Page<T>) -> Option<PageMeta> {
    request.map(|request| PageMeta { page: request.page, page_size: request.page_size, total: page.total })
}
