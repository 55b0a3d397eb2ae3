#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    plenum_adapter_documents::fuzzing::ballot_file(data);
});
