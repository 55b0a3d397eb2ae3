use std::fmt;
use std::net::Ipv6Addr;

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use plenum_kernel::{ClientId, EndUserId, Invalid, MeetingId, Page, PageRequest, PasswordSetter, SearchText};

use crate::MeetingStatus;

/// The stored status of an invitation. A person without one was never sent an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationStatus {
    /// In the queue.
    Pending,
    /// The conversation with the mail server has begun.
    Sending,
    /// The mail server has accepted it.
    Sent,
    /// It was not sent, and is only sent again on request.
    Failed,
    /// It is unknown whether it was sent. It is only sent again on request.
    Unknown,
}

/// The state of the invitation of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationState {
    /// Not sent yet.
    NotSent,
    /// Not sent, because no email address is known.
    WithoutAddress,
    /// Not sent, because the end user is not active.
    Inactive,
    /// In the queue, or being sent at this moment.
    Pending,
    /// Sent.
    Sent,
    /// Sending failed.
    Failed,
    /// It is unknown whether it was sent.
    Unknown,
}

impl InvitationState {
    /// Every state.
    pub const ALL: [Self; 7] =
        [Self::NotSent, Self::WithoutAddress, Self::Inactive, Self::Pending, Self::Sent, Self::Failed, Self::Unknown];

    /// The state for this stored status. The status takes precedence over the current data of the person.
    pub fn of(status: Option<InvitationStatus>, is_active: bool, has_address: bool) -> Self {
        match status {
            Some(InvitationStatus::Pending | InvitationStatus::Sending) => Self::Pending,
            Some(InvitationStatus::Sent) => Self::Sent,
            Some(InvitationStatus::Failed) => Self::Failed,
            Some(InvitationStatus::Unknown) => Self::Unknown,
            None if !is_active => Self::Inactive,
            None if !has_address => Self::WithoutAddress,
            None => Self::NotSent,
        }
    }

    /// Whether the last error is still relevant, after this many attempts.
    pub fn shows_error(self, attempts: u32) -> bool {
        match self {
            Self::Failed | Self::Unknown => true,
            Self::Pending => attempts > 0,
            Self::NotSent | Self::WithoutAddress | Self::Inactive | Self::Sent => false,
        }
    }
}

/// Whether an invitation is queued, or the reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueVerdict {
    /// Queued.
    Queued,
    /// It was sent or perhaps sent, and a repeat was not requested.
    AlreadySent,
    /// No email address is known.
    WithoutAddress,
    /// The end user is not active.
    Inactive,
    /// It is in the queue already.
    Pending,
}

impl QueueVerdict {
    /// The verdict for a person with this status. `again` means that a repeat was requested for this person.
    pub fn on(status: Option<InvitationStatus>, is_active: bool, has_address: bool, again: bool) -> Self {
        match status {
            Some(InvitationStatus::Pending | InvitationStatus::Sending) => Self::Pending,
            Some(InvitationStatus::Sent | InvitationStatus::Unknown) if !again => Self::AlreadySent,
            _ if !is_active => Self::Inactive,
            _ if !has_address => Self::WithoutAddress,
            _ => Self::Queued,
        }
    }
}

/// The numbers of queued invitations, and of the others by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queued {
    /// Queued.
    pub queued: u64,
    /// Sent or perhaps sent before.
    pub already_sent: u64,
    /// Without an email address.
    pub without_address: u64,
    /// Not active.
    pub inactive: u64,
    /// In the queue already.
    pub pending: u64,
}

impl Queued {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: QueueVerdict) {
        let number = match verdict {
            QueueVerdict::Queued => &mut self.queued,
            QueueVerdict::AlreadySent => &mut self.already_sent,
            QueueVerdict::WithoutAddress => &mut self.without_address,
            QueueVerdict::Inactive => &mut self.inactive,
            QueueVerdict::Pending => &mut self.pending,
        };
        *number += 1;
    }
}

/// The recipients of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// All participants without a sent invitation.
    Everyone,
    /// The participants who have never signed in.
    NeverSignedIn {
        /// Whether to repeat invitations that were sent or perhaps sent.
        again: bool,
    },
    /// These participants. Each MUST be invited.
    These {
        /// The end users.
        end_users: Vec<EndUserId>,
        /// Whether to repeat invitations that were sent or perhaps sent.
        again: bool,
    },
}

impl Recipients {
    /// Whether to repeat invitations that were sent or perhaps sent.
    pub const fn again(&self) -> bool {
        match self {
            Self::Everyone => false,
            Self::NeverSignedIn { again } | Self::These { again, .. } => *again,
        }
    }
}

/// The personal links that the invitations of an order contain: one for each recipient who is queued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalLinks {
    /// The organizer who makes them. A link is as good as a password, so the same rule holds for both.
    pub setter: PasswordSetter,
    /// The random seed of their tokens; see [`plenum_kernel::PersonalLinkTokens`].
    pub seed: String,
}

/// The public address of the product: an origin, and the path before every screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAddress(String);

impl SiteAddress {
    const MAX: usize = 300;
    const WANTED: &str = "Must be an origin without a path, for example https://vote.example.org.";

    /// The address with this origin. `base_path` is empty, or starts with a slash and ends without one.
    ///
    /// # Errors
    /// States the requirement for the origin.
    pub fn new(origin: &str, base_path: &str) -> Result<Self, Invalid> {
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        match host {
            Some(host) if origin.len() <= Self::MAX && is_host(host) => Ok(Self(format!("{origin}{base_path}"))),
            _ => Err(Invalid::new(Self::WANTED)),
        }
    }

    /// The address, without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A stored address, which was checked before.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The invitation link with this token.
    pub fn invitation_link(&self, token: &str) -> String {
        format!("{self}/vote/{token}")
    }

    /// The personal link with this token. Browsers send no server the part after `#`.
    pub fn personal_link(&self, token: &str) -> String {
        format!("{self}/join#{token}")
    }
}

impl fmt::Display for SiteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether this is a host name or address, with or without a port.
fn is_host(text: &str) -> bool {
    let letters_of_names = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
    let (is_name, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((inside, port)) => (inside.parse::<Ipv6Addr>().is_ok(), port),
            None => return false,
        },
        None => {
            let (name, port) = text.find(':').map_or((text, ""), |colon| text.split_at(colon));
            (!name.is_empty() && name.chars().all(letters_of_names), port)
        }
    };
    let is_number = |digits: &str| digits.parse::<u16>().is_ok() && digits.chars().all(|digit| digit.is_ascii_digit());
    is_name && (port.is_empty() || port.strip_prefix(':').is_some_and(is_number))
}

/// The time zone of the planned start in a mail: a name of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// The default.
    pub const UTC: Self = Self(Tz::UTC);

    /// The zone with this name.
    ///
    /// # Errors
    /// States the requirement.
    pub fn parse(name: &str) -> Result<Self, Invalid> {
        name.parse().map(Self).map_err(|_| Invalid::new("Must be the name of a time zone, for example Europe/Berlin."))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// A time in words, with the zone: "Saturday, 21 November 2026, 19:00 (Europe/Berlin, UTC+01:00)".
    pub fn describe(self, time: DateTime<Utc>) -> String {
        let local = time.with_timezone(&self.0);
        let time_text = local.format("%A, %-d %B %Y, %H:%M");
        if self == Self::UTC {
            return format!("{time_text} UTC");
        }
        format!("{time_text} ({}, UTC{})", self.name(), local.format("%:z"))
    }
}

/// The facts about a meeting in its invitations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationFacts {
    /// The name of the organization.
    pub organization: String,
    /// The organization's public code, for sign-in.
    pub client_code: String,
    /// The contact address.
    pub contact_email: String,
    /// The title.
    pub title: String,
    /// The planned start.
    pub start: DateTime<Utc>,
    /// The status.
    pub status: MeetingStatus,
    /// The token of its invitation link, if there is one.
    pub link: Option<String>,
    /// Whether people are checked in at desks.
    pub has_check_in: bool,
}

/// An order to queue invitations, with the facts that sending needs later.
#[derive(Clone, Debug)]
pub struct InvitationOrder {
    /// The recipients.
    pub recipients: Recipients,
    /// The public address of the product.
    pub site: SiteAddress,
    /// The time zone of the planned start.
    pub time_zone: TimeZone,
    /// The token for the meeting's invitation link, if it has none yet.
    pub link: String,
    /// Personal links, if the invitations contain them.
    pub personal_links: Option<PersonalLinks>,
    /// The time.
    pub now: DateTime<Utc>,
}

/// A filter for participants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecipientFilter {
    /// Search text in name, username or email address.
    pub search: Option<SearchText>,
    /// The state, if only one is requested.
    pub state: Option<InvitationState>,
    /// Whether the order by name is descending.
    pub is_descending: bool,
    /// The page. All rows if missing.
    pub page: Option<PageRequest>,
}

/// A participant, and the state of their invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The current email address, if known.
    pub email: Option<String>,
    /// The state of the invitation.
    pub state: InvitationState,
    /// The address of the last invitation, sent or queued.
    pub sent_to: Option<String>,
    /// The reason for a failure, an unknown outcome, or a delay.
    pub error: Option<String>,
    /// The time of the last transfer.
    pub sent_at: Option<DateTime<Utc>>,
}

/// The number of participants in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecipientCounts {
    /// Not sent yet.
    pub not_sent: u64,
    /// Without an email address.
    pub without_address: u64,
    /// Not active.
    pub inactive: u64,
    /// In the queue.
    pub pending: u64,
    /// Sent.
    pub sent: u64,
    /// Sending failed.
    pub failed: u64,
    /// It is unknown whether it was sent.
    pub unknown: u64,
}

impl RecipientCounts {
    /// All participants.
    pub const fn invited(&self) -> u64 {
        self.not_sent + self.without_address + self.inactive + self.pending + self.sent + self.failed + self.unknown
    }

    /// The number of participants in this state.
    pub fn of_mut(&mut self, state: InvitationState) -> &mut u64 {
        match state {
            InvitationState::NotSent => &mut self.not_sent,
            InvitationState::WithoutAddress => &mut self.without_address,
            InvitationState::Inactive => &mut self.inactive,
            InvitationState::Pending => &mut self.pending,
            InvitationState::Sent => &mut self.sent,
            InvitationState::Failed => &mut self.failed,
            InvitationState::Unknown => &mut self.unknown,
        }
    }
}

/// The invitations of a meeting, from one snapshot of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationOverview {
    /// The facts in each invitation.
    pub facts: InvitationFacts,
    /// The numbers of all participants, without the filter.
    pub counts: RecipientCounts,
    /// The participants that match the filter, in its order.
    pub page: Page<Recipient>,
}

/// An invitation that one worker has claimed for sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedInvitation {
    /// The client that owns the meeting.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The participant.
    pub end_user_id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The email address.
    pub email: String,
    /// The facts about the meeting.
    pub facts: InvitationFacts,
    /// The public address of the product.
    pub site: SiteAddress,
    /// The time zone of the planned start.
    pub time_zone: TimeZone,
    /// The seed of the recipient's personal link, if the invitation contains one and it still works.
    pub personal_link: Option<String>,
    /// The time at which it was queued.
    pub queued_at: DateTime<Utc>,
    /// The time of the claim.
    pub claimed_at: DateTime<Utc>,
    /// The number of attempts, including this one.
    pub attempts: u32,
}

/// The outcome of an attempt to send an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendingOutcome {
    /// The mail server has accepted it.
    Sent {
        /// The time.
        at: DateTime<Utc>,
    },
    /// It failed permanently.
    Failed {
        /// The reason, as a sentence for people.
        error: String,
    },
    /// It is unknown whether it was sent.
    Unknown {
        /// The reason, as a sentence for people.
        error: String,
    },
    /// It was certainly not sent. A retry follows.
    Later {
        /// The earliest time of the retry.
        due_at: DateTime<Utc>,
        /// The reason, as a sentence for people.
        error: String,
    },
}

/// The delay after this many attempts that did not reach the mail server. `None` after the last one.
pub fn wait_after(attempts: u32) -> Option<TimeDelta> {
    const SECONDS: [i64; 6] = [15, 60, 5 * 60, 15 * 60, 30 * 60, 60 * 60];
    let place = usize::try_from(attempts).ok()?.checked_sub(1)?;
    SECONDS.get(place).copied().map(TimeDelta::seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_sent_again_only_to_named_recipients() {
        for status in [InvitationStatus::Sent, InvitationStatus::Unknown] {
            assert_eq!(QueueVerdict::on(Some(status), true, true, false), QueueVerdict::AlreadySent);
            assert_eq!(QueueVerdict::on(Some(status), true, true, true), QueueVerdict::Queued);
        }
        for status in [None, Some(InvitationStatus::Failed)] {
            assert_eq!(QueueVerdict::on(status, true, true, false), QueueVerdict::Queued);
        }
    }

    #[test]
    fn pending_and_sending_invitations_are_never_queued_again() {
        for status in [InvitationStatus::Pending, InvitationStatus::Sending] {
            assert_eq!(QueueVerdict::on(Some(status), true, true, true), QueueVerdict::Pending);
        }
    }

    #[test]
    fn inactive_people_and_people_without_an_address_get_no_invitation() {
        for status in [None, Some(InvitationStatus::Failed), Some(InvitationStatus::Sent)] {
            assert_eq!(QueueVerdict::on(status, false, true, true), QueueVerdict::Inactive);
            assert_eq!(QueueVerdict::on(status, true, false, true), QueueVerdict::WithoutAddress);
        }
    }

    #[test]
    fn the_sending_status_takes_precedence_over_the_status_of_the_person() {
        assert_eq!(InvitationState::of(Some(InvitationStatus::Sent), false, false), InvitationState::Sent);
        assert_eq!(InvitationState::of(Some(InvitationStatus::Sending), true, true), InvitationState::Pending);
        assert_eq!(InvitationState::of(None, false, false), InvitationState::Inactive);
        assert_eq!(InvitationState::of(None, true, false), InvitationState::WithoutAddress);
        assert_eq!(InvitationState::of(None, true, true), InvitationState::NotSent);
    }

    #[test]
    fn retry_delays_grow_and_end() {
        let waits: Vec<_> = (1..).map_while(wait_after).collect();
        assert!(waits.is_sorted() && waits.len() == 6, "{waits:?}");
        assert_eq!((wait_after(0), wait_after(7)), (None, None));
    }

    #[test]
    fn a_site_is_an_origin_and_nothing_else() {
        for origin in ["https://vote.example.org", "http://localhost:8080", "http://[::1]:8080", "http://10.0.0.7"] {
            let site = SiteAddress::new(origin, "/plenum").unwrap();
            assert_eq!(site.invitation_link("abc"), format!("{origin}/plenum/vote/abc"));
        }
        for wrong in [
            "",
            "vote.example.org",
            "ftp://vote.example.org",
            "https://",
            "https://vote.example.org/",
            "https://a@b",
            "https://a b",
            "https://a\nb",
            "https://a:",
            "https://a:123456",
            "https://[::1",
            "https://[x]",
            "https://[::1]x",
            "https://ä.example",
        ] {
            assert!(SiteAddress::new(wrong, "").is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_time_is_written_with_its_zone_and_daylight_saving_time() {
        let time = |text: &str| text.parse().unwrap();
        let berlin = TimeZone::parse("Europe/Berlin").unwrap();
        assert_eq!(
            berlin.describe(time("2026-11-21T18:00:00Z")),
            "Saturday, 21 November 2026, 19:00 (Europe/Berlin, UTC+01:00)"
        );
        assert_eq!(
            berlin.describe(time("2026-07-01T18:00:00Z")),
            "Wednesday, 1 July 2026, 20:00 (Europe/Berlin, UTC+02:00)"
        );
        assert_eq!(TimeZone::UTC.describe(time("2026-11-21T18:00:00Z")), "Saturday, 21 November 2026, 18:00 UTC");
        for wrong in ["", "Berlin", "Europe/Berlin\n", "UTC+1"] {
            assert!(TimeZone::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
