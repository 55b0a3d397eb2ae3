//! Web origins in the form that browsers send.

use url::{Host, Url};

/// Normalizes an origin: lower case, without the default port of its scheme. `None` if the text is not an origin of one host.
pub(crate) fn read_origin(text: &str) -> Option<String> {
    let text = text.trim();
    let origin = text.strip_suffix('/').unwrap_or(text);
    let (scheme, authority) = origin.split_once("://")?;
    let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
    // The URL parser accepts these characters, but no browser sends them.
    let is_plain = !authority.is_empty()
        && !authority.ends_with(':')
        && !authority.contains(['/', '\\', '?', '#', '@', '"', '<', '>', ',', '*', '%'])
        && !authority.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    let url = Url::parse(origin).ok().filter(|_| is_web && is_plain)?;
    let is_host = match url.host()? {
        Host::Domain(name) => is_name(name),
        Host::Ipv4(address) => !address.is_unspecified(),
        Host::Ipv6(address) => !address.is_unspecified(),
    };
    (is_host && url.port() != Some(0)).then(|| url.origin().ascii_serialization())
}

/// Whether a text is a valid host name.
fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_the_form_that_browsers_send() {
        for (typed, kept) in [
            ("https://vote.example.org", "https://vote.example.org"),
            ("https://vote.example.org/", "https://vote.example.org"),
            (" HTTPS://Vote.Example.org:443 ", "https://vote.example.org"),
            ("http://localhost:80", "http://localhost"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://[::1]:8443", "https://[::1]:8443"),
            ("https://intranet", "https://intranet"),
            ("https://bücher.example", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(read_origin(typed).as_deref(), Some(kept), "{typed}");
        }
    }

    #[test]
    fn a_text_that_is_not_an_origin_of_one_host_is_refused() {
        for typed in [
            "",
            "*",
            "null",
            "vote.example.org",
            "ftp://vote.example.org",
            "https://",
            "https:///vote.example.org",
            "https://x:abc",
            "https://x:",
            "https://x:0",
            "https://x:65536",
            "https://x:-1",
            "https://[::1",
            "https://::1",
            "https://[::1]x",
            "https://[::]",
            "https://0.0.0.0:8080",
            "https://1.2.3.999",
            "https://*.example.org",
            "https://*",
            "https://vote.*",
            "https://a b",
            "https://a..example.org",
            "https://.example.org",
            "https://-a.example.org",
            "https://vote.example.org/path",
            "https://vote.example.org//",
            "https://vote.example.org?x",
            "https://vote.example.org#x",
            "https://me:secret@vote.example.org",
            "https://vote.example.org\\path",
            "https://a,https://b",
            "https://%41.example.org",
        ] {
            assert_eq!(read_origin(typed), None, "{typed}");
        }
    }
}
