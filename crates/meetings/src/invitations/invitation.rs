use std::fmt;
use std::net::Ipv6Addr;

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use plenum_kernel::{ClientId, EndUserId, Invalid, MeetingId, Page, PageRequest, SearchText};

use crate::MeetingStatus;

/// The stored status of an invitation. A person without one was never sent an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationStatus {
    /// It waits to be sent.
    Pending,
    /// The conversation with the mail server has begun.
    Sending,
    /// The mail server has taken it.
    Sent,
    /// It was not sent, and will not be unless somebody asks for it.
    Failed,
    /// It was perhaps sent. It is never sent again by itself.
    Unknown,
}

/// The state of the invitation of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationStanding {
    /// None was sent yet.
    NotSent,
    /// None was sent, and none can be: no e-mail address is known.
    WithoutAddress,
    /// None was sent, and none will be: the end user is not active.
    Inactive,
    /// It waits, or is being sent at this moment.
    Pending,
    /// It was sent.
    Sent,
    /// It could not be sent.
    Failed,
    /// It was perhaps sent.
    Unknown,
}

impl InvitationStanding {
    /// Every standing.
    pub const ALL: [Self; 7] =
        [Self::NotSent, Self::WithoutAddress, Self::Inactive, Self::Pending, Self::Sent, Self::Failed, Self::Unknown];

    /// The standing of somebody with this status. What was sent tells more than who they are now.
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

    /// Whether the last error still matters to people, after so many tries.
    pub fn shows_error(self, tries: u32) -> bool {
        match self {
            Self::Failed | Self::Unknown => true,
            Self::Pending => tries > 0,
            Self::NotSent | Self::WithoutAddress | Self::Inactive | Self::Sent => false,
        }
    }
}

/// Whether an invitation is queued, or the reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueVerdict {
    /// It is.
    Queued,
    /// It was sent, or perhaps sent, and nobody asked for it to be sent again.
    AlreadySent,
    /// There is nowhere to send it.
    WithoutAddress,
    /// They could not sign in.
    Inactive,
    /// It is in the queue.
    Pending,
}

impl QueueVerdict {
    /// Judges somebody with this status. `again`: they were named to be sent another one.
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

/// How many invitations were put into the queue, and how many were not and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queued {
    /// Those that were.
    pub queued: u64,
    /// Those that were sent, or perhaps sent.
    pub already_sent: u64,
    /// Those with nowhere to be sent.
    pub without_address: u64,
    /// Those of people who are not active.
    pub inactive: u64,
    /// Those that were in the queue.
    pub pending: u64,
}

impl Queued {
    /// Counts one more.
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

/// Whose invitations are to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// Everyone who is invited and was not sent one yet.
    Everyone,
    /// These, each of whom MUST be invited.
    These {
        /// Who.
        end_users: Vec<EndUserId>,
        /// Whether to send another one to those who were, or perhaps were, sent one before.
        again: bool,
    },
}

/// Where people find the product: an origin with the path before every screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAddress(String);

impl SiteAddress {
    const MAX: usize = 300;
    const WANTED: &str = "Must be an origin without a path, for example https://vote.example.org.";

    /// The address with this origin; `base_path` is empty, or starts with a slash and ends without one.
    ///
    /// # Errors
    /// Says what is wanted of the origin.
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

    /// An address that was checked before it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Where an invitation link with this token leads.
    pub fn invitation_link(&self, token: &str) -> String {
        format!("{self}/vote/{token}")
    }
}

impl fmt::Display for SiteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether this is a name or an address, with or without a port.
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

/// The time zone in which the planned start is told: a name of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// The one that is meant when nobody says.
    pub const UTC: Self = Self(Tz::UTC);

    /// The zone with this name.
    ///
    /// # Errors
    /// Says what is wanted.
    pub fn parse(name: &str) -> Result<Self, Invalid> {
        name.parse().map(Self).map_err(|_| Invalid::new("Must be the name of a time zone, for example Europe/Berlin."))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// A time as people read it, with the zone: "Saturday, 21 November 2026, 19:00 (Europe/Berlin, UTC+01:00)".
    pub fn tell(self, time: DateTime<Utc>) -> String {
        let local = time.with_timezone(&self.0);
        let told = local.format("%A, %-d %B %Y, %H:%M");
        if self == Self::UTC {
            return format!("{told} UTC");
        }
        format!("{told} ({}, UTC{})", self.name(), local.format("%:z"))
    }
}

/// What an invitation tells of its meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationFacts {
    /// Who invites.
    pub organization: String,
    /// What voters name it by when they sign in.
    pub client_code: String,
    /// Where people may ask.
    pub contact_email: String,
    /// The title.
    pub title: String,
    /// The planned start.
    pub start: DateTime<Utc>,
    /// The status.
    pub status: MeetingStatus,
    /// The token of its invitation link, once one was made.
    pub link: Option<String>,
}

/// What is to be put into the queue, and what the invitations need when nobody is there to ask.
#[derive(Clone, Debug)]
pub struct InvitationOrder {
    /// For whom.
    pub recipients: Recipients,
    /// Where the link leads.
    pub site: SiteAddress,
    /// In which the start is told.
    pub time_zone: TimeZone,
    /// The token of the meeting's invitation link, should it have none yet.
    pub link: String,
    /// The time.
    pub now: DateTime<Utc>,
}

/// A filter for participants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecipientFilter {
    /// Search text in name, username or e-mail address.
    pub search: Option<SearchText>,
    /// With this standing only.
    pub standing: Option<InvitationStanding>,
    /// Whether the order by name is descending.
    pub is_descending: bool,
    /// The page. All rows if missing.
    pub page: Option<PageRequest>,
}

/// Somebody who is invited, and the state of their invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// Their e-mail address now, if known.
    pub email: Option<String>,
    /// How it stands.
    pub standing: InvitationStanding,
    /// The address that the last one was sent to, or was to be sent to.
    pub sent_to: Option<String>,
    /// The reason why it could not be sent, why it is not known, or why it still waits.
    pub error: Option<String>,
    /// When it was last sent.
    pub sent_at: Option<DateTime<Utc>>,
}

/// How many of those who are invited have which standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecipientCounts {
    /// None was sent yet.
    pub not_sent: u64,
    /// No address is known.
    pub without_address: u64,
    /// Not active.
    pub inactive: u64,
    /// It waits.
    pub pending: u64,
    /// It was sent.
    pub sent: u64,
    /// It could not be sent.
    pub failed: u64,
    /// It was perhaps sent.
    pub unknown: u64,
}

impl RecipientCounts {
    /// Everyone who is invited.
    pub const fn invited(&self) -> u64 {
        self.not_sent + self.without_address + self.inactive + self.pending + self.sent + self.failed + self.unknown
    }

    /// The number of those with this standing.
    pub fn of_mut(&mut self, standing: InvitationStanding) -> &mut u64 {
        match standing {
            InvitationStanding::NotSent => &mut self.not_sent,
            InvitationStanding::WithoutAddress => &mut self.without_address,
            InvitationStanding::Inactive => &mut self.inactive,
            InvitationStanding::Pending => &mut self.pending,
            InvitationStanding::Sent => &mut self.sent,
            InvitationStanding::Failed => &mut self.failed,
            InvitationStanding::Unknown => &mut self.unknown,
        }
    }
}

/// The invitations of a meeting, all from one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationOverview {
    /// What they tell.
    pub facts: InvitationFacts,
    /// How many there are, whatever the filter.
    pub counts: RecipientCounts,
    /// Those that fit the filter, in its order.
    pub page: Page<Recipient>,
}

/// An invitation that is to be sent now, and that nobody else sends meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedInvitation {
    /// The client that owns the meeting.
    pub client_id: ClientId,
    /// To which meeting.
    pub meeting_id: MeetingId,
    /// Who is invited.
    pub end_user_id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// Where it goes.
    pub email: String,
    /// What it tells.
    pub facts: InvitationFacts,
    /// Where the link leads.
    pub site: SiteAddress,
    /// In which the start is told.
    pub time_zone: TimeZone,
    /// When it was put into the queue.
    pub queued_at: DateTime<Utc>,
    /// When it was taken from there.
    pub claimed_at: DateTime<Utc>,
    /// How often it was tried, this time included.
    pub tries: u32,
}

/// How the sending of an invitation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendingOutcome {
    /// The mail server has taken it.
    Sent {
        /// The time.
        at: DateTime<Utc>,
    },
    /// It will not be sent.
    Failed {
        /// Why, for people.
        error: String,
    },
    /// It was perhaps sent.
    Unknown {
        /// Why this is not known, for people.
        error: String,
    },
    /// It was certainly not sent, and is tried again.
    Later {
        /// Not before.
        due_at: DateTime<Utc>,
        /// The reason why it was not sent, for people.
        error: String,
    },
}

/// How long an invitation waits after so many tries that did not reach the mail server. `None` when it is given up.
pub fn wait_after(tries: u32) -> Option<TimeDelta> {
    const SECONDS: [i64; 6] = [15, 60, 5 * 60, 15 * 60, 30 * 60, 60 * 60];
    let place = usize::try_from(tries).ok()?.checked_sub(1)?;
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
        assert_eq!(InvitationStanding::of(Some(InvitationStatus::Sent), false, false), InvitationStanding::Sent);
        assert_eq!(InvitationStanding::of(Some(InvitationStatus::Sending), true, true), InvitationStanding::Pending);
        assert_eq!(InvitationStanding::of(None, false, false), InvitationStanding::Inactive);
        assert_eq!(InvitationStanding::of(None, true, false), InvitationStanding::WithoutAddress);
        assert_eq!(InvitationStanding::of(None, true, true), InvitationStanding::NotSent);
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
            berlin.tell(time("2026-11-21T18:00:00Z")),
            "Saturday, 21 November 2026, 19:00 (Europe/Berlin, UTC+01:00)"
        );
        assert_eq!(
            berlin.tell(time("2026-07-01T18:00:00Z")),
            "Wednesday, 1 July 2026, 20:00 (Europe/Berlin, UTC+02:00)"
        );
        assert_eq!(TimeZone::UTC.tell(time("2026-11-21T18:00:00Z")), "Saturday, 21 November 2026, 18:00 UTC");
        for wrong in ["", "Berlin", "Europe/Berlin\n", "UTC+1"] {
            assert!(TimeZone::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
