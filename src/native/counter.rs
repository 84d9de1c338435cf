//! Counters as a native type.

use std::ffi::{CStr, c_int};

use leaderboard_core::Counter;

use super::{Native, Registration};

static REGISTRATION: Registration = Registration::new(c"counters", None);

impl Native for Counter {
    const NAME: &CStr = c"lb-countr";
    const ENCODING: c_int = 1;
    const RESTORE: &CStr = c"LB.COUNTER.RESTORE";
    const RESTORED: &CStr = c"lb.counter.restore";

    fn registration() -> &'static Registration {
        &REGISTRATION
    }
}
