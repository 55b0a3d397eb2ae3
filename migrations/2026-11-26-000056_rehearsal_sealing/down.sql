ALTER TABLE rehearsal_answers DROP COLUMN can_seal;
