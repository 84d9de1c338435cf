//! Tests of commands with a counted list of members: `LB.AMONG`, `LB.MSCORE`, `LB.MSTANDING`, `LB.MGETMETA`.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};

use super::plays;

const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board cat text";

fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}

#[test]
fn places_are_counted_among_those_who_are_named() {
    on_five(
        r#"LB.AMONG board MEMBERS 3 eve cat ann => [[1 "ann" 50 1] [2 "cat" 40 3] [3 "eve" 20 5]]
           LB.AMONG board MEMBERS 5 eve dan cat bob ann => [[1 "ann" 50 1] [2 "bob" 40 2] [3 "cat" 40 3] [4 "dan" 30 4] [5 "eve" 20 5]]
           LB.AMONG board MEMBERS 1 dan => [[1 "dan" 30 4]]
           LB.AMONG board MEMBERS 4 bob bob zoe cat => [[1 "bob" 40 2] [2 "cat" 40 3]]
           LB.AMONG board MEMBERS 3 zoe zoe yin => []
           LB.AMONG board MEMBERS 2 cat ann WITHMETA => [[1 "ann" 50 1 nil] [2 "cat" 40 3 "text"]]
           LB.AMONG absent MEMBERS 2 ann bob => []
           LB.AMONG absent MEMBERS 1 ann WITHMETA VIEW all RANKS DENSE REV => []
           EXISTS absent => 0"#,
    );
}

#[test]
fn places_and_ranks_are_counted_in_three_ways() {
    on_five(
        r#"LB.AMONG board MEMBERS 4 eve dan cat bob RANKS ORDINAL => [[1 "bob" 40 2] [2 "cat" 40 3] [3 "dan" 30 4] [4 "eve" 20 5]]
           LB.AMONG board MEMBERS 4 eve dan cat bob RANKS COMPETITION => [[1 "bob" 40 2] [1 "cat" 40 2] [3 "dan" 30 4] [4 "eve" 20 5]]
           LB.AMONG board MEMBERS 4 eve dan cat bob RANKS DENSE => [[1 "bob" 40 2] [1 "cat" 40 2] [2 "dan" 30 3] [3 "eve" 20 4]]
           LB.AMONG board RANKS COMPETITION MEMBERS 2 dan cat VIEW all WITHMETA => [[1 "cat" 40 2 "text"] [2 "dan" 30 4 nil]]"#,
    );
}

#[test]
fn options_stand_before_and_behind_the_list() {
    on_five(
        r#"LB.MSCORE board MEMBERS 2 cat dan RANKS DENSE VIEW all => [[2 40] [3 30]]
           LB.MSCORE board RANKS DENSE MEMBERS 2 cat dan VIEW all => [[2 40] [3 30]]
           LB.MSCORE board VIEW all RANKS DENSE MEMBERS 2 cat dan => [[2 40] [3 30]]
           lb.mscore board view all members 2 cat dan ranks dense => [[2 40] [3 30]]
           LB.MSCORE board MEMBERS 3 cat zoe ann WITHMETA => [[3 40 "text"] nil [1 50 nil]]
           LB.MSCORE board WITHMETA MEMBERS 2 cat cat => [[3 40 "text"] [3 40 "text"]]
           LB.MGETMETA board MEMBERS 4 ann cat zoe cat => [nil "text" nil "text"]
           LB.MGETMETA absent MEMBERS 2 ann cat => [nil nil]
           EXISTS absent => 0"#,
    );
}

#[test]
fn members_may_have_any_name_and_be_many() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        r#"LB.MADD board AT 1 5 MEMBERS 4 VIEW 3 3 2 \x00\xff
           LB.SETMETA board VIEW \x00\xff
           LB.AMONG board MEMBERS 4 3 \x00\xff VIEW MEMBERS => [[1 "MEMBERS" 5 1] [2 "VIEW" 4 2] [3 "3" 3 3] [4 "\x00\xff" 2 4]]
           LB.MGETMETA board MEMBERS 2 MEMBERS VIEW => [nil "\x00\xff"]
           LB.MSTANDING board MEMBERS 1 MEMBERS RANKS => ERR option RANKS needs a value"#,
    );
    let members: Vec<String> = (0..20_000).map(|n| format!("m{n}")).collect();
    let pairs = members.iter().enumerate().flat_map(|(n, member)| [(n % 100).to_string(), member.clone()]);
    let command: Vec<String> =
        ["LB.MADD", "many", "AT", "1"].map(str::to_owned).into_iter().chain(pairs).collect();
    query::<Vec<(u64, u64, u64)>, _>(&mut con, &command);
    let top: Vec<(u64, String, u64)> = query(&mut con, &["LB.TOP", "many", "30000"]);
    let command: Vec<String> =
        ["LB.AMONG", "many", "MEMBERS", "20000"].map(str::to_owned).into_iter().chain(members).collect();
    let among: Vec<(u64, String, u64, u64)> = query(&mut con, &command);
    let expected: Vec<_> = top.into_iter().map(|(rank, member, score)| (rank, member, score, rank)).collect();
    assert!(among == expected, "LB.AMONG of all members is not LB.TOP");
}

#[test]
fn a_standing_shows_the_meta_where_it_is_wanted() {
    const CAT: &str = r#"{"rank": 3, "score": 40, "members": 5, "percentile": "60.00", "ahead": ["bob" 40 0], "behind": ["dan" 30 10], "previous": nil, "change": nil, "at": 1, "meta": "text"}"#;
    const EVE: &str = r#"{"rank": 5, "score": 20, "members": 5, "percentile": "20.00", "ahead": ["dan" 30 10], "behind": nil, "previous": nil, "change": nil, "at": 1, "meta": nil}"#;
    let flat =
        |map: &str| map.replace("\": ", "\" ").replace(", \"", " \"").replace('{', "[").replace('}', "]");
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        play(&mut server.connection(), FIVE);
        let maps = flavor != Flavor::Redis62;
        for (mut con, maps) in [(server.connection(), false), (server.connection_resp3(), maps)] {
            let shape = |map: &str| if maps { map.to_owned() } else { flat(map) };
            assert_eq!(say(&mut con, "LB.STANDING board cat WITHMETA"), shape(CAT), "{flavor:?}");
            let several = format!("[{} nil {}]", shape(EVE), shape(CAT));
            assert_eq!(say(&mut con, "LB.MSTANDING board MEMBERS 3 eve zoe cat WITHMETA"), several);
            assert_eq!(say(&mut con, "LB.MSTANDING board WITHMETA MEMBERS 3 eve zoe cat"), several);
            assert_eq!(say(&mut con, "LB.STANDING absent cat WITHMETA"), "nil");
        }
    }
}

#[test]
fn friends_are_compared_in_any_view_and_period() {
    plays(
        r#"LB.CREATE board VIEWS all,10s,10s:2 CLOCK EVENT
           LB.MADD board AT 5000 9 ann 8 bob 7 cat 6 dan
           LB.MADD board AT 15000 3 ann 5 bob 4 dan
           LB.AMONG board MEMBERS 3 dan cat ann => [[1 "ann" 12 2] [2 "dan" 10 3] [3 "cat" 7 4]]
           LB.AMONG board MEMBERS 3 dan cat ann VIEW 10s => [[1 "dan" 4 2] [2 "ann" 3 3]]
           LB.AMONG board MEMBERS 3 dan cat ann VIEW 10s PERIOD -1 => [[1 "ann" 9 1] [2 "cat" 7 3] [3 "dan" 6 4]]
           LB.AMONG board VIEW 10s MEMBERS 2 cat dan AT 5000 REV => [[1 "dan" 6 1] [2 "cat" 7 2]]
           LB.AMONG board MEMBERS 2 dan bob VIEW 10s:2 => [[1 "bob" 13 1] [2 "dan" 10 3]]
           LB.AMONG board MEMBERS 2 dan bob VIEW 10s PERIOD -2 => []"#,
    );
}
