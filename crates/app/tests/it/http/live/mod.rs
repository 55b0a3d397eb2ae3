//! Live streams and the presentation.

mod presentation;
mod streams;
