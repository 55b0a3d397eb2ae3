DROP TABLE refresh_tokens;
DROP TABLE sessions;
DROP TABLE end_users;
DROP TABLE accounts;
DROP TABLE clients;
