//! `/sessions`: statistics of sessions, for super administrators.

mod stats;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config.service(stats::session_stats);
}
