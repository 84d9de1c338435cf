//! Damaged payloads: a saved value with changed bytes is refused, or it is a sound value that takes all commands, is saved and
//! loaded again, and takes memory in proportion to its bytes.

use std::time::Duration;

use cpu_time::ThreadTime;
use leaderboard_commands::native::Native;
use leaderboard_commands::plain::{PlainServer, Settings};
use leaderboard_core::arrived::LoadingValue;
use leaderboard_core::{Board, Counter, Error, League};
use leaderboard_testkit::calls::Calls;
use leaderboard_testkit::checked::Checked;
use leaderboard_testkit::pair::{PROFILES, Profile};
use leaderboard_testkit::played::Session;
use leaderboard_testkit::random::Random;

use crate::allocator;
use crate::damage::{Saved, damage};
use crate::workers::note;

/// Damaged payloads of a session.
const PAYLOADS: u64 = 2_000;
/// Calls with all commands that make the values of a session.
const CALLS: u64 = 1_500;
/// Calls after a damaged value was loaded.
const CALLS_AFTER: usize = 12;
/// A loaded value takes at most this many times the bytes of its payload, and the bytes of an empty value.
pub const MOST_TIMES: usize = 64;
pub const EMPTY: usize = 64 << 10;
/// The longest processor time for a damaged value with all its calls. A build without optimization takes much longer.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2_000 } else { 100 });

/// Makes values, and loads them with damage. Returns the number of damaged payloads.
pub fn session(seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let values = values(seed, &mut random);
    for _ in 0..PAYLOADS {
        let mut saved = random.pick(&values).clone();
        damage(&mut saved, &values, &mut random);
        note(&saved.join(&b"\n"[..]));
        let begin = ThreadTime::now();
        try_all(&saved, &mut random);
        assert!(begin.elapsed() < LONGEST, "{:?}", begin.elapsed());
    }
    PAYLOADS
}

/// Saved values of all types, from random calls of all commands, and a board that was played.
pub fn values(seed: u64, random: &mut Random) -> Vec<Saved> {
    let profiles = [&PROFILES[..], &[Profile::Segments]].concat();
    let profile = *random.pick(&profiles);
    let board =
        if random.percent(10) { Session::of_many(profile, seed) } else { Session::of_few(profile, seed) };
    let mut values = vec![board.play_and_save()];
    let mut checked =
        Checked::new(*random.pick(&[
            leaderboard_commands::plain::Protocol::Resp2,
            leaderboard_commands::plain::Protocol::Resp3,
        ]));
    for _ in 0..CALLS {
        checked.pass_time(random);
        checked.call(random);
    }
    values.extend(checked.values());
    values
}

/// Loads a payload as each type.
fn try_all(saved: &Saved, random: &mut Random) {
    let is_board = try_one::<Board>(saved, "board0", random, Board::check);
    let is_league = try_one::<League>(saved, "league0", random, League::check);
    let is_counter = try_one::<Counter>(saved, "counter0", random, |_| {});
    let types = [is_board, is_league, is_counter].into_iter().filter(|is_one| *is_one).count();
    assert!(types <= 1, "a value of several types");
}

/// Loads a payload as a type in bounded memory. `None` if it is refused.
fn load_bounded<T: Native>(saved: &Saved) -> Option<T> {
    let before = allocator::held();
    let value = load(saved).ok()??;
    let taken = allocator::held().saturating_sub(before);
    let bytes: usize = saved.iter().map(Vec::len).sum();
    assert!(taken <= MOST_TIMES * bytes + EMPTY, "{taken} bytes for a payload of {bytes}");
    Some(value)
}

/// Loads a payload as a type, and makes calls. Returns whether it was taken.
fn try_one<T: Native>(saved: &Saved, key: &str, random: &mut Random, check: fn(&T)) -> bool {
    let Some(value) = load_bounded::<T>(saved) else { return false };
    check(&value);
    let clock = value.now(0, 0);
    let mut server = PlainServer::new(Settings { clock, ..Settings::default() });
    server.put(key.as_bytes(), value);
    reload::<T>(&server, key, &[]);
    let (calls, mut story) = (Calls::default(), Vec::new());
    for _ in 0..CALLS_AFTER {
        let (_, words) = calls.draw(random);
        server.run(&words);
        story.push(words.join(&b" "[..]).escape_ascii().to_string());
        server.settings.clock += random.below(3) * random.below(5_000_000);
        server.work(random.below(20) as usize);
        // A call can put a value of another type in its place.
        if server.with(key.as_bytes(), |value: &mut T| check(value)).is_none() {
            return true;
        }
    }
    reload::<T>(&server, key, &story);
    true
}

/// Loads a value as a server does: up to the chunk that says that it is the last one. `None` for an unfinished value, which takes
/// no commands. The error has the number of the chunk.
fn load<T: Native>(saved: &Saved) -> Result<Option<T>, (usize, Error)> {
    let mut loading = LoadingValue::<T>::Nothing;
    for (number, chunk) in saved.iter().enumerate() {
        if loading.take(chunk).map_err(|error| (number, error))? {
            let (value, arrived) = loading.finish().map_err(|error| (number, error))?;
            return Ok(arrived.is_none().then_some(value));
        }
    }
    Ok(None)
}

/// Saves and loads the value of a key.
fn reload<T: Native>(server: &PlainServer, key: &str, calls: &[String]) {
    let saved = |server: &PlainServer| server.saved(key.as_bytes()).unwrap_or_default();
    let before = saved(server);
    if let Err((number, error)) = load::<T>(&before) {
        panic!("{error}: chunk {number}, after {calls:#?}: {}", before[number].escape_ascii());
    }
    server.reload();
    assert!(before == saved(server), "saved, loaded and saved it differs, after {calls:#?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::Run;

    /// A fixed seed: the long form looks for rare values, and a build must not fail by chance.
    #[test]
    fn damaged_payloads_are_refused_or_sound() {
        let run = Run::new("payloads", 10_000, 3).all(session);
        assert!(run.failures.is_empty(), "{run}");
    }

    #[test]
    fn what_is_not_damaged_is_sound() {
        let mut random = Random::new(1);
        for saved in values(1, &mut random) {
            try_all(&saved, &mut random);
        }
    }
}
