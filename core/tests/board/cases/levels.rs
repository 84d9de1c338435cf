//! Scores of several levels: each level of each score stays within its maximum, in every view, now and later.

use std::collections::BTreeMap;

use leaderboard_core::Amount;
use leaderboard_core::board::Carry;
use leaderboard_core::levels::Levels;
use proptest::prelude::*;

use super::*;

/// The maximum value of each level.
const TOP: i64 = 10;

fn with_levels(aggregate: Aggregate, levels: &str) -> Schema {
    Schema { levels: Some(Levels::parse(levels.as_bytes()).unwrap()), ..of(aggregate) }
}

fn medals() -> Schema {
    with_levels(Aggregate::Sum, "gold:DESC:10,silver:ASC:10")
}

fn amount(text: &str) -> Amount<'_> {
    Amount::parse(text.as_bytes(), "points").unwrap()
}

fn gets(board: &mut Board, write: &Write, points: &str, name: &str) -> Result<(), Error> {
    let outcome = board.add(write, amount(points), name.as_bytes());
    board.check();
    outcome.map(|_| ())
}

fn is_set(board: &mut Board, write: &Write, score: &str, name: &str) -> Result<(), Error> {
    let outcome = board.set(write, amount(score), name.as_bytes(), Condition::default());
    board.check();
    outcome.map(|_| ())
}

fn get_many(board: &mut Board, write: &Write, pairs: &[(&str, &str)]) -> Result<(), Error> {
    let pairs: Vec<_> = pairs.iter().map(|(points, name)| (amount(points), name.as_bytes())).collect();
    let outcome = board.add_many(write, &pairs);
    board.check();
    outcome.map(|_| ())
}

fn text_of(board: &Board, view: &str, name: &str) -> Option<String> {
    let score = board.read(Some(view.as_bytes()), When::Now, Tally::Shown).unwrap().score(name.as_bytes())?;
    Some(board.schema().notation().text(score).to_string())
}

fn beyond(result: Result<(), Error>) -> String {
    result.unwrap_err().to_string()
}

/// Returns a write that names a view other than the default one.
fn in_view(view: &'static [u8], write: Write<'static>) -> Write<'static> {
    Write { view: Some(view), ..write }
}

#[test]
fn levels_are_added_one_by_one() {
    let mut board = new(medals());
    gets(&mut board, &at(0), "3/9", "ann").unwrap();
    gets(&mut board, &at(1), "3/-5", "bob").unwrap();
    gets(&mut board, &at(2), "0/-8", "ann").unwrap();
    gets(&mut board, &at(3), "-4/1", "cid").unwrap();
    let texts = ["ann", "bob", "cid"].map(|name| text_of(&board, "all", name).unwrap());
    assert_eq!(texts, ["3/1", "3/-5", "-4/1"]);
    let names: Vec<_> = order(&board, "all", When::Now).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["bob", "ann", "cid"]);
    let score = |name: &str| now(&board).score(name.as_bytes()).unwrap();
    let notation = board.schema().notation();
    assert_eq!(notation.gap(score("ann"), score("cid")).to_string(), "7/0");
    assert_eq!(notation.gap(score("ann"), score("bob")).to_string(), "0/-6");
    assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
}

#[test]
fn a_level_out_of_range_is_named_and_changes_nothing() {
    let mut board = viewed(medals(), &["day", "all"]);
    gets(&mut board, &at(0), "0/-10", "ann").unwrap();
    gets(&mut board, &at(0), "9/10", "bob").unwrap();
    let before = saved(&board);
    assert_eq!(beyond(gets(&mut board, &at(1), "0/-1", "ann")), "level silver would be out of range");
    assert_eq!(beyond(gets(&mut board, &at(1), "2/-1", "bob")), "level gold would be out of range");
    assert_eq!(beyond(gets(&mut board, &at(1), "11/0", "cid")), "points: level gold is out of range");
    assert_eq!(beyond(is_set(&mut board, &at(1), "0/11", "cid")), "score: level silver is out of range");
    assert_eq!(saved(&board), before);
    // The score of the new day begins at 0, but the score of all days does not.
    assert_eq!(beyond(gets(&mut board, &at(DAY), "0/-1", "ann")), "level silver would be out of range");
    gets(&mut board, &at(DAY), "0/3", "ann").unwrap();
    assert_eq!(text_of(&board, "day", "ann").as_deref(), Some("0/3"));
    assert_eq!(text_of(&board, "all", "ann").as_deref(), Some("0/-7"));
}

#[test]
fn a_list_is_judged_at_each_step() {
    let mut board = new(medals());
    let before = saved(&board);
    let judged =
        get_many(&mut board, &at(0), &[("6/0", "ann"), ("6/0", "bob"), ("5/0", "ann"), ("-9/0", "ann")]);
    assert_eq!(beyond(judged), "level gold would be out of range");
    assert_eq!(saved(&board), before);
    get_many(&mut board, &at(0), &[("6/0", "ann"), ("6/0", "bob"), ("-9/0", "ann"), ("5/0", "ann")]).unwrap();
    assert_eq!(text_of(&board, "all", "ann").as_deref(), Some("2/0"));
}

#[test]
fn a_score_is_set_level_by_level() {
    let mut board = viewed(medals(), &["all", "day"]);
    gets(&mut board, &at(0), "-10/10", "ann").unwrap();
    gets(&mut board, &at(DAY), "0/0", "ann").unwrap();
    // The difference is 20/-20, which is out of range. The day's score begins at 0/0, so it would become the
    // difference.
    assert_eq!(beyond(is_set(&mut board, &at(DAY), "10/-10", "ann")), "level gold would be out of range");
    is_set(&mut board, &at(DAY), "0/1", "ann").unwrap();
    assert_eq!(text_of(&board, "all", "ann").as_deref(), Some("0/1"));
    assert_eq!(text_of(&board, "day", "ann").as_deref(), Some("10/-9"));
    let mut single = new(medals());
    gets(&mut single, &at(0), "-10/10", "ann").unwrap();
    is_set(&mut single, &at(1), "10/-10", "ann").unwrap();
    assert_eq!(text_of(&single, "all", "ann").as_deref(), Some("10/-10"));
}

#[test]
fn no_later_window_leaves_the_range() {
    let mut board = viewed(medals(), &["day:3"]);
    gets(&mut board, &at(0), "-10/0", "ann").unwrap();
    gets(&mut board, &at(DAY), "8/0", "ann").unwrap();
    // With 3/0, the window would be 1/0 now. When the first day leaves the window, it would be 11/0.
    assert_eq!(beyond(gets(&mut board, &at(2 * DAY), "3/0", "ann")), "level gold would be out of range");
    gets(&mut board, &at(2 * DAY), "2/0", "ann").unwrap();
    board.advance(MONDAY + 3 * DAY);
    assert_eq!(text_of(&board, "day:3", "ann").as_deref(), Some("10/0"));
    // A late write counts in its own day.
    assert_eq!(
        beyond(gets(&mut board, &late(3 * DAY, DAY), "1/0", "ann")),
        "level gold would be out of range"
    );
    gets(&mut board, &late(3 * DAY, DAY), "-9/0", "ann").unwrap();
    gets(&mut board, &late(3 * DAY, 0), "5/5", "ann").unwrap();
    assert_eq!(text_of(&board, "day:3", "ann").as_deref(), Some("1/0"));
}

#[test]
fn whole_scores_are_compared_where_none_are_added() {
    for (aggregate, kept) in
        [(Aggregate::Max, "10/10"), (Aggregate::Min, "-10/-10"), (Aggregate::Last, "-10/-10")]
    {
        let mut board = viewed(with_levels(aggregate, "gold:DESC:10,silver:ASC:10"), &["all", "day:3"]);
        for (hour, points) in ["10/10", "9/-10", "-10/-9", "-10/-10"].into_iter().enumerate() {
            gets(&mut board, &at(hour as u64), points, "ann").unwrap();
        }
        // Less silver is better, so -10/-10 is better than -10/-9 and does not replace it with `MIN`.
        let kept = if aggregate == Aggregate::Min { "-10/-9" } else { kept };
        assert_eq!(text_of(&board, "all", "ann").as_deref(), Some(kept), "{aggregate}");
        assert_eq!(text_of(&board, "day:3", "ann").as_deref(), Some(kept), "{aggregate}");
    }
}

#[test]
fn what_does_not_go_together() {
    let created = |schema: Schema| Board::new(schema, &[spec("all", 1)]).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        created(Schema { order: Order::Asc, ..medals() }),
        "options LEVELS and ORDER exclude each other"
    );
    assert_eq!(created(Schema { decimals: 2, ..medals() }), "options LEVELS and DECIMALS exclude each other");
    assert_eq!(created(Schema { shown: true, ..medals() }), "options LEVELS and SHOWN exclude each other");
    let carried = Board::new(medals(), &[carry("week", "0.5", 1)]).map(|_| ()).unwrap_err();
    assert_eq!(carried.to_string(), "options LEVELS and CARRY exclude each other");

    let mut board = viewed(medals(), &["day"]);
    gets(&mut board, &at(0), "1/1", "ann").unwrap();
    let before = saved(&board);
    let carries = Alter { carry: Carry::parse(b"day=0.5").unwrap(), ..Alter::default() };
    assert_eq!(beyond(board.alter(&carries)), "options LEVELS and CARRY exclude each other");
    let limits = vec![Rule::new(b"r", b"voter", 1, b"day").unwrap()];
    let votes = Alter { voting: RuleChanges { limits, ..RuleChanges::default() }, ..Alter::default() };
    assert_eq!(beyond(board.alter(&votes)), "voting is not possible with LEVELS");
    let voted = board.vote(&at(0), &by("ann"), (b"bob", 1)).map(|_| ());
    assert_eq!(beyond(voted), "a vote is not possible with LEVELS");
    let declaration = Declaration::default();
    let declared = board.declare(b"ann", declaration, client(0)).map(|_| ());
    assert_eq!(beyond(declared), "an option is not possible with LEVELS");
    let imported = board.import(&at(0), &[(Score::ZERO, b"ann")]).map(|_| ());
    assert_eq!(beyond(imported), "an import is not possible with LEVELS");
    assert_eq!(saved(&board), before);
}

type Pair = [i64; 2];

/// The points of a member: in total, by day in the view `day`, and by day in the view `day:3`.
#[derive(Debug, Clone, Default)]
struct Member {
    all: Pair,
    today: BTreeMap<u64, Pair>,
    rolling: BTreeMap<u64, Pair>,
}

fn plus(a: Pair, b: Pair) -> Pair {
    [a[0] + b[0], a[1] + b[1]]
}

fn fits(pair: Pair) -> bool {
    pair.iter().all(|level| level.abs() <= TOP)
}

impl Member {
    fn window(&self, today: u64) -> Vec<Pair> {
        (today.saturating_sub(2)..=today)
            .map(|day| self.rolling.get(&day).copied().unwrap_or_default())
            .collect()
    }

    /// Adds points if the result fits in all views. Returns whether it fits.
    fn add(&mut self, today: u64, day: u64, more: Pair) -> bool {
        let mut after = self.clone();
        after.all = plus(after.all, more);
        let is_today = day == today;
        if is_today {
            let score = after.today.entry(day).or_default();
            *score = plus(*score, more);
        }
        if day + 2 >= today {
            let points = after.rolling.entry(day).or_default();
            *points = plus(*points, more);
        }
        let window = after.window(today);
        let runs = (0..window.len()).flat_map(|from| (from..window.len()).map(move |to| (from, to)));
        let are_fit =
            runs.into_iter().all(|(from, to)| fits(window[from..=to].iter().copied().fold([0, 0], plus)));
        let day_fits = !is_today || fits(after.today[&day]);
        let is_fit = fits(after.all) && day_fits && (day + 2 < today || are_fit);
        if is_fit {
            *self = after;
        }
        is_fit
    }

    fn text(&self, view: &str, today: u64) -> Option<String> {
        let [gold, silver] = match view {
            "all" => self.all,
            "day" => *self.today.get(&today)?,
            _ => {
                (today.saturating_sub(2)..=today).find(|day| self.rolling.contains_key(day))?;
                self.window(today).into_iter().fold([0, 0], plus)
            }
        };
        Some(format!("{gold}/{silver}"))
    }
}

proptest! {
    #[test]
    fn each_level_stays_within_its_most(
        steps in prop::collection::vec(
            (0..3_u64, 0..5_u64, prop::collection::vec((0..2_usize, [-TOP..=TOP, -TOP..=TOP]), 1..4), 0..4_u8),
            1..40,
        ),
        is_crowded in any::<bool>(),
    ) {
        let mut board = viewed(medals(), &["all", "day", "day:3"]);
        if is_crowded {
            let names: Vec<_> = (0..300).map(|number| String::from_utf8(of_many(number)).unwrap()).collect();
            let pairs: Vec<_> = names.iter().map(|name| ("0/0", &name[..])).collect();
            get_many(&mut board, &at(0), &pairs).unwrap();
        }
        let mut members: BTreeMap<&str, Member> = BTreeMap::new();
        let mut today = 0;
        for (days, ago, list, what) in steps {
            today += days;
            let day = today.saturating_sub(ago);
            let write = late(today * DAY + HOUR, day * DAY + HOUR);
            let texts: Vec<_> = list.iter().map(|(_, [gold, silver])| format!("{gold}/{silver}")).collect();
            let name = |who: usize| ["ann", "bob"][who];
            let mut after = members.clone();
            // A score is set in the view `all` or `day:3`. The difference to the old score in this view is added in
            // all views.
            let view = [&b"all"[..], b"day:3"][usize::from(what == 1)];
            let (done, expected) = if what < 2 && (what == 0 || day + 2 >= today) {
                let (who, wanted) = list[0];
                let member = after.entry(name(who)).or_default();
                let old = if what == 0 { member.all } else { member.window(today).into_iter().fold([0, 0], plus) };
                let fits = member.add(today, day, [wanted[0] - old[0], wanted[1] - old[1]]);
                (is_set(&mut board, &in_view(view, write), &texts[0], name(who)), fits)
            } else {
                let pairs: Vec<_> = list.iter().zip(&texts).map(|((who, _), text)| (&text[..], name(*who))).collect();
                let mut added = list.iter();
                let fits = added.all(|(who, more)| after.entry(name(*who)).or_default().add(today, day, *more));
                (get_many(&mut board, &write, &pairs), fits)
            };
            prop_assert_eq!(done.is_ok(), expected, "{:?}", done);
            if expected {
                members = after;
            }
            board.advance(MONDAY + today * DAY + HOUR);
            for (name, member) in &members {
                for view in ["all", "day", "day:3"] {
                    prop_assert_eq!(text_of(&board, view, name), member.text(view, today), "{} of {}", view, name);
                }
            }
        }
        prop_assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
    }
}
