//! Tests of LB.ALTER on parts and roots: the same rules have the same hash, independent of the changes that led to
//! them.

use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::{Flavor, Server};

use super::{ROOT, field, hash, plays};

const CHANGES: [&str; 9] = [
    "VIEWS +week,+month,-day",
    "RETAIN week=5",
    "CARRY week=0.5",
    "DECAY month=0.25",
    "DEDUP 7",
    "OPENS 1000 CLOSES 2000",
    "NOTIFYTOP 3",
    "CARRY week=0 CLOSES 0",
    "RETAIN 9",
];

#[test]
fn a_root_and_its_parts_change_alike() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, ROOT);
        play(&mut con, "LB.CREATE new VIEWS all,day PART 3 OF 4\nLB.CREATE used VIEWS all,day PART 0 OF 4");
        play(&mut con, "LB.MADD used 5 ann 7 cat\nLB.SETMETA used ann text\nLB.HIDE used cat");
        let mut seen = vec![hash(&mut con, "root")];
        for change in CHANGES {
            for key in ["used", "new", "root"] {
                play(&mut con, &format!("LB.ALTER {key} {change} => OK"));
            }
            let after = hash(&mut con, "root");
            assert_eq!(["used", "new"].map(|key| hash(&mut con, key)), [after, after], "{change}");
            assert!(!seen.contains(&after), "{change}");
            seen.push(after);
        }
        play(
            &mut con,
            "LB.CREATE again VIEWS all,week,month RETAIN 9 DECAY month=0.25 DEDUP 7 OPENS 1000 NOTIFYTOP 3 PARTS 4",
        );
        assert_eq!(Some(&hash(&mut con, "again")), seen.last());
        play(
            &mut con,
            "LB.SCORE used ann => 5\nLB.GETMETA used ann => \"text\"\nLB.HIDDEN used => [\"cat\"]",
        );
        assert_eq!(field(&mut con, "root", "members"), "0");
    }
}

#[test]
fn rules_that_need_all_members_are_refused() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, ROOT);
    play(&mut con, "LB.CREATE part VIEWS all,day PART 0 OF 4");
    for key in ["root", "part"] {
        let before = hash(&mut con, key);
        for (change, named) in [
            ("KEEP 5", "KEEP"),
            ("LIMIT a voter 5 day", "LIMIT"),
            ("RETAIN 0", "RETAIN 0"),
            ("RETAIN day=0", "RETAIN 0"),
            ("VIEWS +week RETAIN week=0", "RETAIN 0"),
        ] {
            let error = coded(&format!("{named} is not possible with parts"));
            assert_eq!(say(&mut con, &format!("LB.ALTER {key} {change} DEDUP 5")), error, "{key}");
        }
        assert_eq!(hash(&mut con, key), before, "{key}");
        // A part or a root cannot be changed into another kind of board.
        assert_eq!(say(&mut con, &format!("LB.ALTER {key} PARTS 8")), "ERR unknown option 'PARTS'");
        assert_eq!(say(&mut con, &format!("LB.ALTER {key} PART 1 OF 8")), "ERR unknown option 'PART'");
    }
}

#[test]
fn different_rules_have_different_hashes() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let rules = [
        "",
        "VIEWS day",
        "VIEWS all,day",
        "VIEWS day,all",
        "VIEWS day RETAIN 2",
        "VIEWS day,week RETAIN day=3,week=4",
        "VIEWS day,week RETAIN day=4,week=4",
        "VIEWS day CARRY day=0.5",
        "VIEWS day DECAY day=0.5",
        "ORDER ASC",
        "AGGREGATE MAX",
        "AGGREGATE MIN",
        "AGGREGATE LAST",
        "TIES LAST",
        "DECIMALS 2",
        "LEVELS a:DESC:5",
        "LEVELS a:DESC:6",
        "LEVELS a:DESC:5,b:DESC:5",
        "TZ Asia/Shanghai",
        "WEEKSTART SUN",
        "ORIGIN 5",
        "DEDUP 5",
        "OPENS 5",
        "CLOSES 5",
        "NOTIFYTOP 5",
    ];
    let mut seen = Vec::new();
    for (number, rules) in rules.iter().enumerate() {
        for parts in [2, 4] {
            play(&mut con, &format!("LB.CREATE root:{number}:{parts} {rules} PARTS {parts}"));
            play(&mut con, &format!("LB.CREATE part:{number}:{parts} {rules} PART 1 OF {parts}"));
            let [root, part] = ["root", "part"].map(|key| hash(&mut con, &format!("{key}:{number}:{parts}")));
            assert_eq!(root, part, "{rules}");
            assert!(!seen.contains(&root), "{rules}");
            assert!(root < 1 << 63);
            seen.push(root);
        }
    }
}

#[test]
fn what_is_written_does_not_change_the_rules() {
    plays(
        "LB.CREATE part PART 0 OF 2
         LB.ALTER part KEEP 0 => OK
         LB.ADD part 1 ann => [1 1 1]",
    );
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE part PART 0 OF 2");
    let before = hash(&mut con, "part");
    play(&mut con, "LB.ADD part 1 ann ID x\nLB.OPTION part cat\nLB.VOTE part 1 cat BY v\nLB.HIDE part max");
    play(&mut con, "LB.REM part ann");
    assert_eq!(hash(&mut con, "part"), before);
}
