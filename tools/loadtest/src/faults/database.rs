use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::time::timeout;

/// Time limit of a statement.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Name of the database and of its owner. Access to the socket suffices to connect as this user.
const NAME: &str = "plenum";

/// A session in PostgreSQL that bypasses the product. It implements only a part of the protocol: plain statements, with
/// results as text.
#[derive(Debug)]
pub(super) struct Session {
    stream: UnixStream,
}

/// Rows of a result.
pub(super) type Rows = Vec<Vec<String>>;

impl Session {
    /// Opens a session over the socket at this path.
    pub(super) async fn open(socket: &Path) -> io::Result<Self> {
        let opening = async {
            let mut session = Self { stream: UnixStream::connect(socket).await? };
            session.stream.write_all(&startup_message()).await?;
            session.response().await?;
            Ok(session)
        };
        timeout(TIMEOUT, opening).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Runs a statement, or several of which the last one returns rows.
    pub(super) async fn run(&mut self, statement: &str) -> io::Result<Rows> {
        let mut body = statement.as_bytes().to_vec();
        body.push(0);
        let asking = async {
            self.stream.write_all(&message(Some(b'Q'), &body)).await?;
            self.response().await
        };
        timeout(TIMEOUT, asking).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Reads until PostgreSQL is ready for the next statement.
    async fn response(&mut self) -> io::Result<Rows> {
        let (mut rows, mut server_error) = (Rows::new(), None);
        loop {
            match self.next().await {
                Ok((b'D', body)) => rows.push(texts_of(&body)),
                Ok((b'E', body)) => server_error = Some(io::Error::other(error_message(&body))),
                Ok((b'Z', _)) => return server_error.map_or(Ok(rows), Err),
                Ok(_) => {}
                // PostgreSQL sends the reason for a refused session, and then closes the connection.
                Err(error) => return Err(server_error.unwrap_or(error)),
            }
        }
    }

    async fn next(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let kind = self.stream.read_u8().await?;
        let length = usize::try_from(self.stream.read_u32().await?).unwrap_or_default();
        let mut body = vec![0; length.saturating_sub(4)];
        self.stream.read_exact(&mut body).await?;
        Ok((kind, body))
    }
}

fn startup_message() -> Vec<u8> {
    let mut body = 196_608_u32.to_be_bytes().to_vec();
    body.extend_from_slice(format!("user\0{NAME}\0database\0{NAME}\0application_name\0faults\0\0").as_bytes());
    message(None, &body)
}

fn message(kind: Option<u8>, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    kind.into_iter().chain(length.to_be_bytes()).chain(body.iter().copied()).collect()
}

/// The values of a row; null is an empty text.
fn texts_of(body: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = body.get(2..).unwrap_or_default();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or_default();
        let (value, others) = behind.split_at(length.min(behind.len()));
        texts.push(String::from_utf8_lossy(value).into_owned());
        rest = others;
    }
    texts
}

fn error_message(body: &[u8]) -> String {
    let fields = body.split(|byte| *byte == 0);
    let message_text = fields.filter_map(|field| field.strip_prefix(b"M")).next();
    message_text.map_or_else(|| "no message".to_owned(), |text| String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use tokio::net::UnixListener;

    use super::*;

    /// Runs a statement against a PostgreSQL that sends these bytes at the start and as its response.
    async fn run_against(welcome: Vec<u8>, response: Vec<u8>) -> io::Result<Rows> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            for message_text in [welcome, response] {
                let mut buffer = [0; 1024];
                if stream.read(&mut buffer).await.unwrap() == 0 {
                    return;
                }
                stream.write_all(&message_text).await.unwrap();
            }
        });
        let rows = async { Session::open(&path).await?.run("SELECT 1").await }.await;
        serving.abort();
        rows
    }

    fn pending() -> Vec<u8> {
        message(Some(b'Z'), b"I")
    }

    fn welcome() -> Vec<u8> {
        [message(Some(b'R'), &[0; 4]), message(Some(b'S'), b"TimeZone\0UTC\0"), pending()].concat()
    }

    #[tokio::test]
    async fn values_are_read_as_text_and_null_as_an_empty_text() {
        let row = [&[0, 2][..], &3_i32.to_be_bytes(), b"abc", &(-1_i32).to_be_bytes()].concat();
        let response =
            [message(Some(b'T'), b"..."), message(Some(b'D'), &row), message(Some(b'C'), b"SELECT 1\0"), pending()];
        assert_eq!(run_against(welcome(), response.concat()).await.unwrap(), [["abc", ""]]);
    }

    #[tokio::test]
    async fn an_error_is_returned_even_if_the_session_is_refused() {
        let server_error = message(Some(b'E'), b"SFATAL\0C53300\0Msorry, too many clients already\0\0");
        let refused = run_against(welcome(), [server_error.clone(), pending()].concat()).await.unwrap_err();
        assert_eq!(refused.to_string(), "sorry, too many clients already");
        // PostgreSQL closes the connection after the error.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
            stream.write_all(&server_error).await.unwrap();
        });
        let refused = Session::open(&path).await.unwrap_err();
        serving.await.unwrap();
        assert_eq!(refused.to_string(), "sorry, too many clients already");
    }
}
