//! What is measured while the product runs, and the text in which Prometheus reads it.
//!
//! Adapters count with [`Counter`], [`Level`] and [`Histogram`], which know no names and cost an atomic addition. Whoever
//! puts the product together names them all in one place ([`Metric`]) and writes them on a [`Page`].

mod figures;
mod page;

pub use figures::{Counter, Histogram, Level, Reading, Unit};
pub use page::{Kind, Metric, Page};
