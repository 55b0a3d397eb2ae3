use actix_web::HttpResponse;
use actix_web::HttpResponseBuilder;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use plenum_clients::SheetFormat;

/// The content type of a table in this format.
pub(crate) const fn content_type(format: SheetFormat) -> &'static str {
    match format {
        SheetFormat::Csv => "text/csv; charset=utf-8",
        SheetFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
}

/// Begins a response that browsers save as a file. The name MUST contain only characters that need no quoting.
pub(crate) fn download(content_type: &str, name: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, content_type))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response
}
