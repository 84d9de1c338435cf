//! The places of a write that contain numbers, and the kind of number in each place. A place has a placeholder word,
//! and its number has as many digits as the word: twelve, ten for a time in seconds, or four for a country.

use std::time::{SystemTime, UNIX_EPOCH};

use super::crowd::{Crowds, Traffic};
use crate::fill::{Random, SCORES};
use crate::lists::LIST;
use crate::{counters, leagues, segments};
use client::Result;

/// The points of the write.
pub const POINTS: &str = "__points____";
/// The digits of the member's name.
pub const MEMBER: &str = "__member____";
/// The digits of the name of the member's country.
pub const COUNTRY: &str = "__ct";
/// The digits of the voter's name.
pub const VOTER: &str = "__voter_____";
/// The digits of the name of one of [`OPTIONS`].
pub const OPTION: &str = "__option____";
/// The digits of a request id, which is almost always new.
pub const REQUEST: &str = "__request___";
/// The digits of the name of a player of a league.
pub const PLAYER: &str = "__player____";
/// The number of this player's group.
pub const GROUP: &str = "__group_____";
/// The digits of the name of a new player, which is in no other write.
pub const JOINER: &str = "__joiner____";
/// The number of the new player's group.
pub const JOINED: &str = "__joined____";
/// The digits of the name of one of [`counters::PAGES`] pages. A few pages get most of the views.
pub const PAGE: &str = "__page__0000";
/// The number of options.
pub const OPTIONS: u64 = 1_000;

/// The number of values that twelve digits can have.
const REQUESTS: u64 = 1_000_000_000_000;
/// The maximum number of new players in a run, equal to the maximum number of members.
const JOINERS: u64 = 100_000_000;
/// The seed and the seat for the numbers of an example.
const EXAMPLE: u64 = 7;
/// The number of the last run, used for examples.
const LAST_RUN: u64 = 9_990;

/// Returns the placeholder for the digits of the name of one member of [`PLAYER`]'s group.
pub fn mate(number: u64) -> String {
    format!("__mate__{number:04}")
}

/// Returns the placeholder for the digits of the name of the page that is `number` pages after [`PAGE`].
pub fn page(number: u64) -> String {
    format!("__page__{number:04}")
}

/// Returns the placeholder for the digits of the name of one member of a list. Each member is drawn separately.
pub fn listed(number: u64) -> String {
    format!("__listed{number:04}")
}

/// Returns the placeholder for the points of this member of a list.
pub fn listed_points(number: u64) -> String {
    format!("__points{number:04}")
}

/// Returns the placeholder for the start of the present slice, in seconds. `seconds` is the length of the slice.
pub fn slice(seconds: u64) -> String {
    format!("__s{seconds:_<7}")
}

/// A number of twelve digits.
type Digits = [u8; MEMBER.len()];

/// The kind of number in a place.
#[derive(Clone, Copy)]
pub enum Number {
    Points,
    Member,
    /// The country of the member that was drawn last.
    Country,
    Voter,
    Option,
    Request,
    Player,
    Group,
    /// The name of the member of the group with this number.
    Mate(u64),
    Joiner,
    Joined,
    /// The name of the page that is this number of pages after the drawn page.
    Page(u64),
    /// The start of the present slice. The value is the length of the slice in seconds.
    Slice(u64),
}

/// A number, and its places in a write.
pub struct Place {
    pub number: Number,
    /// The number of bytes of the placeholder word.
    length: usize,
    starts: Vec<usize>,
}

impl Place {
    /// Writes the last digits of the number into its places.
    pub fn fill(&self, write: &mut [u8], digits: &Digits) {
        for &start in &self.starts {
            if let Some(here) = write.get_mut(start..start.saturating_add(self.length)) {
                here.copy_from_slice(last(digits, self.length));
            }
        }
    }
}

/// Returns all placeholder words with the numbers that replace them.
fn all() -> impl Iterator<Item = (String, Number)> {
    let single = [
        (POINTS, Number::Points),
        (MEMBER, Number::Member),
        (COUNTRY, Number::Country),
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

/// Returns the numbers of a write with their places.
pub fn places(write: &[u8]) -> Vec<Place> {
    let starts = |word: &str| {
        let found = write.windows(word.len()).enumerate().filter(|(_, some)| *some == word.as_bytes());
        found.map(|(start, _)| start).collect::<Vec<_>>()
    };
    let places = all().map(|(word, number)| Place { number, length: word.len(), starts: starts(&word) });
    places.filter(|place| !place.starts.is_empty()).collect()
}

/// Checks whether the requests depend on the traffic: they contain members, options or players, of which some can be
/// popular.
pub fn draws_members(commands: &[Vec<String>]) -> bool {
    let text = commands.concat().concat();
    let is_popular = |number| {
        use Number::{Country, Group, Mate, Member, Option, Player};
        matches!(number, Member | Country | Option | Player | Group | Mate(_))
    };
    all().any(|(word, number)| is_popular(number) && text.contains(&word))
}

/// Returns the word with numbers in place of its placeholders, as in a real write.
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

/// Returns as many of the last digits as a place has.
fn last(digits: &Digits, length: usize) -> &[u8] {
    digits.get(digits.len().saturating_sub(length)..).unwrap_or_default()
}

/// Returns the number of the first write of a run, which is greater than the numbers of all earlier runs.
pub const fn first_of_run(number: u64) -> u64 {
    number.saturating_add(1).saturating_mul(JOINERS)
}

/// The numbers of one write. Each number is drawn when it is first needed.
pub struct Draw<'a> {
    crowds: &'a Crowds,
    /// The number of the write.
    write: u64,
    random: &'a mut Random,
    /// The member that was drawn last.
    member: Option<u64>,
    /// The seat of the player. The player and the group follow from it.
    seat: Option<u64>,
    page: Option<u64>,
    /// The moment of the write, in seconds.
    now: Option<u64>,
}

impl<'a> Draw<'a> {
    pub fn new(crowds: &'a Crowds, write: u64, random: &'a mut Random) -> Self {
        Self { crowds, write, random, member: None, seat: None, page: None, now: None }
    }

    pub fn digits(&mut self, number: Number) -> Digits {
        let number = match number {
            Number::Points => self.below(SCORES),
            Number::Member => self.draw_member(),
            Number::Country => segments::country(self.member.unwrap_or_else(|| self.draw_member())),
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

    /// Draws a member. The members of a list are drawn separately.
    fn draw_member(&mut self) -> u64 {
        *self.member.insert(self.crowds.members.draw(self.random))
    }

    /// Returns a seat of a full group, and draws it at the first call.
    fn seat(&mut self) -> u64 {
        let seat = self.seat.unwrap_or_else(|| self.crowds.seats.draw(self.random));
        self.seat = Some(seat);
        seat
    }

    /// Returns the page of the write, and draws it at the first call. The n-th page is drawn about 1/n as often as the
    /// first page.
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
