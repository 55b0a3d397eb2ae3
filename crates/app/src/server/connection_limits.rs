use std::num::NonZeroUsize;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use plenum_adapter_http::ConnectionLimits;

use crate::config::Config;

/// Raises the limit of open files to the hard limit, because each connection is an open file. Returns the limit in force.
pub(crate) fn raise_open_files() -> Option<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let raised = soft < hard && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
    Some(if raised { hard } else { soft })
}

/// The quotas of connections and streams. The limit of open files bounds the configured numbers.
pub(crate) fn limits_of(config: &Config, open_files: Option<u64>) -> ConnectionLimits {
    let possible = open_files.map_or_else(ConnectionLimits::default, ConnectionLimits::of_open_files);
    let wanted = config.connections.map_or(usize::MAX, NonZeroUsize::get);
    let limits = ConnectionLimits::of_connections(wanted.min(possible.connections));
    let of_one_address = config.connections_per_address.map_or(limits.connections_per_address, NonZeroUsize::get);
    let streams_per_person = config.streams_per_person.map_or(limits.streams_per_person, NonZeroUsize::get);
    let connections_per_address = of_one_address.min(limits.connections);
    ConnectionLimits { connections_per_address, streams_per_person, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_open_files_bounds_the_configured_limits() {
        let limits = |variables: &[(&str, &str)]| {
            let config = Config::read(variables.iter().copied());
            let limits = limits_of(&config.unwrap(), Some(2_512));
            (limits.connections, limits.connections_per_address)
        };
        assert_eq!(limits(&[]), (2_000, 1_500));
        assert_eq!(limits(&[("PLENUM_CONNECTIONS", "400")]), (400, 300));
        assert_eq!(
            limits(&[("PLENUM_CONNECTIONS", "9000"), ("PLENUM_CONNECTIONS_PER_ADDRESS", "9000")]),
            (2_000, 2_000)
        );
        assert_eq!(limits(&[("PLENUM_CONNECTIONS_PER_ADDRESS", "50")]), (2_000, 50));
    }
}
