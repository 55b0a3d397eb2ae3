DROP FUNCTION refresh_statistics(TEXT);
