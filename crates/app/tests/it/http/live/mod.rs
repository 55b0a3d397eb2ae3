//! Live streams and the presentation.

mod connections;
mod presentation;
mod streams;
