//! Access rights: who may call what, and what is hidden from other organizations.

mod access_matrix;
mod ballot_secrecy;
mod nothing_learned;
mod tenants;
