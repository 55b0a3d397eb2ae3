use std::fmt;
use std::str::FromStr;

use super::installation::{Installation, cannot};
use crate::failure::LoadFailure;

/// Changes one vote in the database before the check: a named one, and one of the last secret round. A check that does
/// not find it proves nothing.
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

    /// Changes of a secret round before its urn is opened. A content that counts as another answer cannot be made without
    /// the key.
    fn statement_before_count(self, round: &str) -> Option<String> {
        let nth = |number: usize| {
            format!("SELECT id FROM votes WHERE round_id = '{round}' ORDER BY id OFFSET {number} LIMIT 1")
        };
        let insert = "INSERT INTO votes (id, round_id, end_user_id, is_sealed, sealed)";
        match self {
            Self::Lost => Some(format!("DELETE FROM votes WHERE id = ({})", nth(0))),
            Self::Doubled => Some(format!(
                "ALTER TABLE votes DROP CONSTRAINT IF EXISTS votes_round_id_end_user_id_key;
                 {insert} SELECT 'ffffffff-ffff-ffff-ffff-fffffffffff3', round_id, end_user_id, is_sealed, sealed
                 FROM votes WHERE id = ({})",
                nth(1)
            )),
            Self::Changed => None,
            // Voters who voted too late have the last usernames.
            Self::Smuggled => Some(format!(
                "{insert} SELECT 'ffffffff-ffff-ffff-ffff-fffffffffff4', round_id, register.end_user_id, true,
                     set_byte(votes.sealed, 100, get_byte(votes.sealed, 100) # 1)
                 FROM votes JOIN register USING (round_id)
                 WHERE votes.id = ({}) AND NOT EXISTS (SELECT FROM votes AS others
                     WHERE others.round_id = register.round_id AND others.end_user_id = register.end_user_id)
                 ORDER BY register.username DESC LIMIT 1",
                nth(2)
            )),
        }
    }

    /// Each statement changes another vote, of those with options. Inserted votes sort after all others.
    fn statement(self) -> &'static str {
        match self {
            Self::Lost => {
                "DELETE FROM votes WHERE id = (SELECT id FROM votes WHERE option_ids IS NOT NULL ORDER BY id LIMIT 1)"
            }
            Self::Doubled => {
                "ALTER TABLE votes DROP CONSTRAINT IF EXISTS votes_round_id_end_user_id_key;
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
                 WHERE votes.option_ids IS NOT NULL
                     AND NOT EXISTS (SELECT FROM votes AS others WHERE others.round_id = register.round_id
                     AND others.end_user_id = register.end_user_id)
                 ORDER BY register.username DESC LIMIT 1"
            }
        }
    }
}

/// Moves a vote of an opened urn from the first answer to the second, if there are two.
const CHANGE_OF_URN: &str = "ALTER TABLE urns DISABLE TRIGGER urns_opened_stay;
     UPDATE urns SET answers = jsonb_set(jsonb_set(answers, '{0,1}', to_jsonb((answers #>> '{0,1}')::int - 1)),
         '{1,1}', to_jsonb((answers #>> '{1,1}')::int + 1))
     WHERE round_id = (SELECT round_id FROM urns WHERE jsonb_array_length(answers) > 1
         ORDER BY opened_at DESC LIMIT 1);
     ALTER TABLE urns ENABLE TRIGGER urns_opened_stay";

impl Installation {
    /// Tampers with one named vote, and with the sums of an opened urn.
    pub(super) async fn tamper(&self, tampering: Tampering) -> Result<(), LoadFailure> {
        self.run_tampering(tampering.statement()).await?;
        if tampering == Tampering::Changed { self.run_tampering(CHANGE_OF_URN).await } else { Ok(()) }
    }

    /// Tampers with one envelope of a round that has ended.
    pub(super) async fn tamper_with_envelope(&self, tampering: Tampering, round: &str) -> Result<(), LoadFailure> {
        match tampering.statement_before_count(round) {
            Some(statement) => self.run_tampering(&statement).await,
            None => Ok(()),
        }
    }

    async fn run_tampering(&self, statement: &str) -> Result<(), LoadFailure> {
        let mut session = self.wait_for_session().await?;
        session.run(statement).await.map(drop).map_err(cannot("tamper with a vote"))
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
