//! Frequent statements cost the same with any history: the plans of the stores' real statements, in a database after years
//! of use.

mod evidence;
mod history;
mod hot_statements;
mod observed;
mod stale_statistics;
mod steps;
