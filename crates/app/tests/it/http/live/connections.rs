//! The connections of streams, byte by byte.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::http::support::{TIME_LIMIT, TestApp, TestMeeting};

/// A connection that asked for the stream of the presentation, and everything that it received.
struct RawStream {
    connection: TcpStream,
    received: Vec<u8>,
}

impl RawStream {
    async fn begin(app: &TestApp, meeting: &TestMeeting) -> Self {
        let server = app.base().strip_prefix("http://").unwrap();
        let mut connection = TcpStream::connect(server).await.unwrap();
        let path = format!("/api/public/meetings/{}/presentation/stream", meeting.id);
        let head = format!("GET {path} HTTP/1.1\r\nhost: plenum\r\n\r\n");
        connection.write_all(head.as_bytes()).await.unwrap();
        Self { connection, received: Vec::new() }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// Reads until this text has arrived.
    async fn until(&mut self, text: &str) {
        while !self.text().contains(text) {
            let read = timeout(TIME_LIMIT, self.connection.read_buf(&mut self.received)).await;
            assert!(read.expect("nothing arrived").unwrap() > 0, "{text} is missing in {}", self.text());
        }
    }

    /// Reads until the server closes the connection, and returns everything.
    async fn read_to_the_end(mut self) -> String {
        let end = timeout(TIME_LIMIT, self.connection.read_to_end(&mut self.received)).await;
        end.expect("the server did not close the connection").unwrap();
        self.text()
    }

    /// The head of the response, and the rest.
    fn parts(text: &str) -> (&str, &str) {
        text.split_once("\r\n\r\n").unwrap()
    }
}

#[tokio::test]
async fn a_stream_is_the_last_response_of_its_connection() {
    let mut app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let [question, ..] = meeting.with_questions().await;
    let mut stream = RawStream::begin(&app, &meeting).await;
    stream.until("heartbeat").await;
    // The response has announced that it is the last one, so nobody responds to this.
    stream.connection.write_all(b"GET /health HTTP/1.1\r\nhost: plenum\r\n\r\n").await.unwrap();
    meeting.open(&question).await;
    stream.until("question_activated").await;
    let stopping = std::thread::spawn(move || app.stop());
    let text = stream.read_to_the_end().await;
    stopping.join().unwrap();
    let (head, body) = RawStream::parts(&text);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    for header in ["\r\nconnection: close", "\r\ntransfer-encoding: chunked", "\r\ncontent-type: text/event-stream"] {
        assert!(head.contains(header), "{header} is missing in {head}");
    }
    assert_eq!(text.matches("HTTP/1.1").count(), 1, "{text}");
    assert!(body.ends_with("\n\n\r\n0\r\n\r\n"), "{body}");
    assert_chunks(body);
}

/// Checks that the body consists of whole chunks, each a frame or a comment.
fn assert_chunks(body: &str) {
    let mut rest = body;
    while rest != "0\r\n\r\n" {
        let (size, after) = rest.split_once("\r\n").unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        assert!(after[..size].ends_with("\n\n"), "{rest}");
        rest = after[size..].strip_prefix("\r\n").unwrap();
    }
}
