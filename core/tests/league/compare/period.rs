//! Compares one period of a league.

use leaderboard_core::calendar::When;
use leaderboard_core::league::{Group, League, Reading, Standing};
use leaderboard_testkit::name::{self, Name};

use crate::model::{Asked, Line, Model, Table};

/// Compares the period with this start. `when` is one of its names.
pub fn same(league: &League, model: &Model, now: u64, start: i64, when: When, names: &[Name]) {
    let is_lost = model.is_lost(now, start);
    let reading = league.read(when).unwrap();
    let table = model.read(now, start);
    let what = format!("{when:?}, {start} at {now}");
    for tier in 0..model.rules.tiers.len() {
        groups(league, model, &reading, &table, (tier, is_lost), &what);
    }
    assert!(reading.group(b"no tier", 1).is_err(), "{what}");
    members(league, model, &reading, &table, names, &what);
}

/// Compares all groups of a tier, and reads two groups that do not exist.
fn groups(
    league: &League,
    model: &Model,
    reading: &Reading,
    table: &Table,
    (tier, is_lost): (usize, bool),
    what: &str,
) {
    let name = &model.rules.tiers[tier].name;
    assert!(reading.group(name, 0).is_err(), "group 0, {what}");
    let most = table.sizes()[tier].1;
    for number in 1..=most + 2 {
        let expected = table.group(tier, number);
        let got = match reading.group(name, number) {
            Ok(group) => Asked::Rows(group.map_or_else(Vec::new, |group| lines(league, model, &group))),
            Err(_) => Asked::Unknown,
        };
        // The contract does not say what a read returns for unknown groups of a lost period.
        if number <= most || !is_lost {
            assert_eq!(got, expected, "group {number} of tier {tier}, {what}");
        }
        if let Ok(Some(group)) = reading.group(name, number) {
            assert_eq!((group.tier(), group.number()), (tier, number), "{what}");
        }
    }
}

/// Returns the rows of a group, and checks their ranks and texts.
fn lines(league: &League, model: &Model, group: &Group) -> Vec<Line> {
    let rows = group.rows(u64::MAX);
    assert_eq!(rows.len() as u64, group.len());
    assert_eq!(group.rows(2), rows[..rows.len().min(2)]);
    let line = |(number, row): (usize, &leaderboard_core::league::Row)| {
        let name = Name(league.name(row.id).to_vec());
        assert_eq!(row.rank, number as u64 + 1);
        assert_eq!(league.meta_of(row.id), model.meta(&name), "meta of {name:?} in a row");
        Line { name, score: row.score.units() }
    };
    rows.iter().enumerate().map(line).collect()
}

/// Compares the standings of members, and the groups of some members.
fn members(league: &League, model: &Model, reading: &Reading, table: &Table, names: &[Name], what: &str) {
    let unknown = name::any(9_999);
    assert_eq!((reading.standing(&unknown), reading.group_of(&unknown).is_none()), (None, true));
    for (number, name) in names.iter().enumerate() {
        let standing: Option<Standing> = reading.standing(name);
        assert_eq!(standing, table.standing(name), "{name:?}, {what}");
        let group = reading.group_of(name);
        let place = group.as_ref().map(|group| (group.tier(), group.number(), group.len()));
        let expected = standing.map(|Standing { place, .. }| (place.tier, place.group, place.members));
        assert_eq!(place, expected, "the group of {name:?}, {what}");
        if let (Some(group), Some(standing), true) = (group, standing, number % 8 == 0) {
            let Standing { place, .. } = standing;
            assert_eq!(lines(league, model, &group), table.tiers[place.tier][place.group as usize - 1]);
        }
    }
}
