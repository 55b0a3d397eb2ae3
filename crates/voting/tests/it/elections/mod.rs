//! Elections: published counts, and the rules of each method.

mod ballot_faults;
mod lists;
mod marks;
mod profiles;
mod rankings;
mod schulze;
mod scottish_rules;
mod scottish_wards;
mod seats;
mod terms;
mod ties;
mod words;
