//! The module's commands over keys, without a server: what the simulated nodes carry out.

use std::collections::{BTreeMap, HashMap};

use leaderboard_core::amount::{Amount, Bound};
use leaderboard_core::board::{
    Carry, Condition, Decays, Effect, KeptPeriod, Outcome, Position, Retain, Write,
};
use leaderboard_core::calendar::When;
use leaderboard_core::levels::Levels;
use leaderboard_core::notation::Notation;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, NativeType as _, Schema};
use redis::Value;

use super::key::{Key, MAX_FUTURE};
use super::part;
use super::plain::{Request, Scene};
use super::values::{array, bulk, error, int, map, score};
use super::words::{Options, Read, Words, refused};

/// The keys of all nodes.
#[derive(Default)]
pub struct Keys(pub BTreeMap<Vec<u8>, Key>);

/// What a write asks for.
struct Change<'a> {
    wall: u64,
    options: Options<'a>,
}

impl Change<'_> {
    fn write(&self) -> Write<'_> {
        let Options { at, id, with_change, view, meta, .. } = self.options;
        let origin = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        Write { at, request: id, origin, with_change, view, meta }
    }
}

impl Keys {
    /// Carries out a command at a moment of the node's clock.
    pub fn run(&mut self, words: &[Vec<u8>], wall: u64) -> Value {
        self.answer(words, wall).unwrap_or_else(|text| error(&text))
    }

    fn answer(&mut self, words: &[Vec<u8>], wall: u64) -> Read<Value> {
        let name = String::from_utf8_lossy(&words[0]).to_uppercase();
        let key = words.get(1).ok_or("ERR wrong number of arguments")?;
        match name.as_str() {
            "DEL" | "UNLINK" => return Ok(int(u64::from(self.0.remove(key).is_some()))),
            "EXISTS" => return Ok(int(u64::from(self.0.contains_key(key)))),
            "TYPE" => {
                let kind = if self.0.contains_key(key) { "lb-board1" } else { "none" };
                return Ok(Value::SimpleString(kind.to_owned()));
            }
            _ => {}
        }
        let found = self.0.get_mut(key);
        if name == "LB.INFO" {
            return Ok(found.map_or(Value::Nil, |found| {
                found.advance(wall);
                info(key, found)
            }));
        }
        if let Some(Role::Root(parts)) = found.as_ref().map(|found| found.board.schema().role) {
            return Err(format!("ERR spread over {} parts: use a gateway or LB.INFO", parts.count()));
        }
        let mut found = found;
        if let Some(found) = &mut found {
            found.advance(wall);
        }
        if name == "LB.PART" {
            return part::answer(found, words);
        }
        match change(&name, found.as_deref_mut(), words, wall) {
            Some(changed) => {
                if let Some(found) = found {
                    found.changed();
                }
                changed
            }
            None => read(found.as_deref(), words),
        }
    }
}

/// A plain read of one board.
fn read(key: Option<&Key>, words: &[Vec<u8>]) -> Read<Value> {
    let request = Request::read(words)?;
    let moments = HashMap::new();
    let Some(key) = key else {
        let empty = Board::new(Schema::default(), &[leaderboard_core::view::Spec::new(Kind::All)]);
        let board = empty.map_err(refused)?;
        let reading = board.read(None, When::Now, Tally::Shown).map_err(refused)?;
        return Scene { board: &board, reading, previous: None, moments: &moments, dated: &moments }
            .reply(&request);
    };
    if request.name == "LB.PERIODS" {
        let periods = key.board.periods(request.arguments[0]).map_err(refused)?;
        return Ok(array(periods.into_iter().map(|KeptPeriod { label, period, members }| {
            let [start, end] =
                period.map_or([Value::Nil, Value::Nil], |period| [int(period.start), int(period.end)]);
            array([bulk(label), start, end, int(members)])
        })));
    }
    let options = &request.options;
    let reading = key.board.read(options.view, options.when(), Tally::Shown).map_err(refused)?;
    let reading = if options.rev { reading.reversed() } else { reading };
    Scene { board: &key.board, reading, previous: None, moments: &moments, dated: &moments }.reply(&request)
}

/// A write; nothing for other commands.
fn change(name: &str, key: Option<&mut Key>, words: &[Vec<u8>], wall: u64) -> Option<Read<Value>> {
    let mut rest = Words::of(words);
    let _ = (rest.next(), rest.next());
    let known = [
        "LB.ADD",
        "LB.SET",
        "LB.ROLLADD",
        "LB.MADD",
        "LB.MSET",
        "LB.SETMETA",
        "LB.REM",
        "LB.HIDE",
        "LB.UNHIDE",
        "LB.REMRANGEBYSCORE",
    ];
    known.contains(&name).then(|| changed(name, key, rest, wall))
}

fn changed(name: &str, key: Option<&mut Key>, mut rest: Words, wall: u64) -> Read<Value> {
    let fixed = match name {
        "LB.ADD" | "LB.SET" | "LB.ROLLADD" | "LB.SETMETA" | "LB.REMRANGEBYSCORE" => 2,
        _ => 0,
    };
    let arguments: Vec<_> = (0..fixed).map(|_| rest.next()).collect::<Read<_>>()?;
    let options = match name {
        "LB.MADD" | "LB.MSET" => Options::leading(&mut rest)?,
        "LB.REM" | "LB.HIDE" | "LB.UNHIDE" => Options::default(),
        _ => Options::last(rest.clone())?,
    };
    let wanted = options.parts;
    let Some(key) = key else {
        return Err(wanted.map_or_else(
            || "ERR the simulation makes no boards".to_owned(),
            |n| format!("NOPART the key is no part of {n}"),
        ));
    };
    let board = &mut key.board;
    let role = board.schema().role;
    let is_such = matches!(role, Role::Part { parts, .. } if Some(u64::from(parts.count())) == wanted);
    if let Some(n) = wanted.filter(|_| !is_such) {
        return Err(format!("NOPART the key is no part of {n}"));
    }
    let own = |member: &[u8]| match role {
        Role::Part { number, parts } if parts.of(member) != number => {
            Err(format!("ERR member belongs to part {}", parts.of(member)))
        }
        _ => Ok(()),
    };
    let change = Change { wall, options };
    let notation = board.schema().notation();
    let amount = |word| Amount::parse(word, "points").map_err(refused);
    match name {
        "LB.ADD" | "LB.SET" | "LB.ROLLADD" => {
            let (points, member) = (amount(arguments[0])?, arguments[1]);
            own(member)?;
            let condition = Condition { present: change.options.present, compared: change.options.compared };
            let outcome = match name {
                "LB.ADD" => board.add(&change.write(), points, member),
                "LB.SET" => board.set(&change.write(), points, member, condition),
                _ => board.roll_add(&change.write(), window(&change.options)?, points, member),
            };
            Ok(position(&outcome.map_err(refused)?, change.options.with_change, &notation))
        }
        "LB.MADD" | "LB.MSET" => {
            let mut pairs = Vec::new();
            while rest.len() > 0 || pairs.is_empty() {
                let points = amount(rest.next()?)?;
                let member = rest.next()?;
                own(member)?;
                pairs.push((points, member));
            }
            let write = change.write();
            let many = if name == "LB.MADD" {
                board.add_many(&write, &pairs)
            } else {
                board.set_many(&write, &pairs)
            };
            let (effect, positions) = many.map_err(refused)?;
            Ok(array(
                positions
                    .into_iter()
                    .map(|now| position(&Outcome { effect, now, before: None }, false, &notation)),
            ))
        }
        "LB.SETMETA" => {
            own(arguments[0])?;
            board.set_meta(arguments[0], arguments[1]).map_err(refused)?;
            Ok(Value::Okay)
        }
        "LB.REMRANGEBYSCORE" => {
            let min = Bound::parse(arguments[0], "min").map_err(refused)?;
            let max = Bound::parse(arguments[1], "max").map_err(refused)?;
            let Some((low, high)) = board.schema().score_range(min, max).map_err(refused)? else {
                return Ok(int(0));
            };
            let reading = board.read(None, When::Now, Tally::Shown).map_err(refused)?;
            let rows = reading.rows_between(low, high, 0, u64::MAX, Ranks::Ordinal);
            let names: Vec<_> = rows.map(|row| board.name(row.id).to_vec()).collect();
            Ok(int(names.iter().filter(|name| board.remove(name)).count() as u64))
        }
        _ => {
            let members: Vec<_> = (0..rest.len()).map(|_| rest.next()).collect::<Read<_>>()?;
            members.iter().try_for_each(|member| own(member))?;
            Ok(int(match name {
                "LB.REM" => members.iter().filter(|member| board.remove(member)).count(),
                "LB.HIDE" => board.hide_all(&members).map_err(refused)?,
                _ => members.iter().filter(|member| board.unhide(member)).count(),
            } as u64))
        }
    }
}

fn window(options: &Options) -> Read<Option<Kind>> {
    let Some((count, unit)) = options.window else { return Ok(None) };
    let unit = leaderboard_core::calendar::Unit::parse(unit).ok_or("ERR a unit is needed")?;
    Kind::rolling(count, unit).map(Some).map_err(refused)
}

fn position(outcome: &Outcome, with_change: bool, notation: &Notation) -> Value {
    let pair = |position: Option<Position>| match position {
        Some(Position { score: of, rank }) => [score(of, notation), int(rank)],
        None => [Value::Nil, Value::Nil],
    };
    let applied = int(u64::from(matches!(outcome.effect, Effect::Applied(_))));
    let before = with_change.then(|| pair(outcome.before)).into_iter().flatten();
    array(pair(outcome.now).into_iter().chain([applied]).chain(before))
}

/// The reply to `LB.INFO`.
fn info(name: &[u8], key: &Key) -> Value {
    let board = &key.board;
    let schema = board.schema();
    let calendar = &schema.calendar;
    let voting = board.voting_window();
    let figures = board.figures();
    let views: Vec<_> = board.specs().map(|spec| spec.kind.to_string()).collect();
    let (parts, part) = match schema.role {
        Role::Whole => (0, Value::Nil),
        Role::Part { number, parts } => (parts.count(), int(number)),
        Role::Root(parts) => (parts.count(), Value::Nil),
    };
    let keys: Vec<_> = match schema.role {
        Role::Root(parts) => (0..parts.count()).map(|part| parts.key(name, part)).collect(),
        _ => Vec::new(),
    };
    map(vec![
        ("views", bulk(views.join(","))),
        ("order", bulk(schema.order.to_string())),
        ("aggregate", bulk(schema.aggregate.to_string())),
        ("ties", bulk(schema.ties.to_string())),
        ("tz", bulk(calendar.zone.to_string())),
        ("weekstart", bulk(calendar.week_start.to_string())),
        ("clock", bulk(schema.clock.to_string())),
        ("retain", bulk(Retain::of(board.specs()).to_string())),
        ("carry", bulk(Carry::of(board.specs()).to_string())),
        ("decay", bulk(Decays::of(board.specs()).to_string())),
        ("levels", bulk(schema.levels.as_ref().map(Levels::to_string).unwrap_or_default())),
        ("decimals", int(schema.decimals)),
        ("origin", int(calendar.origin)),
        ("dedup", int(schema.dedup)),
        ("shown", int(i64::from(schema.shown))),
        ("declared", int(i64::from(schema.declared))),
        ("keep", int(schema.keep)),
        ("opens", int(voting.opens)),
        ("closes", int(voting.closes)),
        ("notifytop", int(schema.notify_top)),
        ("members", int(board.count())),
        ("hidden", int(board.count_hidden() as u64)),
        ("requests", int(board.requests(key.now) as u64)),
        ("now", int(key.now)),
        ("memory", int(board.memory() as u64)),
        ("limit", array(board.limits().map(|rule| bulk(rule.to_string())))),
        ("writes", int(figures.writes)),
        ("repeated", int(figures.repeated)),
        ("votes", int(figures.votes)),
        ("held_back", map(Vec::new())),
        ("parts", int(parts)),
        ("part", part),
        ("schema", int(board.rules_hash())),
        ("keys", array(keys.into_iter().map(bulk))),
    ])
}

/// The root and the parts of a board, empty.
pub fn spread(name: &[u8], schema: &Schema, specs: &[leaderboard_core::view::Spec], parts: Parts) -> Keys {
    let board = |role| Key::new(Board::new(Schema { role, ..schema.clone() }, specs).unwrap());
    let mut keys = Keys::default();
    keys.0.insert(name.to_vec(), board(Role::Root(parts)));
    for number in 0..parts.count() {
        keys.0.insert(parts.key(name, number), board(Role::Part { number, parts }));
    }
    keys
}
