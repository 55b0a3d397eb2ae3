use std::net::IpAddr;
use std::time::Duration;

use plenum_kernel::EndUserId;
use plenum_meetings::DESK_TOKEN_MARK;

use crate::error::ApiError;
use crate::error::try_again_in;
use crate::error::whole_seconds;

/// The kinds of lookups and checks. Each has a limit of its own in each network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LookupKind {
    /// An organization by its code.
    ClientCode,
    /// The code on the presentation, with which voters check themselves in.
    CheckInCode,
    /// The check of a file. Every check counts, as it takes seconds for a large file.
    File,
    /// A desk by its token.
    Desk,
    /// A meeting by the link of an invitation.
    Invitation,
    /// A voter by a personal link.
    PersonalLink,
    /// An account by a link for a new password.
    ResetLink,
    /// A meeting by the id in the link of its presentation.
    Presentation,
    /// The check-in code that a presentation shows, by the id of its meeting. Without self check-in there is none, so
    /// that screens alone may fail all the time.
    ShownCode,
    /// The declared result that a presentation shows, by the id of its meeting. Until a declaration there is none, so
    /// that screens alone may fail all the time.
    ShownResult,
    /// The answers that a presentation shows, by the id of its meeting. Until the organizer shows them there are none.
    ShownAnswers,
    /// A session by its refresh token.
    RefreshToken,
    /// A record by its hash.
    Record,
}

impl LookupKind {
    /// The length of a token: 256 bits in the alphabet of base64 for addresses.
    const TOKEN_LENGTH: usize = 43;

    /// Whether the value can be guessed, so that the number of guesses is limited. For the other kinds only the work is
    /// limited: a valid value is never refused for others' failures, because nobody finds one by trying.
    pub(super) fn is_guessable(self) -> bool {
        match self {
            Self::ClientCode | Self::CheckInCode | Self::File => true,
            Self::Desk
            | Self::Invitation
            | Self::PersonalLink
            | Self::ResetLink
            | Self::Presentation
            | Self::ShownCode
            | Self::ShownResult
            | Self::ShownAnswers
            | Self::RefreshToken
            | Self::Record => false,
        }
    }

    /// Whether a value can be looked up again after a success. Those that are used up need not be remembered.
    pub(super) fn is_lasting(self) -> bool {
        !matches!(self, Self::RefreshToken | Self::ResetLink)
    }

    /// Whether a value can exist. Codes, ids and hashes are parsed before.
    pub(super) fn can_have(self, value: &str) -> bool {
        match self {
            Self::Desk => value.strip_prefix(DESK_TOKEN_MARK).is_some_and(is_token),
            Self::Invitation | Self::PersonalLink | Self::ResetLink | Self::RefreshToken => is_token(value),
            Self::ClientCode
            | Self::CheckInCode
            | Self::File
            | Self::Presentation
            | Self::ShownCode
            | Self::ShownResult
            | Self::ShownAnswers
            | Self::Record => true,
        }
    }
}

fn is_token(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == LookupKind::TOKEN_LENGTH && text.bytes().all(is_allowed)
}

/// Whose failures count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Counted {
    /// Those of one kind from one network.
    Network(LookupKind, IpAddr),
    /// The check-in codes of one voter, from any network.
    CheckInCodes(EndUserId),
}

impl Counted {
    /// The number of failures in a burst, and the time after which another one is allowed. An assembly of 2,000 can
    /// share one address: if one in ten mistypes the code within two minutes, that makes 200 failures. If all sessions
    /// have ended overnight, all refreshes fail. A voter types codes as seldom as passwords.
    pub(super) fn limit(self) -> (u32, Duration) {
        match self {
            Self::CheckInCodes(_) => (10, Duration::from_secs(10)),
            Self::Network(LookupKind::File, _) => (30, Duration::from_secs(2)),
            Self::Network(LookupKind::CheckInCode | LookupKind::RefreshToken, _) => (1_000, Duration::from_millis(50)),
            Self::Network(_, _) => (120, Duration::from_millis(250)),
        }
    }

    /// The response beyond the limit.
    pub(super) fn refusal(self, wait: Duration) -> ApiError {
        let seconds = whole_seconds(wait);
        let what = match self {
            Self::CheckInCodes(_) => "You tried too many wrong check-in codes.",
            Self::Network(kind, _) => refusal_in_network(kind),
        };
        ApiError::rate_limited(format!("{what} {}", try_again_in(seconds)), seconds)
    }
}

fn refusal_in_network(kind: LookupKind) -> &'static str {
    match kind {
        LookupKind::ClientCode => "Too many unknown organization codes were tried in your network.",
        LookupKind::CheckInCode => "Too many wrong check-in codes were tried in your network.",
        LookupKind::File => "Too many files were checked in your network.",
        LookupKind::Desk
        | LookupKind::Invitation
        | LookupKind::PersonalLink
        | LookupKind::ResetLink
        | LookupKind::Presentation
        | LookupKind::ShownCode
        | LookupKind::ShownResult
        | LookupKind::ShownAnswers => "Too many unknown links were tried in your network.",
        LookupKind::RefreshToken => "Too many ended sessions were used in your network.",
        LookupKind::Record => "Too many unknown record hashes were tried in your network.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_43_characters_of_its_alphabet_and_that_of_a_desk_its_mark() {
        let token = "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiV_W-Y";
        let desk = format!("desk_{token}");
        assert!(LookupKind::PersonalLink.can_have(token) && LookupKind::Desk.can_have(&desk));
        assert!(!LookupKind::Desk.can_have(token) && !LookupKind::PersonalLink.can_have(&desk));
        for wrong in
            ["", "desk_", &token[1..], &format!("{token}x"), &token.replace('_', "+"), &token.replace('-', "=")]
        {
            assert!(!LookupKind::RefreshToken.can_have(wrong), "{wrong}");
            assert!(!LookupKind::Desk.can_have(&format!("desk_{wrong}")), "{wrong}");
        }
    }
}
