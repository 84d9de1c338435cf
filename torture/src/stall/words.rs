//! The words of a call that a row of the table declares.
//!
//! - `m` is a member in the middle of the order of names, and `m*n` are n members.
//! - `o*n` are n options, and `0.5*n` are n quantiles.
//! - Before a colon, a word that comes before each of them: `1:m*n` is `1 member 1 member ...`.
//! - `counter*n` is this key n times. `chunk` is the first piece of a saved value of the command's type.
//! - `split` is the key of a part that is being split.
//! - `new` is a key or a member that is not there.

use leaderboard_commands::plain::Words;

use super::world::{self, World};

/// Returns the words of a call.
pub fn of(call: &str, world: &mut World) -> Words {
    let mut words = Words::new();
    for word in call.split(' ') {
        match repeated(word) {
            Some((one, times)) => add_all(one, times, world, &mut words),
            None => words.push(match word {
                "m" => world.member(world.members / 2),
                "new" => world.fresh(),
                "chunk" => world.chunk(call),
                "split" => world::split_key(),
                _ => word.as_bytes().to_vec(),
            }),
        }
    }
    words
}

/// Returns what is repeated in a word such as `m*100`, and how often.
fn repeated(word: &str) -> Option<(&str, u64)> {
    let (one, times) = word.rsplit_once('*')?;
    Some((one, times.parse().ok()?))
}

fn add_all(one: &str, times: u64, world: &World, words: &mut Words) {
    let (before, one) = one.split_once(':').map_or((None, one), |(before, one)| (Some(before), one));
    for at in 0..times {
        words.extend(before.map(|word| word.as_bytes().to_vec()));
        words.push(match one {
            "m" => world.member(at * world.members / times),
            "o" => format!("o{at}").into_bytes(),
            "0.5" => format!("{:.6}", at as f64 / times as f64).into_bytes(),
            _ => one.as_bytes().to_vec(),
        });
    }
}
