use std::io;

/// Decodes a chunked body (RFC 9112, 7.1) from any pieces that the network delivers.
#[derive(Debug)]
pub(super) struct Chunks {
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In the line with the size, with the value so far.
    Size(u64),
    /// Behind the size, in extensions.
    Extension(u64),
    Data(u64),
    /// In the line end after the data.
    DataEnd,
    /// Behind the last chunk: whether the line has content.
    Trailer {
        is_empty: bool,
    },
    Over,
}

impl Chunks {
    pub(super) fn new() -> Self {
        Self { state: State::Size(0) }
    }

    pub(super) fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Appends the content of `input` to `content`, and returns the length of the input that belongs to this body.
    pub(super) fn decode(&mut self, input: &[u8], content: &mut Vec<u8>) -> io::Result<usize> {
        let mut at = 0;
        while at < input.len() && self.state != State::Over {
            if let State::Data(left) = self.state {
                let taken = usize::try_from(left).unwrap_or(usize::MAX).min(input.len() - at);
                content.extend_from_slice(&input[at..at + taken]);
                at += taken;
                let left = left - taken as u64;
                self.state = if left == 0 { State::DataEnd } else { State::Data(left) };
            } else {
                self.state = self.after(input[at])?;
                at += 1;
            }
        }
        Ok(at)
    }

    fn after(&self, byte: u8) -> io::Result<State> {
        Ok(match (self.state, byte) {
            (State::Size(size) | State::Extension(size), b'\n') if size == 0 => State::Trailer { is_empty: true },
            (State::Size(size) | State::Extension(size), b'\n') => State::Data(size),
            (State::Size(size), b';' | b' ' | b'\r') | (State::Extension(size), _) => State::Extension(size),
            (State::Size(size), digit) => State::Size(with_digit(size, digit)?),
            (State::DataEnd, b'\n') => State::Size(0),
            (State::DataEnd, _) => State::DataEnd,
            (State::Trailer { is_empty: true }, b'\n') => State::Over,
            (State::Trailer { is_empty: false }, b'\n') => State::Trailer { is_empty: true },
            (State::Trailer { is_empty }, byte) => State::Trailer { is_empty: is_empty && byte == b'\r' },
            (State::Data(_) | State::Over, _) => self.state,
        })
    }
}

fn with_digit(size: u64, digit: u8) -> io::Result<u64> {
    let value = char::from(digit).to_digit(16);
    let size = value.and_then(|value| size.checked_mul(16)?.checked_add(u64::from(value)));
    size.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the size of a chunk is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"5\r\nhello\r\n1a; note=x\r\n, this is a longer chunk. \r\n0\r\nSeen: yes\r\n\r\nHTTP/1.1";

    #[test]
    fn the_content_is_independent_of_the_pieces_of_the_network() {
        for size in 1..BODY.len() {
            let (mut chunks, mut content, mut left) = (Chunks::new(), Vec::new(), 0);
            for piece in BODY.chunks(size) {
                left += piece.len() - chunks.decode(piece, &mut content).unwrap();
            }
            assert!(chunks.is_over());
            assert_eq!(String::from_utf8_lossy(&content), "hello, this is a longer chunk. ", "in pieces of {size}");
            assert_eq!(left, "HTTP/1.1".len(), "in pieces of {size}");
        }
    }

    #[test]
    fn a_size_that_is_not_a_number_is_refused() {
        for nonsense in ["x\r\n", "fffffffffffffffff\r\n"] {
            assert!(Chunks::new().decode(nonsense.as_bytes(), &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn a_body_without_its_end_is_incomplete() {
        let mut chunks = Chunks::new();
        chunks.decode(b"5\r\nhello\r\n", &mut Vec::new()).unwrap();
        assert!(!chunks.is_over());
    }
}
