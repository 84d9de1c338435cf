//! Boards as a native type.

use std::ffi::{CStr, c_int};

use leaderboard_core::Board;

use super::{Native, Registration};

static REGISTRATION: Registration = Registration::new(c"boards", Some(c"members"));

impl Native for Board {
    const NAME: &CStr = c"lb-board1";
    const ENCODING: c_int = 1;
    const RESTORE: &CStr = c"LB.RESTORE";
    const RESTORED: &CStr = c"lb.restore";

    fn registration() -> &'static Registration {
        &REGISTRATION
    }
}
