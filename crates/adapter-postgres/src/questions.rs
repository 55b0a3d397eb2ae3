use std::collections::HashMap;

use async_trait::async_trait;
use diesel::dsl::max;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId};
use plenum_meetings::{AddQuestionError, Question, QuestionStore};
use uuid::Uuid;

use crate::Db;
use crate::db::Abort;
use crate::meeting_rows::{OptionRow, QuestionRow, natural};
use crate::schema::{meetings, options, questions};

/// Agendas in PostgreSQL.
#[derive(Clone)]
pub struct PostgresQuestions {
    db: Db,
}

impl PostgresQuestions {
    /// Agendas in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl QuestionStore for PostgresQuestions {
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError> {
        self.db
            .transaction(move |conn| {
                // Whoever adds to the same agenda waits here, so that no two get the same place.
                let locked: Option<Uuid> = meetings::table
                    .find(question.meeting_id.as_uuid())
                    .filter(meetings::client_id.eq(question.client_id.as_uuid()))
                    .select(meetings::id)
                    .for_update()
                    .first(conn)
                    .optional()?;
                let meeting = locked.ok_or(Abort::Refused(AddQuestionError::MeetingNotFound))?;
                let last: Option<i32> = questions::table
                    .filter(questions::meeting_id.eq(meeting))
                    .select(max(questions::position))
                    .first(conn)?;
                let question = Question { position: natural(last.unwrap_or(0))? + 1, ..question };
                diesel::insert_into(questions::table).values(QuestionRow::from(&question)).execute(conn)?;
                diesel::insert_into(options::table).values(OptionRow::of(&question)).execute(conn)?;
                Ok(question)
            })
            .await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let known: Option<Uuid> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::id)
                    .first(conn)
                    .optional()?;
                let Some(meeting) = known else { return Ok(None) };
                let rows = questions::table
                    .filter(questions::meeting_id.eq(meeting))
                    .order(questions::position)
                    .select(QuestionRow::as_select())
                    .load(conn)?;
                with_options(conn, rows).map(Some)
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let row = questions::table
                    .find(id.as_uuid())
                    .filter(questions::client_id.eq(owner.as_uuid()))
                    .select(QuestionRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(with_options(conn, row.into_iter().collect())?.pop())
            })
            .await
    }
}

/// Adds the options, by one statement for all questions together.
fn with_options(conn: &mut PgConnection, rows: Vec<QuestionRow>) -> QueryResult<Vec<Question>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut options: HashMap<Uuid, Vec<OptionRow>> = HashMap::new();
    for option in OptionRow::load(conn, &ids)? {
        options.entry(option.question_id).or_default().push(option);
    }
    rows.into_iter()
        .map(|row| {
            let options = options.remove(&row.id).unwrap_or_default();
            row.with_options(options)
        })
        .collect()
}
