use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::NewIds;

/// Declares id types that cannot be mixed up with one another.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id, in the order of time.
            pub fn new(ids: &dyn NewIds) -> Self {
                Self(ids.next_uuid())
            }

            /// The id that was kept as this UUID.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID to keep.
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
    /// An organization, the tenant.
    ClientId;
    /// Someone who signs in to a portal with e-mail and password.
    AccountId;
    /// A voter of one client.
    EndUserId;
    /// One sign-in, with all the refresh tokens that came of it.
    SessionId;
    /// What a screen calls its sign-in, so that it can ask for its place among those who wait.
    SignInTicket;
    /// A meeting of one client.
    MeetingId;
    /// A question on the agenda of a meeting.
    QuestionId;
    /// An option of a question; rounds keep it when they freeze the question.
    OptionId;
    /// One opening of voting on one question.
    RoundId;
    /// The stored ballot of one voter in one round.
    VoteId;
    /// What an organizer noted for the minutes.
    RemarkId;
    /// A rehearsal of one meeting.
    RehearsalId;
    /// What stands in the log of a round about one thing that was done.
    LogEntryId;
    /// One run of the server, perhaps beside others.
    InstanceId;
}
