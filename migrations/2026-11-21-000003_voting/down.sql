DROP TABLE round_counters;
DROP TABLE votes;
DROP TABLE register;
DROP TABLE round_options;
DROP TABLE rounds;
