UPDATE join_link_settings SET asks = 'PASSWORD' WHERE asks = 'EMAIL_CODE';
ALTER TABLE join_link_settings DROP CONSTRAINT join_link_settings_asks_check;
ALTER TABLE join_link_settings ADD CONSTRAINT join_link_settings_asks_check CHECK (asks IN ('NOTHING', 'PASSWORD'));
DROP TABLE join_codes;
