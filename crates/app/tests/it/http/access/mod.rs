//! Access rights: the permitted calls of each role, and the data that other organizations cannot see.

mod access_matrix;
mod ballot_secrecy;
mod nothing_learned;
mod tenants;
