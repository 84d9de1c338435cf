//! Tests that rules start again with the calendar of the board: zones, weeks, and changes of clocks.

use super::plays;

#[test]
fn a_day_of_shanghai_ends_at_four_in_the_afternoon() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT TZ Asia/Shanghai LIMIT daily voter 1 day
           LB.VOTE poll 1 ann BY v AT @2019-03-18T15:59:59 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-03-18T15:59:59.999 => [0 "daily" 1]
           LB.VOTE poll 1 ann BY v AT @2019-03-18T16:00 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-03-18T16:00 => [0 "daily" 86400000]
           LB.QUOTA poll BY v AT @2019-03-19T15:00 => [["daily" 1 1 3600000]]
           LB.QUOTA poll BY v AT @2019-03-19T16:00 => [["daily" 0 1 86400000]]"#,
    );
}

#[test]
fn weeks_begin_on_the_boards_day() {
    plays(
        r#"LB.CREATE sun CLOCK EVENT WEEKSTART SUN LIMIT weekly voter 1 week
           LB.VOTE sun 1 ann BY v AT @2019-03-16T23:00 => [1 [[1 1 1]]]
           LB.VOTE sun 1 ann BY v AT @2019-03-16T23:30 => [0 "weekly" 1800000]
           LB.VOTE sun 1 ann BY v AT @2019-03-17 => [1 [[2 1 1]]]
           LB.VOTE sun 1 ann BY v AT @2019-03-18 => [0 "weekly" 518400000]
           LB.CREATE mon CLOCK EVENT LIMIT weekly voter 1 week
           LB.VOTE mon 1 ann BY v AT @2019-03-16T23:00 => [1 [[1 1 1]]]
           LB.VOTE mon 1 ann BY v AT @2019-03-17 => [0 "weekly" 86400000]
           LB.VOTE mon 1 ann BY v AT @2019-03-18 => [1 [[2 1 1]]]"#,
    );
}

#[test]
fn months_and_years_are_those_of_the_calendar() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT monthly voter 1 month LIMIT yearly voter 3 year
           LB.VOTE poll 1 ann BY v AT @2019-02-10 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-02-28T23:59 => [0 "monthly" 60000]
           LB.VOTE poll 1 ann BY v AT @2019-03-01 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-03-01 => [0 "monthly" 2678400000]
           LB.VOTE poll 1 ann BY v AT @2019-05-31 => [1 [[3 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-12-31 => [0 "yearly" 86400000]
           LB.VOTE poll 1 ann BY v AT @2020-01-01 => [1 [[4 1 1]]]
           LB.QUOTA poll BY v AT @2020-02-01 => [["monthly" 0 1 2505600000] ["yearly" 1 3 28944000000]]"#,
    );
}

#[test]
fn a_change_of_clocks_makes_days_shorter_and_longer() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT TZ America/New_York LIMIT daily voter 1 day
           LB.VOTE poll 1 ann BY v AT @2019-03-10T05:00 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-03-10T05:00 => [0 "daily" 82800000]
           LB.VOTE poll 1 ann BY v AT @2019-03-11T04:00 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-11-03T04:00 => [1 [[3 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-11-03T04:00 => [0 "daily" 90000000]
           LB.CREATE hours CLOCK EVENT TZ America/New_York LIMIT hourly voter 1 hour
           LB.VOTE hours 1 ann BY v AT @2019-11-03T05:30 => [1 [[1 1 1]]]
           LB.VOTE hours 1 ann BY v AT @2019-11-03T05:31 => [0 "hourly" 1740000]
           LB.VOTE hours 1 ann BY v AT @2019-11-03T06:00 => [1 [[2 1 1]]]
           LB.VOTE hours 1 ann BY v AT @2019-11-03T06:59:59 => [0 "hourly" 1000]"#,
    );
}

#[test]
fn hours_of_a_zone_between_hours_begin_with_it() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT TZ +05:45 LIMIT hourly voter 1 HOUR
           LB.VOTE poll 1 ann BY v AT @2019-03-18T10:14 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT @2019-03-18T10:14:59 => [0 "hourly" 1000]
           LB.VOTE poll 1 ann BY v AT @2019-03-18T10:15 => [1 [[2 1 1]]]"#,
    );
}
