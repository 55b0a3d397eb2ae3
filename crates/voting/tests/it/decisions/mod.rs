//! Decisions: against an independent count, by published rules, at thresholds, and in words.

mod borders;
mod properties;
mod published_rules;
mod scene;
mod slow_count;
mod words;
