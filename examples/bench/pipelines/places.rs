//! The places of a write that take numbers of twelve digits, and what stands in them.

use crate::fill::Random;
use crate::leagues;

/// The points of the write.
pub const POINTS: &str = "__points____";
/// The digits of the member's name.
pub const MEMBER: &str = "__member____";
/// The digits of the voter's name.
pub const VOTER: &str = "__voter_____";
/// The digits of the name of one of [`OPTIONS`].
pub const OPTION: &str = "__option____";
/// The digits of a request id, which almost never repeats.
pub const REQUEST: &str = "__request___";
/// The digits of the name of a player of a league.
pub const PLAYER: &str = "__player____";
/// The number of that player's group.
pub const GROUP: &str = "__group_____";
/// The digits of the name of a new player, in no other write.
pub const JOINER: &str = "__joiner____";
/// The number of the new player's group.
pub const JOINED: &str = "__joined____";
/// How many options there are.
pub const OPTIONS: u64 = 1_000;

/// As many as twelve digits can distinguish.
const REQUESTS: u64 = 1_000_000_000_000;
/// How many new players a run can have; as many as there can be members.
const JOINERS: u64 = 100_000_000;
/// Stands in all places of an example.
const EXAMPLE: u64 = 7;
/// The last run, for examples.
const LAST_RUN: u64 = 9_990;

/// The digits of the name of one of the members of [`PLAYER`]'s group.
pub fn mate(number: u64) -> String {
    format!("__mate__{number:04}")
}

/// Twelve digits, as redis-benchmark writes them.
type Digits = [u8; MEMBER.len()];

/// What stands in a place.
#[derive(Clone, Copy)]
pub enum Number {
    Member,
    Option,
    Request,
    Player,
    Group,
    /// The name of this member of the group.
    Mate(u64),
    Joiner,
    Joined,
}

/// All places that a write can have.
fn all() -> impl Iterator<Item = (String, Number)> {
    let single = [
        (POINTS, Number::Member),
        (MEMBER, Number::Member),
        (VOTER, Number::Member),
        (OPTION, Number::Option),
        (REQUEST, Number::Request),
        (PLAYER, Number::Player),
        (GROUP, Number::Group),
        (JOINER, Number::Joiner),
        (JOINED, Number::Joined),
    ];
    let mates = (0..leagues::GROUP).map(|number| (mate(number), Number::Mate(number)));
    single.into_iter().map(|(word, number)| (word.to_owned(), number)).chain(mates)
}

/// The numbers of a write, and where they stand in it.
pub fn numbers(write: &[u8]) -> Vec<(Number, Vec<usize>)> {
    let places = |word: &str| {
        let found = write.windows(word.len()).enumerate().filter(|(_, some)| *some == word.as_bytes());
        found.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let numbers = all().map(|(word, number)| (number, places(&word)));
    numbers.filter(|(_, places)| !places.is_empty()).collect()
}

/// A word with numbers in its places, as a write could have them.
pub fn example(word: &str, members: u64) -> String {
    let mut random = Random::of(EXAMPLE);
    let mut draw = Draw { seat: Some(EXAMPLE), ..Draw::new(members, first_of_run(LAST_RUN), &mut random) };
    all().filter(|(place, _)| word.contains(place)).fold(word.to_owned(), |word, (place, number)| {
        let digits = draw.digits(number);
        word.replace(&place, &String::from_utf8_lossy(&digits))
    })
}

/// The number of the first write of a run: behind those of the runs before.
pub const fn first_of_run(number: u64) -> u64 {
    number.saturating_add(1).saturating_mul(JOINERS)
}

/// The numbers of one write. They are drawn as they are asked for.
pub struct Draw<'a> {
    members: u64,
    /// The number of the write.
    write: u64,
    random: &'a mut Random,
    /// Where the player sits: all about the player and the group follows from it.
    seat: Option<u64>,
}

impl<'a> Draw<'a> {
    pub fn new(members: u64, write: u64, random: &'a mut Random) -> Self {
        Self { members, write, random, seat: None }
    }

    pub fn digits(&mut self, number: Number) -> Digits {
        let number = match number {
            Number::Member => self.below(self.members),
            Number::Option => self.below(OPTIONS),
            Number::Request => self.below(REQUESTS),
            Number::Player => leagues::player(self.seat(), self.members),
            Number::Group => leagues::group(self.seat()),
            Number::Mate(mate) => {
                let seat = leagues::first_seat(self.seat()).saturating_add(mate);
                leagues::player(seat, self.members)
            }
            Number::Joiner => self.write,
            Number::Joined => leagues::group(self.write),
        };
        digits(number)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.draw().checked_rem(limit).unwrap_or(0)
    }

    /// A seat of a full group.
    fn seat(&mut self) -> u64 {
        let seat = self.seat.unwrap_or_else(|| self.below(leagues::first_seat(self.members)));
        self.seat = Some(seat);
        seat
    }
}

fn digits(mut number: u64) -> Digits {
    let mut digits = [b'0'; MEMBER.len()];
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add((number % 10) as u8);
        number /= 10;
    }
    digits
}
