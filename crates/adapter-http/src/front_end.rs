use std::borrow::Cow;
use std::collections::BTreeMap;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_TYPE, ContentEncoding, Encoding, HeaderValue, VARY,
};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use rust_embed::RustEmbed;

use crate::config::HttpSettings;
use crate::error::no_such_path;

/// The built front end. Release builds contain it; debug builds read it from the folder.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Files;

const INDEX: &str = "index.html";
/// The additional files of each screen, by address. `frontend/build-plugins` writes this file.
const PRELOADS: &str = "preload.json";
/// The encodings of compressed files and their file extensions, smallest first.
const COMPRESSED: [(ContentEncoding, &str); 2] = [(ContentEncoding::Brotli, "br"), (ContentEncoding::Gzip, "gz")];
/// The license texts of the packages in it. The build of the front end writes this file.
const LICENSES: &str = "licenses.md";
const NOT_BUILT: &str = "The front end is not built. Run `npx --yes rust-just build`, then start again.";

/// The start page of all screens, with the base path.
pub(crate) struct FrontEnd {
    base_path: String,
    pages: Option<Pages>,
}

impl FrontEnd {
    /// Reads the start page and inserts the base path and the public URL.
    pub(crate) fn load(settings: &HttpSettings) -> Self {
        let base_path = &settings.base_path;
        let public_url = settings.public_url.as_deref().unwrap_or_default();
        let pages = Files::get(INDEX).map(|file| {
            let index = String::from_utf8_lossy(&file.data)
                .replace(r#"<base href="/" />"#, &format!(r#"<base href="{base_path}/" />"#))
                .replace(&meta("plenum-base-path", ""), &meta("plenum-base-path", base_path))
                .replace(&meta("plenum-public-url", ""), &meta("plenum-public-url", public_url));
            Pages::new(index, preloads())
        });
        Self { base_path: base_path.clone(), pages }
    }
}

/// The license texts of the packages that are built into the front end. `None` if the front end is not built.
pub fn front_end_licenses() -> Option<String> {
    Files::get(LICENSES).map(|file| String::from_utf8_lossy(&file.data).into_owned())
}

/// Without the list, screens start a little later.
fn preloads() -> BTreeMap<String, Vec<String>> {
    Files::get(PRELOADS).and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
}

/// The start page for each part of the product. It names the files of that part, so that the browser requests them
/// together.
struct Pages {
    plain: Bytes,
    /// The pages by address.
    of_parts: BTreeMap<String, Bytes>,
}

impl Pages {
    fn new(index: String, preloads: BTreeMap<String, Vec<String>>) -> Self {
        let of_parts = preloads
            .into_iter()
            .map(|(address, files)| {
                let links = files.iter().map(|file| link(file)).collect::<String>();
                (address, Bytes::from(index.replacen("</head>", &format!("{links}</head>"), 1)))
            })
            .collect();
        Self { plain: Bytes::from(index), of_parts }
    }

    /// The page for this address, or for the nearest parent address.
    fn at(&self, path: &str) -> Bytes {
        let mut address = path.trim_end_matches('/');
        while !address.is_empty() {
            if let Some(page) = self.of_parts.get(address) {
                return page.clone();
            }
            address = address.rsplit_once('/').map_or("", |(above, _)| above);
        }
        self.plain.clone()
    }
}

/// The names of built files need no escaping. The link has the same form as those of the build, because a browser would
/// load a file twice under another address or mode.
fn link(file: &str) -> String {
    let relation = if file.ends_with(".css") { "stylesheet" } else { "modulepreload" };
    format!(r#"<link rel="{relation}" crossorigin href="./{file}">"#)
}

/// Both values come from the configuration, which allows no character that needs escaping.
fn meta(name: &str, content: &str) -> String {
    format!(r#"<meta name="{name}" content="{content}" />"#)
}

/// Files that browsers and search engines request at the root of a host.
const WELL_KNOWN: [(&str, &[u8]); 2] = [
    ("/favicon.ico", include_bytes!("../../../frontend/public/favicon.ico")),
    ("/robots.txt", include_bytes!("../../../frontend/public/robots.txt")),
];

/// Whether an address is reserved for the server, so that no screen can use it.
pub(crate) fn is_reserved(path: &str) -> bool {
    ["/health", "/metrics"].iter().any(|place| {
        let below = path.strip_prefix(place);
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    })
}

/// Whether the address names a file. The last part of a screen's address contains no dot, and none begins with one.
fn names_a_file(name: &str) -> bool {
    name.starts_with('.') || name.rsplit('/').next().is_some_and(|last| last.contains('.'))
}

/// Serves a file of the front end. Any other path is a screen and gets the start page.
pub(crate) async fn front_end(request: HttpRequest, front_end: Data<FrontEnd>) -> HttpResponse {
    let below = request.path().strip_prefix(front_end.base_path.as_str());
    let path = below.unwrap_or_else(|| request.path());
    if let Some((name, content)) = WELL_KNOWN.into_iter().find(|(name, _)| *name == path) {
        return file_response(name, Cow::Borrowed(content), None);
    }
    if below.is_none() || is_reserved(path) {
        return no_such_path().await;
    }
    let name = path.trim_start_matches('/');
    if name != INDEX
        && let Some(file) = Files::get(name)
    {
        return file_response(name, file.data, request.get_header::<AcceptEncoding>().as_ref());
    }
    // A missing file must not be answered with a page.
    if name.starts_with("assets/") {
        return no_such_path().await;
    }
    match &front_end.pages {
        Some(_) if names_a_file(name) => no_such_path().await,
        Some(pages) => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .insert_header((CACHE_CONTROL, "no-cache"))
            .body(pages.at(path)),
        None => HttpResponse::ServiceUnavailable().content_type("text/plain; charset=utf-8").body(NOT_BUILT),
    }
}

/// The file in a compressed form that the browser accepts. Otherwise the middleware compresses it, if that suits its
/// type.
fn file_response(name: &str, plain: Cow<'static, [u8]>, accepted: Option<&AcceptEncoding>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, mime_guess::from_path(name).first_or_octet_stream().as_ref()))
        .insert_header((CACHE_CONTROL, caching_of(name)));
    let compressed = preferred(accepted)
        .and_then(|(encoding, extension)| Some((encoding, Files::get(&format!("{name}.{extension}"))?)));
    let Some((encoding, file)) = compressed else {
        return response.body(plain.into_owned());
    };
    response.insert_header(encoding).insert_header((VARY, HeaderValue::from_static("Accept-Encoding")));
    response.body(file.data.into_owned())
}

/// The compressed form that the browser prefers, if any.
fn preferred(accepted: Option<&AcceptEncoding>) -> Option<(ContentEncoding, &'static str)> {
    let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    let chosen = accepted?.negotiate(offered.iter())?;
    COMPRESSED.into_iter().find(|(encoding, _)| chosen == Encoding::Known(*encoding))
}

/// Names of built files contain a hash of the content, so they never change.
fn caching_of(path: &str) -> &'static str {
    if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT_ENCODING;
    use actix_web::test::TestRequest;

    use super::*;

    fn pages() -> Pages {
        let preloads =
            [("/admin", "assets/desk.js"), ("/admin/login", "assets/sign-in.js"), ("/vote", "assets/voter.css")]
                .map(|(address, file)| (address.to_owned(), vec![file.to_owned()]));
        Pages::new("<head><title>Plenum</title></head>".to_owned(), BTreeMap::from(preloads))
    }

    fn accepting(text: &str) -> Option<&'static str> {
        let request = TestRequest::default().insert_header((ACCEPT_ENCODING, text)).to_http_request();
        preferred(request.get_header::<AcceptEncoding>().as_ref()).map(|(_, extension)| extension)
    }

    #[test]
    fn a_page_names_the_files_of_its_own_part() {
        let script =
            r#"<head><title>Plenum</title><link rel="modulepreload" crossorigin href="./assets/desk.js"></head>"#;
        assert_eq!(pages().at("/admin"), script);
        assert_eq!(pages().at("/admin/"), script);
        assert_eq!(pages().at("/admin/clients/019a"), script);
        let style =
            r#"<head><title>Plenum</title><link rel="stylesheet" crossorigin href="./assets/voter.css"></head>"#;
        assert_eq!(pages().at("/vote/token"), style);
    }

    #[test]
    fn the_nearest_address_counts() {
        assert!(pages().at("/admin/login").windows(7).any(|part| part == b"sign-in"));
    }

    #[test]
    fn an_address_with_the_same_beginning_is_another_one() {
        for path in ["", "/", "/administration", "/voting"] {
            assert_eq!(pages().at(path), "<head><title>Plenum</title></head>");
        }
    }

    #[test]
    fn a_file_name_is_not_a_screen() {
        for name in ["sitemap.xml", "apple-touch-icon.png", ".env", ".well-known/security", "admin/logo.svg"] {
            assert!(names_a_file(name), "{name}");
        }
        for name in ["", "admin/login", "vote/019a9d5e", "admin/v1.2/clients"] {
            assert!(!names_a_file(name), "{name}");
        }
    }

    #[test]
    fn a_browser_gets_the_smallest_file_that_it_accepts() {
        assert_eq!(accepting("gzip, deflate, br, zstd"), Some("br"));
        assert_eq!(accepting("gzip, deflate"), Some("gz"));
        assert_eq!(accepting("br;q=0, gzip"), Some("gz"));
        assert_eq!(accepting("gzip;q=0.5, br;q=0.1"), Some("gz"));
    }

    #[test]
    fn a_browser_that_accepts_no_encoding_gets_the_plain_file() {
        assert_eq!(preferred(None), None);
        assert_eq!(accepting("identity"), None);
        assert_eq!(accepting("br;q=0, gzip;q=0"), None);
        assert_eq!(accepting("zstd"), None);
    }
}
