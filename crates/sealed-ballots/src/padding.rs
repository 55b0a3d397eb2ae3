//! The sizes of plaintexts and envelopes. All envelopes of a question have one size, so that it says nothing about the answer.

use crate::hpke::TAG_LENGTH;
use crate::kem::PUBLIC_KEY_LENGTH;

/// The mark after the plaintext (ISO/IEC 7816-4).
const MARK: u8 = 0x80;

/// The kind of a question's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A text in the voter's own words.
    Text,
    /// A number.
    Number,
    /// Some of this many options.
    Options(usize),
}

/// The size of a question's padded plaintexts in bytes.
pub const fn plaintext_size(kind: AnswerKind) -> usize {
    match kind {
        AnswerKind::Text => 8_192,
        AnswerKind::Options(41..) => 512,
        AnswerKind::Options(_) | AnswerKind::Number => 256,
    }
}

/// The size of an envelope in bytes, for padded plaintexts of this size.
pub const fn envelope_size(plaintext_size: usize) -> usize {
    1 + PUBLIC_KEY_LENGTH + plaintext_size + TAG_LENGTH
}

/// Pads a plaintext to exactly `size` bytes: the mark, then zeros. `None` if it is too long.
pub(crate) fn pad(plaintext: &[u8], size: usize) -> Option<Vec<u8>> {
    if plaintext.len() >= size {
        return None;
    }
    // With space for the tag, so that no copy of the plaintext stays elsewhere.
    let mut padded = Vec::with_capacity(size + TAG_LENGTH);
    padded.extend_from_slice(plaintext);
    padded.push(MARK);
    padded.resize(size, 0);
    Some(padded)
}

/// Removes the padding. `None` without a mark.
pub(crate) fn unpad(mut padded: Vec<u8>) -> Option<Vec<u8>> {
    let mark = padded.iter().rposition(|byte| *byte != 0)?;
    if padded[mark] != MARK {
        return None;
    }
    padded.truncate(mark);
    Some(padded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SealedAnswer;

    #[test]
    fn padding_is_removed_and_nothing_else() {
        for plaintext in [&b""[..], b"a", &[0], &[0x80], &[0x80, 0, 0], &[7; 15]] {
            let padded = pad(plaintext, 16).unwrap();
            assert_eq!(padded.len(), 16);
            assert_eq!(unpad(padded), Some(plaintext.to_vec()));
        }
        assert_eq!(pad(&[7; 16], 16), None, "without space for the mark");
        for padded in [&b""[..], &[0], &[1], &[0x80, 1], &[0; 16]] {
            assert_eq!(unpad(padded.to_vec()), None, "{padded:?}");
        }
    }

    #[test]
    fn every_answer_that_plenum_accepts_fits() {
        let fits = |kind, answer: SealedAnswer| pad(&answer.write(), plaintext_size(kind)).is_some();
        for count in [2, 40, 41, 100] {
            assert!(fits(
                AnswerKind::Options(count),
                SealedAnswer::Options((1..=u16::try_from(count).unwrap()).collect())
            ));
        }
        assert!(fits(AnswerKind::Number, SealedAnswer::Number("9".repeat(SealedAnswer::MAX_NUMBER))));
        // 2,000 characters, of those that are the longest.
        for letter in ["\u{10ffff}", "\"", "\n", "\\"] {
            assert!(fits(AnswerKind::Text, SealedAnswer::Text(letter.repeat(2_000))), "{letter:?}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_format() {
        assert_eq!(plaintext_size(AnswerKind::Text), 8_192);
        assert_eq!(plaintext_size(AnswerKind::Number), 256);
        assert_eq!([0, 40, 41, 100].map(|count| plaintext_size(AnswerKind::Options(count))), [256, 256, 512, 512]);
        assert_eq!(envelope_size(256), 338);
    }
}
