//! What follows from a tally: against an independent count, by published rules, at the borders, and in words.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod borders;
mod properties;
mod published_rules;
mod scene;
mod slow_count;
mod words;
