use plenum_clients::SheetFormat;
use plenum_kernel::{MAX_PAGE_SIZE, Page, PageRequest, SearchText};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::FieldCheck;

/// The filter, the order and the page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Plain text to find. The first 200 characters count. `%` and `_` match themselves.
    pub(crate) search: Option<String>,
    /// Only rows with this status. Each list documents its values with [`status_parameter`].
    #[param(ignore)]
    pub(crate) status: Option<String>,
    /// The order of the rows.
    #[param(schema_with = sort_schema)]
    pub(crate) sort: Option<String>,
    /// The page, from 1. Without it the response contains all rows.
    #[param(value_type = Option<u64>, minimum = 1)]
    pub(crate) page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub(crate) page_size: Option<String>,
}

/// The orders of every list, for the OpenAPI document.
fn sort_schema() -> Object {
    let order = "By name (meetings by title), ascending or descending. Empty means missing.";
    choice_schema(["name", "-name"].into_iter()).description(Some(order)).build()
}

/// The `status` parameter of a list, for the OpenAPI document.
pub(crate) fn status_parameter<S>(statuses: &[(&str, S)]) -> Parameter {
    ParameterBuilder::new()
        .name("status")
        .parameter_in(ParameterIn::Query)
        .description(Some("Only rows with this status. Empty means missing."))
        .schema(Some(choice_schema(statuses.iter().map(|(name, _)| *name)).build()))
        .build()
}

/// A schema of these names and the empty text.
fn choice_schema<'a>(names: impl Iterator<Item = &'a str>) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names.chain([""])))
}

/// The default number of rows on a page.
const DEFAULT_PAGE_SIZE: u32 = 50;

/// The checked query of a list.
pub(crate) struct Listing<S, O> {
    /// The text to find.
    pub(crate) search: Option<SearchText>,
    /// Only rows with this status.
    pub(crate) status: Option<S>,
    /// The order of the rows.
    pub(crate) sort: Option<O>,
    /// The page; all rows if `None`.
    pub(crate) page: Option<PageRequest>,
}

impl ListQuery {
    /// Reads the query. `statuses` and `sorts` contain the accepted values.
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
        let page = read_page_number(check, self.page.as_deref())?;
        let page_size = read_page_size(check, self.page_size.as_deref())?;
        self.page.as_ref().map(|_| PageRequest { page, page_size })
    }
}

/// Reads the page of a list that always has pages: the first one if `page` is missing.
pub(crate) fn read_page(check: &mut FieldCheck, page: Option<&str>, page_size: Option<&str>) -> Option<PageRequest> {
    let page = read_page_number(check, page);
    let page_size = read_page_size(check, page_size);
    page.zip(page_size).map(|(page, page_size)| PageRequest { page, page_size })
}

fn read_page_number(check: &mut FieldCheck, text: Option<&str>) -> Option<u32> {
    read_number(check, NumberParameter { name: "page", text, default: 1, max: u32::MAX })
}

fn read_page_size(check: &mut FieldCheck, text: Option<&str>) -> Option<u32> {
    read_number(check, NumberParameter { name: "pageSize", text, default: DEFAULT_PAGE_SIZE, max: MAX_PAGE_SIZE })
}

/// Reads one of several values. A missing or empty parameter is `None`.
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

/// Reads `true` or `false`. `None` if the parameter is missing, empty or something else, which is recorded.
pub(crate) fn read_flag(check: &mut FieldCheck, field: &str, text: Option<&str>) -> Option<bool> {
    read_choice(check, field, text, &[("true", true), ("false", false)])
}

/// Reads the format of a table, from the parameter `format`. CSV if it is missing or empty.
pub(crate) fn read_sheet_format(mut check: FieldCheck, text: Option<&str>) -> Result<SheetFormat, ApiError> {
    let formats = [("csv", SheetFormat::Csv), ("xlsx", SheetFormat::Xlsx)];
    let format = read_choice(&mut check, "format", text, &formats);
    check.finish(Some(format.unwrap_or(SheetFormat::Csv)))
}

/// A parameter whose value is a whole number from 1.
#[derive(Clone, Copy)]
pub(crate) struct NumberParameter<'a> {
    /// Its name in the request.
    pub(crate) name: &'a str,
    /// Its value as sent.
    pub(crate) text: Option<&'a str>,
    /// The value if it is missing.
    pub(crate) default: u32,
    /// The highest value.
    pub(crate) max: u32,
}

/// Reads a parameter.
pub(crate) fn read_number(check: &mut FieldCheck, parameter: NumberParameter<'_>) -> Option<u32> {
    let NumberParameter { name, text, default, max } = parameter;
    let Some(text) = text else { return Some(default) };
    let number = text.parse().ok().filter(|number| (1..=max).contains(number));
    if number.is_none() {
        let end = if max == u32::MAX { "1".to_owned() } else { format!("1 to {max}") };
        check.note(name, format!("Must be a whole number from {end}."));
    }
    number
}

/// The page of a response.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageMeta {
    /// The number of the page, from 1.
    pub(crate) page: u32,
    /// Rows on a full page.
    pub(crate) page_size: u32,
    /// The number of all rows that match the filter.
    pub(crate) total: u64,
}

/// The `meta` of a page. `None` if the response contains all rows.
pub(crate) fn meta_of<T>(request: Option<PageRequest>, page: &Page<T>) -> Option<PageMeta> {
    request.map(|request| PageMeta { page: request.page, page_size: request.page_size, total: page.total })
}
