use std::io::Write as _;

use bytes::{Buf as _, BufMut as _, BytesMut};

/// Frames that are sent as one chunk of a body (RFC 9112, 7.1).
pub(super) struct Chunk(BytesMut);

impl Chunk {
    /// The end of such a body.
    pub(super) const LAST: &[u8] = b"0\r\n\r\n";
    /// Room for the length of the frames: 16 hexadecimal digits and the end of the line.
    const LENGTH: usize = 18;
    const END: &[u8] = b"\r\n";

    /// Without a frame.
    pub(super) fn new() -> Self {
        Self(BytesMut::new())
    }

    pub(super) fn push(&mut self, frame: &[u8]) {
        if self.0.is_empty() {
            self.0.reserve(Self::LENGTH + frame.len() + Self::END.len());
            self.0.put_bytes(0, Self::LENGTH);
        }
        self.0.extend_from_slice(frame);
    }

    /// The length of the frames.
    pub(super) fn len(&self) -> usize {
        self.0.len().saturating_sub(Self::LENGTH)
    }

    /// The chunk as it is sent. Nothing if the frames are empty, because an empty chunk would end the body.
    pub(super) fn encode(self) -> BytesMut {
        let length = self.len();
        let Self(mut bytes) = self;
        if length == 0 {
            return BytesMut::new();
        }
        let mut line = [0; Self::LENGTH];
        let mut free = &mut line[..];
        write!(free, "{length:x}\r\n").expect("a length has at most 16 digits");
        let unused = free.len();
        bytes.advance(unused);
        let line = &line[..Self::LENGTH - unused];
        bytes[..line.len()].copy_from_slice(line);
        bytes.extend_from_slice(Self::END);
        bytes
    }
}
