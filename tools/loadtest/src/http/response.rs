use std::io;
use std::time::Duration;

use super::chunks::Chunks;

/// A complete response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The announced time until a retry.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// Whether the status is a success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body for people, shortened to fit on a screen.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).chars().take(500).collect()
    }
}

/// The head of a response.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) length: Length,
    pub(super) closes: bool,
}

/// The length of a body.
#[derive(Debug)]
pub(super) enum Length {
    Bytes(usize),
    Chunked(Chunks),
    UntilTheEnd,
}

impl Head {
    /// The head at the beginning of `bytes` and its length. `None` until it is complete.
    pub(super) fn parse(bytes: &[u8]) -> io::Result<Option<(Self, usize)>> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut response = httparse::Response::new(&mut headers);
        let parsed = response.parse(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let httparse::Status::Complete(end) = parsed else { return Ok(None) };
        let status = response.code.unwrap_or_default();
        let mut head = Self { status, retry_after: None, length: Length::UntilTheEnd, closes: false };
        for header in response.headers.iter() {
            head.read(header.name, std::str::from_utf8(header.value).unwrap_or_default().trim());
        }
        if matches!(status, 204 | 304) {
            head.length = Length::Bytes(0);
        }
        head.closes |= matches!(head.length, Length::UntilTheEnd);
        Ok(Some((head, end)))
    }

    fn read(&mut self, name: &str, value: &str) {
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
        if is("content-length") {
            self.length = value.parse().map_or(Length::UntilTheEnd, Length::Bytes);
        } else if is("transfer-encoding") && value.eq_ignore_ascii_case("chunked") {
            self.length = Length::Chunked(Chunks::new());
        } else if is("retry-after") {
            self.retry_after = value.parse().ok().map(Duration::from_secs);
        } else if is("connection") {
            self.closes = value.eq_ignore_ascii_case("close");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_status_length_and_retry_time() {
        let text = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 5\r\n\r\nhello";
        let (head, end) = Head::parse(text).unwrap().unwrap();
        assert_eq!((head.status, head.retry_after, &text[end..]), (503, Some(Duration::from_secs(2)), &b"hello"[..]));
        assert!(matches!(head.length, Length::Bytes(5)) && !head.closes);
    }

    #[test]
    fn an_incomplete_head_is_none_and_an_invalid_one_is_an_error() {
        assert!(Head::parse(b"HTTP/1.1 200 OK\r\nContent-").unwrap().is_none());
        assert!(Head::parse(b"SSH-2.0-OpenSSH\r\n\r\n").is_err());
    }

    #[test]
    fn without_a_length_a_body_goes_to_the_end_of_the_connection() {
        let (head, _) = Head::parse(b"HTTP/1.1 200 OK\r\n\r\n").unwrap().unwrap();
        assert!(matches!(head.length, Length::UntilTheEnd) && head.closes);
        let (head, _) = Head::parse(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap();
        assert!(matches!(head.length, Length::Bytes(0)) && !head.closes);
    }
}
