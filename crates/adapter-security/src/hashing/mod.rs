//! Password hashing with bcrypt, on threads of its own and in the order of a queue.

pub(crate) mod bcrypt_hasher;
mod job;
mod queue;
pub(crate) mod threads;
mod waiting_list;
