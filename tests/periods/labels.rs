//! Tests of the names of periods, in zones of all kinds.

use super::plays;

#[test]
fn an_hour_that_clocks_show_twice_is_two() {
    plays(
        r#"LB.CREATE board VIEWS hour,day,day:2,hour:2 CLOCK EVENT TZ America/New_York RETAIN 9
           LB.ADD board 1 ann AT @2013-11-03T03:59:59.999
           LB.ADD board 2 ann AT @2013-11-03T05:00
           LB.ADD board 4 ann AT @2013-11-03T06:00
           LB.ADD board 8 ann AT @2013-11-03T07:00
           LB.ADD board 16 ann AT @2013-11-04T05:00
           LB.PERIODS board day => [["2013-11-04" @2013-11-04T05:00 @2013-11-05T05:00 1] ["2013-11-03" @2013-11-03T04:00 @2013-11-04T05:00 1] ["2013-11-02" @2013-11-02T04:00 @2013-11-03T04:00 1]]
           LB.SCORE board ann VIEW hour PERIOD 2013-11-02T23 => nil
           LB.SCORE board ann VIEW day PERIOD 2013-11-03 => 14
           LB.SCORE board ann VIEW day PERIOD -2 => 1
           LB.SCORE board ann VIEW day:2 => 30
           LB.SCORE board ann VIEW day:2 PERIOD -1 => 15"#,
    );
    plays(
        r#"LB.CREATE board VIEWS hour,hour:2 CLOCK EVENT TZ america/new_york RETAIN 9
           LB.ADD board 1 ann AT @2013-11-03T04:00
           LB.ADD board 2 ann AT @2013-11-03T05:59:59.999
           LB.ADD board 4 ann AT @2013-11-03T06:00
           LB.ADD board 8 ann AT @2013-11-03T07:00
           LB.PERIODS board hour => [["2013-11-03T02" @2013-11-03T07:00 @2013-11-03T08:00 1] ["2013-11-03T01-0500" @2013-11-03T06:00 @2013-11-03T07:00 1] ["2013-11-03T01-0400" @2013-11-03T05:00 @2013-11-03T06:00 1] ["2013-11-03T00" @2013-11-03T04:00 @2013-11-03T05:00 1]]
           LB.SCORE board ann PERIOD 2013-11-03T01-0400 => 2
           LB.SCORE board ann PERIOD 2013-11-03T01-0500 => 4
           LB.SCORE board ann PERIOD 2013-11-03T01 => 2
           LB.SCORE board ann PERIOD 2013-11-03T01-0600 => nil
           LB.SCORE board ann PERIOD 2013-11-03T02 => 8
           LB.SCORE board ann PERIOD 2013-11-03T02-0500 => 8
           LB.SCORE board ann PERIOD -1 => 4
           LB.SCORE board ann PERIOD -2 => 2
           LB.SCORE board ann AT @2013-11-03T05:30 => 2
           LB.SCORE board ann VIEW hour:2 PERIOD 2013-11-03T01-0500 => 6
           LB.SCORE board ann VIEW hour:2 PERIOD 2013-11-03T01-0400 => 3
           LB.SCORE board ann VIEW hour:2 => 12"#,
    );
}

#[test]
fn an_hour_that_clocks_leave_out_is_none() {
    plays(
        r#"LB.CREATE board VIEWS hour,day CLOCK EVENT TZ America/New_York RETAIN 2
           LB.ADD board 1 ann AT @2013-03-10T06:59:59.999
           LB.ADD board 2 ann AT @2013-03-10T07:00
           LB.PERIODS board hour => [["2013-03-10T03" @2013-03-10T07:00 @2013-03-10T08:00 1] ["2013-03-10T01" @2013-03-10T06:00 @2013-03-10T07:00 1]]
           LB.SCORE board ann PERIOD 2013-03-10T02 => nil
           LB.SCORE board ann PERIOD 2013-03-10T01 => 1
           LB.PERIODS board day => [["2013-03-10" @2013-03-10T05:00 @2013-03-11T04:00 1]]"#,
    );
}

#[test]
fn days_and_hours_are_those_of_the_zone() {
    plays(
        r#"LB.CREATE nepal VIEWS day,hour CLOCK EVENT TZ Asia/Kathmandu
           LB.ADD nepal 1 ann AT @2019-03-17T18:14:59.999
           LB.ADD nepal 2 ann AT @2019-03-17T18:15
           LB.PERIODS nepal day => [["2019-03-18" @2019-03-17T18:15 @2019-03-18T18:15 1] ["2019-03-17" @2019-03-16T18:15 @2019-03-17T18:15 1]]
           LB.PERIODS nepal hour => [["2019-03-18T00" @2019-03-17T18:15 @2019-03-17T19:15 1] ["2019-03-17T23" @2019-03-17T17:15 @2019-03-17T18:15 1]]
           LB.CREATE east VIEWS day,month CLOCK EVENT TZ +08:00
           LB.ADD east 1 ann AT @2019-02-28T15:59:59.999
           LB.ADD east 2 ann AT @2019-02-28T16:00
           LB.PERIODS east day => [["2019-03-01" @2019-02-28T16:00 @2019-03-01T16:00 1] ["2019-02-28" @2019-02-27T16:00 @2019-02-28T16:00 1]]
           LB.PERIODS east month => [["2019-03" @2019-02-28T16:00 @2019-03-31T16:00 1] ["2019-02" @2019-01-31T16:00 @2019-02-28T16:00 1]]
           LB.CREATE west VIEWS year CLOCK EVENT TZ -03:30
           LB.ADD west 1 ann AT 0
           LB.PERIODS west year => [["1969" @1969-01-01T03:30 @1970-01-01T03:30 1]]
           LB.SCORE west ann PERIOD 1969 => 1
           LB.SCORE west ann AT 0 => 1"#,
    );
}

#[test]
fn weeks_have_the_year_and_number_of_their_fourth_day() {
    plays(
        r#"LB.CREATE sun VIEWS week CLOCK EVENT WEEKSTART sun RETAIN 1
           LB.ADD sun 1 ann AT @2018-12-29
           LB.ADD sun 2 ann AT @2018-12-30
           LB.PERIODS sun week => [["2019-W01" @2018-12-30 @2019-01-06 1] ["2018-W52" @2018-12-23 @2018-12-30 1]]
           LB.SCORE sun ann PERIOD 2018-W52 => 1
           LB.SCORE sun ann PERIOD 2019-W01 => 2
           LB.SCORE sun ann PERIOD 2018-W53 => ERR PERIOD '2018-W53' is not the name of a period here
           LB.CREATE mon VIEWS week CLOCK EVENT
           LB.ADD mon 1 ann AT @2018-12-30
           LB.ADD mon 2 ann AT @2018-12-31
           LB.PERIODS mon week => [["2019-W01" @2018-12-31 @2019-01-07 1] ["2018-W52" @2018-12-24 @2018-12-31 1]]
           LB.CREATE long VIEWS week CLOCK EVENT
           LB.ADD long 1 ann AT @2021-01-03T23:00
           LB.PERIODS long week => [["2020-W53" @2020-12-28 @2021-01-04 1]]
           LB.SCORE long ann PERIOD 2020-W53 => 1
           LB.CREATE sat VIEWS week CLOCK EVENT WEEKSTART SAT
           LB.ADD sat 1 ann AT @2019-03-17
           LB.PERIODS sat week => [["2019-W12" @2019-03-16 @2019-03-23 1]]"#,
    );
}

#[test]
fn a_period_yet_to_come_reads_as_empty_and_has_no_number() {
    plays(
        "LB.CREATE board VIEWS 10s,all CLOCK EVENT RETAIN 3
         LB.ADD board 5 ann AT 15000
         LB.TOP board 9 PERIOD 20000 => []
         LB.TOP board 9 AT 25000 => []
         LB.RANGE board 1 -1 PERIOD 20000 => []
         LB.RANGEBYSCORE board -inf +inf PERIOD 20000 => []
         LB.AROUND board ann 1 PERIOD 20000 => []
         LB.AMONG board MEMBERS 1 ann PERIOD 20000 => []
         LB.RANK board ann PERIOD 20000 => nil
         LB.SCORE board ann PERIOD 20000 => nil
         LB.MSCORE board MEMBERS 1 ann PERIOD 20000 => [nil]
         LB.STANDING board ann PERIOD 20000 => nil
         LB.MSTANDING board MEMBERS 1 ann PERIOD 20000 => [nil]
         LB.COUNT board PERIOD 20000 => 0
         LB.QUANTILE board 0.5 PERIOD 20000 => [nil]
         LB.HISTOGRAM board 0 10 1 PERIOD 20000 => [[0 10 0]]
         LB.VOTERS board PERIOD 20000 => 0
         LB.EXPORT dest board PERIOD 20000 => 0
         LB.UNION dest 1 board PERIOD 20000 => 0
         LB.TOP board 9 PERIOD 1 => []
         LB.RANK board ann PERIOD 2 => nil
         LB.STANDING board ann PERIOD 1 => nil
         LB.COUNT board PERIOD 999 => 0
         LB.VOTERS board PERIOD 1 => 0
         LB.UNION dest 1 board PERIOD 1 => 0
         LB.TOP board 9 PERIOD 1000 => ERR PERIOD '1000' is not the name of a period here
         LB.TOP board 9 PERIOD +1 => ERR PERIOD '+1' is not the name of a period here",
    );
}
