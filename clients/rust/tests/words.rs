//! Tests that the words of requests are in the order of the grammar.

use leaderboard_client::{
    Ranks, Request, add, alter, beside, counters, create, inter, leagues, madd, mvote, option, quantile,
    range, rem, set, top, vote,
};

#[track_caller]
fn is<R>(request: &Request<R>, words: &str) {
    assert_eq!(request.to_string(), words);
    let packed = request.cmd().get_packed_command();
    assert_eq!(redis::Cmd::from(request.clone()).get_packed_command(), packed);
}

#[test]
fn options_follow_fixed_arguments() {
    is(&add("game", "5", "ann").id("one").at(7), "LB.ADD game 5 ann ID one AT 7");
    is(&set("game", 5, "ann").nx().meta("x"), "LB.SET game 5 ann NX META x");
    let read = top("game", 3).view("day:7").period("-1").ranks(Ranks::Dense).rev().real().with_meta();
    is(&read, "LB.TOP game 3 VIEW day:7 PERIOD -1 RANKS DENSE REV REAL WITHMETA");
    is(&beside("game", "ann").above(0).below(5).fill(), "LB.AROUND game ann ABOVE 0 BELOW 5 FILL");
    is(&range("game", -3, -1).option("VIEW", "day").flag("REV"), "LB.RANGE game -3 -1 VIEW day REV");
    is(&quantile("game", ["0", "0.5"]).view("day"), "LB.QUANTILE game 0 0.5 VIEW day");
}

#[test]
fn lists_follow_options_in_whatever_order_they_are_named() {
    is(&madd("game", [(5, "ann"), (6, "bob")]).id("one"), "LB.MADD game ID one 5 ann 6 bob");
    let votes = mvote("poll", [("1", "ann")]).by("v").tag("ip", b"\0x").at(5);
    is(&votes, r#"LB.MVOTE poll BY v TAG ip "\x00x" AT 5 1 ann"#);
    is(&counters::mget(60, ["a", "b"]).from(5).fill(), "LB.COUNTER.MGET 60 FROM 5 FILL KEYS 2 a b");
    is(&rem("game", ["ann", "bob"]), "LB.REM game ann bob");
    is(&inter("to", ["a", "b"]).weights(["1", "0.5"]), "LB.INTER to 2 a b WEIGHTS 1 0.5");
    is(&leaderboard_client::mscore("game", ["ann"]).view("day"), "LB.MSCORE game MEMBERS 1 ann VIEW day");
}

#[test]
fn rules_are_options() {
    let board = create("poll").views("all,day").shown().limit(&["daily", "voter", "8", "day"]).opens(5);
    is(&board, "LB.CREATE poll VIEWS all,day SHOWN LIMIT daily voter 8 day OPENS 5");
    is(&create("game").part_of(3, 64), "LB.CREATE game PART 3 OF 64");
    is(&add("game", 5, "ann").parts(64), "LB.ADD game 5 ann PARTS 64");
    is(&alter("poll").unlimit("daily").keep(7), "LB.ALTER poll UNLIMIT daily KEEP 7");
    is(&option("poll", "ann").weight(2).initial(9), "LB.OPTION poll ann WEIGHT 2 INITIAL 9");
    let league = leagues::create("words").tiers("a,b").promote("1,0").demote("0,1").cycle("week").group(9);
    is(&league, "LB.LEAGUE.CREATE words TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE week GROUP 9");
}

#[test]
fn words_that_need_quotes_have_them() {
    let words = ["a b", "", "it's", "\"", "back\\slash", "\u{e4}", "new\nline"];
    let due = r#"LB.REM game "a b" "" "it\'s" "\"" "back\\slash" "\xc3\xa4" "new\nline""#;
    is(&rem("game", words), due);
}

#[test]
fn a_request_goes_out_word_for_word() {
    let request = madd("game", [(5, "a b"), (6, "bob")]).id(b"\0").at(7);
    let packed = b"*10\r\n$7\r\nLB.MADD\r\n$4\r\ngame\r\n$2\r\nID\r\n$1\r\n\0\r\n$2\r\nAT\r\n$1\r\n7\r\n$1\r\n5\r\n$3\r\na b\r\n\
                   $1\r\n6\r\n$3\r\nbob\r\n";
    assert_eq!(
        request.cmd().get_packed_command().escape_ascii().to_string(),
        packed.escape_ascii().to_string()
    );
}

#[test]
fn a_request_names_its_key() {
    assert_eq!(vote(b"\xff", 1, "ann").by("v").key(), Some(&b"\xff"[..]));
    assert_eq!(counters::mget(60, ["first", "second"]).fill().key(), Some(&b"first"[..]));
    assert_eq!(counters::mget(60, [""; 0]).key(), None);
    assert_eq!(Request::<()>::new("PING").key(), None);
}
