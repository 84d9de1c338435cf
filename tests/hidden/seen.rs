//! Tests of what other members see of a board with hidden members, and what the hidden members see themselves.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use super::{FIVE, on_five, plays};

#[test]
fn members_are_hidden_and_shown() {
    on_five(
        r#"LB.HIDE board bob => 0
           LB.HIDE board bob eve bob eve => 1
           LB.HIDDEN board => ["bob" "dan" "eve"]
           LB.UNHIDE board eve zoe eve => 1
           LB.UNHIDE board eve => 0
           LB.HIDDEN board => ["bob" "dan"]
           LB.HIDE board \xff \x00 ann => 3
           LB.HIDDEN board => ["\x00" "ann" "bob" "dan" "\xff"]
           LB.UNHIDE board ann bob dan \x00 \xff => 5
           LB.HIDDEN board => []
           LB.TOP board 9 => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.HIDDEN absent => []
           LB.HIDE absent ann => 0
           LB.UNHIDE absent ann => 0
           EXISTS absent => 0"#,
    );
}

#[test]
fn others_do_not_see_them() {
    on_five(
        r#"LB.TOP board 9 => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.TOP board 1 OFFSET 1 WITHMETA => [[2 "cat" 40 nil]]
           LB.TOP board 9 RANKS COMPETITION => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.TOP board 9 RANKS DENSE REV => [[1 "eve" 20] [2 "cat" 40] [3 "ann" 50]]
           LB.RANGE board 2 3 => [[2 "cat" 40] [3 "eve" 20]]
           LB.RANGE board -2 -2 => [[2 "cat" 40]]
           LB.RANGE board 4 9 => []
           LB.RANGEBYSCORE board 20 40 => [[2 "cat" 40] [3 "eve" 20]]
           LB.RANGEBYSCORE board 30 30 => []
           LB.RANGEBYSCORE board -inf +inf OFFSET 1 COUNT 1 REV => [[2 "cat" 40]]
           LB.COUNT board => 3
           LB.COUNT board 30 40 => 1
           LB.RANK board cat => 2
           LB.RANK board eve => 3
           LB.RANK board eve REV => 1
           LB.RANK board cat RANKS COMPETITION => 2
           LB.AROUND board cat 1 => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.AROUND board eve 1 FILL => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.AMONG board MEMBERS 4 dan cat bob eve => [[1 "cat" 40 2] [2 "eve" 20 3]]
           LB.AMONG board MEMBERS 2 bob dan WITHMETA => []
           LB.QUANTILE board 0 0.5 1 => [20 40 50]
           LB.HISTOGRAM board 20 50 3 => [[20 30 1] [30 40 0] [40 50 2]]
           LB.PERIODS board all => [["all" nil nil 3]]"#,
    );
}

#[test]
fn they_see_where_they_would_be() {
    on_five(
        r#"LB.RANK board bob => 2
           LB.RANK board dan => 3
           LB.RANK board bob RANKS COMPETITION => 2
           LB.RANK board bob RANKS DENSE => 2
           LB.RANK board dan RANKS DENSE => 3
           LB.RANK board bob REV => 3
           LB.RANK board dan REV => 2
           LB.RANK board bob REV RANKS COMPETITION => 2
           LB.SCORE board bob => 40
           LB.MSCORE board MEMBERS 5 ann bob cat dan eve => [[1 50] [2 40] [2 40] [3 30] [3 20]]
           LB.MSCORE board MEMBERS 1 bob WITHMETA => [[2 40 "text"]]
           LB.GETMETA board bob => "text"
           LB.AROUND board bob 1 => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40]]
           LB.AROUND board dan 1 => [[2 "cat" 40] [3 "dan" 30] [3 "eve" 20]]
           LB.AROUND board dan 9 WITHMETA => [[1 "ann" 50 nil] [2 "cat" 40 nil] [3 "dan" 30 nil] [3 "eve" 20 nil]]
           LB.AROUND board bob ABOVE 0 BELOW 2 => [[2 "bob" 40] [2 "cat" 40] [3 "eve" 20]]
           LB.AROUND board bob 0 => [[2 "bob" 40]]
           LB.AROUND board dan BELOW 3 FILL => [[1 "ann" 50] [2 "cat" 40] [3 "dan" 30] [3 "eve" 20]]
           LB.AROUND board dan 1 REV => [[1 "eve" 20] [2 "dan" 30] [2 "cat" 40]]
           LB.AROUND board bob 1 RANKS DENSE => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40]]"#,
    );
}

#[test]
fn replies_to_writes_are_seen_with_the_same_eyes() {
    on_five(
        r#"LB.ADD board 5 bob WITHCHANGE => [45 2 1 40 2]
           LB.ADD board 10 bob => [55 1 1]
           LB.ADD board 0 ann => [50 1 1]
           LB.ADD board 0 eve WITHCHANGE => [20 3 1 20 3]
           LB.MADD board 1 dan 1 eve 0 cat => [[31 3 1] [21 3 1] [40 2 1]]
           LB.SET board 60 dan WITHCHANGE => [60 1 1 31 3]
           LB.MSET board 41 dan 41 eve => [[41 2 1] [41 2 1]]
           LB.TOP board 9 => [[1 "ann" 50] [2 "eve" 41] [3 "cat" 40]]
           LB.UNHIDE board bob dan => 2
           LB.TOP board 9 => [[1 "bob" 55] [2 "ann" 50] [3 "dan" 41] [4 "eve" 41] [5 "cat" 40]]"#,
    );
}

#[test]
fn a_standing_counts_the_member_itself() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        &format!(
            r#"{FIVE}
               LB.STANDING board bob => ["rank" 2 "score" 40 "members" 4 "percentile" "75.00" "ahead" ["ann" 50 10] "behind" ["cat" 40 0] "previous" nil "change" nil "at" 1]
               LB.STANDING board cat => ["rank" 2 "score" 40 "members" 3 "percentile" "66.67" "ahead" ["ann" 50 10] "behind" ["eve" 20 20] "previous" nil "change" nil "at" 1]
               LB.STANDING board dan REV WITHMETA => ["rank" 2 "score" 30 "members" 4 "percentile" "75.00" "ahead" ["eve" 20 10] "behind" ["cat" 40 10] "previous" nil "change" nil "at" 1 "meta" nil]
               LB.MSTANDING board MEMBERS 2 bob zoe RANKS COMPETITION => [["rank" 2 "score" 40 "members" 4 "percentile" "75.00" "ahead" ["ann" 50 10] "behind" ["cat" 40 0] "previous" nil "change" nil "at" 1] nil]
               LB.STATS board => ["members" 3 "sum" 110 "mean" "36.666667" "min" 20 "max" 50 "median" 40]"#
        ),
    );
}

#[test]
fn a_member_may_be_hidden_before_it_comes() {
    plays(
        r#"LB.ADD board 5 ann
           LB.HIDE board ghost => 1
           LB.RANK board ghost => nil
           LB.AROUND board ghost 5 => []
           LB.STANDING board ghost => nil
           LB.COUNT board => 1
           LB.ADD board 99 ghost META text => [99 1 1]
           LB.TOP board 9 => [[1 "ann" 5]]
           LB.RANK board ann => 1
           LB.RANK board ghost => 1
           LB.UNHIDE board ghost => 1
           LB.TOP board 9 WITHMETA => [[1 "ghost" 99 "text"] [2 "ann" 5 nil]]"#,
    );
}

#[test]
fn a_removed_member_is_hidden_no_more() {
    on_five(
        r#"LB.REM board bob => 1
           LB.HIDDEN board => ["dan"]
           LB.ADD board 60 bob => [60 1 1]
           LB.TOP board 1 => [[1 "bob" 60]]
           LB.HIDE board ghost => 1
           LB.REM board ghost
           LB.HIDDEN board => ["dan"]
           LB.ADD board 70 ghost => [70 1 1]
           LB.TOP board 1 => [[1 "ghost" 70]]
           LB.REMRANGE board 1 -1 => 5
           LB.HIDDEN board => ["dan"]
           LB.SCORE board dan => 30
           LB.RANK board dan => 1
           LB.REMRANGEBYSCORE board -inf +inf => 0
           LB.SCORE board dan => 30
           LB.UNHIDE board dan => 1
           LB.TOP board 9 => [[1 "dan" 30]]"#,
    );
}

#[test]
fn removing_by_rank_and_score_passes_them_over() {
    on_five(
        r#"LB.REMRANGE board 2 2 => 1
           LB.TOP board 9 => [[1 "ann" 50] [2 "eve" 20]]
           LB.REMRANGEBYSCORE board 30 50 => 1
           LB.TOP board 9 => [[1 "eve" 20]]
           LB.MSCORE board MEMBERS 2 bob dan => [[1 40] [1 30]]
           LB.UNHIDE board bob dan => 2
           LB.TOP board 9 => [[1 "bob" 40] [2 "dan" 30] [3 "eve" 20]]"#,
    );
}

#[test]
fn a_board_of_hidden_members_looks_empty() {
    plays(
        r#"LB.MADD board AT 1 5 ann 4 bob
           LB.HIDE board ann bob => 2
           LB.TOP board 9 => []
           LB.RANGE board 1 -1 => []
           LB.RANGE board -1 -1 REV => []
           LB.COUNT board => 0
           LB.RANGEBYSCORE board -inf +inf => []
           LB.QUANTILE board 0.5 => [nil]
           LB.HISTOGRAM board 0 10 1 => [[0 10 0]]
           LB.MSCORE board MEMBERS 2 ann bob => [[1 5] [1 4]]
           LB.AROUND board bob 5 => [[1 "bob" 4]]
           LB.AMONG board MEMBERS 2 ann bob => []"#,
    );
}
