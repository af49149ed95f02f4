//! What an agent hands a hook is read without a panic, whatever it is.
#![no_main]

use ken_agents::Machine;
use ken_agents::call::{answer, is_complete, read_call};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = is_complete(bytes);
    if let Ok(call) = read_call(bytes, None, &Machine::default()) {
        assert!(answer(&call, "facts").contains("facts"), "the answer holds what is to be said");
    }
});
