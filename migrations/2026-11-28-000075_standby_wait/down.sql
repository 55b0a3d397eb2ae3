DROP FUNCTION waits_for_standby();
