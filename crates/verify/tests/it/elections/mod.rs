//! Elections: both counts agree, on random profiles and on published ones.

mod agreement;
mod papers;
mod profiles;
mod results;
mod scottish_wards;
mod seats;
mod sentences;
