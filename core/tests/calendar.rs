//! Laws of the calendar, checked with the zones of the `chrono` crate.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

use std::sync::LazyLock;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Offset, TimeZone, Timelike};
use leaderboard_core::calendar::{Calendar, MAX_SECONDS, Unit, Weekday, Zone};
use proptest::prelude::*;

const DAY: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;
/// The last moment that can be named, in milliseconds: the end of the year 9999.
const LAST: i64 = 253_402_300_799_999;

#[rustfmt::skip]
const ZONES: &[&str] = &[
    "UTC", "America/New_York", "America/St_Johns", "America/Goose_Bay", "America/Havana",
    "America/Sao_Paulo", "America/Caracas", "America/Santiago", "America/Asuncion",
    "America/Scoresbysund", "America/Nuuk", "America/Anchorage", "America/Noronha",
    "America/Danmarkshavn", "Asia/Shanghai", "Asia/Kathmandu", "Asia/Tehran", "Asia/Pyongyang",
    "Asia/Gaza", "Asia/Amman", "Asia/Kolkata", "Asia/Ust-Nera", "Australia/Lord_Howe", "Pacific/Apia",
    "Pacific/Kiritimati", "Pacific/Kwajalein", "Pacific/Enderbury", "Pacific/Chatham", "Pacific/Norfolk",
    "Pacific/Tongatapu", "Africa/Cairo", "Africa/Casablanca", "Africa/Monrovia", "Africa/Juba",
    "Europe/Dublin", "Europe/London", "Europe/Lisbon", "Europe/Moscow", "Atlantic/Azores",
    "Antarctica/Troll", "Antarctica/Casey", "Etc/GMT+12", "+08:00", "-00:30", "+18:00", "-18:00",
];

fn zone(name: &str) -> Zone {
    Zone::parse(name.as_bytes()).unwrap()
}

/// Returns a moment before 2100 unchanged. A later moment is moved to the latest earlier year with the same weekdays,
/// because the database ends before 2100.
fn in_a_known_year(moment: NaiveDateTime) -> NaiveDateTime {
    let days = |year| {
        let new_year = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
        (new_year.weekday(), new_year.leap_year())
    };
    let year = moment.year();
    let known =
        if year < 2100 { year } else { (2072..2100).rev().find(|known| days(*known) == days(year)).unwrap() };
    moment.with_year(known).unwrap()
}

/// Returns the local time at a second, and its offset in seconds, directly from the database.
fn shown(zone: Zone, second: i64) -> (NaiveDateTime, i32) {
    let offset = match zone {
        Zone::Fixed(offset) => offset,
        Zone::Named(tz) => {
            let utc = in_a_known_year(DateTime::from_timestamp(second, 0).unwrap().naive_utc());
            tz.offset_from_utc_datetime(&utc).fix().local_minus_utc()
        }
    };
    (DateTime::from_timestamp(second + i64::from(offset), 0).unwrap().naive_utc(), offset)
}

/// The length of 400 years, in milliseconds. After them, the same dates are on the same weekdays.
const CYCLE: i64 = 146_097 * DAY;

/// The changes of clocks in every zone until 2140, in seconds, found without the tested calendar.
static CHANGES: LazyLock<Vec<Vec<i64>>> = LazyLock::new(|| {
    let between = |zone: Zone, mut low: i64, mut high: i64| {
        let before = shown(zone, low).1;
        while high - low > 1 {
            let middle = (low + high) / 2;
            if shown(zone, middle).1 == before { low = middle } else { high = middle }
        }
        high
    };
    let of_zone = |name: &&str| {
        let zone = zone(name);
        let samples: Vec<_> =
            (0..12_420).map(|step| (step * 432_000, shown(zone, step * 432_000).1)).collect();
        let changed = samples.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        changed.map(|pair| between(zone, pair[0].0, pair[1].0)).collect()
    };
    ZONES.iter().map(of_zone).collect()
});

fn any_zone() -> impl Strategy<Value = &'static str> {
    prop::sample::select(ZONES)
}

fn any_unit() -> impl Strategy<Value = Unit> {
    prop_oneof![
        2 => Just(Unit::Minute),
        3 => Just(Unit::Hour),
        3 => Just(Unit::Day),
        1 => Just(Unit::Week),
        1 => Just(Unit::Month),
        1 => Just(Unit::Year),
        1 => prop_oneof![1..200_000_u32, Just(MAX_SECONDS)].prop_map(Unit::Seconds),
    ]
}

/// Picks a calendar and a moment: anywhere, near a midnight of the zone, or near a change of its clocks.
fn any_case() -> impl Strategy<Value = (Calendar, i64)> {
    let place = (0..ZONES.len(), 0..7_usize, prop_oneof![0..100_000_000_u64, any::<u64>()]);
    let near = prop_oneof![-3..4_i64, -3 * HOUR..3 * HOUR, -2 * DAY..2 * DAY];
    (place, 0..8_u8, -2 * DAY..170 * 365 * DAY, any::<prop::sample::Index>(), near, 0..19_i64).prop_map(
        |((at, first, origin), kind, moment, pick, near, cycles)| {
            let calendar = Calendar { zone: zone(ZONES[at]), week_start: Weekday::ALL[first], origin };
            let changes = &CHANGES[at];
            let moment = match kind {
                0 => moment,
                1 => LAST - moment / 1000,
                2 | 3 => {
                    let offset = i64::from(shown(calendar.zone, moment.div_euclid(1000)).1) * 1000;
                    moment - (moment + offset).rem_euclid(DAY) + near
                }
                _ if changes.is_empty() => moment,
                4 | 5 => changes[pick.index(changes.len())] * 1000 + near,
                // The last changes are in years that the database does not contain.
                _ => {
                    changes[changes.len() - 1 - pick.index(changes.len().min(70))] * 1000
                        + cycles * CYCLE
                        + near
                }
            };
            (calendar, moment.clamp(-2 * DAY, LAST))
        },
    )
}

/// Returns a value that is the same during a whole period, and different in the periods before and after it.
fn of_unit(calendar: &Calendar, unit: Unit, at: i64) -> (i64, i64) {
    let (local, offset) = shown(calendar.zone, at.div_euclid(1000));
    let second = local.and_utc().timestamp();
    let start = Weekday::ALL.iter().position(|day| *day == calendar.week_start).unwrap() as i64;
    match unit {
        Unit::Minute => (second.div_euclid(60), i64::from(offset)),
        Unit::Hour => (second.div_euclid(3600), i64::from(offset)),
        Unit::Day => (second.div_euclid(86_400), 0),
        Unit::Week => ((second.div_euclid(86_400) + 3 - start).div_euclid(7), 0),
        Unit::Month => (i64::from(local.year()) * 12 + i64::from(local.month0()), 0),
        Unit::Year => (i64::from(local.year()), 0),
        Unit::Seconds(number) => {
            let length = i128::from(number) * 1000;
            (i64::try_from((i128::from(at) - i128::from(calendar.origin)).div_euclid(length)).unwrap(), 0)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn periods_tile_time((calendar, at) in any_case(), unit in any_unit()) {
        let period = calendar.period(unit, at);
        prop_assert!(period.start <= at && at < period.end);
        prop_assert_eq!(calendar.period(unit, period.start), period);
        prop_assert_eq!(calendar.period(unit, period.end - 1), period);
        let next = calendar.period(unit, period.end);
        prop_assert_eq!(next.start, period.end);
        prop_assert_eq!(calendar.back(unit, next.start, 1), period);
        let previous = calendar.period(unit, period.start - 1);
        prop_assert_eq!(previous.end, period.start);
        prop_assert_eq!(calendar.back(unit, at, 1), previous);
        prop_assert_eq!(calendar.back(unit, at, 0), period);
        prop_assert_eq!(calendar.period(unit, previous.end), period);
    }

    #[test]
    fn periods_are_what_the_clocks_show((calendar, at) in any_case(), unit in any_unit(), part in 0.0..1.0) {
        let period = calendar.period(unit, at);
        let key = |at| of_unit(&calendar, unit, at);
        let first = key(period.start);
        let inside = period.start + ((period.end - period.start) as f64 * part) as i64;
        if matches!(unit, Unit::Minute | Unit::Hour | Unit::Seconds(_)) {
            prop_assert!([at, inside, period.end - 1].map(key).iter().all(|key| *key == first));
            prop_assert!(key(period.start - 1) != first && key(period.end) != first);
        } else {
            // No moment before the period belongs to this unit or a later one. The checked time is longer than any
            // clock is ever put back.
            let before = (0..200).map(|step| period.start - 1 - step * (15 * 60_000));
            prop_assert!(before.map(key).all(|key| key < first));
            let during = [at, inside, period.end - 1].map(key);
            prop_assert!(during.iter().all(|key| *key <= first) && key(period.end) > first);
        }
    }

    #[test]
    fn many_steps_back_are_as_many_single_ones(
        (calendar, at) in any_case(), unit in any_unit(), count in 0..150_u32,
    ) {
        let mut period = calendar.period(unit, at);
        for _ in 0..count {
            period = calendar.back(unit, period.start, 1);
        }
        prop_assert_eq!(calendar.back(unit, at, count), period);
        let first = calendar.period(unit, i64::MIN).start;
        let counted = if period.start > first { count } else { calendar.count(unit, first, at, count) };
        for most in [u32::MAX, count + 1, count, count / 2] {
            prop_assert_eq!(calendar.count(unit, period.start, at, most), counted.min(most));
        }
    }

    #[test]
    fn labels_lead_back((calendar, at) in any_case(), unit in any_unit()) {
        let period = calendar.period(unit, at);
        let label = calendar.label(unit, period.start);
        prop_assert_eq!(calendar.parse(unit, label.as_bytes()), Ok(Some(period)), "{}", label);
        prop_assert_eq!(&calendar.label(unit, at), &label);
        let next = calendar.label(unit, period.end);
        prop_assert_ne!(&next, &label);
        if matches!(unit, Unit::Minute | Unit::Hour) {
            // Local times that look the same are at most about a day apart, and have different labels.
            let near = (-50..50).map(|step| at + step * 30 * 60_000);
            let alike = near.filter(|near| calendar.label(unit, *near) == label);
            prop_assert!(alike.into_iter().all(|near| calendar.period(unit, near) == period));
            let offset = shown(calendar.zone, at.div_euclid(1000)).1;
            let (sign, size) = (if offset < 0 { '-' } else { '+' }, offset.abs());
            let mut long = format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60);
            if size % 60 != 0 {
                long.push_str(&format!("{:02}", size % 60));
            }
            let bare = if label.ends_with(&long) { &label[..label.len() - long.len()] } else { &label };
            prop_assert_eq!(calendar.parse(unit, format!("{bare}{long}").as_bytes()), Ok(Some(period)));
            let earlier = calendar.parse(unit, bare.as_bytes()).unwrap().unwrap();
            prop_assert!(earlier.start <= period.start);
        }
    }

    #[test]
    fn dates_that_the_zone_left_out_have_no_period((calendar, at) in any_case()) {
        let second = at.div_euclid(1000);
        let label = DateTime::from_timestamp(second, 0).unwrap().format("%Y-%m-%dT%H").to_string();
        let day = calendar.parse(Unit::Day, &label.as_bytes()[..10]).unwrap();
        let hour = calendar.parse(Unit::Hour, label.as_bytes()).unwrap();
        // Every minute from 36 hours before to 60 hours after the second, as local time.
        let minutes = (-36 * 60..60 * 60).map(|step| shown(calendar.zone, second + step * 60).0);
        let wanted = DateTime::from_timestamp(second, 0).unwrap().naive_utc();
        let mut on_day = minutes.filter(|minute| minute.date() == wanted.date()).peekable();
        prop_assert_eq!(day.is_some(), on_day.peek().is_some());
        prop_assert_eq!(hour.is_some(), on_day.any(|minute| minute.hour() == wanted.hour()));
    }

    #[test]
    fn no_moment_is_too_far(
        name in any_zone(), unit in any_unit(), at: i64, count in 0..800_u32, origin: u64,
    ) {
        let calendar = Calendar { zone: zone(name), origin, ..Calendar::default() };
        for at in [at, i64::MIN, i64::MAX, -2 * DAY, LAST] {
            let period = calendar.period(unit, at);
            prop_assert!(period.start < period.end);
            prop_assert!(calendar.back(unit, at, count).start <= period.start);
            prop_assert_eq!(calendar.parse(unit, calendar.label(unit, at).as_bytes()), Ok(Some(period)));
        }
    }

    #[test]
    fn any_bytes_are_an_answer(
        text: Vec<u8>, near in "[-+0-9TWZs:]{0,20}", name in any_zone(), unit in any_unit(),
    ) {
        let calendar = Calendar { zone: zone(name), ..Calendar::default() };
        for text in [&text[..], near.as_bytes()] {
            if let Ok(Some(period)) = calendar.parse(unit, text) {
                prop_assert_eq!(calendar.period(unit, period.start), period);
            }
            let _ = (Zone::parse(text), Unit::parse(text), Weekday::parse(text));
        }
    }

    #[test]
    fn labels_with_a_byte_changed(
        (calendar, at) in any_case(), unit in any_unit(), place: prop::sample::Index, byte: u8,
    ) {
        let mut label = calendar.label(unit, at).into_bytes();
        let place = place.index(label.len());
        label[place] = byte;
        if let Ok(Some(period)) = calendar.parse(unit, &label) {
            prop_assert_eq!(calendar.period(unit, period.start), period);
            let written = calendar.label(unit, period.start);
            prop_assert!(written.as_bytes().starts_with(&label) || label.starts_with(written.as_bytes()));
        }
    }
}

#[test]
fn every_change_of_clocks() {
    for (name, changes) in ZONES.iter().zip(CHANGES.iter()) {
        let calendar = Calendar { zone: zone(name), ..Calendar::default() };
        for at in changes.iter().flat_map(|change| [change * 1000 - 1, change * 1000 + HOUR / 2]) {
            for unit in [Unit::Hour, Unit::Day] {
                let period = calendar.period(unit, at);
                assert!(period.start <= at && at < period.end, "{name} {at}");
                assert_eq!(calendar.period(unit, period.start - 1).end, period.start, "{name} {at}");
                let label = calendar.label(unit, at);
                assert_eq!(calendar.parse(unit, label.as_bytes()), Ok(Some(period)), "{name} {label}");
            }
        }
    }
}
