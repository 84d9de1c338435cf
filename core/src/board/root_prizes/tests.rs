#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "numbers of a test")]

use super::*;
use crate::board::{Alter, PrizePage, parse_views};
use crate::campaign::RuleChanges;
use crate::catalog::{CatalogEntry, State};
use crate::parts::{Parts, Role};
use crate::prizes::{PrizeTable, TableChange, TableName};
use crate::schema::Schema;
use crate::view::Kind;

const DAY: u64 = 86_400_000;
const BORN: u64 = 5;

fn table(text: &str) -> RuleChanges {
    let name = TableName { view: Kind::parse(b"day").unwrap(), per: None };
    let table = PrizeTable::parse(text.as_bytes()).unwrap();
    RuleChanges { prizes: vec![TableChange { name, table }], ..RuleChanges::default() }
}

fn root() -> Board {
    let role = Role::Root(Parts::new(4, "PARTS").unwrap());
    let mut root = Board::new(Schema { role, ..Schema::default() }, &parse_views(b"day").unwrap()).unwrap();
    let entry = CatalogEntry { incarnation: BORN, state: State::Whole, ..CatalogEntry::default() };
    root.set_catalog(entry).unwrap();
    root.alter(&Alter { voting: table("1=gold,2-3=silver"), ..Alter::default() }).unwrap();
    root
}

const fn at(now: u64) -> TimeSource {
    TimeSource::Decided { now: Some(now) }
}

const LAST: PrizeQuery<'static> = PrizeQuery { view: None, period: When::Back(1), per: None };

fn list(names: &[&str]) -> Vec<u8> {
    let score = |at: usize| Score::from_units(100 - i64::try_from(at).unwrap()).unwrap();
    pack_winners(names.iter().enumerate().map(|(at, name)| (name.as_bytes(), score(at))))
}

fn fix(root: &mut Board, day: u64, names: &[&str], now: u64) -> Option<u64> {
    root.fix_winners(BORN, b"day", (day * DAY, &list(names)), at(now)).unwrap().winners
}

fn reloaded(board: &Board) -> Board {
    let again = Board::from_bytes(&board.to_bytes()).unwrap();
    again.check();
    again
}

fn winners(root: &mut Board, query: &PrizeQuery, now: u64) -> Vec<(u64, String, String)> {
    let page = PrizePage { cursor: 0, count: 100, unclaimed: false };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (_, rows) = root.prize_rows(query, page, now).unwrap();
    rows.into_iter().map(|row| (row.rank, text(row.member), text(row.prize))).collect()
}

#[test]
fn the_first_list_of_a_period_stays() {
    let mut root = root();
    let now = 10 * DAY + 5;
    let period = root.root_period(BORN, &LAST, now).unwrap().unwrap();
    assert_eq!((period.start.cast_unsigned(), period.is_running, period.is_fixed), (9 * DAY, false, false));
    assert_eq!(period.table, b"1=gold,2-3=silver");
    let claim =
        |root: &mut Board, member: &str, now| root.root_claim(BORN, (member.as_bytes(), None), &LAST, now);
    assert_eq!(claim(&mut root, "ann", now), Ok(RootClaim::Of(period)));
    assert_eq!(fix(&mut root, 10, &["ann"], now), None, "the period is running");
    assert_eq!(fix(&mut root, 9, &["ann", "bob", "cid", "dan"], now), Some(3));
    assert_eq!(fix(&mut root, 9, &["dan"], now), Some(3), "another gateway was first");
    let mut root = reloaded(&root);
    let expected = [(1, "ann", "gold"), (2, "bob", "silver"), (3, "cid", "silver")]
        .map(|(rank, name, prize)| (rank, name.to_owned(), prize.to_owned()));
    assert_eq!(winners(&mut root, &LAST, now), expected);
    assert_eq!(claim(&mut root, "dan", now), Ok(RootClaim::Nothing));
    assert!(matches!(claim(&mut root, "bob", now), Ok(RootClaim::Of(period)) if period.is_fixed));
    let paid = root.claim_in_root(BORN, (b"bob", Some(b"r")), &LAST, at(now)).unwrap().claim.unwrap();
    assert_eq!((&*paid.prize, paid.rank, paid.is_first), (&b"silver"[..], 2, true));
    assert_eq!(
        claim(&mut root, "bob", now),
        Ok(RootClaim::Claimed(crate::board::Claim { is_first: false, ..paid.clone() }))
    );
    // The request stands for this claim for as long as the period is kept, whatever the last period is by then.
    let again = root.root_claim(BORN, (b"bob", Some(b"r")), &LAST, now + DAY).unwrap();
    assert_eq!(again, RootClaim::Claimed(paid));
    assert_eq!(root.root_claim(BORN, (b"ann", Some(b"r")), &LAST, now + DAY), Err(Error::RequestReused));
}

#[test]
fn what_is_settled_stays_beyond_retain_and_what_is_not_is_over() {
    let mut root = root();
    fix(&mut root, 9, &["ann"], 10 * DAY);
    let day = |number: u64| PrizeQuery { period: When::At(number * DAY), ..LAST };
    let now = 30 * DAY;
    assert_eq!(winners(&mut root, &day(9), now).len(), 1);
    assert_eq!(root.root_period(BORN, &day(10), now), Ok(None), "the parts do not keep it any more");
    assert_eq!(fix(&mut root, 10, &["ann"], now), None);
    assert_eq!(root.take_prizes(BORN, [&b"ann"[..], b"bob"].into_iter()), Ok(1));
    assert_eq!(root.take_prizes(BORN, [&b"ann"[..]].into_iter()), Ok(0));
    assert_eq!(root.claim_in_root(BORN, (b"ann", None), &day(9), at(now)).unwrap().claim, None);
    // After 30 days, the winners are forgotten.
    fix(&mut root, 29, &["bob"], now);
    let later = 61 * DAY;
    assert_eq!(winners(&mut root, &day(29), later), []);
    fix(&mut root, 60, &["bob"], later);
    assert_eq!(root.payouts(), 1);
    reloaded(&root);
}

#[test]
fn a_clock_that_is_put_back_leaves_what_is_settled() {
    let mut root = root();
    fix(&mut root, 9, &["ann", "bob"], 10 * DAY);
    let day = PrizeQuery { period: When::At(9 * DAY), ..LAST };
    root.claim_in_root(BORN, (b"ann", None), &day, at(10 * DAY)).unwrap();
    let early = 9 * DAY + 7;
    assert_eq!(fix(&mut root, 8, &["cid"], early), Some(1));
    assert_eq!(fix(&mut root, 9, &["dan"], 10 * DAY), Some(2), "ann was paid");
    assert_eq!(winners(&mut root, &day, 10 * DAY).len(), 2);
}

#[test]
fn a_root_that_is_restored_gets_the_prizes_of_the_backup() {
    let mut first = root();
    fix(&mut first, 9, &["ann", "bob"], 10 * DAY);
    let mut second = root();
    assert_eq!(second.restore_prizes(BORN, &first.to_bytes()), Err(Error::Stale("state")));
    let entry = CatalogEntry { state: State::Restoring, ..second.catalog() };
    second.set_catalog(entry).unwrap();
    let part = Board::new(Schema::default(), &parse_views(b"day").unwrap()).unwrap();
    assert!(second.restore_prizes(BORN, &part.to_bytes()).is_err(), "no root");
    assert!(second.restore_prizes(BORN, b"bytes").is_err());
    for _ in 0..2 {
        assert_eq!(second.restore_prizes(BORN, &first.to_bytes()), Ok(()));
        assert_eq!(winners(&mut second, &LAST, 10 * DAY).len(), 2);
    }
}

#[test]
fn wrong_lists_change_nothing() {
    let mut root = root();
    let now = 10 * DAY;
    fix(&mut root, 9, &[], now);
    let before = root.to_bytes();
    let many: Vec<_> = (0..1_001).map(|number| format!("m{number}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    for wrong in [list(&["ann", "ann"]), list(&["ann"])[..3].to_vec(), list(&[""]), list(&many), vec![9]] {
        assert!(root.fix_winners(BORN, b"day", (9 * DAY, &wrong), at(now)).is_err());
    }
    let ann = list(&["ann"]);
    assert!(root.fix_winners(BORN + 1, b"day", (9 * DAY, &ann), at(now)).is_err(), "another incarnation");
    assert_eq!(root.fix_winners(BORN, b"day", (9 * DAY + 1, &ann), at(now)), Err(Error::Stale("start")));
    assert!(root.fix_winners(BORN, b"week", (9 * DAY, &ann), at(now)).is_err());
    assert_eq!(fix(&mut root, 9, &[], now), Some(0), "nobody has won");
    assert!(root.to_bytes() == before);
}

#[test]
fn tables_that_need_all_members_are_refused() {
    let mut root = root();
    for (wrong, why) in [
        ("1-5%=a", "a share of the members in PRIZES"),
        (">=5=a", "a score in PRIZES"),
        ("1-1001=a", "a place beyond 1000 in PRIZES"),
    ] {
        let alter = Alter { voting: table(wrong), ..Alter::default() };
        assert_eq!(root.alter(&alter), Err(Error::NotWithParts(why)));
    }
    root.alter(&Alter { voting: table("1-1000=a"), ..Alter::default() }).unwrap();
    let hash = root.rules_hash();
    root.alter(&Alter { voting: table(""), ..Alter::default() }).unwrap();
    assert_eq!(root.rules_hash(), hash, "the parts do not know the prizes");
}
