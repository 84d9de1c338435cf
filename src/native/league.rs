//! Leagues as a native type.

use std::ffi::{CStr, c_int};

use leaderboard_core::League;

use super::{Native, Registration};

static REGISTRATION: Registration = Registration::new(c"leagues", Some(c"league_members"));

impl Native for League {
    const NAME: &CStr = c"lb-league";
    const ENCODING: c_int = 1;
    const RESTORE: &CStr = c"LB.LEAGUE.RESTORE";
    const RESTORED: &CStr = c"lb.league.restore";

    fn registration() -> &'static Registration {
        &REGISTRATION
    }
}
