use std::fmt;
use std::str::FromStr;

use super::installation::{Installation, cannot};
use crate::failure::LoadFailure;

/// Changes one vote in the database before the check. A check that does not find it proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tampering {
    /// The vote is deleted.
    Lost,
    /// The vote is stored twice.
    Doubled,
    /// The vote has another content.
    Changed,
    /// A vote is stored for a voter whose ballot was refused.
    Smuggled,
}

impl Tampering {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Lost, Self::Doubled, Self::Changed, Self::Smuggled];

    fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Changed => "changed",
            Self::Smuggled => "smuggled",
        }
    }

    /// Each statement changes another vote, of those with options. Inserted votes sort after all others.
    fn statement(self) -> &'static str {
        match self {
            Self::Lost => {
                "DELETE FROM votes WHERE id = (SELECT id FROM votes WHERE option_ids IS NOT NULL ORDER BY id LIMIT 1)"
            }
            Self::Doubled => {
                "ALTER TABLE votes DROP CONSTRAINT votes_round_id_end_user_id_key;
                 INSERT INTO votes SELECT 'ffffffff-ffff-ffff-ffff-fffffffffff1', round_id, end_user_id, option_ids,
                     number, answer_text, cast_at
                 FROM votes WHERE option_ids IS NOT NULL ORDER BY id OFFSET 1 LIMIT 1"
            }
            Self::Changed => {
                "UPDATE votes SET option_ids = ARRAY(
                     SELECT option_id FROM round_options
                     WHERE round_options.round_id = votes.round_id AND option_id <> ALL (votes.option_ids)
                     ORDER BY position LIMIT 1)
                 WHERE id = (SELECT id FROM votes WHERE option_ids IS NOT NULL ORDER BY id OFFSET 2 LIMIT 1)"
            }
            // Voters who voted too late have the last usernames.
            Self::Smuggled => {
                "INSERT INTO votes SELECT 'ffffffff-ffff-ffff-ffff-fffffffffff2', votes.round_id, register.end_user_id,
                     votes.option_ids, votes.number, votes.answer_text, votes.cast_at
                 FROM votes JOIN register USING (round_id)
                 WHERE NOT EXISTS (SELECT FROM votes AS others WHERE others.round_id = register.round_id
                     AND others.end_user_id = register.end_user_id)
                 ORDER BY register.username DESC LIMIT 1"
            }
        }
    }
}

impl Installation {
    /// Tampers with one vote.
    pub(super) async fn tamper(&self, tampering: Tampering) -> Result<(), LoadFailure> {
        let mut session = self.wait_for_session().await?;
        session.run(tampering.statement()).await.map(drop).map_err(cannot("tamper with a vote"))
    }
}

impl fmt::Display for Tampering {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Tampering {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|tampering| tampering.name() == text);
        found.ok_or_else(|| "use one of lost, doubled, changed, smuggled".to_owned())
    }
}
