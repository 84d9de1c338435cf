//! Tests that move boards and leagues to another node of a cluster while they are written to, with the command
//! `CLUSTER MIGRATESLOTS` of Valkey 9. A server that does not move its keys gets the same requests, and must have the
//! same boards at the end.

mod nodes;

use leaderboard_core::parts::Parts;
use leaderboard_testkit::session::{play, shown, words};
use leaderboard_testkit::{Flavor, Server, digest, info, query, run, wait_until};
use redis::{Connection, Value};

use nodes::{Client, Nodes, migration};

/// Boards of one slot, a league and a counter. All except the last use the time of the requests, so their content
/// depends only on the requests.
const SETUP: &str = "LB.CREATE {s}scores VIEWS all,hour,day:7 CLOCK EVENT DEDUP 86400 RETAIN 3 SEGMENTS country:SUM,guild ATTEMPTS 999 hour
    LB.CREATE {s}songs VIEWS all,hour CLOCK EVENT DEDUP 86400 SHOWN DECLARED LIMIT a voter 4 minute LIMIT b device 9 hour
    LB.OPTION {s}songs o0
    LB.OPTION {s}songs o1 WEIGHT 2
    LB.OPTION {s}songs o2 INITIAL 7
    LB.LEAGUE.CREATE {s}league TIERS a,b,c PROMOTE 2,1,0 DEMOTE 0,1,1 CYCLE hour CLOCK EVENT GROUP 9 RETAIN 3 DEDUP 86400
    LB.COUNTER.CREATE {s}counter PRECISIONS 1,60,3600 CLOCK EVENT DEDUP 86400
    LB.CREATE {s}live VIEWS all,hour,day:3
    LB.CREATE s VIEWS all,hour RETAIN 3 PARTS 2
    LB.CREATE {s}part VIEWS all,hour RETAIN 3 PART 1 OF 2";
const TWINS: [&str; 2] = ["{s}scores", "{s}songs"];
/// The number of members, so large that the snapshot of a board has several pieces.
const CROWD: usize = 6_000;
/// The start of an hour in ms, and the time in ms between two steps. The steps pass the ends of many hours.
const BEGIN: usize = 1_600_000_000_000 / HOUR * HOUR;
const HOUR: usize = 3_600_000;
const STEP: usize = 70_000;

/// Returns the requests of a step. Each has an id, except for some that need none.
fn requests(step: usize) -> Vec<String> {
    let at = BEGIN + step * STEP;
    let (points, member, option, voter) = (step % 13, step % 50, step % 3, step % 9);
    let mut requests = vec![
        format!("LB.ADD {{s}}scores {points} m{member} ID a{step} AT {at} SEGMENT country c{}", step % 4),
        format!("LB.VOTE {{s}}songs 2 o{option} BY v{voter} TAG device d{option} ID v{step} AT {at}"),
        // For such a moment, the replicated command also contains the board's present time. A replica accepts it only
        // from its primary.
        format!("LB.ADD {{s}}scores 1 late ID l{step} AT {}", at - HOUR),
        format!("LB.LEAGUE.ADD {{s}}league {points} m{member} ID a{step} AT {at}"),
        format!("LB.COUNTER.INCR {{s}}counter BY {points} ID a{step} AT {at}"),
        format!("LB.COUNTER.INCR {{s}}counter ID l{step} AT {}", at - HOUR),
        format!("LB.LEAGUE.JOIN {{s}}league m{} META text{step} AT {at}", member + 1),
        format!("LB.ADD {{s}}live 1 m{member} ID a{step}"),
        format!("LB.ADD {{s}}part 1 {} ID a{step} PARTS 2", own(member)),
    ];
    requests.extend(match step % 20 {
        5 => vec![format!("LB.ALTER {{s}}scores RETAIN hour={}", step % 9)],
        6 => vec![format!("LB.SEGMENT {{s}}scores m{member} country c{} guild g{}", step % 3, step % 7)],
        7 => vec![
            "LB.SEGMENTS {s}scores country".to_owned(),
            "LB.SEGMENTS {s}scores guild VIEW hour PERIOD -1".to_owned(),
            "LB.TOP {s}scores 5 IN country c1 VIEW day:7".to_owned(),
            format!("LB.QUOTA {{s}}scores MEMBER m{member}"),
        ],
        10 => vec![format!("LB.SETMETA {{s}}scores m{member} text{step}")],
        13 => vec![format!("LB.LEAGUE.TIER {{s}}league m{member} c")],
        14 => vec![format!("LB.LEAGUE.ALTER {{s}}league REWARD {}", step % 7)],
        12 => vec![format!("LB.COUNTER.ALTER {{s}}counter SAMPLES {}", 90 + step % 9)],
        11 => vec![format!("LB.ALTER s DEDUP {step}"), format!("LB.ALTER {{s}}part DEDUP {step}")],
        15 => vec![format!("LB.REM {{s}}scores m{}", member + 1)],
        16 => vec![format!("LB.LEAGUE.REM {{s}}league m{}", member + 1)],
        19 => vec![format!("LB.OPTION {{s}}songs o{option} WEIGHT {}", step % 7)],
        _ => Vec::new(),
    });
    requests
}

/// Returns the name of a member that belongs to the second of two parts.
fn own(number: usize) -> String {
    let parts = Parts::new(2, "PARTS").expect("a power of two");
    let own = |name: &String| parts.of(name.as_bytes()) == 1;
    (0..).map(|more: usize| format!("p{number}.{more}")).find(own).expect("one of a few")
}

/// A client of the cluster, and a connection to the server that gets the same requests.
struct Writer {
    cluster: Client,
    twin: Connection,
    steps: usize,
}

impl Writer {
    fn new(nodes: &Nodes, twin: &Server) -> Writer {
        Writer { cluster: nodes.client(), twin: twin.connection(), steps: 0 }
    }

    fn set_up(&mut self) {
        SETUP.lines().for_each(|line| self.same(line.trim()));
        // The crowd is in a segment of its own.
        let crowd: Vec<_> = (0..CROWD).map(|member| format!("{} crowd{member}", member % 999)).collect();
        self.same(&format!(
            "LB.MADD {{s}}scores AT {} SEGMENT guild crowd {}",
            BEGIN - HOUR,
            crowd.join(" ")
        ));
        for member in 0..CROWD / 2 {
            self.same(&format!("LB.LEAGUE.ADD {{s}}league {member} crowd{member} AT {}", BEGIN - HOUR));
        }
    }

    /// Sends a request to both, and compares the replies.
    #[track_caller]
    fn same(&mut self, request: &str) {
        let replies = [self.cluster.run(&words(request)), run(&mut self.twin, &words(request))];
        let [reply, twin] = replies.map(|reply| shown(&Ok(reply)));
        assert_eq!(reply, twin, "{request}");
    }

    /// Sends requests, and sends some of them twice, as a client does that got no reply.
    #[track_caller]
    fn write(&mut self, steps: usize) {
        for step in self.steps..self.steps + steps {
            for request in requests(step) {
                self.same(&request);
                if request.contains(" ID ") && step % 3 == 0 {
                    self.cluster.run(&words(&request));
                }
            }
        }
        self.steps += steps;
    }

    #[track_caller]
    fn write_until(&mut self, mut condition: impl FnMut() -> bool) {
        wait_until(|| {
            self.write(1);
            condition()
        });
    }
}

fn boards(server: &Server) -> String {
    info(&mut server.connection(), "leaderboard", "leaderboard_boards")
}

/// Returns the rules and the size from `LB.INFO`. Leaves out the memory and the counts of writes, because a loaded
/// board has no spare memory and starts its counts again.
fn rules(con: &mut Connection, key: &str) -> Vec<(String, String)> {
    let pairs: Vec<Value> = query(con, &["LB.INFO", key]);
    let text = |value: &Value| shown(&Ok(value.clone()));
    let pairs = pairs.chunks(2).map(|pair| (text(&pair[0]), text(&pair[1])));
    let own = ["\"memory\"", "\"writes\"", "\"repeated\"", "\"votes\"", "\"held_back\""];
    pairs.filter(|(name, _)| !own.contains(&name.as_str())).collect()
}

#[test]
fn boards_move_while_they_are_written_to() {
    let nodes = Nodes::start();
    let twin = Server::start(Flavor::Valkey91);
    let mut writer = Writer::new(&nodes, &twin);
    play(&mut nodes.source.connection(), "LB.ADD {stays} 1 ann => [1 1 1]");
    writer.set_up();
    writer.write(50);

    nodes.hold_migrations();
    nodes.migrate("{s}");
    writer.write_until(|| boards(&nodes.target) == "5");
    writer.write(30);
    play(&mut nodes.source.connection(), "CLUSTER CANCELSLOTMIGRATIONS => OK");
    writer.write_until(|| migration(&nodes.target) == "failed" && boards(&nodes.target) == "0");

    nodes.migrate("{s}");
    writer.write_until(|| migration(&nodes.source) == "waiting-to-pause");
    writer.write(100);
    nodes.let_migrations_end();
    writer.write_until(|| migration(&nodes.source) == "success");
    writer.write(50);

    wait_until(|| [boards(&nodes.source), boards(&nodes.target)] == ["1", "5"]);
    play(&mut nodes.source.connection(), r#"LB.TOP {stays} 2 => [[1 "ann" 1]]"#);
    let (mut con, mut twin) = (nodes.target.connection(), twin.connection());
    for key in TWINS {
        assert_eq!(digest(&mut con, key), digest(&mut twin, key), "{key}");
        assert_eq!(rules(&mut con, key), rules(&mut twin, key));
        let top = words(&format!("LB.TOP {key} 10000 WITHMETA"));
        assert_eq!(run(&mut con, &top), run(&mut twin, &top));
    }
    for (key, field) in [("{s}league", "leaderboard_leagues"), ("{s}counter", "leaderboard_counters")] {
        assert_eq!(digest(&mut con, key), digest(&mut twin, key), "{key}");
        let counts =
            [&nodes.source, &nodes.target].map(|node| info(&mut node.connection(), "leaderboard", field));
        assert_eq!(counts, ["0", "1"], "{key}");
    }
    let top: Vec<(u64, String, u64)> = query(&mut con, &["LB.TOP", "{s}live", "50"]);
    assert_eq!(top.iter().map(|(_, _, score)| score).sum::<u64>(), writer.steps as u64);
    is_spread(&mut con, &mut twin, writer.steps);
    let members: u64 = info(&mut con, "leaderboard", "leaderboard_members").parse().unwrap();
    let counts =
        [TWINS[0], TWINS[1], "{s}live", "{s}part"].map(|key| query::<u64, _>(&mut con, &["LB.COUNT", key]));
    assert_eq!(members, counts.iter().sum::<u64>());
}

/// Checks that a root and a part have kept their rules, and that the part has all writes.
fn is_spread(con: &mut Connection, twin: &mut Connection, steps: usize) {
    assert_eq!(digest(con, "s"), digest(twin, "s"));
    let fields = ["\"parts\"", "\"part\"", "\"schema\""];
    let told = |con: &mut Connection, key: &str| {
        rules(con, key).into_iter().filter(|(name, _)| fields.contains(&name.as_str())).collect::<Vec<_>>()
    };
    for key in ["s", "{s}part"] {
        assert_eq!(told(con, key), told(twin, key));
    }
    let top: Vec<(u64, String, u64)> = query(con, &["LB.TOP", "{s}part", "100"]);
    assert_eq!(top.iter().map(|(_, _, score)| score).sum::<u64>(), steps as u64);
    play(con, "LB.TOP s 5 => ERR spread over 2 parts: use a gateway or LB.INFO");
    play(con, "LB.ADD {s}part 1 ann => ERR member belongs to part 0");
}
