DROP TABLE options;
ALTER TABLE meetings DROP CONSTRAINT meetings_id_current_question_id_fkey;
DROP TABLE questions;
DROP TABLE participants;
DROP TABLE meetings;
