DROP TABLE seat_answers;
DROP FUNCTION audit_seat_answer(), candidate_names(UUID, JSONB), refuse_change_of_seat_answer();
