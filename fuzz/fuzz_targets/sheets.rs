#![no_main]

use std::panic::{PanicHookInfo, set_hook, take_hook};

use libfuzzer_sys::fuzz_target;

// The library for workbooks may panic, and its caller catches that. Only an uncaught panic ends the run.
fn report_uncaught(panic: &PanicHookInfo<'_>) {
    if panic.location().is_some_and(|place| !place.file().contains("/registry/")) {
        eprintln!("{panic}");
    }
}

fuzz_target!(
    init: {
        drop(take_hook());
        set_hook(Box::new(report_uncaught));
    },
    |data: &[u8]| plenum_adapter_documents::fuzzing::sheets(data)
);
