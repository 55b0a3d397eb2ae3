#![no_main]

use std::panic::{PanicHookInfo, set_hook, take_hook};

use libfuzzer_sys::fuzz_target;

// The library for workbooks may panic, and is caught where it is called: only what nobody catches ends the run.
fn tell_of_our_own(panic: &PanicHookInfo<'_>) {
    if panic.location().is_some_and(|place| !place.file().contains("/registry/")) {
        eprintln!("{panic}");
    }
}

fuzz_target!(
    init: {
        drop(take_hook());
        set_hook(Box::new(tell_of_our_own));
    },
    |data: &[u8]| plenum_adapter_documents::fuzzing::sheets(data)
);
