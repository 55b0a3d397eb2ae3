use std::fmt;
use std::hint::black_box;

use actix_web::http::header::{AUTHORIZATION, CACHE_CONTROL};
use actix_web::web::{Data, ServiceConfig, block, get};
use actix_web::{HttpRequest, HttpResponse};
use plenum_metrics::Page;

use crate::routes::no_such_path;
use crate::settings::HttpSettings;

/// Tells how the product fares, in numbers.
pub trait MetricsPage: Send + Sync {
    /// The page as Prometheus reads it. May block.
    fn write(&self) -> String;
}

/// What whoever reads the metrics has to show.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken(String);

impl MetricsToken {
    /// What a token must be.
    pub const WANTED: &'static str = "must be 16 to 256 letters, digits or other visible characters of ASCII";

    /// Reads a token; `None` when it is too short to be kept secret, or no header can carry it.
    pub fn parse(text: &str) -> Option<Self> {
        let is_long = (16..=256).contains(&text.len());
        (is_long && text.bytes().all(|letter| letter.is_ascii_graphic())).then(|| Self(text.to_owned()))
    }

    /// Whether this is it. Takes as long for one that is wrong at the end as for one that is wrong at the beginning.
    fn is(&self, shown: &str) -> bool {
        let (own, shown) = (self.0.as_bytes(), shown.as_bytes());
        let differences =
            own.iter().zip(shown).fold(0, |differences, (own, shown)| black_box(differences | (own ^ shown)));
        own.len() == shown.len() && differences == 0
    }
}

impl fmt::Debug for MetricsToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsToken")
    }
}

/// At the root, where Prometheus looks for it, and below the base path.
pub(crate) fn metrics_routes(config: &mut ServiceConfig, base_path: &str) {
    config.route("/metrics", get().to(send_metrics));
    if !base_path.is_empty() {
        config.route(&format!("{base_path}/metrics"), get().to(send_metrics));
    }
}

/// Whoever does not show the token learns no more than that there is nothing.
async fn send_metrics(
    request: HttpRequest,
    settings: Data<HttpSettings>,
    page: Data<dyn MetricsPage>,
) -> Result<HttpResponse, actix_web::Error> {
    let shown = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    let shown = shown.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    if !settings.metrics_token.as_ref().is_some_and(|token| token.is(shown)) {
        return Ok(no_such_path().await);
    }
    let page = page.into_inner();
    let text = block(move || page.write()).await?;
    Ok(HttpResponse::Ok().content_type(Page::CONTENT_TYPE).insert_header((CACHE_CONTROL, "no-store")).body(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_visible() {
        for text in ["0123456789abcdef", "a!\"#$%&'()*+,-./:;<=>?@[]"] {
            assert!(MetricsToken::parse(text).is_some(), "{text}");
        }
        for text in ["", "0123456789abcde", "0123456789abcde ", "0123456789abcd\u{e9}", &"a".repeat(257)] {
            assert!(MetricsToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_the_whole_token_is_it() {
        let token = MetricsToken::parse("0123456789abcdef").unwrap();
        assert!(token.is("0123456789abcdef"));
        for shown in ["", "0123456789abcde", "0123456789abcdefg", "1123456789abcdef", "0123456789abcdeF"] {
            assert!(!token.is(shown), "{shown}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }
}
