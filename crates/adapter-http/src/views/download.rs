use actix_web::HttpResponse;
use actix_web::HttpResponseBuilder;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

/// Begins a response that browsers save as a file. The name MUST contain only characters that need no quoting.
pub(crate) fn download(content_type: &str, name: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, content_type))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response
}
