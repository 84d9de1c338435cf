//! Tests of views of periods on real servers: calendar periods, rolling periods, carried shares, stored periods and
//! late writes. The boards use the time of the events unless a test says otherwise, so no test waits for the end of a
//! period.

mod alter;
mod arguments;
pub mod idle;
mod labels;
mod late;
mod replication;
mod service;
mod trending;
mod views;
mod windows;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};
use redis::Connection;

/// Runs a session that gives the same replies in both protocols.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play_dated(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}

/// Runs a session in which `@2019-03-18T10:05` is replaced by this moment in UTC, in milliseconds.
#[track_caller]
fn play_dated(con: &mut Connection, session: &str) {
    play(con, &dated(session));
}

/// Replaces the moments in the text by milliseconds.
pub fn dated(text: &str) -> String {
    let mut parts = text.split('@');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|next: char| !(next.is_ascii_digit() || "-T:.".contains(next)));
        let (moment, rest) = part.split_at(end.unwrap_or(part.len()));
        out.push_str(&millis(moment).to_string());
        out.push_str(rest);
    }
    out
}

/// Returns the milliseconds of `2019-03-18`, `2019-03-18T10:05`, `2019-03-18T10:05:30` or `2019-03-18T10:05:30.250`.
fn millis(moment: &str) -> i64 {
    let mut numbers = moment.split(['-', 'T', ':', '.']).map(|number| number.parse().expect("a number"));
    let mut next = |default: Option<i64>| numbers.next().or(default).expect("a date");
    let days = days(next(None), next(None), next(None));
    let (hour, minute, second, rest) = (next(Some(0)), next(Some(0)), next(Some(0)), next(Some(0)));
    (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + rest
}

/// Returns the days from 1970 to a date. The calculation uses years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[test]
fn moments_are_those_of_utc() {
    assert_eq!(dated("AT @1970-01-01 @2019-03-18T10:05]"), "AT 0 1552903500000]");
    assert_eq!(dated("@2000-02-29T23:59:59.999"), "951868799999");
}
