use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::NewIds;

/// Declares id types that the compiler distinguishes.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id. Later ids sort after earlier ones.
            pub fn new(ids: &dyn NewIds) -> Self {
                Self(ids.next_uuid())
            }

            /// The id with this stored UUID.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID to store.
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

ids! {
    /// An organization that uses Plenum.
    ClientId;
    /// A person who signs in to a portal with email and password.
    AccountId;
    /// A voter of one client.
    EndUserId;
    /// One sign-in, with its family of refresh tokens.
    SessionId;
    /// The random id of a sign-in, with which a screen requests its place in the sign-in queue.
    SignInTicket;
    /// A check-in desk of one meeting.
    DeskId;
    /// A kind of voting weight of one client.
    WeightKindId;
    /// One entry of the log of who came and went.
    PresenceEntryId;
    /// A personal link that signs an end user in.
    JoinLinkId;
    /// An imported archive of a meeting.
    ArchiveId;
    /// A meeting of one client.
    MeetingId;
    /// A question on the agenda of a meeting.
    QuestionId;
    /// An option of a question. A round that freezes the question keeps the id.
    OptionId;
    /// One opening of voting on one question.
    RoundId;
    /// The stored ballot of one voter in one round.
    VoteId;
    /// The authority of a holder to cast the vote of a principal.
    ProxyId;
    /// Votes on paper that one teller has entered together.
    PaperBatchId;
    /// A ballot that a voting place has given to a person.
    IssuedBallotId;
    /// An organizer's note for the minutes.
    RemarkId;
    /// A rehearsal of one meeting.
    RehearsalId;
    /// A group of end users of one client.
    GroupId;
    /// One action in the log of a round.
    LogEntryId;
    /// One running server. Several can share a database.
    InstanceId;
}
