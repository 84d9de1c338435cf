//! Damages saved values, with their form in mind: a value is a list of chunks, a chunk is a kind and numbers of seven bits a byte.

use leaderboard_testkit::random::Random;

/// A saved value.
pub type Saved = Vec<Vec<u8>>;

/// Numbers at the ends of what fields hold.
const NUMBERS: [u64; 12] =
    [0, 1, 2, 127, 128, 16_383, 16_384, u32::MAX as u64, 1 << 32, i64::MAX as u64, 1 << 63, u64::MAX];
const BYTES: [u8; 8] = [0, 1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff];

/// Makes one to four changes to a value. `others` are values to take pieces from.
pub fn damage(saved: &mut Saved, others: &[Saved], random: &mut Random) {
    for _ in 0..=random.below(4) {
        if saved.is_empty() {
            return;
        }
        match random.below(12) {
            0 => drop(saved.remove(index(saved.len(), random))),
            1 => saved.insert(index(saved.len(), random), random.pick(saved).clone()),
            2 => {
                let (one, other) = (index(saved.len(), random), index(saved.len(), random));
                saved.swap(one, other);
            }
            3 => exchange(saved, others, random),
            _ => {
                let at = index(saved.len(), random);
                damage_chunk(&mut saved[at], random);
            }
        }
    }
}

fn index(len: usize, random: &mut Random) -> usize {
    random.below(len as u64) as usize
}

/// Puts a chunk of another value in the place of one of the same kind.
fn exchange(saved: &mut Saved, others: &[Saved], random: &mut Random) {
    let other: &Saved = random.pick(others);
    let Some(chunk) = other.get(index(other.len().max(1), random)).cloned() else { return };
    let same: Vec<usize> = (0..saved.len()).filter(|at| saved[*at].first() == chunk.first()).collect();
    match same.is_empty() {
        true => saved.insert(index(saved.len(), random), chunk),
        false => saved[*random.pick(&same)] = chunk,
    }
}

fn damage_chunk(chunk: &mut Vec<u8>, random: &mut Random) {
    if chunk.is_empty() {
        return chunk.push(*random.pick(&BYTES));
    }
    // Most damage is behind the kind, so that the chunk is read.
    let at = if chunk.len() > 1 && random.percent(95) { 1 + index(chunk.len() - 1, random) } else { 0 };
    let rest = chunk.len() - at;
    match random.below(8) {
        0 => chunk[at] ^= 1 << random.below(8),
        1 => chunk[at] = *random.pick(&BYTES),
        2 => chunk.insert(at, *random.pick(&BYTES)),
        3 => drop(chunk.drain(at..at + 1 + index(rest.min(9), random))),
        4 => chunk.truncate(at),
        5 => {
            let piece = chunk[at..at + 1 + index(rest.min(20), random)].to_vec();
            let to = index(chunk.len(), random);
            chunk.splice(to..to, piece);
        }
        _ => {
            let end = at + chunk[at..].iter().take_while(|byte| **byte >= 0x80).count();
            chunk.splice(at..chunk.len().min(end + 1), number(random));
        }
    }
}

/// A number as it is saved: seven bits in each byte, the lowest ones first.
fn number(random: &mut Random) -> Vec<u8> {
    let mut left = *random.pick(&NUMBERS);
    let mut bytes = Vec::new();
    while left >= 0x80 {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
    bytes
}
