#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    plenum_sealed_ballots::fuzzing::envelopes(data);
});
