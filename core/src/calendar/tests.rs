//! Tests with known days, hours and weeks, and with texts that are read or refused.

use chrono::NaiveDateTime;

use super::*;

const DAY: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;

fn zone(name: &str) -> Zone {
    Zone::parse(name.as_bytes()).unwrap()
}

fn calendar(name: &str) -> Calendar {
    Calendar { zone: zone(name), ..Calendar::default() }
}

/// Returns the moment of a text in UTC.
fn utc(text: &str) -> i64 {
    let moment = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S").unwrap();
    moment.and_utc().timestamp_millis()
}

#[track_caller]
fn check(name: &str, unit: Unit, label: &str, start: &str, end: &str) {
    let calendar = calendar(name);
    let period = Period { start: utc(start), end: utc(end) };
    assert_eq!(calendar.parse(unit, label.as_bytes()), Ok(Some(period)), "{name} {label}");
    assert_eq!(calendar.label(unit, period.start), label, "{name}");
}

#[test]
fn days_of_other_than_24_hours() {
    let table = [
        ("UTC", "2019-03-17", "2019-03-17T00:00:00", "2019-03-18T00:00:00"),
        ("America/New_York", "2013-03-10", "2013-03-10T05:00:00", "2013-03-11T04:00:00"),
        ("America/New_York", "2013-11-03", "2013-11-03T04:00:00", "2013-11-04T05:00:00"),
        ("Asia/Kathmandu", "1986-01-01", "1985-12-31T18:30:00", "1986-01-01T18:15:00"),
        ("Asia/Kathmandu", "2020-01-01", "2019-12-31T18:15:00", "2020-01-01T18:15:00"),
        // The clocks are put forward from 00:00 to 01:00.
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00", "2018-11-05T02:00:00"),
        // The clocks are put back from 00:01 to 23:01. This gives a day of one minute, and an hour that looks like
        // the hour before.
        ("America/St_Johns", "2006-10-28", "2006-10-28T02:30:00", "2006-10-29T02:30:00"),
        ("America/St_Johns", "2006-10-29", "2006-10-29T02:30:00", "2006-10-30T03:30:00"),
        // The clocks are put back from 01:00 to 00:00. The day begins at the earlier midnight.
        ("America/Havana", "2013-11-03", "2013-11-03T04:00:00", "2013-11-04T05:00:00"),
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00", "2011-12-30T10:00:00"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00", "2011-12-31T10:00:00"),
    ];
    for (name, label, start, end) in table {
        check(name, Unit::Day, label, start, end);
    }
}

#[test]
fn clocks_put_back_over_midnight() {
    let johns = calendar("America/St_Johns");
    let again = utc("2006-10-29T03:00:00");
    assert_eq!(johns.label(Unit::Minute, again), "2006-10-28T23:30-0330");
    assert_eq!(johns.label(Unit::Day, again), "2006-10-29");
    assert_eq!(johns.period(Unit::Week, again).end, utc("2006-10-30T03:30:00"));
}

#[test]
fn a_day_that_was_left_out() {
    let apia = calendar("Pacific/Apia");
    assert_eq!(apia.parse(Unit::Day, b"2011-12-30"), Ok(None));
    assert_eq!(apia.parse(Unit::Hour, b"2011-12-30T12"), Ok(None));
    let after = utc("2011-12-30T10:00:00");
    assert_eq!(apia.label(Unit::Day, after - 1), "2011-12-29");
    assert_eq!(apia.label(Unit::Day, after), "2011-12-31");
    assert_eq!(apia.label(Unit::Day, apia.back(Unit::Day, after, 2).start), "2011-12-28");
    let week = apia.period(Unit::Week, after);
    assert_eq!(week.end - week.start, 6 * DAY);
}

#[test]
fn hours_and_minutes_at_a_change() {
    let (york, howe, johns) = ("America/New_York", "Australia/Lord_Howe", "America/St_Johns");
    let table = [
        (york, "2013-11-03T00", "2013-11-03T04:00:00", "2013-11-03T05:00:00"),
        (york, "2013-11-03T01-0400", "2013-11-03T05:00:00", "2013-11-03T06:00:00"),
        (york, "2013-11-03T01-0500", "2013-11-03T06:00:00", "2013-11-03T07:00:00"),
        (york, "2013-11-03T02", "2013-11-03T07:00:00", "2013-11-03T08:00:00"),
        (york, "2013-03-10T03", "2013-03-10T07:00:00", "2013-03-10T08:00:00"),
        // At 02:00, the clocks are put back by half an hour in April, and forward by half an hour in October.
        (howe, "2019-04-07T01+1100", "2019-04-06T14:00:00", "2019-04-06T15:00:00"),
        (howe, "2019-04-07T01+1030", "2019-04-06T15:00:00", "2019-04-06T15:30:00"),
        (howe, "2019-10-06T02", "2019-10-05T15:30:00", "2019-10-05T16:00:00"),
        (johns, "2006-10-28T23-0230", "2006-10-29T01:30:00", "2006-10-29T02:30:00"),
        (johns, "2006-10-29T00-0230", "2006-10-29T02:30:00", "2006-10-29T02:31:00"),
        (johns, "2006-10-28T23-0330", "2006-10-29T02:31:00", "2006-10-29T03:30:00"),
        (johns, "2006-10-29T00-0330", "2006-10-29T03:30:00", "2006-10-29T04:30:00"),
    ];
    for (name, label, start, end) in table {
        check(name, Unit::Hour, label, start, end);
    }
    check(york, Unit::Minute, "2019-03-17T11:05", "2019-03-17T15:05:00", "2019-03-17T15:06:00");
    check(york, Unit::Minute, "2013-11-03T01:30-0500", "2013-11-03T06:30:00", "2013-11-03T06:31:00");
    // The clocks of Monrovia were changed from -0:44:30 to UTC at midnight.
    check("Africa/Monrovia", Unit::Minute, "1972-01-07T00:44", "1972-01-07T00:44:30", "1972-01-07T00:45:00");
}

#[test]
fn clocks_are_changed_after_2099_too() {
    let hours = |name: &str, unit, label: &str| {
        let period = calendar(name).parse(unit, label.as_bytes()).unwrap().unwrap();
        (period.end - period.start) / HOUR
    };
    let table = [
        // The changes are on the second Sunday of March and the first Sunday of November.
        ("America/New_York", "2100-03-14", "2100-W10", 23),
        ("America/New_York", "2100-11-07", "2100-W44", 25),
        // The changes are on the last Sundays of March and October.
        ("Europe/Berlin", "2100-03-28", "2100-W12", 23),
        ("Europe/Berlin", "2400-10-29", "2400-W43", 25),
        // The changes are on the first Sundays of October and April, also at the end of 2099 and the start of 2100.
        ("Australia/Sydney", "2099-10-04", "2099-W40", 23),
        ("Australia/Sydney", "2100-04-04", "2100-W13", 25),
        ("Australia/Sydney", "9999-10-03", "9999-W39", 23),
    ];
    for (name, day, week, length) in table {
        assert_eq!(hours(name, Unit::Day, day), length, "{name} {day}");
        assert_eq!(hours(name, Unit::Week, week), 6 * 24 + length, "{name} {week}");
    }
    check("Europe/London", Unit::Day, "2100-07-01", "2100-06-30T23:00:00", "2100-07-01T23:00:00");
    check("Europe/London", Unit::Year, "2100", "2100-01-01T00:00:00", "2101-01-01T00:00:00");
    check("Australia/Sydney", Unit::Year, "2100", "2099-12-31T13:00:00", "2100-12-31T13:00:00");
    check("America/New_York", Unit::Hour, "2101-11-06T01-0500", "2101-11-06T06:00:00", "2101-11-06T07:00:00");
}

#[test]
fn offsets_in_labels() {
    let york = calendar("America/New_York");
    let hour = |label: &str| york.parse(Unit::Hour, label.as_bytes()).map(|hour| hour.map(|h| h.start));
    let first = utc("2013-11-03T05:00:00");
    assert_eq!(hour("2013-11-03T01"), Ok(Some(first)));
    assert_eq!(hour("2013-11-03T01-0500"), Ok(Some(first + HOUR)));
    assert_eq!(hour("2013-11-03T00-0400"), Ok(Some(first - HOUR)));
    for missing in ["2013-11-03T01-0600", "2013-11-03T01+0400", "2013-11-03T00-0500", "2013-03-10T02"] {
        assert_eq!(hour(missing), Ok(None), "{missing}");
    }
    for bad in ["2013-11-03T01-04", "2013-11-03T01-04:00", "2013-11-03T01-040000", "2013-11-03T01-0000"] {
        assert_eq!(hour(bad), Err(BadLabel), "{bad}");
    }
    for bad in ["2013-11-03T01-1900", "2013-11-03T01-0460", "2013-11-03T01-04000", "2013-11-03T01Z"] {
        assert_eq!(hour(bad), Err(BadLabel), "{bad}");
    }
}

#[test]
fn weeks_at_the_ends_of_years() {
    let table = [
        (Weekday::Mon, "2018-12-30", "2018-W52"),
        (Weekday::Mon, "2018-12-31", "2019-W01"),
        (Weekday::Mon, "2021-01-03", "2020-W53"),
        (Weekday::Mon, "2021-01-04", "2021-W01"),
        (Weekday::Mon, "2019-03-17", "2019-W11"),
        (Weekday::Sun, "2019-03-17", "2019-W12"),
        // In the week of Sunday 2018-12-30, the fourth day is January 2.
        (Weekday::Sun, "2018-12-30", "2019-W01"),
        (Weekday::Sun, "2018-12-29", "2018-W52"),
        (Weekday::Sun, "2021-01-02", "2020-W53"),
        (Weekday::Sun, "2021-01-03", "2021-W01"),
        // In a week that begins on Wednesday, the fourth day is a Saturday.
        (Weekday::Wed, "2019-01-01", "2018-W52"),
        (Weekday::Wed, "2019-01-02", "2019-W01"),
        (Weekday::Wed, "2016-12-31", "2016-W53"),
        (Weekday::Wed, "2017-01-04", "2017-W01"),
    ];
    for (week_start, day, label) in table {
        let calendar = Calendar { week_start, ..Calendar::default() };
        let period = calendar.period(Unit::Week, utc(&format!("{day}T12:00:00")));
        assert_eq!(calendar.label(Unit::Week, period.start), label, "{week_start} {day}");
        assert_eq!(calendar.parse(Unit::Week, label.as_bytes()), Ok(Some(period)));
    }
}

#[test]
fn other_units() {
    let utc_8 = "+08:00";
    check(utc_8, Unit::Month, "2019-03", "2019-02-28T16:00:00", "2019-03-31T16:00:00");
    check(utc_8, Unit::Year, "2019", "2018-12-31T16:00:00", "2019-12-31T16:00:00");
    check(utc_8, Unit::Year, "1970", "1969-12-31T16:00:00", "1970-12-31T16:00:00");
    check(utc_8, Unit::Day, "10000-01-01", "9999-12-31T16:00:00", "+10000-01-01T16:00:00");
    check("America/New_York", Unit::Week, "2019-W10", "2019-03-04T05:00:00", "2019-03-11T04:00:00");
    let calendar = Calendar { origin: 1_500, ..Calendar::default() };
    let ninety = Unit::Seconds(90);
    assert_eq!(calendar.period(ninety, 91_499), Period { start: 1_500, end: 91_500 });
    assert_eq!(calendar.label(ninety, 0), "-88500");
    assert_eq!(calendar.back(ninety, 91_500, 2), Period { start: -88_500, end: 1_500 });
    assert_eq!(calendar.parse(ninety, b"91500").map(|p| p.map(|p| p.end)), Ok(Some(181_500)));
    for bad in ["91501", "+91500", "091500", "-0", "", "9223372036854775807", "x"] {
        assert_eq!(calendar.parse(ninety, bad.as_bytes()), Err(BadLabel), "{bad}");
    }
}

#[test]
fn texts_that_are_no_labels() {
    let table: &[(Unit, &[&str])] = &[
        (Unit::Day, &["2019-3-17", "2019-02-30", "2019-13-01", "19-03-17", "2019-03-17 ", "20190-03-17"]),
        (Unit::Day, &["", "2019-03", "2019-W12", "2019-03-17T11", "2019/03/17", "٢٠١٩-03-17", "+2019-03-17"]),
        (Unit::Week, &["2019-W54", "2019-W53", "2019-W00", "2019-w12", "2019-W1", "2019-W123", "2019W12"]),
        (Unit::Month, &["2019-00", "2019-13", "2019-3", "2019-03-", "2019"]),
        (Unit::Year, &["219", "20190", "02019", "-2019", "2019-"]),
        (Unit::Hour, &["2019-03-17T24", "2019-03-17T1", "2019-03-17t11", "2019-03-17T11:05", "2019-03-17"]),
        (Unit::Minute, &["2019-03-17T11:60", "2019-03-17T11", "2019-03-17T24:00", "2019-03-17T11:5"]),
    ];
    for (unit, texts) in table {
        for text in *texts {
            assert_eq!(Calendar::default().parse(*unit, text.as_bytes()), Err(BadLabel), "{unit} {text}");
        }
    }
    for (unit, early) in [(Unit::Year, "1900"), (Unit::Day, "0001-01-01"), (Unit::Month, "0000-12")] {
        assert_eq!(Calendar::default().parse(unit, early.as_bytes()), Ok(None), "{early}");
    }
}

#[test]
fn words() {
    for text in ["minute", "hour", "day", "week", "month", "year", "1s", "90s", "315360000s"] {
        assert_eq!(Unit::parse(text.as_bytes()).map(|unit| unit.to_string()).as_deref(), Some(text));
    }
    assert_eq!(Unit::parse(b"DaY"), Some(Unit::Day));
    assert_eq!(Unit::parse(b"90S"), Some(Unit::Seconds(90)));
    for text in ["", "s", "0s", "060s", "315360001s", "99999999999s", "+5s", "-5s", "5", "days", "5 s"] {
        assert_eq!(Unit::parse(text.as_bytes()), None, "{text}");
    }
    for text in ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] {
        let day = Weekday::parse(text.to_lowercase().as_bytes()).unwrap();
        assert_eq!(day.to_string(), text);
    }
    assert_eq!(Weekday::parse(b"MONDAY"), None);
    assert_eq!(Weekday::default(), Weekday::Mon);
}

#[test]
fn zones() {
    for text in ["UTC", "America/New_York", "Etc/GMT+12", "+08:00", "-03:30", "+00:00", "+18:00", "-18:00"] {
        assert_eq!(zone(text).to_string(), text);
    }
    assert_eq!(Zone::parse(b"america/new_YORK"), Zone::parse(b"America/New_York"));
    assert_eq!(Zone::parse(b"-00:00"), Some(Zone::Fixed(0)));
    assert_eq!(Zone::default(), zone("UTC"));
    let bad =
        ["", "Z", "Mars/Base", "+8:00", "+0800", "+18:01", "+08:60", "+99:00", "08:00", "+08:00 ", "UTC\0"];
    for text in bad {
        assert_eq!(Zone::parse(text.as_bytes()), None, "{text}");
    }
    assert_eq!(Zone::parse(b"UTC\xff"), None);
}
