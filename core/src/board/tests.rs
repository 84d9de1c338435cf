//! Tests of the cost of commands on boards that keep many ended periods. The cost is counted in visits to ended
//! periods.
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use proptest::prelude::*;

use super::{Alter, Board, Carry, Edit, Retain, Write};
use crate::calendar::When;
use crate::effort::GREAT;
use crate::index::MemberId;
use crate::native::{NativeType, Work};
use crate::schema::{Order, Ranks, Schema, Tally, Ties};
use crate::score::Decimal;
use crate::share::Share;
use crate::time::{Clock, TimeSource};
use crate::view::{Kind, Spec, Walk, visits};

const PERIODS: u64 = 2_000;
const MEMBERS: u64 = 300;

/// Returns a name so long that this number of members make a large board.
fn name(number: u64) -> Vec<u8> {
    format!("member {number}{:90}", "").into_bytes()
}

fn add(board: &mut Board, member: u64, at: u64) {
    let origin = TimeSource::Client { wall: 0, max_future: 0 };
    let write = Write { at: Some(at), ..Write::new(origin) };
    board.add(&write, Decimal::whole(1), &name(member)).unwrap();
}

fn work(board: &mut Board) {
    while board.has_work() && board.work(board.last()) == Work::Now {}
}

/// Returns a large board that keeps many ended periods. Each ended period has one member. Only member 0 has written
/// in the current period.
fn board_of_many_periods() -> Board {
    let schema = Schema { clock: Clock::Event, dedup: 0, ..Schema::default() };
    let spec = Spec { retain: 10_000, ..Spec::new(Kind::parse(b"1s").unwrap()) };
    let mut board = Board::new(schema, &[spec]).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, 0));
    (1..=PERIODS).for_each(|period| add(&mut board, period % MEMBERS, period * 1_000));
    add(&mut board, 0, (PERIODS + 1) * 1_000);
    work(&mut board);
    board
}

#[test]
fn hiding_many_members_visits_ended_periods_once() {
    let mut board = board_of_many_periods();
    let names: Vec<_> = (0..100).map(name).collect();
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let (visited, hidden) = visits::of(|| board.hide_all(&names));
    assert_eq!(hidden, Ok(100));
    assert!(visited <= PERIODS as usize + 100, "{visited} visits to hide");
    let (visited, shown) = visits::of(|| board.unhide_all(&names));
    assert_eq!(shown, 100);
    // To find out whether the board refers to a member, the search begins in the period in which the member was
    // last found.
    assert!(visited <= PERIODS as usize + 100 * MEMBERS as usize, "{visited} visits to show");
}

#[test]
fn removing_many_members_visits_no_more_than_was_written() {
    let mut board = board_of_many_periods();
    let names: Vec<_> = (1..=200).chain([0, 1, 1_000]).map(name).collect();
    let (visited, removed) = visits::of(|| board.remove_all(&names));
    assert_eq!(removed.len(), 201);
    // Readable data is searched once, and removed once.
    let most = 3 * (PERIODS + MEMBERS) as usize;
    assert!(visited <= most, "{visited} visits to remove");
    board.check();
    assert!((1..=200).all(|number| !board.remove(&name(number))));
}

#[test]
fn what_waits_to_be_freed_counts_as_effort() {
    let mut board = board_of_many_periods();
    let before = board.effort();
    assert!(before > PERIODS as usize);
    let retain = Some(Retain::parse(b"1").unwrap());
    board.alter(&Alter { retain, ..Alter::default() }).unwrap();
    let after = board.effort();
    assert!(after >= before.min(GREAT), "{after} of {before}");
    work(&mut board);
    assert!(board.effort() < 100, "{}", board.effort());
}

/// Bytes of a view without members.
const SHELL: usize = 2_000;

/// Changes a board, and checks that the change itself does not free data whose size grows with the members.
fn alter_without_freeing(board: &mut Board, alter: &Alter) {
    let before = board.memory();
    board.alter(alter).unwrap();
    let after = board.memory();
    assert!(after + SHELL > before, "{before} bytes became {after} at once");
    work(board);
    assert!(board.memory() + SHELL < after, "nothing was freed between commands");
}

#[test]
fn what_altered_views_had_is_freed_between_commands() {
    let schema = Schema { clock: Clock::Event, dedup: 0, ..Schema::default() };
    let specs = ["all", "day"].map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap()));
    let mut board = Board::new(schema, &specs).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, member));
    let carry = |share| Alter { carry: Carry::parse(share).unwrap(), ..Alter::default() };
    board.alter(&carry(b"day=0.5")).unwrap();
    alter_without_freeing(&mut board, &carry(b"day=0"));
    let edit = |edit| Alter { views: vec![(Kind::parse(b"day:7").unwrap(), edit)], ..Alter::default() };
    board.alter(&edit(Edit::Add)).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, MEMBERS + member));
    alter_without_freeing(&mut board, &edit(Edit::Drop));
    board.check();
}

#[test]
fn skipped_periods_of_a_decaying_view_are_read_without_their_whole_order() {
    let adds: Vec<_> =
        (0..5_000).map(|member| (member, 1_000_000_000 + member as i64 * 1_000, member)).collect();
    let mut board = decaying(Schema::default(), &adds, 0, 990_000_000);
    board.advance(3_000 * 3_600_000);
    work(&mut board);
    let before = board.memory();
    for back in [1, 500, 1_500, 2_999] {
        let read = board.read(None, When::Back(back), Tally::Shown).unwrap();
        let Some((rank, score)) = read.rank_and_score(&name(3), Ranks::Ordinal) else { continue };
        let standing = read.standing(&name(3), Ranks::Competition).unwrap();
        assert_eq!(standing.score, score);
        let row = read.rows(rank - 1, 3, Ranks::Ordinal).next().unwrap();
        assert_eq!((row.rank, row.score), (rank, score));
        assert_eq!(read.reversed().rows(read.len() - rank, 1, Ranks::Ordinal).next().unwrap().id, row.id);
    }
    assert!(board.memory() < before + 4_000, "{} bytes more", board.memory() - before);
}

/// Returns a board of hours that decay, with some scores in its first hour.
fn decaying(schema: Schema, adds: &[(u64, i64, u64)], shift: u32, share: u32) -> Board {
    let spec = Spec {
        retain: 4_000,
        decay: Share::from_billionths(share),
        ..Spec::new(Kind::parse(b"hour").unwrap())
    };
    let mut board = Board::new(Schema { clock: Clock::Event, dedup: 0, ..schema }, &[spec]).unwrap();
    let origin = TimeSource::Client { wall: 0, max_future: 0 };
    let mut sorted: Vec<_> = adds.iter().collect();
    sorted.sort_by_key(|(_, _, at)| *at);
    for (member, points, at) in sorted {
        let write = Write { at: Some(*at), ..Write::new(origin) };
        board.add(&write, Decimal::whole(points << shift), &name(*member)).unwrap();
    }
    board
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn an_order_that_fades_is_read_as_the_whole_order(
        ties in prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex), Just(Ties::RevLex)],
        is_rising: bool,
        adds in proptest::collection::vec((0..400_u64, -60..300_i64, 0..40_u64), 1..500),
        shift in prop_oneof![Just(0_u32), Just(7), Just(25)],
        share in prop_oneof![Just(990_000_000_u32), Just(900_000_000), Just(500_000_000)],
        hours in prop_oneof![2..40_u64, 2..2_000_u64],
        writes_on: bool,
        hidden in proptest::collection::btree_set(0..400_u64, 0..6),
    ) {
        let order = if is_rising { Order::Asc } else { Order::Desc };
        let mut board = decaying(Schema { ties, order, ..Schema::default() }, &adds, shift, share);
        board.advance(hours * 3_600_000);
        if writes_on {
            (0..20).for_each(|member| add(&mut board, member * 7, hours * 3_600_000));
        }
        work(&mut board);
        let hidden: Vec<_> = hidden.into_iter().map(name).collect();
        let hidden: Vec<&[u8]> = hidden.iter().map(Vec::as_slice).collect();
        board.hide_all(&hidden).unwrap();
        for hour in [1, hours / 2, hours - 1] {
            let start = hour as i64 * 3_600_000;
            let context = board.context();
            let Some(ended) = board.views[0].periods().unwrap().ended(start, &context, || ()) else { continue };
            let faded = ended.ranking(&board.schema, &board.members);
            let whole = ended.order().ranking(&board.schema, &board.members);
            prop_assert_eq!(faded.len(), whole.len());
            let (entries, len) = (plain(whole.walk(0)), whole.len());
            for place in (0..len).step_by(1 + len as usize / 9).chain([len.saturating_sub(1), len, len + 1]) {
                prop_assert_eq!(plain(faded.walk(place)), plain(whole.walk(place)));
                prop_assert_eq!(plain(faded.walk_back(place)), plain(whole.walk_back(place.min(len))));
                let rank_keys = [&faded, &whole].map(|order| order.select(place).map(|spot| spot.rank_key()));
                prop_assert_eq!(rank_keys[0], rank_keys[1]);
            }
            for (rank_key, id) in entries.iter().step_by(1 + entries.len() / 40) {
                let spots = [&faded, &whole].map(|order| {
                    let spot = order.find(*id).unwrap();
                    (order.before(spot), spot.rank_key(), order.dense(spot))
                });
                prop_assert_eq!(spots[0], spots[1]);
                for near in [rank_key - 1, *rank_key, rank_key + 1] {
                    prop_assert_eq!(faded.before_rank_key(near), whole.before_rank_key(near));
                }
            }
            for member in (0..400).step_by(9) {
                let Some(id) = board.members.find(&name(member)) else { continue };
                prop_assert_eq!(faded.find(id).is_some(), whole.find(id).is_some());
            }
        }
    }
}

/// Returns the rank keys and members of a walk.
fn plain(walk: Walk) -> Vec<(u64, MemberId)> {
    walk.map(|(key, id)| (key.rank_key, id)).collect()
}
