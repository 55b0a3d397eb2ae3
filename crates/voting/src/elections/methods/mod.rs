//! One file for each method, or for methods that differ only in their marks.

mod borda;
mod choices_and_points;
mod choose;
mod fill_seats;
mod irv;
mod lists;
mod per_candidate;
mod piles;
mod schulze;
mod stv_scottish;

pub(super) use borda::count_borda;
pub(super) use choices_and_points::{count_choices, count_points};
pub(super) use irv::count_irv;
pub(super) use lists::count_lists;
pub(super) use per_candidate::count_per_candidate;
pub(super) use schulze::count_schulze;
pub(super) use stv_scottish::count_stv_scottish;
