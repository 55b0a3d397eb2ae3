DROP TRIGGER meetings_test_timestamps_delete ON meetings;
DROP FUNCTION remove_test_timestamps();
DROP TABLE record_timestamps;
