DROP TABLE round_proxies;
DROP TABLE proxies;
DROP TABLE proxy_settings;
DROP FUNCTION audit_proxy();
DROP FUNCTION audit_proxy_settings();
DROP FUNCTION proxy_person(UUID);
DROP FUNCTION proxy_questions(UUID[]);
DROP FUNCTION proxy_rests(UUID, UUID);
ALTER TABLE votes DROP COLUMN cast_by;
