use std::fmt;

use chrono::{DateTime, Utc};
use plenum_kernel::{EmailAddress, Secrets};

/// The secret that an account shares with its owner's authenticator: 160 random bits, as RFC 4226 recommends.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; Self::BYTES]);

impl TotpSecret {
    /// The length of a secret, in bytes.
    pub const BYTES: usize = 20;

    /// A secret of these random bytes.
    pub const fn new(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes, for encryption and for codes.
    pub const fn expose(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The secret in base32 (RFC 4648), as people type it into an authenticator.
    pub fn base32(&self) -> String {
        const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
        let letter = |place: usize| {
            let (byte, bit) = (place * 5 / 8, place * 5 % 8);
            let two = u16::from_be_bytes([self.0[byte], self.0.get(byte + 1).copied().unwrap_or_default()]);
            char::from(LETTERS[usize::from((two >> (11 - bit)) & 31)])
        };
        (0..Self::BYTES * 8 / 5).map(letter).collect()
    }

    /// The secret as an address, as an authenticator reads it from a QR code.
    pub fn uri(&self, email: &EmailAddress) -> String {
        format!("otpauth://totp/Plenum:{}?secret={}&issuer=Plenum", escaped(email.as_str()), self.base32())
    }
}

/// Hides the secret.
impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// Percent-encodes a text for an address.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte);
    let letter = |byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(letter).collect()
}

/// A period of 30 seconds for which a code is valid, counted from 1970 (RFC 6238).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TotpStep(pub i64);

impl TotpStep {
    const SECONDS: i64 = 30;

    /// The step at this time.
    pub fn at(time: DateTime<Utc>) -> Self {
        Self(time.timestamp().div_euclid(Self::SECONDS))
    }

    /// The step of a code, if the code is valid now: the current step, the one before (a slow typist) or the next one
    /// (a fast clock). Each code works once: only a step after `last` counts.
    ///
    /// All three codes are computed and compared in each case, so that the duration reveals nothing.
    pub fn of_code(
        code: TotpCode,
        now: DateTime<Utc>,
        last: Option<Self>,
        code_at: impl Fn(Self) -> TotpCode,
    ) -> Option<Self> {
        let Self(present) = Self::at(now);
        [present - 1, present, present + 1].map(Self).into_iter().fold(None, |found, step| {
            let is_it = code_at(step) == code;
            let is_new = last.is_none_or(|last| step > last);
            if is_it & is_new { Some(step) } else { found }
        })
    }
}

/// A code of six digits from an authenticator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TotpCode(u32);

impl TotpCode {
    const DIGITS: usize = 6;

    /// The code of an HMAC-SHA-1 over a step (RFC 4226, 5.3).
    pub fn of_mac(mac: &[u8; 20]) -> Self {
        let start = usize::from(mac[19] & 15);
        let chosen = u32::from_be_bytes([mac[start] & 0x7f, mac[start + 1], mac[start + 2], mac[start + 3]]);
        Self(chosen % 1_000_000)
    }

    fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == Self::DIGITS && text.bytes().all(|letter| letter.is_ascii_digit());
        text.parse().ok().filter(|_| is_code).map(Self)
    }
}

impl fmt::Display for TotpCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

/// Hides the code, which may still be valid.
impl fmt::Debug for TotpCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpCode(…)")
    }
}

/// A code for the case that the authenticator is lost: 16 random letters, which is 75 random bits. It has no digits,
/// because digits can be mistaken for letters.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// The number of recovery codes that an account gets at a time.
    pub const AT_A_TIME: usize = 10;
    const LETTERS: usize = 16;
    const GROUP: usize = 4;

    /// A new random code.
    pub fn new(secrets: &dyn Secrets) -> Self {
        Self(secrets.letters(Self::LETTERS))
    }

    fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == Self::LETTERS && text.bytes().all(|letter| letter.is_ascii_alphabetic());
        is_code.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The letters alone.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The code in groups for people: `abcd-efgh-ijkl-mnop`.
    pub fn grouped(&self) -> String {
        let letters: Vec<char> = self.0.chars().collect();
        let groups: Vec<String> = letters.chunks(Self::GROUP).map(|group| group.iter().collect()).collect();
        groups.join("-")
    }
}

/// Hides the code.
impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

/// A typed code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypedCode {
    /// A code of the authenticator.
    Totp(TotpCode),
    /// A recovery code.
    Recovery(RecoveryCode),
}

impl TypedCode {
    /// Reads a code of either kind, without spaces and hyphens, because authenticators show "123 456". `None` for any
    /// other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
        TotpCode::parse(&text).map(Self::Totp).or_else(|| RecoveryCode::parse(&text).map(Self::Recovery))
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingSecrets;

    use super::*;

    #[test]
    fn a_secret_is_written_in_base32() {
        assert_eq!(TotpSecret::new(*b"12345678901234567890").base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(TotpSecret::new([0xff; 20]).base32(), "7".repeat(32));
        assert_eq!(TotpSecret::new([0; 20]).base32(), "A".repeat(32));
    }

    #[test]
    fn the_address_carries_the_secret_and_the_account() {
        let uri = TotpSecret::new(*b"12345678901234567890").uri(&EmailAddress::parse("a+b&c=d@example.org").unwrap());
        let wanted =
            "otpauth://totp/Plenum:a%2Bb%26c%3Dd@example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Plenum";
        assert_eq!(uri, wanted);
    }

    #[test]
    fn debug_output_reveals_no_secret_or_code() {
        let secret = TotpSecret::new([7; 20]);
        let code = RecoveryCode::new(&CountingSecrets::default());
        let shown = format!("{secret:?} {:?} {code:?}", TotpCode(123_456));
        assert_eq!(shown, "TotpSecret(…) TotpCode(…) RecoveryCode(…)");
    }

    #[test]
    fn a_mac_is_truncated_as_the_rfc_says() {
        // The example of RFC 4226, 5.4.
        let mac = [
            0x1f, 0x86, 0x98, 0x69, 0x0e, 0x02, 0xca, 0x16, 0x61, 0x85, 0x50, 0xef, 0x7f, 0x19, 0xda, 0x8e, 0x94, 0x5b,
            0x55, 0x5a,
        ];
        assert_eq!(TotpCode::of_mac(&mac).to_string(), "872921");
        assert_eq!(TotpCode(7).to_string(), "000007");
    }

    #[test]
    fn a_typed_text_is_read_as_a_code_of_either_kind_or_refused() {
        for text in ["123456", " 123 456 ", "12 34\u{a0}56"] {
            assert_eq!(TypedCode::parse(text), Some(TypedCode::Totp(TotpCode(123_456))), "{text}");
        }
        let recovery = TypedCode::Recovery(RecoveryCode("abcdefghijklmnop".to_owned()));
        for text in ["abcd-efgh-ijkl-mnop", "ABCDEFGHIJKLMNOP", " abcd efgh ijkl mnop"] {
            assert_eq!(TypedCode::parse(text), Some(recovery.clone()), "{text}");
        }
        for text in ["", "12345", "1234567", "+12345", "-12345", "abcd-efgh-ijkl-mno1", "abcd", "１２３４５６"] {
            assert_eq!(TypedCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_recovery_code_is_read_as_it_is_shown() {
        let code = RecoveryCode::new(&CountingSecrets::default());
        assert_eq!(code.grouped().len(), 19);
        assert_eq!(TypedCode::parse(&code.grouped()), Some(TypedCode::Recovery(code)));
    }

    /// A different code for each step.
    fn code_at(step: TotpStep) -> TotpCode {
        TotpCode(u32::try_from(step.0 % 1_000_000).unwrap())
    }

    #[test]
    fn a_code_is_valid_in_its_step_and_the_adjacent_ones() {
        let now = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        let step = TotpStep(100);
        let of_code = |seconds| TotpStep::of_code(code_at(step), now(seconds), None, code_at);
        for (seconds, is_good) in [(2_969, false), (2_970, true), (3_000, true), (3_059, true), (3_060, false)] {
            assert_eq!(of_code(seconds), is_good.then_some(step), "{seconds}");
        }
    }

    #[test]
    fn a_code_works_once_and_invalidates_earlier_ones() {
        let now = DateTime::from_timestamp(3_000, 0).unwrap();
        let of_code = |step, last| TotpStep::of_code(code_at(TotpStep(step)), now, Some(TotpStep(last)), code_at);
        assert_eq!(of_code(100, 99), Some(TotpStep(100)));
        assert_eq!(of_code(100, 100), None);
        assert_eq!(of_code(99, 100), None);
        assert_eq!(of_code(101, 100), Some(TotpStep(101)));
    }
}
