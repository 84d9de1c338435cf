//! Who falls out leaves no bytes behind.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, info, query, run, wait_until};
use redis::Connection;

use crate::integration::usage::{Kind, within_five_percent};

const KEPT: u64 = 100;

/// Lets members pass through a board, from one number to another. `{write}` is one write of `member`, whose points are
/// `number`.
fn pass(con: &mut Connection, from: u64, to: u64, write: &str) {
    let script = format!(
        "for number = ARGV[1], ARGV[2] - 1 do
            local member = string.format('member%08d', number)
            {write}
        end"
    );
    run(con, &["EVAL", &script, "0", &from.to_string(), &to.to_string()]);
}

fn usage(con: &mut Connection) -> u64 {
    query(con, &["MEMORY", "USAGE", "board", "SAMPLES", "0"])
}

#[test]
fn ten_thousand_members_pass_through_a_hundred_places() {
    for (rules, write) in [
        ("", "redis.call('LB.ADD', 'board', number, member)"),
        ("", "redis.call('LB.ADD', 'board', number, member, 'META', 'some words of ' .. member)"),
        ("", "redis.call('LB.ADD', 'board', -number, member, 'META', 'some words of ' .. member)"),
        ("ORDER ASC AGGREGATE MIN", "redis.call('LB.ADD', 'board', -number, member)"),
        ("AGGREGATE LAST CLOCK EVENT", "redis.call('LB.SET', 'board', number, member, 'AT', number)"),
        ("TIES LAST VIEWS all,day,month RETAIN 5", "redis.call('LB.ADD', 'board', 1, member)"),
        (
            "VIEWS all,10s RETAIN 2 CLOCK EVENT",
            "redis.call('LB.ADD', 'board', number, member, 'AT', number * 1000, 'META', member)",
        ),
        (
            "VIEWS 10s,all RETAIN 0 CLOCK EVENT",
            "redis.call('LB.VOTE', 'board', number, member, 'AT', number * 50)",
        ),
    ] {
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        play(&mut con, &format!("LB.CREATE board DEDUP 0 KEEP {KEPT} {rules}"));
        pass(&mut con, 1, 1_000, write);
        let early = usage(&mut con);
        pass(&mut con, 1_000, 11_000, write);
        let late = usage(&mut con);
        println!("{rules}: {early} and {late} bytes: {write}");
        assert!(late <= early + early / 4, "{rules}: {early} bytes become {late}: {write}");
        let kept: u64 = query(&mut con, &["LB.COUNT", "board"]);
        assert!(kept <= KEPT && kept > 0, "{kept}");
    }
}

#[test]
fn members_with_voters_pass_as_well() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("LB.CREATE board DEDUP 0 KEEP {KEPT}"));
    let write = "redis.call('LB.VOTE', 'board', number, member, 'BY', 'voter' .. number % 50)";
    pass(&mut con, 1, 1_000, write);
    let early = usage(&mut con);
    pass(&mut con, 1_000, 11_000, write);
    let late = usage(&mut con);
    assert!(late <= early + early / 4, "{early} bytes become {late}");
}

#[test]
fn lists_of_members_pass_as_well() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("LB.CREATE board DEDUP 0 KEEP {KEPT}"));
    let write = "local words = {}
        for place = 0, 99 do
            table.insert(words, number * 100 + place)
            table.insert(words, member .. place)
        end
        redis.call('LB.MADD', 'board', unpack(words))
        redis.call('LB.MSET', 'board', unpack(words))";
    pass(&mut con, 1, 10, write);
    let early = usage(&mut con);
    pass(&mut con, 10, 110, write);
    let late = usage(&mut con);
    assert!(late <= early + early / 4, "{early} bytes become {late}");
    assert_eq!(query::<u64, _>(&mut con, &["LB.COUNT", "board"]), KEPT);
}

#[test]
fn a_board_made_smaller_gives_its_memory_back() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board DEDUP 0");
    pass(&mut con, 1, 20_000, "redis.call('LB.ADD', 'board', number, member, 'META', member)");
    let before = usage(&mut con);
    play(&mut con, &format!("LB.ALTER board KEEP {KEPT} => OK\nLB.COUNT board => {KEPT}"));
    let after = usage(&mut con);
    assert!(after < before / 2, "{before} bytes become {after}");
    assert_eq!(info(&mut con, "leaderboard", "leaderboard_members"), KEPT.to_string());
    // As little as if the others had been removed.
    play(&mut con, "RENAME board kept\nLB.CREATE board DEDUP 0");
    pass(&mut con, 1, 20_000, "redis.call('LB.ADD', 'board', number, member, 'META', member)");
    play(&mut con, &format!("LB.REMRANGE board {} -1", KEPT + 1));
    play(&mut con, "RENAME board removed\nRENAME kept board");
    let removed: u64 = query(&mut con, &["MEMORY", "USAGE", "removed", "SAMPLES", "0"]);
    wait_until(|| usage(&mut con) <= removed + removed / 20);
}

#[test]
fn memory_usage_knows_of_those_who_are_kept_and_hidden() {
    const KINDS: [Kind; 3] = [
        (
            "kept",
            200,
            "redis.call('LB.CREATE', key, 'KEEP', 200)
            for number = 1, 400 do redis.call('LB.ADD', key, number, name(number), 'META', name(number)) end",
        ),
        (
            "hidden",
            200,
            "fill(key, 400, 1)
            for number = 0, 199 do redis.call('LB.HIDE', key, name(number)) end",
        ),
        (
            "hidden in ended periods",
            100,
            "redis.call('LB.CREATE', key, 'VIEWS', 'all,hour', 'RETAIN', 3, 'CLOCK', 'EVENT')
            for hour = 1, 5 do fill(key, 200, hour * 3600000) end
            for number = 0, 99 do redis.call('LB.HIDE', key, name(number)) end",
        ),
    ];
    within_five_percent(&KINDS);
}
