//! Imports a million members in one command, and prints the time for information.

use std::time::Instant;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, query, run};

#[test]
fn a_million_members_are_imported_at_once() {
    const MEMBERS: usize = 1_000_000;
    const FILL: &str = "
        for first = 0, ARGV[1] - 1, 1000 do
            local words = {}
            for member = first, first + 999 do
                table.insert(words, member % 1000)
                table.insert(words, string.format('m%07d', member))
            end
            redis.call('ZADD', KEYS[1], unpack(words))
        end";
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &["EVAL", FILL, "1", "zset", &MEMBERS.to_string()]);
    let begin = Instant::now();
    assert_eq!(query::<usize, _>(&mut con, &["LB.IMPORT", "board", "zset"]), MEMBERS);
    println!("LB.IMPORT of {MEMBERS} members: {:?}", begin.elapsed());
    play(
        &mut con,
        r#"LB.COUNT board => 1000000
           LB.TOP board 3 => [[1 "m0999999" 999] [2 "m0998999" 999] [3 "m0997999" 999]]
           LB.RANGE board -2 -1 => [[999999 "m0001000" 0] [1000000 "m0000000" 0]]
           LB.RANK board m0500500 => 499500"#,
    );
}
