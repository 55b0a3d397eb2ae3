DROP TABLE join_link_settings, join_links;
DROP FUNCTION audit_join_link_settings(), audit_join_link(), audit_made_join_links();
