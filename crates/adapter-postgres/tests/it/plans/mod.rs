//! What is asked often costs the same however much has been stored: the plans of the statements that the stores really
//! send, in a database with a history.

mod history;
mod hot_statements;
mod observed;
mod steps;
mod sudden_crowd;
