//! The model of segments against examples that are worked out by hand.

mod moments;

use leaderboard_core::board::Condition;
use leaderboard_core::schema::{Aggregate, Ranks, Ties};

use super::segment::{Dimension, Placed, Rule, Segment, Tally};
use super::{KINDS, Model, Name, Op, Refused, Rules, Sent, Told};

const DAY: u64 = 86_400_000;
const BEGIN: u64 = 20_000 * DAY + 1_000;

struct Desk {
    model: Model,
    wall: u64,
}

fn plain(kinds: &[&str]) -> Rules {
    Rules {
        ascending: false,
        aggregate: Aggregate::Sum,
        ties: Ties::First,
        decimals: 0,
        is_event: false,
        levels: Vec::new(),
        kinds: kinds.iter().map(|name| *KINDS.iter().find(|kind| kind.name == *name).unwrap()).collect(),
        retain: 3,
        keep: 0,
        shown: false,
    }
}

fn desk(rules: Rules, rule: Rule) -> Desk {
    let mut model = Model::new(rules);
    assert!(model.add_dimension(Dimension { name: "land", rule }));
    Desk { model, wall: BEGIN }
}

impl Desk {
    fn send(&mut self, op: Op, placed: &[(&'static str, &str)], at: Option<u64>) -> Result<Told, Refused> {
        let placed: Vec<Placed> =
            placed.iter().map(|(name, value)| (*name, value.as_bytes().to_vec())).collect();
        let sent = Sent { op, id: None, view: 0, meta: None };
        self.model.write_placing(&sent, &placed, at, self.wall)
    }

    fn add(&mut self, points: i64, name: &str) {
        self.send(Op::Add(vec![points], name.into()), &[], None).unwrap();
        self.wall += 1;
    }

    /// Points, and a segment.
    fn join(&mut self, points: i64, name: &str, value: &str) {
        self.send(Op::Add(vec![points], name.into()), &[("land", value)], None).unwrap();
        self.wall += 1;
    }

    fn turn<T>(&mut self, apply: impl FnOnce(&mut Model) -> T) -> T {
        let now = self.model.now(self.wall);
        self.model.advance(now);
        self.wall += 1;
        self.model.command(now, apply)
    }

    fn move_to(&mut self, name: &str, value: &str) -> u64 {
        self.model.advance(self.wall);
        let placed = [("land", value.as_bytes().to_vec())];
        let now = self.model.now(self.wall);
        self.wall += 1;
        self.model.place_all(&name.into(), &placed, now)
    }

    fn hide(&mut self, name: &str) {
        assert!(self.turn(|model| model.hide(name.as_bytes())));
    }

    fn segments(&self, view: usize) -> Vec<Segment> {
        let view = &self.model.views[view];
        let dimension = self.model.dimension("land").unwrap();
        self.model.segments(dimension, &view.entries, &self.model.places, &view.marks)
    }

    /// The segments of the first view: value and score.
    fn shown(&self) -> String {
        shown(&self.segments(0))
    }

    /// The segments of a period of the first view that has ended.
    fn ended(&self, back: u64) -> String {
        let view = &self.model.views[0];
        let number = view.current.unwrap() - back;
        let (dimension, ended) = (self.model.dimension("land").unwrap(), &view.ended[&number]);
        shown(&self.model.segments(dimension, &view.past[&number], &ended.places, &ended.marks))
    }
}

fn shown(segments: &[Segment]) -> String {
    let text = |segment: &Segment| {
        let score = match &segment.tally {
            Tally::Sum(sum) => sum.to_string(),
            Tally::Count(count) => count.to_string(),
            Tally::Best(best) => best[0].to_string(),
        };
        format!("{}={score}/{}", String::from_utf8_lossy(&segment.value), segment.members)
    };
    segments.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn of(rule: Rule) -> Desk {
    let mut desk = desk(plain(&["all"]), rule);
    desk.join(5, "ann", "de");
    desk.join(4, "bob", "de");
    desk.join(7, "cid", "fr");
    desk.add(100, "dan");
    desk
}

#[test]
fn a_segment_has_the_sum_the_number_or_the_best() {
    assert_eq!(of(Rule::Sum).shown(), "de=9/2 fr=7/1");
    assert_eq!(of(Rule::Count).shown(), "de=2/2 fr=1/1");
    assert_eq!(of(Rule::Best).shown(), "fr=7/1 de=5/2");
}

#[test]
fn where_less_is_better_the_least_sum_and_best_come_first_but_the_greatest_number() {
    for (rule, expected) in
        [(Rule::Sum, "fr=7/1 de=9/2"), (Rule::Count, "de=2/2 fr=1/1"), (Rule::Best, "de=4/2 fr=7/1")]
    {
        let mut desk = desk(Rules { ascending: true, ..plain(&["all"]) }, rule);
        desk.join(5, "ann", "de");
        desk.join(4, "bob", "de");
        desk.join(7, "cid", "fr");
        assert_eq!(desk.shown(), expected);
    }
}

#[test]
fn who_moves_takes_its_whole_score_along() {
    let mut desk = of(Rule::Sum);
    assert_eq!(desk.move_to("ann", "fr"), 1);
    assert_eq!(desk.move_to("ann", "fr"), 0);
    assert_eq!(desk.shown(), "fr=12/2 de=4/1");
    assert_eq!(desk.move_to("bob", ""), 1);
    assert_eq!(desk.shown(), "fr=12/2");
    assert_eq!(desk.move_to("bob", ""), 0);
    assert_eq!(desk.move_to("nobody", "it"), 1);
    assert_eq!(desk.shown(), "fr=12/2", "without a member in the view there is no segment");
}

#[test]
fn periods_that_ended_stay_as_they_ended() {
    let mut desk = desk(plain(&["day", "all"]), Rule::Sum);
    desk.join(5, "ann", "de");
    desk.join(3, "bob", "fr");
    desk.wall = BEGIN + DAY - 1_001;
    desk.move_to("bob", "de");
    desk.move_to("ann", "fr");
    assert_eq!(desk.shown(), "", "the move at the boundary is in the new day");
    assert_eq!(desk.ended(1), "de=8/2");
    assert_eq!(shown(&desk.segments(1)), "fr=5/1 de=3/1");
    let late = Op::Add(vec![9], b"cid".to_vec());
    desk.send(late, &[("land", "de")], Some(BEGIN)).unwrap();
    assert_eq!(desk.ended(1), "de=8/2");
    assert_eq!(shown(&desk.segments(1)), "de=12/2 fr=5/1");
}

#[test]
fn hidden_members_count_in_no_segment() {
    let mut desk = of(Rule::Sum);
    desk.hide("ann");
    assert_eq!(desk.shown(), "fr=7/1 de=4/1");
    desk.hide("cid");
    desk.add(50, "cid");
    assert_eq!(desk.shown(), "de=4/1");
    desk.turn(|model| model.unhide(b"cid"));
    assert_eq!(desk.shown(), "fr=57/1 de=4/1");
}

#[test]
fn a_write_sets_segments_only_if_it_is_applied() {
    let mut desk = of(Rule::Count);
    let op = Op::Set(vec![1], b"ann".to_vec(), Condition { present: Some(false), compared: None });
    desk.send(op, &[("land", "fr")], None).unwrap();
    desk.send(Op::Many(vec![(vec![i64::MAX], b"ann".to_vec())]), &[("land", "fr")], None).unwrap_err();
    assert_eq!(desk.shown(), "de=2/2 fr=1/1");
    let list =
        Op::Many(vec![(vec![1], b"ann".to_vec()), (vec![1], b"bob".to_vec()), (vec![1], b"ann".to_vec())]);
    desk.send(list, &[("land", "fr")], None).unwrap();
    assert_eq!(desk.shown(), "fr=3/3");
}

#[test]
fn removed_members_have_no_segment() {
    let mut desk = of(Rule::Sum);
    assert_eq!(desk.turn(|model| model.remove(b"ann")), Some(true));
    assert_eq!(desk.shown(), "fr=7/1 de=4/1");
    desk.add(9, "ann");
    assert_eq!(desk.shown(), "fr=7/1 de=4/1");
    assert_eq!(desk.move_to("nobody", "it"), 1);
    assert_eq!(
        desk.turn(|model| model.remove(b"nobody")),
        Some(true),
        "a value alone is something, as a meta is"
    );
}

#[test]
fn who_falls_out_of_the_best_loses_its_segment_as_its_meta() {
    let mut desk = desk(Rules { keep: 2, ..plain(&["all"]) }, Rule::Sum);
    desk.join(5, "ann", "de");
    desk.join(4, "bob", "de");
    desk.join(3, "cid", "fr");
    assert_eq!((desk.shown(), desk.model.placed(b"cid")), ("de=9/2".to_owned(), Vec::new()));
    desk.join(6, "dan", "fr");
    assert_eq!((desk.shown(), desk.model.placed(b"bob")), ("fr=6/1 de=5/1".to_owned(), Vec::new()));
}

#[test]
fn a_dimension_added_later_is_empty_in_kept_periods_too() {
    let mut desk = desk(plain(&["day"]), Rule::Sum);
    desk.join(5, "ann", "de");
    desk.wall += DAY;
    desk.join(5, "ann", "de");
    assert!(desk.model.drop_dimension("land"));
    assert!(!desk.model.drop_dimension("land"));
    assert!(desk.model.add_dimension(Dimension { name: "land", rule: Rule::Count }));
    assert_eq!((desk.shown(), desk.ended(1)), (String::new(), String::new()));
    desk.move_to("ann", "fr");
    assert_eq!((desk.shown(), desk.ended(1)), ("fr=1/1".to_owned(), String::new()));
}

#[test]
fn a_board_has_four_dimensions_at_the_most() {
    let mut model = Model::new(plain(&["all"]));
    let mut add = |name, rule| model.add_dimension(Dimension { name, rule });
    assert!(add("a", Rule::Sum) && add("b", Rule::Sum) && add("c", Rule::Best) && add("d", Rule::Count));
    assert!(!add("e", Rule::Sum) && !add("a", Rule::Best));
}

#[test]
fn ranks_in_a_segment_leave_the_others_out() {
    let desk = of(Rule::Sum);
    let names = |value: &str| {
        let values = &desk.model.places["land"];
        let is_in = |name: &Name| values.get(name).is_some_and(|own| own == value.as_bytes());
        let entries =
            desk.model.views[0].entries.clone().into_iter().filter(|(name, _)| is_in(name)).collect();
        desk.model.ranking(&entries).position(b"bob", Ranks::Ordinal, false).map(|(rank, _)| rank)
    };
    assert_eq!([names("de"), names("fr")], [Some(2), None]);
}
