//! The places of a write that take numbers, and what stands in them. A number has as many digits as its place's word:
//! twelve, or ten where it is a time in seconds.

use std::time::{SystemTime, UNIX_EPOCH};

use super::crowd::{Crowds, Traffic};
use crate::fill::{Random, SCORES};
use crate::lists::LIST;
use crate::{counters, leagues};
use client::Result;

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
/// The digits of the name of one of [`counters::PAGES`] pages. Few of them get most of the views.
pub const PAGE: &str = "__page__0000";
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

/// The digits of the name of the page that comes so many after [`PAGE`].
pub fn page(number: u64) -> String {
    format!("__page__{number:04}")
}

/// The digits of the name of one of the members of a list. Each is drawn separately.
pub fn listed(number: u64) -> String {
    format!("__listed{number:04}")
}

/// The points of that member.
pub fn listed_points(number: u64) -> String {
    format!("__points{number:04}")
}

/// When the slice of so many seconds began in which the write is made, in seconds.
pub fn slice(seconds: u64) -> String {
    format!("__s{seconds:_<7}")
}

/// Twelve digits.
type Digits = [u8; MEMBER.len()];

/// What stands in a place.
#[derive(Clone, Copy)]
pub enum Number {
    Points,
    Member,
    Voter,
    Option,
    Request,
    Player,
    Group,
    /// The name of this member of the group.
    Mate(u64),
    Joiner,
    Joined,
    /// The name of the page so many after the drawn one.
    Page(u64),
    /// The start of the slice of so many seconds.
    Slice(u64),
}

/// Where a number stands in a write.
pub struct Place {
    pub number: Number,
    /// Bytes of the word.
    length: usize,
    starts: Vec<usize>,
}

impl Place {
    /// Puts in the number's last digits.
    pub fn fill(&self, write: &mut [u8], digits: &Digits) {
        for &start in &self.starts {
            if let Some(here) = write.get_mut(start..start.saturating_add(self.length)) {
                here.copy_from_slice(last(digits, self.length));
            }
        }
    }
}

/// All places that a write can have.
fn all() -> impl Iterator<Item = (String, Number)> {
    let single = [
        (POINTS, Number::Points),
        (MEMBER, Number::Member),
        (VOTER, Number::Voter),
        (OPTION, Number::Option),
        (REQUEST, Number::Request),
        (PLAYER, Number::Player),
        (GROUP, Number::Group),
        (JOINER, Number::Joiner),
        (JOINED, Number::Joined),
    ];
    let mates = (0..leagues::GROUP).map(|number| (mate(number), Number::Mate(number)));
    let pages = (0..counters::DASHBOARD).map(|number| (page(number), Number::Page(number)));
    let slices = counters::PRECISIONS.map(|seconds| (slice(seconds), Number::Slice(seconds)));
    let list = (0..LIST)
        .flat_map(|number| [(listed(number), Number::Member), (listed_points(number), Number::Points)]);
    let single = single.into_iter().map(|(word, number)| (word.to_owned(), number));
    single.chain(mates).chain(pages).chain(slices).chain(list)
}

/// The numbers of a write, and where they stand in it.
pub fn places(write: &[u8]) -> Vec<Place> {
    let starts = |word: &str| {
        let found = write.windows(word.len()).enumerate().filter(|(_, some)| *some == word.as_bytes());
        found.map(|(start, _)| start).collect::<Vec<_>>()
    };
    let places = all().map(|(word, number)| Place { number, length: word.len(), starts: starts(&word) });
    places.filter(|place| !place.starts.is_empty()).collect()
}

/// Whether popular members, options or players change what is sent.
pub fn draws_members(commands: &[Vec<String>]) -> bool {
    let text = commands.concat().concat();
    let is_popular = |number| {
        matches!(number, Number::Member | Number::Option | Number::Player | Number::Group | Number::Mate(_))
    };
    all().any(|(word, number)| is_popular(number) && text.contains(&word))
}

/// A word with numbers in its places, as a write could have them.
pub fn example(word: &str, members: u64) -> Result<String> {
    let mut random = Random::of(EXAMPLE);
    let crowds = Crowds::new(Traffic::Uniform, members)?;
    let mut draw = Draw { seat: Some(EXAMPLE), ..Draw::new(&crowds, first_of_run(LAST_RUN), &mut random) };
    let found = all().filter(|(place, _)| word.contains(place));
    Ok(found.fold(word.to_owned(), |word, (place, number)| {
        let digits = draw.digits(number);
        word.replace(&place, &String::from_utf8_lossy(last(&digits, place.len())))
    }))
}

/// The last digits, as many as a place takes.
fn last(digits: &Digits, length: usize) -> &[u8] {
    digits.get(digits.len().saturating_sub(length)..).unwrap_or_default()
}

/// The number of the first write of a run: behind those of the runs before.
pub const fn first_of_run(number: u64) -> u64 {
    number.saturating_add(1).saturating_mul(JOINERS)
}

/// The numbers of one write. They are drawn as they are asked for.
pub struct Draw<'a> {
    crowds: &'a Crowds,
    /// The number of the write.
    write: u64,
    random: &'a mut Random,
    /// Where the player sits: all about the player and the group follows from it.
    seat: Option<u64>,
    page: Option<u64>,
    /// When the write is made, in seconds.
    now: Option<u64>,
}

impl<'a> Draw<'a> {
    pub fn new(crowds: &'a Crowds, write: u64, random: &'a mut Random) -> Self {
        Self { crowds, write, random, seat: None, page: None, now: None }
    }

    pub fn digits(&mut self, number: Number) -> Digits {
        let number = match number {
            Number::Points => self.below(SCORES),
            Number::Member => self.crowds.members.draw(self.random),
            Number::Voter => self.crowds.voters.draw(self.random),
            Number::Option => self.crowds.options.draw(self.random),
            Number::Request => self.below(REQUESTS),
            Number::Player => leagues::player(self.seat(), self.crowds.count),
            Number::Group => leagues::group(self.seat()),
            Number::Mate(mate) => {
                let seat = leagues::first_seat(self.seat()).saturating_add(mate);
                leagues::player(seat, self.crowds.count)
            }
            Number::Joiner => self.write,
            Number::Joined => leagues::group(self.write),
            Number::Page(more) => self.page().saturating_add(more).checked_rem(counters::PAGES).unwrap_or(0),
            Number::Slice(seconds) => {
                let now = self.now();
                now.saturating_sub(now.checked_rem(seconds).unwrap_or(0))
            }
        };
        digits(number)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.draw().checked_rem(limit).unwrap_or(0)
    }

    /// A seat of a full group.
    fn seat(&mut self) -> u64 {
        let seat = self.seat.unwrap_or_else(|| self.crowds.seats.draw(self.random));
        self.seat = Some(seat);
        seat
    }

    /// The n-th page is viewed about 1/n as often as the first.
    fn page(&mut self) -> u64 {
        let Self { page, random, .. } = self;
        let mut power = || random.draw() as f64 / u64::MAX as f64;
        *page.get_or_insert_with(|| (counters::PAGES as f64).powf(power()) as u64)
    }

    fn now(&mut self) -> u64 {
        let wall = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        *self.now.get_or_insert_with(wall)
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
