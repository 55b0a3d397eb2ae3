//! Starts real servers; needs `npm ci --prefix tools/postgres`.

mod crashes;
mod identities;
mod lifecycle;
mod support;
