DROP TABLE answer_curations;
DROP FUNCTION audit_answer_curation(), answers_in_groups(JSONB), answer_group_names(JSONB);
