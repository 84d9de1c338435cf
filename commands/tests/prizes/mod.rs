//! Prizes and claims, in whole commands: each case runs on a server, on a replica that gets its stream, and on a server that
//! is loaded anew from its saved bytes before every command.

mod boundaries;
mod clocks;
mod kinds;
mod leagues;
mod model;
mod random;
mod settle;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};

const DAY: u64 = 86_400_000;

struct Servers {
    server: PlainServer,
    replica: PlainServer,
    loaded: PlainServer,
    /// Whether the saved bytes are compared after each change.
    compares_bytes: bool,
}

impl Servers {
    fn new(clock: u64) -> Self {
        let settings = Settings { clock, protocol: Protocol::Resp2, ..Settings::default() };
        let new = || PlainServer::new(settings.clone());
        Self { server: new(), replica: new(), loaded: new(), compares_bytes: true }
    }

    fn set_clock(&mut self, clock: u64) {
        [&mut self.server, &mut self.replica, &mut self.loaded]
            .into_iter()
            .for_each(|server| server.settings.clock = clock);
    }

    /// Runs a command. Returns the reply in one line.
    #[track_caller]
    fn run(&self, line: &str) -> String {
        println!("{} {line}", self.server.settings.clock);
        let words: Vec<_> = line.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
        let reply = self.server.run(&words);
        let stream = self.server.take_stream();
        assert!(!reply.starts_with(b"-") || stream.is_empty(), "{line}");
        for words in &stream {
            let applied = self.replica.apply(words);
            assert!(!applied.starts_with(b"-"), "{}", applied.escape_ascii());
        }
        self.loaded.reload();
        let same = self.loaded.run(&words).escape_ascii().to_string();
        // The memory of a value that was loaded can differ.
        assert!(
            line.contains("INFO") || same == reply.escape_ascii().to_string(),
            "{line}: {same} and {}",
            reply.escape_ascii()
        );
        if !stream.is_empty() && self.compares_bytes {
            let saved = self.server.saved(b"b");
            assert_eq!(self.replica.saved(b"b"), saved, "{line}");
            assert_eq!(self.loaded.saved(b"b"), saved, "{line}");
        }
        shown(&mut &*reply)
    }

    #[track_caller]
    fn says(&self, line: &str, expected: &str) {
        assert_eq!(self.run(line), expected, "{line}");
    }
}

/// Returns a reply in RESP2 in one line.
fn shown(reply: &mut &[u8]) -> String {
    let end = reply.windows(2).position(|pair| pair == b"\r\n").unwrap();
    let (head, rest) = reply.split_at(end);
    *reply = &rest[2..];
    let head = String::from_utf8(head.to_vec()).unwrap();
    match head.as_bytes()[0] {
        b'$' if head == "$-1" => "nil".to_owned(),
        b'*' if head == "*-1" => "nil".to_owned(),
        b'$' => {
            let len: usize = head[1..].parse().unwrap();
            let text = String::from_utf8(reply[..len].to_vec()).unwrap();
            *reply = &reply[len + 2..];
            text
        }
        b'*' => {
            let len: usize = head[1..].parse().unwrap();
            let items: Vec<_> = (0..len).map(|_| shown(reply)).collect();
            format!("[{}]", items.join(" "))
        }
        _ => head[1..].to_owned(),
    }
}

/// A board of days on a clock of events, with members m1 to m8 that have 10 to 80 points in the first day.
fn board(rules: &str) -> Servers {
    let servers = Servers::new(0);
    servers.says(&format!("LB.CREATE b VIEWS day,all CLOCK EVENT {rules}"), "OK");
    for number in 1..=8_u64 {
        servers.run(&format!("LB.ADD b {} m{number} AT {number}", number * 10));
    }
    servers
}

const TABLE: &str = "PRIZES day 1=gold,2-3=silver,1-50%=badge";

#[test]
fn a_period_is_paid_once() {
    let servers = board(TABLE);
    servers.says("LB.PRIZES b 0", "[0 []]");
    let would = "[0 [[1 m8 80 gold nil] [2 m7 70 silver nil] [3 m6 60 silver nil] [4 m5 50 badge nil]]]";
    servers.says("LB.PRIZES b 0 PERIOD 0", would);
    servers.says("LB.CLAIM b m8 PERIOD 0", "nil");
    servers.says(&format!("LB.ALTER b NOW {DAY}"), "OK");
    servers.says("LB.PRIZES b 0", would);
    servers.says("LB.CLAIM b m1", "nil");
    servers.says("LB.CLAIM b nobody", "nil");
    servers.says("LB.CLAIM b m8 ID one", "[gold 1 1]");
    servers.says("LB.CLAIM b m8 ID one", "[gold 1 1]");
    servers.says("LB.CLAIM b m8 ID two", "[gold 1 0]");
    servers.says("LB.CLAIM b m8", "[gold 1 0]");
    servers.says("LB.CLAIM b m7 ID one", "IDREUSED request id was used for a different write");
    servers.says("LB.CLAIM b m7", "[silver 2 1]");
    servers.says("LB.PRIZES b 0 UNCLAIMED", "[0 [[3 m6 60 silver nil] [4 m5 50 badge nil]]]");
    servers.says("LB.PRIZES b 0 COUNT 1", &format!("[1 [[1 m8 80 gold {DAY}]]]"));
    servers.says("LB.PRIZES b 1 COUNT 2", &format!("[3 [[2 m7 70 silver {DAY}] [3 m6 60 silver nil]]]"));
    servers.says("LB.CLAIM absent m8", "NOBOARD the board does not exist");
    servers.says("LB.PRIZES absent 0", "[0 []]");
    servers.says("LB.PRIZES b 0 COUNT 0", "ERR COUNT is out of range");
    servers.says("LB.PRIZES b 0 VIEW week", "ERR VIEW 'week' is not a view of this board");
}

#[test]
fn others_move_up_until_the_first_claim() {
    let servers = board(TABLE);
    servers.says(&format!("LB.ALTER b NOW {DAY}"), "OK");
    servers.says("LB.HIDE b m8", "1");
    servers.says("LB.REM b m7", "1");
    // 50 % of 6 members.
    servers.says("LB.PRIZES b 0", "[0 [[1 m6 60 gold nil] [2 m5 50 silver nil] [3 m4 40 silver nil]]]");
    servers.says("LB.CLAIM b m8", "nil");
    servers.says("LB.CLAIM b m4", "[silver 3 1]");
    servers.says("LB.UNHIDE b m8", "1");
    servers.says("LB.CLAIM b m8", "nil");
    servers.says("LB.HIDE b m6", "1");
    servers.says("LB.PRIZES b 0", &format!("[0 [[2 m5 50 silver nil] [3 m4 40 silver {DAY}]]]"));
    servers.says("LB.CLAIM b m6", "nil");
    servers.says("LB.UNHIDE b m6", "1");
    servers.says("LB.CLAIM b m6", "[gold 1 1]");
    servers.says("LB.REM b m5", "1");
    servers.says(&format!("LB.ADD b 1000 m5 AT {}", DAY + 5), "[1000 1 1]");
    servers.says("LB.CLAIM b m5", "nil");
    servers.says("LB.PRIZES b 0 UNCLAIMED", "[0 []]");
    servers.says("LB.REM b m4", "1");
    servers.says("LB.PRIZES b 0", &format!("[0 [[1 m6 60 gold {DAY}] [3 m4 40 silver {DAY}]]]"));
    servers.says("LB.CLAIM b m4", "[silver 3 0]");
}

#[test]
fn the_table_of_the_end_pays() {
    let servers = board(TABLE);
    servers.says("LB.ALTER b PRIZES day 1=cup", "OK");
    servers.says(&format!("LB.ADD b 5 m1 AT {DAY}"), "[5 1 1]");
    servers.says("LB.ALTER b PRIZES day 1=other PRIZEDAYS 2", "OK");
    servers.says("LB.PRIZES b 0", "[0 [[1 m8 80 cup nil]]]");
    servers.says("LB.PRIZES b 0 PERIOD 0", "[0 [[1 m1 5 other nil]]]");
    servers.says("LB.ALTER b PRIZES day ''", "OK");
    servers.says("LB.PRIZES b 0", "[0 [[1 m8 80 cup nil]]]");
    servers.says(&format!("LB.ALTER b NOW {}", 2 * DAY), "OK");
    servers.says("LB.PRIZES b 0", "[0 []]");
    servers.says("LB.PRIZES b 0 PERIOD 1970-01-01", "[0 [[1 m8 80 cup nil]]]");
    servers.says("LB.CLAIM b m8 PERIOD -2", "[cup 1 1]");
    servers.says("LB.PRIZES b 0 PERIOD 1970-01-01", "[0 []]");
}

#[test]
fn winners_stay_beyond_retain_until_they_have_claimed_or_days_have_passed() {
    let servers = board("PRIZES day 1=gold,2=silver PRIZEDAYS 5");
    servers.says(&format!("LB.ALTER b NOW {}", 3 * DAY + 1), "OK");
    servers.says("LB.CLAIM b m7 PERIOD 1970-01-01 ID x", "[silver 2 1]");
    servers.says("LB.HIDE b m8", "1");
    servers.says("LB.PRIZES b 0 AT 5", &format!("[0 [[2 m7 70 silver {}]]]", 3 * DAY + 1));
    servers.says("LB.UNHIDE b m8", "1");
    servers.says(&format!("LB.ADD b 1 m1 AT {}", 6 * DAY - 1), "[1 1 1]");
    servers.says("LB.PRIZES b 0 AT 5 UNCLAIMED", "[0 [[1 m8 80 gold nil]]]");
    servers.says("LB.CLAIM b m7 ID x", "[silver 2 1]");
    servers.says(&format!("LB.ADD b 1 m1 AT {}", 6 * DAY), "[1 1 1]");
    servers.says("LB.PRIZES b 0 AT 5", "[0 []]");
    servers.says("LB.CLAIM b m8 AT 5", "nil");
    servers.says("LB.CLAIM b m7 ID x", "nil");
}

#[test]
fn segments_have_winners_of_their_own() {
    let servers = Servers::new(0);
    servers.says(
        "LB.CREATE b VIEWS day CLOCK EVENT SEGMENTS c:SUM PRIZES day 1=king PER c PRIZES day 1=gold",
        "OK",
    );
    for (points, member, country) in
        [(10, "ann", "fr"), (20, "bob", "fr"), (5, "eve", "de"), (50, "joe", "''")]
    {
        servers.run(&format!("LB.ADD b {points} {member} AT 1 SEGMENT c {country}"));
    }
    servers.says(&format!("LB.ALTER b NOW {DAY}"), "OK");
    servers.says("LB.PRIZES b 0", "[0 [[1 joe 50 gold nil]]]");
    servers.says("LB.PRIZES b 0 PER c", "[0 [[1 bob 20 king nil fr] [1 eve 5 king nil de]]]");
    let next = servers.run("LB.PRIZES b 0 PER c COUNT 1");
    assert!(next.ends_with("[[1 bob 20 king nil fr]]]"), "{next}");
    servers.says("LB.CLAIM b ann PER c", "nil");
    servers.says("LB.CLAIM b joe PER c", "nil");
    servers.says("LB.SEGMENT b eve c fr", "1");
    servers.says("LB.CLAIM b eve PER c ID x", "[king 1 1 de]");
    servers.says("LB.CLAIM b joe ID x", "IDREUSED request id was used for a different write");
    servers.says("LB.CLAIM b joe ID y", "[gold 1 1]");
    let cursor = next.trim_start_matches('[').split(' ').next().unwrap();
    servers.says(&format!("LB.PRIZES b {cursor} PER c"), &format!("[0 [[1 eve 5 king {DAY} de]]]"));
    servers.says("LB.ALTER b SEGMENTS -c", "ERR the dimension 'c' has PRIZES: end them first");
    servers.says("LB.ALTER b SEGMENTS -c PRIZES day '' PER c", "OK");
    servers.says("LB.PRIZES b 0 PER c", "ERR 'c' is not a dimension of this board (SEGMENTS)");
    servers.says("LB.CLAIM b joe ID y", "[gold 1 1]");
    servers.says("LB.PRIZES b 0 PER x", "ERR 'x' is not a dimension of this board (SEGMENTS)");
}

#[test]
fn a_clock_that_is_put_right_pays_nobody_else() {
    let mut servers = Servers::new(10 * DAY);
    servers.says("LB.CREATE b VIEWS day PRIZES day 1-2=prize RETAIN 3", "OK");
    servers.run("LB.MADD b 5 ann 4 bob 3 eve");
    // The clock is a day ahead.
    servers.set_clock(11 * DAY);
    servers.says("LB.CLAIM b ann ID x", "[prize 1 1]");
    servers.set_clock(10 * DAY + 5);
    servers.says("LB.ADD b 100 joe", "[100 1 1]");
    servers.says("LB.CLAIM b joe PERIOD 0", "nil");
    servers.set_clock(11 * DAY + 5);
    servers.says("LB.ADD b 1 joe", "[1 1 1]");
    servers.says("LB.TOP b 9 PERIOD -1", "[[1 joe 100] [2 ann 5] [3 bob 4] [4 eve 3]]");
    servers.says("LB.CLAIM b joe", "nil");
    servers.says("LB.CLAIM b bob", "[prize 2 1]");
    servers.says("LB.CLAIM b ann ID x", "[prize 1 1]");
    servers.says("LB.PRIZES b 0 UNCLAIMED", "[0 []]");
}

#[test]
fn a_clock_that_is_put_right_before_a_claim_pays_by_the_last_end() {
    let mut servers = Servers::new(10 * DAY);
    servers.says("LB.CREATE b VIEWS day PRIZES day 1=prize RETAIN 0", "OK");
    servers.run("LB.ADD b 5 ann");
    servers.set_clock(12 * DAY);
    servers.says("LB.ADD b 1 bob", "[1 1 1]");
    servers.says("LB.PRIZES b 0 PERIOD -2", "[0 [[1 ann 5 prize nil]]]");
    servers.says("LB.ALTER b PRIZES day 1=late", "OK");
    servers.set_clock(10 * DAY + 5);
    servers.says("LB.ADD b 100 joe", "[100 1 1]");
    servers.set_clock(11 * DAY + 5);
    servers.says("LB.PRIZES b 0", "[0 [[1 joe 100 late nil]]]");
    servers.says("LB.CLAIM b ann", "nil");
    servers.says("LB.CLAIM b joe", "[late 1 1]");
}

#[test]
fn tables_that_cannot_be() {
    let servers = board(TABLE);
    for (line, error) in [
        ("PRIZES all 1=a", "PRIZES needs a view with periods: all never ends"),
        ("PRIZES week 1=a", "PRIZES 'week' is not a view of this board"),
        ("PRIZES day 1=a PER c", "'c' is not a dimension of this board (SEGMENTS)"),
        ("PRIZES day 1=a PRIZES day 2=b", "PRIZES names 'day' twice"),
        ("VIEWS -day", "the view 'day' has PRIZES: end them first"),
        ("PRIZEDAYS 0", "PRIZEDAYS is out of range"),
        ("PRIZEDAYS 3661", "PRIZEDAYS is out of range"),
        ("PRIZES day >=1/2=a", "PRIZES is not a decimal number"),
    ] {
        let reply = servers.run(&format!("LB.ALTER b {line}"));
        assert!(reply.starts_with("ERR "), "{line}: {reply}");
        assert!(reply.contains(error) || line.contains('/'), "{line}: {reply}");
    }
    servers.says("LB.ALTER b VIEWS -day PRIZES day ''", "OK");
    servers.says("LB.ALTER b VIEWS +day", "OK");
    servers.says("LB.PRIZES b 0 VIEW day", "[0 []]");
    let refused = "ERR a share of the members in PRIZES is not possible with parts";
    servers.says("LB.CREATE root VIEWS day PRIZES day 1-5%=a PARTS 4", refused);
    servers.says("LB.CREATE like LIKE b VIEWS day PRIZES day 1=a=b,>=5.5=c PRIZEDAYS 9", "OK");
    servers.says("LB.CREATE same LIKE like", "OK");
    let info = servers.run("LB.INFO same");
    assert!(info.contains("prizes [day 1=a=b,>=5.5=c]") && info.contains("prizedays 9"), "{info}");
}

#[test]
fn a_member_s_segments_are_those_in_which_it_ended_a_period() {
    let servers = Servers::new(0);
    servers.says("LB.CREATE b VIEWS day,all CLOCK EVENT SEGMENTS c,g", "OK");
    servers.says("LB.SEGMENT b eve c de", "1");
    servers.says("LB.GETSEGMENT b eve", "[c de]");
    servers.says("LB.ADD b 5 ann AT 1 SEGMENT c fr SEGMENT g red", "[5 1 1]");
    servers.says(&format!("LB.ADD b 5 ann AT {DAY} SEGMENT c se SEGMENT g ''"), "[5 1 1]");
    servers.says("LB.GETSEGMENT b ann", "[c se]");
    servers.says("LB.GETSEGMENT b ann PERIOD 0", "[c se]");
    servers.says("LB.GETSEGMENT b ann PERIOD -1", "[c fr g red]");
    servers.says("LB.GETSEGMENT b ann AT 5", "[c fr g red]");
    servers.says("LB.GETSEGMENT b ann VIEW all PERIOD 0", "[c se]");
    servers.says("LB.GETSEGMENT b nobody AT 5", "[]");
    servers.says("LB.GETSEGMENT b ann VIEW day PERIOD -9", "[]");
    servers.says("LB.GETSEGMENT b ann VIEW week", "ERR VIEW 'week' is not a view of this board");
}
