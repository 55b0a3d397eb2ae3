ALTER TABLE invitations DROP COLUMN has_personal_link;
ALTER TABLE join_links DROP COLUMN mail_seed;
