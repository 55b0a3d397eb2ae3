//! The format of messages: a version, a kind, and then ids and numbers of a fixed length. A reader ignores further bytes,
//! so that a later version can append fields. A message with another meaning needs a new kind.

use bytes::Bytes;
use plenum_clients::SessionRevocation;
use plenum_kernel::{AccountId, ClientId, EndUserId, InstanceId, MeetingId, QuestionId, RoundId, SessionId};
use plenum_meetings::live::{LiveNotice, PresenceReport, PresenceUpdate};
use plenum_voting::ShareMessage;
use uuid::Uuid;

/// The version of the format.
const VERSION: u8 = 1;

const JOINED: u8 = 0;
const MEETING_CHANGED: u8 = 1;
const VOTES_CHANGED: u8 = 2;
const RESULT_DECLARED: u8 = 3;
const PERSON_CAME: u8 = 4;
const PERSON_WENT: u8 = 5;
const CLIENT_CHANGED: u8 = 6;
const SESSION_REVOKED: u8 = 10;
const END_USER_REVOKED: u8 = 11;
const ADMINISTRATORS_REVOKED: u8 = 12;
const CLIENT_REVOKED: u8 = 13;
const ACCOUNT_REVOKED: u8 = 14;
const PRESENCE_ALL: u8 = 20;
const PRESENCE_CHANGED: u8 = 21;
const SHARE_REQUEST: u8 = 30;
const SHARE_REPLY: u8 = 31;

/// A message from one instance to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// An instance has connected. The others missed its earlier messages, and it missed theirs.
    Joined,
    /// A snapshot is out of date.
    Notice(LiveNotice),
    /// A session may have ended.
    SessionRevocation(SessionRevocation),
    /// Connected voters.
    Presence(PresenceReport),
    /// A request about a share of the key of a secret round.
    ShareRequest(ShareMessage),
    /// A reply to one.
    ShareReply(ShareMessage),
}

/// The reason why a message is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The kind is unknown to this version.
    Unknown,
    /// The message is truncated, or has another format.
    Malformed,
}

impl Message {
    /// The maximum size of a report without its voters, in bytes.
    const BESIDE_VOTERS: usize = 2 + 2 * size_of::<Uuid>() + 2 * size_of::<u64>() + 2 * size_of::<u32>();

    /// The number of voters that fit into a report of this size in bytes, at least one.
    pub(crate) const fn voters_within(bytes: usize) -> usize {
        let most = bytes.saturating_sub(Self::BESIDE_VOTERS) / size_of::<Uuid>();
        if most == 0 { 1 } else { most }
    }

    pub(crate) fn encode(&self) -> Bytes {
        let mut writer = Writer(vec![VERSION]);
        match self {
            Self::Joined => writer.kind(JOINED),
            Self::Notice(LiveNotice::MeetingChanged(meeting)) => writer.kind(MEETING_CHANGED).id(meeting.as_uuid()),
            Self::Notice(LiveNotice::ClientChanged(client)) => writer.kind(CLIENT_CHANGED).id(client.as_uuid()),
            Self::Notice(LiveNotice::VotesChanged(meeting)) => writer.kind(VOTES_CHANGED).id(meeting.as_uuid()),
            Self::Notice(LiveNotice::ResultDeclared { meeting, round, question }) => {
                writer.kind(RESULT_DECLARED).id(meeting.as_uuid()).id(round.as_uuid()).id(question.as_uuid())
            }
            Self::Notice(LiveNotice::PresenceChanged { meeting, end_user, is_in }) => {
                writer.kind(if *is_in { PERSON_CAME } else { PERSON_WENT }).id(meeting.as_uuid()).id(end_user.as_uuid())
            }
            Self::SessionRevocation(SessionRevocation::Session(session)) => {
                writer.kind(SESSION_REVOKED).id(session.as_uuid())
            }
            Self::SessionRevocation(SessionRevocation::EndUser(end_user)) => {
                writer.kind(END_USER_REVOKED).id(end_user.as_uuid())
            }
            Self::SessionRevocation(SessionRevocation::Administrators(client)) => {
                writer.kind(ADMINISTRATORS_REVOKED).id(client.as_uuid())
            }
            Self::SessionRevocation(SessionRevocation::Client(client)) => {
                writer.kind(CLIENT_REVOKED).id(client.as_uuid())
            }
            Self::SessionRevocation(SessionRevocation::Account(account)) => {
                writer.kind(ACCOUNT_REVOKED).id(account.as_uuid())
            }
            Self::Presence(report) => writer.report(report),
            Self::ShareRequest(message) => writer.kind(SHARE_REQUEST).share(message),
            Self::ShareReply(message) => writer.kind(SHARE_REPLY).share(message),
        };
        Bytes::from(writer.0)
    }

    pub(crate) fn decode(message: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader(message);
        if reader.byte()? != VERSION {
            return Err(DecodeError::Unknown);
        }
        Ok(match reader.byte()? {
            JOINED => Self::Joined,
            MEETING_CHANGED => Self::Notice(LiveNotice::MeetingChanged(MeetingId::from_uuid(reader.id()?))),
            CLIENT_CHANGED => Self::Notice(LiveNotice::ClientChanged(ClientId::from_uuid(reader.id()?))),
            VOTES_CHANGED => Self::Notice(LiveNotice::VotesChanged(MeetingId::from_uuid(reader.id()?))),
            RESULT_DECLARED => Self::Notice(LiveNotice::ResultDeclared {
                meeting: MeetingId::from_uuid(reader.id()?),
                round: RoundId::from_uuid(reader.id()?),
                question: QuestionId::from_uuid(reader.id()?),
            }),
            kind @ (PERSON_CAME | PERSON_WENT) => Self::Notice(LiveNotice::PresenceChanged {
                meeting: MeetingId::from_uuid(reader.id()?),
                end_user: EndUserId::from_uuid(reader.id()?),
                is_in: kind == PERSON_CAME,
            }),
            SESSION_REVOKED => Self::SessionRevocation(SessionRevocation::Session(SessionId::from_uuid(reader.id()?))),
            END_USER_REVOKED => Self::SessionRevocation(SessionRevocation::EndUser(EndUserId::from_uuid(reader.id()?))),
            ADMINISTRATORS_REVOKED => {
                Self::SessionRevocation(SessionRevocation::Administrators(ClientId::from_uuid(reader.id()?)))
            }
            CLIENT_REVOKED => Self::SessionRevocation(SessionRevocation::Client(ClientId::from_uuid(reader.id()?))),
            ACCOUNT_REVOKED => Self::SessionRevocation(SessionRevocation::Account(AccountId::from_uuid(reader.id()?))),
            kind @ (PRESENCE_ALL | PRESENCE_CHANGED) => Self::Presence(reader.report(kind)?),
            SHARE_REQUEST => Self::ShareRequest(reader.share()?),
            SHARE_REPLY => Self::ShareReply(reader.share()?),
            _ => return Err(DecodeError::Unknown),
        })
    }
}

/// Writes numbers in big-endian order.
struct Writer(Vec<u8>);

impl Writer {
    fn kind(&mut self, kind: u8) -> &mut Self {
        self.0.push(kind);
        self
    }

    fn id(&mut self, id: Uuid) -> &mut Self {
        self.0.extend_from_slice(id.as_bytes());
        self
    }

    fn long(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    fn short(&mut self, number: u32) -> &mut Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    fn voters(&mut self, voters: &[EndUserId]) -> &mut Self {
        self.0.reserve(voters.len() * size_of::<Uuid>());
        self.short(u32::try_from(voters.len()).unwrap_or(u32::MAX));
        voters.iter().fold(self, |writer, voter| writer.id(voter.as_uuid()))
    }

    fn share(&mut self, ShareMessage { request, content }: &ShareMessage) -> &mut Self {
        self.id(*request).short(u32::try_from(content.len()).unwrap_or(u32::MAX)).0.extend_from_slice(content);
        self
    }

    fn report(&mut self, PresenceReport { instance, meeting, number, update }: &PresenceReport) -> &mut Self {
        let kind = match update {
            PresenceUpdate::All { .. } => PRESENCE_ALL,
            PresenceUpdate::Changed { .. } => PRESENCE_CHANGED,
        };
        self.kind(kind).id(instance.as_uuid()).id(meeting.as_uuid()).long(*number);
        match update {
            PresenceUpdate::All { part, parts, voters } => self.short(*part).short(*parts).voters(voters),
            PresenceUpdate::Changed { since, came, left } => self.long(*since).voters(came).voters(left),
        }
    }
}

/// The unread rest of a message.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], DecodeError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(DecodeError::Malformed)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn id(&mut self) -> Result<Uuid, DecodeError> {
        self.take().map(Uuid::from_bytes)
    }

    fn long(&mut self) -> Result<u64, DecodeError> {
        self.take().map(u64::from_be_bytes)
    }

    fn short(&mut self) -> Result<u32, DecodeError> {
        self.take().map(u32::from_be_bytes)
    }

    fn voters(&mut self) -> Result<Vec<EndUserId>, DecodeError> {
        let count = self.short()? as usize;
        // Checked before memory is allocated.
        if self.0.len() / size_of::<Uuid>() < count {
            return Err(DecodeError::Malformed);
        }
        (0..count).map(|_| self.id().map(EndUserId::from_uuid)).collect()
    }

    fn share(&mut self) -> Result<ShareMessage, DecodeError> {
        let (request, length) = (self.id()?, self.short()? as usize);
        let (content, rest) = self.0.split_at_checked(length).ok_or(DecodeError::Malformed)?;
        self.0 = rest;
        Ok(ShareMessage { request, content: content.to_vec() })
    }

    fn report(&mut self, kind: u8) -> Result<PresenceReport, DecodeError> {
        let (instance, meeting) = (InstanceId::from_uuid(self.id()?), MeetingId::from_uuid(self.id()?));
        let number = self.long()?;
        let update = if kind == PRESENCE_ALL {
            PresenceUpdate::All { part: self.short()?, parts: self.short()?, voters: self.voters()? }
        } else {
            PresenceUpdate::Changed { since: self.long()?, came: self.voters()?, left: self.voters()? }
        };
        Ok(PresenceReport { instance, meeting, number, update })
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn one_of_each() -> Vec<Message> {
        let ids = CountingIds::new();
        let (meeting, instance) = (MeetingId::new(&ids), InstanceId::new(&ids));
        let voters: Vec<_> = (0..3).map(|_| EndUserId::new(&ids)).collect();
        let report = |update| Message::Presence(PresenceReport { instance, meeting, number: 1 << 40, update });
        vec![
            Message::Joined,
            Message::Notice(LiveNotice::MeetingChanged(meeting)),
            Message::Notice(LiveNotice::ClientChanged(ClientId::new(&ids))),
            Message::Notice(LiveNotice::VotesChanged(meeting)),
            Message::Notice(LiveNotice::ResultDeclared {
                meeting,
                round: RoundId::new(&ids),
                question: QuestionId::new(&ids),
            }),
            Message::SessionRevocation(SessionRevocation::Session(SessionId::new(&ids))),
            Message::SessionRevocation(SessionRevocation::EndUser(voters[0])),
            Message::SessionRevocation(SessionRevocation::Administrators(ClientId::new(&ids))),
            Message::SessionRevocation(SessionRevocation::Client(ClientId::new(&ids))),
            Message::SessionRevocation(SessionRevocation::Account(AccountId::new(&ids))),
            report(PresenceUpdate::All { part: 1, parts: 2, voters: voters.clone() }),
            report(PresenceUpdate::All { part: 0, parts: 1, voters: Vec::new() }),
            report(PresenceUpdate::Changed { since: 7, came: voters[..2].to_vec(), left: voters[2..].to_vec() }),
            Message::ShareRequest(ShareMessage { request: meeting.as_uuid(), content: vec![7; 80] }),
            Message::ShareReply(ShareMessage { request: meeting.as_uuid(), content: Vec::new() }),
        ]
    }

    #[test]
    fn an_encoded_message_is_decoded() {
        for message in one_of_each() {
            assert_eq!(Message::decode(&message.encode()), Ok(message));
        }
    }

    #[test]
    fn fields_and_kinds_of_a_later_version_are_ignored() {
        for message in one_of_each() {
            let longer = [&message.encode()[..], b"and more"].concat();
            assert_eq!(Message::decode(&longer), Ok(message));
        }
        assert_eq!(Message::decode(&[VERSION, 250, 1, 2, 3]), Err(DecodeError::Unknown));
        assert_eq!(Message::decode(&[VERSION + 1, JOINED]), Err(DecodeError::Unknown));
    }

    #[test]
    fn a_truncated_message_is_malformed_at_any_length() {
        for message in one_of_each() {
            let whole = message.encode();
            for length in 0..whole.len() {
                assert_eq!(Message::decode(&whole[..length]), Err(DecodeError::Malformed), "{length} of {message:?}");
            }
        }
    }

    #[test]
    fn a_wrong_count_allocates_no_memory() {
        let ids = CountingIds::new();
        let mut writer = Writer(vec![VERSION]);
        writer.kind(PRESENCE_ALL).id(InstanceId::new(&ids).as_uuid()).id(MeetingId::new(&ids).as_uuid()).long(1);
        writer.short(0).short(1).short(u32::MAX);
        assert_eq!(Message::decode(&writer.0), Err(DecodeError::Malformed));
    }

    #[test]
    fn the_maximum_number_of_voters_fits_into_a_message() {
        let ids = CountingIds::new();
        let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
        let most = Message::voters_within(1_024);
        assert!(most > 50, "{most}");
        let mut voters: Vec<_> = (0..most).map(|_| EndUserId::new(&ids)).collect();
        let left = voters.split_off(most / 2);
        let all = PresenceUpdate::All { part: 0, parts: 1, voters: [&voters[..], &left[..]].concat() };
        for update in [all, PresenceUpdate::Changed { since: 1, came: voters, left }] {
            let message = Message::Presence(PresenceReport { instance, meeting, number: 1, update });
            assert!(message.encode().len() <= 1_024);
        }
        assert_eq!(Message::voters_within(0), 1);
    }

    #[test]
    fn ten_thousand_voters_fit_into_a_nats_message() {
        let ids = CountingIds::new();
        let voters = (0..10_000).map(|_| EndUserId::new(&ids)).collect();
        let update = PresenceUpdate::All { part: 0, parts: 1, voters };
        let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
        let message = Message::Presence(PresenceReport { instance, meeting, number: 1, update }).encode();
        assert!(message.len() < 200_000, "{} bytes; NATS takes 1 MB", message.len());
    }
}
