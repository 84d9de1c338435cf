//! Options that make or change a board's rules.

use leaderboard_core::Error;
use leaderboard_core::board::{Alter, Carry, Decays, Edit, Retain, parse_edits, parse_views};
use leaderboard_core::calendar::{Calendar, Hours, Weekday, Zone};
use leaderboard_core::campaign::{Bounds, RuleChanges};
use leaderboard_core::catalog::{CatalogEntry, State};
use leaderboard_core::dimensions::{DimensionEdit, Dimensions, parse_dimension_edits, parse_dimensions};
use leaderboard_core::error::Quoted;
use leaderboard_core::integer::{natural, small};
use leaderboard_core::levels::Levels;
use leaderboard_core::limits::Attempts;
use leaderboard_core::parts::{MAX_PARTS, Parts, Role};
use leaderboard_core::prizes::{MAX_DAYS, MAX_TABLES, PrizeTable, TableChange, TableName};
use leaderboard_core::schema::{Aggregate, Order, Schema, Ties};
use leaderboard_core::short_name::ShortName;
use leaderboard_core::time::{Clock, Millis};
use leaderboard_core::view::{Kind, Spec};

use super::voting::{LIMIT, UNLIMIT};
use super::{Opt, OptionValue, Options, catalog, flag};
use crate::arguments::{Read, millis};

/// The views of a new board.
pub static VIEWS: Opt<Vec<Spec>> = Opt::new(&["VIEWS"], "views", |value| Ok(parse_views(value.next()?)?));

/// Views to add or drop.
pub static EDITS: Opt<Vec<(Kind, Edit)>> =
    Opt::new(&["VIEWS"], "changes", |value| Ok(parse_edits(value.next()?)?));

/// The number of past periods that stay readable.
pub static RETAIN: Opt<Retain> = Opt::new(&["RETAIN"], "periods", |value| Ok(Retain::parse(value.next()?)?));

/// The shares that views carry over to the next period.
pub static CARRY: Opt<Carry> = Opt::new(&["CARRY"], "shares", |value| Ok(Carry::parse(value.next()?)?));

/// The shares of whole scores that remain from period to period.
pub static DECAY: Opt<Decays> = Opt::new(&["DECAY"], "shares", |value| Ok(Decays::parse(value.next()?)?));

/// The end of the scores that has rank 1.
pub static ORDER: Opt<Order> =
    Opt::new(&["ORDER"], "DESC|ASC", |value| Ok(Order::parse(value.next()?)?)).checked(rules_agree);

/// How writes change a score.
pub static AGGREGATE: Opt<Aggregate> =
    Opt::new(&["AGGREGATE"], "SUM|MAX|MIN|LAST", |value| Ok(Aggregate::parse(value.next()?)?))
        .checked(rules_agree);

/// The order of members with equal scores.
pub static TIES: Opt<Ties> =
    Opt::new(&["TIES"], "FIRST|LAST|LEX|REVLEX", |value| Ok(Ties::parse(value.next()?)?));

/// The number of digits after the decimal point.
pub static DECIMALS: Opt<u8> =
    Opt::new(&["DECIMALS"], "digits", |value| Ok(small(value.next()?, "DECIMALS")?)).checked(rules_agree);

/// The levels of scores.
pub static LEVELS: Opt<Levels> =
    Opt::new(&["LEVELS"], "levels", |value| Ok(Levels::parse(value.next()?)?)).checked(rules_agree);

/// The time zone of the periods.
pub static TZ: Opt<Zone> = Opt::new(&["TZ"], "zone", |value| {
    let zone = value.next()?;
    Ok(Zone::parse(zone).ok_or(Error::BadZone(Quoted::new(zone)))?)
});

/// The first day of the week.
pub static WEEKSTART: Opt<Weekday> = Opt::new(&["WEEKSTART"], "MON|TUE|WED|THU|FRI|SAT|SUN", |value| {
    let day = Weekday::parse(value.next()?);
    Ok(day.ok_or(Error::NotOneOf("WEEKSTART", "MON, TUE, WED, THU, FRI, SAT, SUN"))?)
});

/// The time from which periods of seconds are counted.
pub static ORIGIN: Opt<Millis> = Opt::new(&["ORIGIN"], "ms", |value| millis(value.next()?, "ORIGIN"));

/// The source of the board's time.
pub static CLOCK: Opt<Clock> = Opt::new(&["CLOCK"], "SERVER|EVENT", |value| Ok(Clock::parse(value.next()?)?));

/// The time for which request ids are remembered, in seconds.
pub static DEDUP: Opt<u32> =
    Opt::new(&["DEDUP"], "seconds", |value| Ok(small(value.next()?, "DEDUP")?)).checked(rules_agree);

/// The number of places at the top that are watched. Listeners get an event when the members in these places change.
pub static NOTIFYTOP: Opt<u32> =
    Opt::new(&["NOTIFYTOP"], "n", |value| Ok(small(value.next()?, "NOTIFYTOP")?)).checked(rules_agree);

/// Counts real and shown votes separately.
pub static SHOWN: Opt<()> = flag(&["SHOWN"]).checked(rules_agree);

/// Allows scores and votes only for members that have joined or were declared.
pub static DECLARED: Opt<()> = flag(&["DECLARED"]).checked(rules_agree);

/// The time when writes begin to count.
pub static OPENS: Opt<Millis> = Opt::new(&["OPENS"], "ms", |value| millis(value.next()?, "OPENS"));

/// The time when writes cease to count.
pub static CLOSES: Opt<Millis> = Opt::new(&["CLOSES"], "ms", |value| millis(value.next()?, "CLOSES"));

/// The hours of the week in which writes count. An empty text means always.
pub static HOURS: Opt<Hours> = Opt::new(&["HOURS"], "hours", |value| Ok(Hours::parse(value.next()?)?));

/// The maximum number of writes of scores for each member in a period; 0 ends the rule.
pub static ATTEMPTS: Opt<Option<Attempts>> = Opt::new(&["ATTEMPTS"], "n unit", |value| {
    let max = natural(value.next()?, "ATTEMPTS")?;
    Ok(Attempts::new(max, value.next()?)?)
});

/// The maximum number of members; 0 for no maximum.
pub static MAXMEMBERS: Opt<u32> =
    Opt::new(&["MAXMEMBERS"], "n", |value| Ok(small(value.next()?, "MAXMEMBERS")?));

/// The range of the points and scores that clients may write.
pub static BOUNDS: Opt<Bounds> =
    Opt::new(&["BOUNDS"], "min max", |value| Ok(Bounds::new(value.next()?, value.next()?)?));

/// The prizes of the places of a view's periods. An empty table ends them.
pub static PRIZES: Opt<TableChange> = Opt::new(&["PRIZES"], "view places [PER name]", read_prizes)
    .repeated(MAX_TABLES, Error::TooMany("PRIZES", MAX_TABLES, "tables"));

/// For how many days unclaimed prizes are kept beyond RETAIN.
pub static PRIZEDAYS: Opt<u32> = Opt::new(&["PRIZEDAYS"], "n", |value| {
    let days = small(value.next()?, "PRIZEDAYS")?;
    if (1..=MAX_DAYS).contains(&days) { Ok(days) } else { Err(Error::OutOfRange("PRIZEDAYS").into()) }
});

fn read_prizes(value: &mut OptionValue) -> Read<TableChange> {
    let view = Kind::parse_in("PRIZES", value.next()?)?;
    let table = PrizeTable::parse(value.next()?)?;
    let per = if value.takes("PER") { Some(value.next_of("PER")?) } else { None };
    let named = |name| ShortName::parse(name).ok_or(Error::NoSuchDimension(Quoted::new(name)));
    Ok(TableChange { name: TableName { view, per: per.map(named).transpose()? }, table })
}

/// The moment to which a clock of events moves forward. The primary and the append-only file send the board's time with it.
pub static CLOCK_NOW: Opt<Millis> = Opt::new(&["NOW"], "ms", |value| millis(value.next()?, "NOW"));

/// The number of members that each view keeps: its best members. 0 means all members.
pub static KEEP: Opt<u32> =
    Opt::new(&["KEEP"], "n", |value| Ok(small(value.next()?, "KEEP")?)).checked(rules_agree);

/// The dimensions in which members are in segments.
pub static SEGMENTS: Opt<Dimensions> =
    Opt::new(&["SEGMENTS"], "dimensions", |value| Ok(parse_dimensions(value.next()?)?)).checked(rules_agree);

/// Dimensions to add and to drop.
pub static SEGMENT_EDITS: Opt<Vec<DimensionEdit>> =
    Opt::new(&["SEGMENTS"], "changes", |value| Ok(parse_dimension_edits(value.next()?)?));

/// The part of a spread board that the key is.
pub static PART: Opt<Role> = Opt::new(&["PART"], "i OF n", read_part).checked(rules_agree);

/// The number of parts. The key becomes the root of a spread board.
pub static PARTS: Opt<Parts> =
    Opt::new(&["PARTS"], "n", |value| parts(value.next()?, "PARTS")).checked(rules_agree);

/// The random number that the root and all parts of a board share.
pub static INCARNATION: Opt<u64> = Opt::new(&["INCARNATION"], "number", entry).by_gateway();

/// The number of the rules of a root or part.
pub static REVISION: Opt<u64> = Opt::new(&["REVISION"], "number", entry).by_gateway();

/// A number for the command that makes or alters a root.
pub static REQUEST: Opt<u64> = Opt::new(&["REQUEST"], "number", entry).by_gateway();

/// Makes the root of a board that is restored from a backup.
pub static RESTORING: Opt<()> = flag(&["RESTORING"]).by_gateway();

/// Accepts the loss of members.
pub static FORCE: Opt<()> = flag(&["FORCE"]);

/// Leaves an existing board unchanged.
pub static NX: Opt<()> = flag(&["NX"]);

/// The board whose rules are used for options that the call does not contain.
pub static LIKE: Opt<()> = Opt::new(&["LIKE"], "key", |value| value.next().map(|_| ()));

fn read_part(value: &mut OptionValue) -> Read<Role> {
    let number = small(value.next()?, "PART")?;
    if !value.takes("OF") {
        return Err(Error::MissingOption("OF").into());
    }
    let parts = parts(value.next_of("OF")?, "OF")?;
    if number < parts.count() {
        Ok(Role::Part { number, parts })
    } else {
        Err(Error::OutOfRange("PART").into())
    }
}

fn entry(value: &mut OptionValue) -> Read<u64> {
    let word = value.word();
    catalog::number(value.next()?, word)
}

/// Reads a number of parts.
pub fn parts(number: &[u8], option: &'static str) -> Read<Parts> {
    let number = u16::try_from(natural(number, option)?).map_err(|_| Error::BadParts(option, MAX_PARTS))?;
    Ok(Parts::new(number, option)?)
}

/// Reads a number of parts; `None` for 1, which is a plain board.
///
/// # Errors
/// The errors of [`Parts::or_plain`].
pub fn parts_or_plain(number: &[u8], option: &'static str) -> Read<Option<Parts>> {
    Ok(Parts::or_plain(natural(number, option)?, option)?)
}

fn rules_agree(options: &Options) -> Read<()> {
    if options.has(&PART) && options.has(&PARTS) {
        return Err(Error::Conflict("PART", "PARTS").into());
    }
    // The levels determine the end of the scores that is the top, and scores of levels have no digits after the point.
    let said = [("ORDER", options.has(&ORDER)), ("DECIMALS", options.has(&DECIMALS))];
    if let Some((option, _)) = said.into_iter().find(|(_, is_said)| *is_said && options.has(&LEVELS)) {
        return Err(Error::Conflict("LEVELS", option).into());
    }
    Ok(options.schema(Schema::default()).check()?)
}

impl Options<'_> {
    /// Returns the rules of a new board. `like` contains the rules for options that the call does not contain.
    pub fn schema(&self, like: Schema) -> Schema {
        Schema {
            order: self.get(&ORDER).unwrap_or(like.order),
            aggregate: self.get(&AGGREGATE).unwrap_or(like.aggregate),
            ties: self.get(&TIES).unwrap_or(like.ties),
            decimals: self.get(&DECIMALS).unwrap_or(like.decimals),
            levels: self.get(&LEVELS).or(like.levels),
            clock: self.get(&CLOCK).unwrap_or(like.clock),
            dedup: self.get(&DEDUP).unwrap_or(like.dedup),
            calendar: Calendar {
                zone: self.get(&TZ).unwrap_or(like.calendar.zone),
                week_start: self.get(&WEEKSTART).unwrap_or(like.calendar.week_start),
                origin: self.get(&ORIGIN).unwrap_or(like.calendar.origin),
            },
            shown: like.shown || self.has(&SHOWN),
            declared: like.declared || self.has(&DECLARED),
            keep: self.get(&KEEP).unwrap_or(like.keep),
            notify_top: self.get(&NOTIFYTOP).unwrap_or(like.notify_top),
            segments: self.get(&SEGMENTS).unwrap_or(like.segments),
            role: self.role(),
        }
    }

    /// Returns the role of the key. The role is never taken from another board.
    pub fn role(&self) -> Role {
        let root = || self.get(&PARTS).map(Role::Root);
        self.get(&PART).or_else(root).unwrap_or_default()
    }

    /// Returns the catalogue entry of a new root or part. A root with an incarnation still needs its parts.
    pub fn catalog(&self) -> CatalogEntry {
        let incarnation = self.get(&INCARNATION).unwrap_or_default();
        let is_root = matches!(self.role(), Role::Root(_));
        let state = match is_root {
            true if self.has(&RESTORING) => State::Restoring,
            true if incarnation > 0 => State::Making,
            _ => State::Whole,
        };
        CatalogEntry {
            incarnation,
            revision: self.get(&REVISION).unwrap_or_default(),
            request: self.get(&REQUEST).unwrap_or_default(),
            state,
            ..CatalogEntry::default()
        }
    }

    /// Returns the views of a new board. Without the option `VIEWS`, these are the views `like` of the other board. A
    /// view that is also in `like` has the rules from there, if no other option replaces them.
    ///
    /// # Errors
    /// The errors of [`Retain::apply`], [`Carry::apply`] and [`Decays::apply`].
    pub fn specs(&self, like: Vec<Spec>) -> Read<Vec<Spec>> {
        let found = |new: Spec| like.iter().find(|spec| spec.kind == new.kind).copied().unwrap_or(new);
        let mut specs = match self.get(&VIEWS) {
            Some(named) => named.into_iter().map(found).collect(),
            None => like,
        };
        if let Some(retain) = self.get(&RETAIN) {
            retain.apply(&mut specs)?;
        }
        self.get(&CARRY).unwrap_or_default().apply(&mut specs)?;
        self.get(&DECAY).unwrap_or_default().apply(&mut specs)?;
        Ok(specs)
    }

    /// Returns the changes to the rules of writes.
    pub fn voting(&self) -> RuleChanges {
        RuleChanges {
            opens: self.get(&OPENS),
            closes: self.get(&CLOSES),
            hours: self.get(&HOURS),
            attempts: self.get(&ATTEMPTS),
            max_members: self.get(&MAXMEMBERS),
            bounds: self.get(&BOUNDS),
            prizes: self.all(&PRIZES).collect(),
            prize_days: self.get(&PRIZEDAYS),
            lifted: self.all(&UNLIMIT).collect(),
            limits: self.all(&LIMIT).collect(),
        }
    }

    /// Returns the changes to the rules of a board, at its present time.
    pub fn alter(&self, now: Millis) -> Alter {
        Alter {
            views: self.get(&EDITS).unwrap_or_default(),
            retain: self.get(&RETAIN),
            carry: self.get(&CARRY).unwrap_or_default(),
            decay: self.get(&DECAY).unwrap_or_default(),
            dedup: self.get(&DEDUP),
            keep: self.get(&KEEP),
            declared: self.has(&DECLARED),
            notify_top: self.get(&NOTIFYTOP),
            segments: self.get(&SEGMENT_EDITS).unwrap_or_default(),
            voting: self.voting(),
            now,
        }
    }
}
