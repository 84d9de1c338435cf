//! Tests with damaged saved boards. For all bytes, loading ends with an error or with a sound board, and a chunk
//! that is refused changes nothing.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

mod parts;
mod sound;

use super::campaign::RULES;
use super::entries::{OTHERS, RANKED, VIEW};
use super::past::{self, PAST};
use super::points::POINTS;
use super::prizes;
use crate::amount::Amount;
use crate::board::{Alter, Board, Condition, Positions, PrizeQuery, Write};
use crate::calendar::{Unit, When};
use crate::campaign::RuleChanges;
use crate::dimensions::parse_dimensions;
use crate::levels::Levels;
use crate::members::MAX_SEQUENCE;
use crate::prizes::{PrizeTable, TableChange, TableName};
use crate::schema::{Aggregate, Order, Schema, Ties};
use crate::score::Decimal;
use crate::share::Share;
use crate::short_name::ShortName;
use crate::snapshot::prizes::{TABLES, WINNERS};
use crate::snapshot::requests::REQUESTS;
use crate::time::{Clock, MAX_MILLIS, TimeSource};
use crate::view::{Kind, Spec};
use crate::{Error, NativeType};

const NOW: u64 = 1_700_000_000_000;

fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn write(wall: u64) -> Write<'static> {
    let origin = TimeSource::Client { wall, max_future: 0 };
    Write::new(origin)
}

/// Loads chunks like a restart: the first error ends the loading, and the last chunk must be the end.
fn load(chunks: &[Vec<u8>]) -> Option<Board> {
    let (head, rest) = chunks.split_first()?;
    load_rest(Board::load(head).ok()?, rest)
}

fn load_rest(mut board: Board, chunks: &[Vec<u8>]) -> Option<Board> {
    let mut ended = false;
    for chunk in chunks {
        ended = load_chunk(&mut board, chunk)?;
    }
    ended.then_some(board)
}

/// Loads a chunk, or checks that a refused chunk changed nothing.
fn load_chunk(board: &mut Board, chunk: &[u8]) -> Option<bool> {
    let mut before = board.clone();
    match board.load_chunk(chunk) {
        Ok(ended) => Some(ended),
        Err(error) => {
            board.check();
            if saved(board) != saved(&before) {
                // The board takes an ended period as soon as another chunk shows that the period's last chunk was
                // read.
                let _ = past::finish(&mut before);
                // So it does with the winners of a period.
                let _ = prizes::finish(&mut before);
            }
            assert!(saved(board) == saved(&before), "a refused chunk left traces: {error}");
            None
        }
    }
}

/// Checks that a loaded board is sound and that it is saved as the same bytes, also after writes now and later.
fn examine(board: &Board) {
    let mut board = board.clone();
    for later in [0, 60_000, 86_400_000] {
        board.check();
        let bytes = saved(&board);
        let again = load(&bytes);
        assert!(again.is_some_and(|again| saved(&again) == bytes), "what was loaded cannot be loaded again");
        if board.refusal().is_some() {
            continue;
        }
        let now = board.last().saturating_add(later).min(MAX_MILLIS);
        let write = Write { at: Some(now), positions: Positions::BeforeAndAfter, ..write(now) };
        // The sum may be out of range.
        let _ = board.add(&write, Decimal::whole(1), &name(1, 1));
        let _ = board.add(&write, Decimal::whole(1), b"somebody new");
    }
}

struct Shape {
    schema: Schema,
    members: u32,
    metas: u32,
    /// Members with a text but no score.
    unranked: u32,
    requests: u32,
    longest: usize,
}

fn plain() -> Shape {
    Shape { schema: Schema::default(), members: 9, metas: 0, unranked: 0, requests: 0, longest: 1 }
}

fn shapes() -> Vec<Shape> {
    let last = Schema { aggregate: Aggregate::Last, ties: Ties::Last, decimals: 3, ..Schema::default() };
    let lex = Schema { order: Order::Asc, ties: Ties::RevLex, clock: Clock::Event, ..Schema::default() };
    let all = Shape { metas: 4, unranked: 3, requests: 6, ..plain() };
    vec![
        Shape { members: 0, ..plain() },
        plain(),
        Shape { members: 6, ..all },
        Shape { schema: last.clone(), metas: 2, ..plain() },
        Shape { schema: lex.clone(), requests: 2, ..plain() },
        Shape { schema: last, members: 200, longest: 9, ..all },
        Shape { schema: lex, members: 150, metas: 150, unranked: 150, requests: 0, longest: 4 },
    ]
}

fn name(number: u32, longest: usize) -> Vec<u8> {
    let mut name = number.to_be_bytes()[2..].to_vec();
    name.resize(2 + number as usize % longest, b'x');
    name
}

fn board(shape: &Shape) -> Board {
    let mut board = Board::new(shape.schema.clone(), &[Spec::new(Kind::All)]).unwrap();
    for number in 0..shape.members {
        let id = number.to_le_bytes();
        let at = Some(NOW + u64::from(number * 700 % 5_000));
        let request = (number < shape.requests).then_some(&id[..]);
        let (score, name) = (Decimal::whole(i64::from(number % 5) - 2), name(number, shape.longest));
        let write = Write { at, request, ..write(NOW + 10_000 + u64::from(number) * 100) };
        board.set(&write, score, &name, Condition::default()).unwrap();
        // On a board with `AGGREGATE LAST`, this is an event that does not change the score.
        let later = Write { at: at.map(|at| at + u64::from(number % 3)), request: None, ..write };
        board.set(&later, score, &name, Condition::default()).unwrap();
    }
    for number in (0..shape.metas).chain(60_000..60_000 + shape.unranked) {
        board.set_meta(&name(number, shape.longest), &[b'm'; 3][..1 + number as usize % 3]).unwrap();
    }
    board
}

/// Returns a board with such long names that its entries and texts need several chunks.
fn in_many_chunks() -> Board {
    let mut board = Board::new(Schema::default(), &[Spec::new(Kind::All)]).unwrap();
    for number in 0..400_u32 {
        let mut name = vec![b'n'; 500];
        name[..4].copy_from_slice(&number.to_be_bytes());
        let id = number.to_le_bytes();
        let write = Write { request: Some(&id), ..write(NOW) };
        if number < 260 {
            board.add(&write, Decimal::whole(i64::from(number)), &name).unwrap();
        } else {
            board.set_meta(&name, &name).unwrap();
        }
    }
    board
}

/// Returns boards with several views, in the middle of periods and with some ended periods.
fn with_views(members: u32) -> Vec<Board> {
    let spec = |name: &[u8]| Spec { retain: 2, ..Spec::new(Kind::parse(name).unwrap()) };
    let week = Spec { carry: Share::parse(b"0.5", "CARRY").unwrap(), ..spec(b"week") };
    let lex = Schema { ties: Ties::Lex, clock: Clock::Event, ..Schema::default() };
    let last = Schema { aggregate: Aggregate::Last, ties: Ties::Last, ..Schema::default() };
    let max = Schema { aggregate: Aggregate::Max, ..Schema::default() };
    let boards: [(Schema, &[Spec]); 4] = [
        (Schema::default(), &[spec(b"day"), spec(b"all"), week]),
        (lex, &[spec(b"day:3"), spec(b"3600s:40")]),
        (last, &[spec(b"day:2"), spec(b"hour"), spec(b"all")]),
        (max, &[spec(b"week"), spec(b"day:4")]),
    ];
    boards.into_iter().map(|(schema, specs)| over_days(schema, specs, members)).collect()
}

/// Returns a board with writes over ten days. Some of the writes are late.
fn over_days(schema: Schema, specs: &[Spec], members: u32) -> Board {
    let mut board = Board::new(schema, specs).unwrap();
    for number in 0..members * 4 {
        let now = NOW + u64::from(number) * 10 * 86_400_000 / u64::from(members * 4);
        let write = Write { at: Some(now - u64::from(number % 5) * 20_000_000), ..write(now) };
        board.add(&write, Decimal::whole(i64::from(number % 7)), &name(number % members, 2)).unwrap();
    }
    board.set_meta(&name(0, 2), b"text").unwrap();
    board.set_meta(b"unranked", b"text").unwrap();
    board
}

/// Returns a board with a table of the view and one of segments, with a changed table, with winners of a day that is not kept
/// any more, and with claims.
fn with_prizes() -> Board {
    let schema =
        Schema { clock: Clock::Event, segments: parse_dimensions(b"c").unwrap(), ..Schema::default() };
    let day = Kind::parse(b"day").unwrap();
    let mut board = Board::new(schema, &[Spec { retain: 0, ..Spec::new(day) }]).unwrap();
    let change = |text: &[u8], per: Option<&[u8]>| TableChange {
        name: TableName { view: day, per: per.map(|per| ShortName::parse(per).unwrap()) },
        table: PrizeTable::parse(text).unwrap(),
    };
    let set = |board: &mut Board, prizes| {
        let voting = RuleChanges { prizes, prize_days: Some(9), ..RuleChanges::default() };
        let now = board.last();
        board.alter(&Alter { voting, now, ..Alter::default() }).unwrap();
    };
    set(&mut board, vec![change(b"1=gold,2-50%=silver", None), change(b"1-3=king", Some(b"c"))]);
    for number in 0..6_u32 {
        let country = [(&b"c"[..], if number % 2 == 0 { &b"fr"[..] } else { b"de" })];
        let write = Write { at: Some(NOW), segments: &country, ..write(NOW) };
        board.add(&write, Decimal::whole(i64::from(number)), &name(number, 2)).unwrap();
    }
    board.move_clock(NOW + 2 * 86_400_000).unwrap();
    set(&mut board, vec![change(b"1=new", None)]);
    for (number, per) in [(5, None), (4, Some(&b"c"[..]))] {
        let query = PrizeQuery { view: None, period: When::At(NOW), per };
        let origin = TimeSource::Decided { now: None };
        let claimed = board.claim_prize(&name(number, 2), &query, Some(&[number as u8]), origin).unwrap();
        assert!(claimed.claim.is_some());
    }
    board.remove(&name(3, 2));
    board
}

/// Returns other values for a byte: with each single bit changed, and values that have a meaning in the format.
fn other_bytes(byte: u8) -> impl Iterator<Item = u8> {
    let near = [byte.wrapping_add(1), byte.wrapping_sub(1), 0, 0x7f, 0x80, 0xff];
    let flipped = (0..8).map(move |bit| byte ^ 1 << bit);
    near.into_iter().chain(flipped).filter(move |other| *other != byte)
}

/// Calls `examine` with every damaged form of a chunk. In a long chunk, only some positions are damaged.
fn damage(chunk: &[u8], most: usize, mut examine: impl FnMut(&[u8])) {
    let mut damaged = chunk.to_vec();
    for at in (0..chunk.len()).step_by(chunk.len().div_ceil(most)) {
        examine(&chunk[..at]);
        for other in other_bytes(chunk[at]) {
            damaged[at] = other;
            examine(&damaged);
        }
        damaged[at] = chunk[at];
        examine(&[&chunk[..at], &chunk[at + 1..]].concat());
        examine(&[&chunk[..=at], &chunk[at..]].concat());
    }
    examine(&[chunk, &[0]].concat());
    examine(&[chunk, &chunk[1..]].concat());
}

fn damage_each_chunk(board: &Board, most: usize) {
    let chunks = saved(board);
    damage(&chunks[0], most, |head| {
        if let Some(board) = Board::load(head).ok().and_then(|board| load_rest(board, &chunks[1..])) {
            examine(&board);
        }
    });
    damage_chunks(&chunks, most, |_| true);
}

/// Damages the chunks of some kinds, but not the head.
fn damage_chunks(chunks: &[Vec<u8>], most: usize, is_damaged: impl Fn(u8) -> bool) {
    let mut before = Board::load(&chunks[0]).unwrap();
    for at in 1..chunks.len() {
        let examine_chunk = |chunk: &[u8]| {
            let mut board = before.clone();
            if load_chunk(&mut board, chunk).is_some_and(|ended| !ended)
                && let Some(board) = load_rest(board, &chunks[at + 1..])
            {
                examine(&board);
            }
        };
        if is_damaged(chunks[at][0]) {
            damage(&chunks[at], most, examine_chunk);
        }
        before.load_chunk(&chunks[at]).unwrap();
    }
}

#[test]
fn what_was_saved_is_loaded() {
    let views = [6, 300].into_iter().flat_map(with_views);
    for board in shapes().iter().map(board).chain([in_many_chunks()]).chain(views) {
        examine(&board);
    }
}

#[test]
fn damaged_bytes_in_boards_of_few_and_many_members() {
    for shape in shapes() {
        damage_each_chunk(&board(&shape), if shape.members < 100 { 1_000 } else { 10 });
    }
}

#[test]
fn damaged_bytes_in_boards_with_views() {
    with_views(6).iter().for_each(|board| damage_each_chunk(board, 9));
    damage_each_chunk(&with_views(150)[0], 1);
}

#[test]
fn damaged_bytes_in_boards_with_prizes() {
    examine(&with_prizes());
    damage_chunks(&saved(&with_prizes()), 1_000, |kind| [TABLES, WINNERS].contains(&kind));
}

#[test]
fn damaged_bytes_in_many_chunks() {
    damage_each_chunk(&in_many_chunks(), 3);
}

#[test]
fn chunks_that_are_missing_repeated_or_in_another_order() {
    for board in shapes().iter().map(board).chain([in_many_chunks()]).chain(with_views(6)) {
        let chunks = saved(&board);
        for at in 0..chunks.len() {
            let without: Vec<_> = [&chunks[..at], &chunks[at + 1..]].concat();
            assert!(load(&without).is_none(), "chunk {at} is missing");
            let twice = [&chunks[..=at], &chunks[at..]].concat();
            load(&twice).as_ref().map(examine);
            for other in at + 1..chunks.len() {
                let mut swapped = chunks.clone();
                swapped.swap(at, other);
                load(&swapped).as_ref().map(examine);
            }
        }
        for end in 0..chunks.len() {
            assert!(load(&chunks[..end]).is_none(), "chunks from {end} on are missing");
        }
    }
}

#[test]
fn entries_and_ids_out_of_order_are_refused() {
    let board = in_many_chunks();
    let chunks = saved(&board);
    let kinds: Vec<_> = chunks.iter().map(|chunk| chunk[0]).collect();
    let first = kinds.iter().position(|kind| *kind == RANKED).unwrap();
    assert_eq!(kinds[first + 1], RANKED, "a board in several chunks of entries");
    let mut swapped = chunks.clone();
    swapped.swap(first, first + 1);
    assert!(load(&swapped).is_none());
    for kind in [RANKED, OTHERS, REQUESTS] {
        let at = kinds.iter().position(|other| *other == kind).unwrap();
        assert!(load(&[&chunks[..=at], &chunks[at..]].concat()).is_none(), "part {kind} twice");
    }
}

#[test]
fn points_of_a_period_are_refused_behind_those_of_a_later_one() {
    let mut chunks = saved(&with_views(6)[1]);
    let of_view = |chunk: &Vec<u8>| chunk.starts_with(&[POINTS, 0]);
    let first = chunks.iter().position(of_view).unwrap();
    assert!(of_view(&chunks[first + 1]), "points of several periods");
    assert!(load(&chunks).is_some());
    chunks.swap(first, first + 1);
    assert!(load(&chunks).is_none());
}

#[test]
fn another_format_and_unknown_parts_are_refused() {
    let chunks = saved(&board(&plain()));
    let mut newer = chunks[0].clone();
    newer[1] += 1;
    assert!(Board::load(&newer).is_err());
    for kind in (0..=u8::MAX).filter(|kind| !(RANKED..=PAST).contains(kind)) {
        assert!(load_chunk(&mut Board::load(&chunks[0]).unwrap(), &[kind]).is_none(), "part {kind}");
    }
}

#[test]
fn numbers_of_writes_that_members_have_no_room_for_are_refused() {
    for (sequences, fine) in [(MAX_SEQUENCE, true), (MAX_SEQUENCE + 1, false), (u64::MAX, false)] {
        let mut board = with_views(6).swap_remove(1);
        board.sequences = sequences;
        assert_eq!(Board::load(&saved(&board)[0]).is_ok(), fine, "{sequences}");
    }
}

#[test]
fn saved_views_end_with_the_first_one_too_many() {
    let kind = |seconds| Kind::Periods { unit: Unit::Seconds(seconds), count: 1 };
    let specs: Vec<_> = (1..=16).map(|seconds| Spec::new(kind(seconds))).collect();
    let mut head = saved(&Board::new(Schema::default(), &specs).unwrap()).swap_remove(0);
    // The last bytes, one for each view, mean that no view has a current period. They are replaced by `MAX`, which
    // is not valid.
    head.truncate(head.len() - specs.len());
    head.push(u8::MAX);
    assert_eq!(Board::load(&head).unwrap_err(), Error::Corrupt("a period"));
    let count = head.iter_mut().find(|byte| usize::from(**byte) == specs.len()).unwrap();
    *count += 1;
    assert_eq!(Board::load(&head).unwrap_err(), Error::Corrupt("the schema"));
}

#[test]
fn a_saved_view_has_no_more_periods_to_read_than_it_keeps() {
    let kind = Kind::Periods { unit: Unit::Seconds(1), count: 1 };
    let mut board = Board::new(Schema::default(), &[Spec::new(kind)]).unwrap();
    board.views[0].start(&board.schema, 1_000_000_000);
    board.views[0].periods_mut().unwrap().since = 0;
    let loaded = load(&saved(&board)).unwrap();
    assert_eq!(loaded.views[0].periods().unwrap().oldest(), 999_999_000);
}

#[test]
fn saved_rules_end_with_the_first_one_too_many() {
    // The last byte begins a rule.
    let rule = |number: u8| [&[2, b'r', b'a' + number], &b"\x05voter\x05\x03day\0"[..]].concat();
    // No hours, attempts, maximum of members, and bounds.
    let none = b"\0\0\x03all\0\x04-inf\x04+inf";
    let rules =
        |count| [vec![RULES, 0, 0], none.to_vec(), (0..count).flat_map(rule).collect(), vec![0]].concat();
    let mut board = Board::load(&saved(&board(&plain()))[0]).unwrap();
    let too_many = Error::Corrupt("the rules of writes");
    assert_ne!(board.load_chunk(&rules(15)), Err(too_many));
    assert_eq!(board.load_chunk(&rules(16)), Err(too_many));
}

#[test]
fn saved_scores_are_within_their_levels() {
    let levels = Levels::parse(b"gold:DESC:10,silver:DESC:10").unwrap();
    let kinds = ["all", "day:3"].map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap()));
    let mut board = Board::new(Schema { levels: Some(levels), ..Schema::default() }, &kinds).unwrap();
    board.add(&write(NOW), Amount::Levels(b"3/-4"), b"ann").unwrap();
    board.advance(NOW + 86_400_000);
    let chunks = saved(&board);
    let head = |text: &str| {
        let at = chunks[0].windows(4).position(|word| word == b"gold").unwrap();
        let mut head = chunks[0].clone();
        head[at..at + text.len()].copy_from_slice(text.as_bytes());
        head
    };
    let loaded = Board::load(&head("gold:DESC:10")).unwrap();
    assert!(load_rest(loaded, &chunks[1..]).is_some());
    for wrong in ["go,d", "silver", "gold:DESC:00"] {
        assert!(Board::load(&head(wrong)).is_err(), "{wrong}");
    }
    for chunk in &chunks[1..] {
        let mut loaded = Board::load(&head("gold:DESC:02")).unwrap();
        let has_scores = [RANKED, VIEW, POINTS, PAST].contains(&chunk[0]);
        assert!(!has_scores || loaded.load_chunk(chunk).is_err(), "part {}", chunk[0]);
    }
}
