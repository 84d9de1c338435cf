//! Tests of the exact replies in both protocols, and of keys of other types.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use super::placed;

const SETUP: &str = "LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 10s CLOCK EVENT REWARD 1
    LB.LEAGUE.ADD league 5 ann AT 15000 ID one
    LB.LEAGUE.JOIN league bob META text AT 15000";

#[test]
fn maps_are_flat_in_the_old_protocol() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        play(
            &mut con,
            &placed(
                r#"LB.LEAGUE.STANDING league ann => [place(a 1 1 2) "score" 5 "zone" "promote"]
                   LB.LEAGUE.TOP league ann => [[1 "ann" 5 nil] [2 "bob" 0 "text"]]
                   LB.LEAGUE.ADD league 5 ann AT 15000 ID one => [5 1 0]
                   LB.LEAGUE.JOIN league ann AT 25000 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "10000" place(a 1 1 2) "score" 5 "outcome" "promoted" "reward" 1]]
                   LB.LEAGUE.JOIN league new AT 5 => [place(nil) "joined" 0 "waiting" 0 "last" nil]
                   LB.LEAGUE.ADD league 5 new AT 5 => [nil nil 0]
                   LB.LEAGUE.REM league ann new => 1
                   LB.LEAGUE.STANDING league ann => nil
                   LB.LEAGUE.INFO absent => nil"#,
            ),
        );
    }
}

#[test]
fn maps_are_maps_in_the_new_one() {
    // Modules cannot return maps on Redis 6.2.
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection_resp3();
        play(&mut con, SETUP);
        play(
            &mut con,
            r#"LB.LEAGUE.STANDING league ann => {"tier": "a", "group": 1, "rank": 1, "members": 2, "score": 5, "zone": "promote"}
               LB.LEAGUE.TOP league ann => [[1 "ann" 5 nil] [2 "bob" 0 "text"]]
               LB.LEAGUE.GROUP league a 1 COUNT 1 => [[1 "ann" 5 nil]]
               LB.LEAGUE.ADD league 5 ann AT 15000 ID one => [5 1 0]
               LB.LEAGUE.JOIN league ann AT 25000 => {"tier": "b", "group": 1, "rank": 1, "members": 1, "joined": 1, "waiting": 0, "last": {"period": "10000", "tier": "a", "group": 1, "rank": 1, "members": 2, "score": 5, "outcome": "promoted", "reward": 1}}
               LB.LEAGUE.JOIN league new AT 5 => {"tier": nil, "group": nil, "rank": nil, "members": nil, "joined": 0, "waiting": 0, "last": nil}
               LB.LEAGUE.ADD league 5 new AT 5 => [nil nil 0]
               LB.LEAGUE.STANDING league new => nil
               LB.LEAGUE.INFO absent => nil"#,
        );
    }
}

#[test]
fn info_has_its_fields_in_their_order() {
    let server = Server::start(Flavor::Redis70);
    let fields = |reply: &str, between: &str| -> String {
        let names = "tiers promote demote cycle joinuntil tz weekstart clock period group reward idle retain \
                     decimals origin dedup start end known requests now memory prizedays members groups prizes";
        let mut at = 0;
        for name in names.split_whitespace() {
            let name = format!("\"{name}\"{between}");
            at += reply[at..].find(&name).unwrap_or_else(|| panic!("{name} in {reply}"));
        }
        reply[at..].to_owned()
    };
    let mut con = server.connection();
    play(&mut con, SETUP);
    let reply = leaderboard_testkit::session::say(&mut con, "LB.LEAGUE.INFO league");
    assert_eq!(fields(&reply, " "), r#""prizes" []]"#);
    let reply = leaderboard_testkit::session::say(&mut server.connection_resp3(), "LB.LEAGUE.INFO league");
    assert_eq!(fields(&reply, ": "), r#""prizes": []}"#);
}

const WRONG: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";

#[test]
fn keys_of_other_types_are_refused() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        play(&mut con, "SET text value\nLB.ADD board 5 ann\nZADD zset 1 ann");
        for key in ["text", "board", "zset"] {
            for line in [
                "CREATE KEY TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
                "JOIN KEY ann",
                "ADD KEY 5 ann",
                "REM KEY ann",
                "TIER KEY ann a",
                "SETMETA KEY ann x",
                "TOP KEY ann",
                "GROUP KEY a 1",
                "STANDING KEY ann",
                "INFO KEY",
                "ALTER KEY GROUP 5",
                "RESTORE KEY x",
            ] {
                play(&mut con, &format!("LB.LEAGUE.{} => {WRONG}", line.replace("KEY", key)));
            }
        }
        for line in [
            "LB.CREATE league",
            "LB.ADD league 5 ann",
            "LB.MADD league 5 ann",
            "LB.VOTE league 5 ann",
            "LB.REM league ann",
            "LB.SETMETA league ann x",
            "LB.ALTER league DEDUP 5",
            "LB.TOP league 5",
            "LB.STANDING league ann",
            "LB.COUNT league",
            "LB.INFO league",
            "LB.RESTORE league x",
            "GET league",
            "ZADD league 1 ann",
        ] {
            play(&mut con, &format!("{line} => {WRONG}"));
        }
        play(&mut con, "GET text => \"value\"\nLB.SCORE board ann => 5\nTYPE league => lb-league");
    }
}
