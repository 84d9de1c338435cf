//! Writes to parts: members of other parts, and the number of parts that a write may name.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::slots::{members_of, part_of};
use leaderboard_testkit::{Flavor, Server};

/// Commands that write members; the last word is the member.
const ONE: [&str; 10] = [
    "LB.ADD part 1",
    "LB.MADD part 1",
    "LB.ROLLADD part 1",
    "LB.SET part 1",
    "LB.MSET part 1",
    "LB.VOTE part 1",
    "LB.MVOTE part 1",
    "LB.HIDE part",
    "LB.UNHIDE part",
    "LB.REM part",
];

#[test]
fn a_part_refuses_members_of_others() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let own = members_of(5, 32, 1).remove(0);
    let strangers = members_of(17, 32, 2);
    let stranger = &strangers[0];
    play(&mut con, &format!("LB.CREATE part VIEWS all,day:7 PART 5 OF 32\nLB.ADD part 3 {own} => [3 1 1]"));
    let wrong = "ERR member belongs to part 17";
    for command in ONE {
        assert_eq!(say(&mut con, &format!("{command} {stranger}")), wrong, "{command}");
    }
    for line in [
        format!("LB.SETMETA part {stranger} text"),
        format!("LB.OPTION part {stranger} WEIGHT 1"),
        format!("LB.OPTION part {stranger} META text"),
        format!("LB.MADD part 1 {own} 1 {stranger}"),
        format!("LB.MSET part 1 {own} 1 {stranger} 1 {own}"),
        format!("LB.MVOTE part 1 {own} 1 {stranger}"),
        format!("LB.HIDE part {own} {stranger}"),
        format!("LB.REM part {own} {stranger}"),
        format!("LB.PART part OF {stranger}"),
        format!("LB.PART part MOF MEMBERS 2 {own} {stranger}"),
    ] {
        assert_eq!(say(&mut con, &line), wrong, "{line}");
    }
    play(&mut con, &format!("ZADD zset 5 {own} 6 {stranger}\nLB.CREATE empty PART 5 OF 32"));
    for line in ["LB.IMPORT part zset MERGE", "LB.IMPORT empty zset"] {
        assert_eq!(say(&mut con, line), wrong, "{line}");
    }
    play(
        &mut con,
        &format!(
            "LB.COUNT empty => 0
            LB.TOP part 9 => [[1 \"{own}\" 3]]
            LB.HIDDEN part => []
            LB.RANK part {stranger} => nil
            LB.SCORE part {stranger} => nil
            LB.AROUND part {stranger} 3 => []
            LB.MSCORE part MEMBERS 2 {stranger} {own} => [nil [1 3]]
            LB.GETMETA part {stranger} => nil"
        ),
    );
}

#[test]
fn a_write_that_names_parts_goes_to_a_part_of_so_many_or_nowhere() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let own = members_of(5, 32, 1).remove(0);
    play(
        &mut con,
        "LB.CREATE part VIEWS all,day:7 PART 5 OF 32
        LB.CREATE other VIEWS all,day:7 PART 0 OF 2
        LB.CREATE plain VIEWS all,day:7
        LB.CREATE root VIEWS all,day:7 PARTS 32",
    );
    let writes = [
        "LB.ADD KEY 1 MEMBER PARTS 32",
        "LB.ADD KEY 1 MEMBER ID same PARTS 32 AT 5",
        "LB.ROLLADD KEY 1 MEMBER PARTS 32",
        "LB.MADD KEY PARTS 32 ID x 1 MEMBER 2 MEMBER",
        "LB.SET KEY 1 MEMBER PARTS 32",
        "LB.MSET KEY PARTS 32 1 MEMBER",
        "LB.VOTE KEY 1 MEMBER PARTS 32",
        "LB.MVOTE KEY PARTS 32 1 MEMBER",
        "LB.SETMETA KEY MEMBER text PARTS 32",
        "LB.OPTION KEY MEMBER PARTS 32 META text",
        "LB.REMRANGEBYSCORE KEY 100 200 PARTS 32",
    ];
    for write in writes {
        for key in ["absent", "plain", "other"] {
            let reply = say(&mut con, &write.replace("KEY", key).replace("MEMBER", &own));
            assert_eq!(reply, "NOPART the key is no part of 32", "{write} {key}");
        }
        let reply = say(&mut con, &write.replace("KEY", "part").replace("MEMBER", &own));
        assert!(!reply.contains("ERR") && !reply.contains("NOPART"), "{write}: {reply}");
    }
    let error = say(&mut con, &format!("LB.ADD part 1 {own} PARTS 64"));
    assert_eq!(error, "NOPART the key is no part of 64");
    play(&mut con, "EXISTS absent => 0\nLB.COUNT plain => 0\nLB.COUNT other => 0");
    let stranger = (0..).map(|number| format!("s{number}")).find(|name| part_of(name, 32) == 9).unwrap();
    let error = say(&mut con, &format!("LB.ADD part 1 {stranger} PARTS 32"));
    assert_eq!(error, "ERR member belongs to part 9");
}
