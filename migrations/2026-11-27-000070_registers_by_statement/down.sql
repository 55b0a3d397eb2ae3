DROP TRIGGER rounds_id_update ON rounds;
DROP FUNCTION refuse_new_id_of_round();
DROP TRIGGER rounds_register_delete ON rounds;
DROP FUNCTION remove_register();
DROP TRIGGER register_round_id_update ON register;
DROP TRIGGER register_round_id_insert ON register;
DROP FUNCTION require_rounds_of_register();
ALTER TABLE register ADD CONSTRAINT register_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE;
