//! Lists of members: a write of a list has the same effect as one write for each pair, and a read of a list
//! returns the same as one read for each member.

use leaderboard_core::board::{Condition, Reading, Write};
use leaderboard_core::calendar::When;
use leaderboard_core::schema::{Aggregate, Ranks, Tally, Ties};
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Schema};
use proptest::prelude::*;
use proptest::sample::select;

use crate::saved;

/// A Monday at midnight, UTC.
const MONDAY: u64 = 1_552_867_200_000;
const HOUR: u64 = 3_600_000;
/// Enough members to fill leaves of the index, and to take entries out of full leaves.
const MEMBERS: usize = 700;

/// Pairs of points and the number of a member. A few members appear often.
type Pairs = Vec<(i64, usize)>;

fn lists() -> impl Strategy<Value = Vec<(u64, bool, Pairs)>> {
    let member = prop_oneof![0..12_usize, 0..MEMBERS];
    let points = prop_oneof![-3..4_i64, -2_000..2_000_i64];
    let pairs = proptest::collection::vec((points, member), 1..60);
    proptest::collection::vec((prop_oneof![Just(0), 0..3_u64, 0..40 * HOUR], any::<bool>(), pairs), 1..8)
}

fn schema() -> impl Strategy<Value = Schema> {
    let aggregate = select(vec![Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last]);
    let ties = select(vec![Ties::First, Ties::Last, Ties::Lex, Ties::RevLex]);
    (aggregate, ties).prop_map(|(aggregate, ties)| Schema {
        aggregate,
        ties,
        clock: Clock::Event,
        ..Schema::default()
    })
}

fn at(now: u64) -> Write<'static> {
    Write { at: Some(MONDAY + now), ..Write::new(TimeSource::Client { wall: MONDAY + now, max_future: 0 }) }
}

fn crowded(schema: Schema, views: &[&str], members: usize) -> Board {
    let specs =
        views.iter().map(|view| Spec { retain: 2, ..Spec::new(Kind::parse(view.as_bytes()).unwrap()) });
    let mut board = Board::new(schema, &specs.collect::<Vec<_>>()).unwrap();
    for number in 0..members {
        let points = Decimal::whole((number * 37 % 1_000) as i64);
        board.add(&at(number as u64 / 90), points, name(number).as_bytes()).unwrap();
    }
    board
}

fn name(number: usize) -> String {
    format!("member {}", number * 7_919 % 10_007)
}

fn read<'a>(board: &'a Board, view: &str, back: u32) -> Reading<'a> {
    board.read(Some(view.as_bytes()), When::Back(back), Tally::Shown).unwrap()
}

/// Checks that reads of a list return the same as a read of each member. The rows of `among` do not contain
/// the hidden member.
fn reads_agree(reading: &Reading, names: &[&[u8]], hidden: &[u8]) {
    for ranks in [Ranks::Ordinal, Ranks::Competition, Ranks::Dense] {
        let each = names.iter().map(|name| reading.rank_and_score(name, ranks));
        assert!(reading.ranks_and_scores(names, ranks).eq(each));
        let each = names.iter().map(|name| reading.standing(name, ranks));
        assert!(reading.standings(names, ranks).eq(each));
        let among = reading.among(names, ranks);
        assert!(among.iter().zip(&among[1.min(among.len())..]).all(|(a, b)| a.place <= b.place));
        let known: std::collections::BTreeSet<_> =
            names.iter().filter(|name| **name != hidden && reading.rank(name, ranks).is_some()).collect();
        assert_eq!(among.len(), known.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn a_list_is_written_as_its_pairs_are(
        schema in schema(),
        views in select(vec![&["all"][..], &["day:3"], &["all", "hour", "day:7", "week"]]),
        members in select(vec![0, 100, MEMBERS]),
        lists in lists(),
    ) {
        let mut at_once = crowded(schema, views, members);
        let mut one_by_one = at_once.clone();
        let mut now = HOUR;
        for (later, sets, list) in lists {
            now += later;
            let names: Vec<_> = list.iter().map(|(points, number)| (*points, name(*number))).collect();
            let pairs: Vec<_> =
                names.iter().map(|(points, name)| (Decimal::whole(*points), name.as_bytes())).collect();
            if sets {
                at_once.set_many(&at(now), &pairs).unwrap();
            } else {
                at_once.add_many(&at(now), &pairs).unwrap();
            }
            for (points, name) in &pairs {
                if sets {
                    one_by_one.set(&at(now), *points, name, Condition::default()).unwrap();
                } else {
                    one_by_one.add(&at(now), *points, name).unwrap();
                }
            }
            at_once.check();
            for view in views {
                let named = |board: &Board| -> Vec<_> {
                    let rows = read(board, view, 0).rows(0, u64::MAX, Ranks::Ordinal);
                    rows.map(|row| (row.rank, row.score, board.name(row.id).to_vec())).collect()
                };
                prop_assert_eq!(named(&at_once), named(&one_by_one));
            }
        }
        prop_assert!(saved(&at_once) == saved(&one_by_one), "saved they differ");
        let all: Vec<_> = (0..MEMBERS + 5).map(|number| name(number % MEMBERS)).collect();
        let names: Vec<_> = all.iter().map(String::as_bytes).collect();
        let hidden = name(3).into_bytes();
        at_once.hide(&hidden).unwrap();
        for view in views {
            reads_agree(&read(&at_once, view, 0), &names, &hidden);
            if *view != "all" {
                reads_agree(&read(&at_once, view, 1).reversed(), &names, &hidden);
            }
        }
    }
}
