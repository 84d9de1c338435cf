//! Tests of unfinished values: they are cut off after each of their chunks, saved, loaded, and continued.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::{Arrived, LoadingValue, MARK};
use crate::Error;
use crate::board::{Board, Write};
use crate::calendar::Unit;
use crate::counter::{Counter, Rules as CounterRules};
use crate::event::Event;
use crate::league::{League, Rules, Tier, TierAmount};
use crate::native::NativeType;
use crate::schema::Schema;
use crate::score::Decimal;
use crate::time::TimeSource;
use crate::view::{Kind, Spec};

const NOW: u64 = 1_700_000_000_000;
const DAY: u64 = 86_400_000;

fn origin(wall: u64) -> TimeSource {
    TimeSource::Client { wall, max_future: 0 }
}

/// Returns a board of several chunks, with ended periods and request ids.
fn board() -> Board {
    let views = ["day:3", "all"].map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap()));
    let mut board = Board::new(Schema::default(), &views).unwrap();
    for (number, day) in (0..6_000_u64).zip([0, 1, 2].into_iter().cycle()) {
        let name = format!("member with a long name {}", number % 2_500);
        let (wall, id) = (NOW + day / 2 * DAY, number.to_le_bytes());
        let write = Write { request: Some(&id), ..Write::new(origin(wall.max(board.last()))) };
        board.add(&write, Decimal::whole(1), name.as_bytes()).unwrap();
    }
    board
}

fn league() -> League {
    let none = [TierAmount::Count(0)];
    let rules = Rules::new(Tier::all(&[b"only"], &none, &none).unwrap(), Unit::Day);
    let mut league = League::new(rules).unwrap();
    for number in 0..3_000_u64 {
        let event = Event { at: None, request: None, origin: origin(NOW + number / 2_000 * DAY) };
        league
            .add(&event, Decimal::whole(1), format!("member with a long name {number}").as_bytes())
            .unwrap();
    }
    league
}

fn counter() -> Counter {
    let mut counter = Counter::new(CounterRules::default()).unwrap();
    let id = b"request";
    counter.increase(&Event { at: None, request: Some(id), origin: origin(NOW) }, 5).unwrap();
    counter
}

fn chunks(value: &impl NativeType) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    value.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn load<T: NativeType>(saved: &[Vec<u8>]) -> Result<(T, Option<Box<Arrived>>), Error> {
    let mut loading = LoadingValue::Nothing;
    for (at, chunk) in saved.iter().enumerate() {
        if loading.take(chunk)? {
            assert_eq!(at + 1, saved.len(), "it ended too early");
            return loading.finish();
        }
    }
    Err(Error::Corrupt("it has no end"))
}

fn check<T: NativeType>(value: &T, least: usize) {
    let whole = chunks(value);
    assert!(whole.len() >= least, "{}", whole.len());
    let (loaded, arrived) = load::<T>(&whole).unwrap();
    assert!(arrived.is_none() && chunks(&loaded) == whole);
    for cut in 1..whole.len() {
        let (first, rest) = whole.split_at(cut);
        let (mut half, mut arrived) = Arrived::begin::<T>(&first[0]).unwrap();
        for chunk in &first[1..] {
            assert_eq!(arrived.take(&mut half, chunk), Ok(false));
        }
        // A refused chunk changes nothing.
        assert!(arrived.take(&mut half, b"\xff").is_err());
        let mut saved = Vec::new();
        arrived.save(|chunk| saved.push(chunk.to_vec()));
        let (mut continued, arrived) = load::<T>(&saved).unwrap();
        let mut arrived = arrived.expect("what has come");
        assert!(continued.is_loading() && arrived.chunks().eq(first));
        let ends: Vec<_> = rest.iter().map(|chunk| arrived.take(&mut continued, chunk).unwrap()).collect();
        assert!(ends.iter().rposition(|is_last| *is_last) == ends.len().checked_sub(1));
        assert!(!continued.is_loading() && chunks(&continued) == whole, "cut after {cut}");
    }
}

#[test]
fn an_unfinished_value_is_saved_as_such_and_goes_on_wherever_it_is_loaded() {
    check(&board(), 8);
    check(&league(), 5);
    check(&counter(), 3);
}

#[test]
fn marks_stand_only_around_what_is_unfinished() {
    let whole = chunks(&counter());
    let mark = &[MARK.to_vec()][..];
    let between = |parts: &[Vec<u8>]| [mark, parts, mark].concat();
    assert!(load::<Counter>(&between(&whole[..1])).is_ok());
    assert!(load::<Counter>(&between(&whole)).is_err(), "an end inside");
    assert!(load::<Counter>(&between(&[])).is_err(), "nothing inside");
    assert!(load::<Counter>(&between(mark)).is_err(), "a mark inside");
    assert!(load::<Counter>(&[&whole[..1], mark].concat()).is_err(), "a mark behind alone");
}
