use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use rust_embed::RustEmbed;

use crate::settings::HttpSettings;

/// The built front end: inside the binary in release builds, read from the folder in debug builds.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Files;

const INDEX: &str = "index.html";
const NOT_BUILT: &str = "The front end is not built. Run `npx --yes rust-just build`, then start again.";

/// The page that every screen starts from, with the base path written into it.
pub(crate) struct FrontEnd {
    base_path: String,
    index: Option<String>,
}

impl FrontEnd {
    /// Reads the page and writes into it what it cannot know before it is served.
    pub(crate) fn load(settings: &HttpSettings) -> Self {
        let base_path = &settings.base_path;
        let public_url = settings.public_url.as_deref().unwrap_or_default();
        let index = Files::get(INDEX).map(|file| {
            String::from_utf8_lossy(&file.data)
                .replace(r#"<base href="/" />"#, &format!(r#"<base href="{base_path}/" />"#))
                .replace(&meta("plenum-base-path", ""), &meta("plenum-base-path", base_path))
                .replace(&meta("plenum-public-url", ""), &meta("plenum-public-url", public_url))
        });
        Self { base_path: base_path.clone(), index }
    }
}

/// Both values come from the configuration, which allows no character that would need escaping.
fn meta(name: &str, content: &str) -> String {
    format!(r#"<meta name="{name}" content="{content}" />"#)
}

/// Serves a file of the front end; any other path is a screen, and gets the page that knows all screens.
pub(crate) async fn front_end(request: HttpRequest, front_end: Data<FrontEnd>) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::MethodNotAllowed().finish();
    }
    let Some(path) = request.path().strip_prefix(front_end.base_path.as_str()) else {
        return HttpResponse::NotFound().finish();
    };
    let path = path.trim_start_matches('/');
    if path != INDEX
        && let Some(file) = Files::get(path)
    {
        return HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, mime_guess::from_path(path).first_or_octet_stream().as_ref()))
            .insert_header((CACHE_CONTROL, caching_of(path)))
            .body(file.data.into_owned());
    }
    // A file that is asked for by its name and is not there (any more) must not be answered with a page.
    if path.starts_with("assets/") {
        return HttpResponse::NotFound().finish();
    }
    match &front_end.index {
        Some(index) => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .insert_header((CACHE_CONTROL, "no-cache"))
            .body(index.clone()),
        None => HttpResponse::ServiceUnavailable().content_type("text/plain; charset=utf-8").body(NOT_BUILT),
    }
}

/// Built files carry a hash of their content in their name and never change under it.
fn caching_of(path: &str) -> &'static str {
    if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
}
