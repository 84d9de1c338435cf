//! The payer: what hooks tell to receivers that are well, slow, wrong or down, over restarts and with several gateways.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::servers::{Flavor, Server, run, wait_until};
use crate::setup::say;
use crate::support::{Answer, Gateway, Receiver, SECRET, Told};

const DAY: u64 = 86_400_000;
const MEMBERS: [&str; 4] = ["ann", "bob", "cem", "dan"];

/// A file of hooks in a folder of its own.
struct File {
    folder: TempDir,
}

impl File {
    /// Writes a hook with these further lines.
    fn of(event: &str, receiver: &Receiver, more: &str) -> File {
        let folder = tempfile::tempdir().expect("a folder");
        let since = if event == "top" { "" } else { "since = 1970-01-02" };
        let text = format!(
            "[[hook]]\nname = \"pay\"\nkeys = \"cup:*\"\nevent = \"{event}\"\nurl = \"{}\"\nsecret = \"{SECRET}\"\n\
             {since}\nfirst-wait = \"100ms\"\ntimeout = \"1s\"\n{more}\n",
            receiver.url()
        );
        let file = File { folder };
        std::fs::write(file.path(), text).expect("a file");
        std::fs::set_permissions(file.path(), Permissions::from_mode(0o600)).expect("a file of its owner");
        file
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("hooks.toml")
    }

    /// Starts a gateway that marks winners as claimed.
    fn claiming(&self, server: &Server) -> Gateway {
        let path = self.path();
        let builder = Gateway::builder(&[server]).arg("--hooks", path.to_str().expect("a text"));
        builder.arg("--resp", "127.0.0.1:0").flag("--hooks-claim").start()
    }
}

/// Makes a board whose first day has this number of winners, and has ended.
fn cup(server: &Server, key: &str, winners: u64) {
    say(server, &format!("LB.CREATE {key} VIEWS day CLOCK EVENT PRIZES day 1=gold,2-1000=badge"));
    day(server, key, 2, winners);
}

/// Fills a day, and ends it.
fn day(server: &Server, key: &str, day: u64, winners: u64) {
    let pairs: Vec<String> = (0..winners).map(|number| format!("{} m{number}", 10_000 - number)).collect();
    say(server, &format!("LB.MADD {key} AT {} {}", day * DAY, pairs.join(" ")));
    say(server, &format!("LB.ALTER {key} NOW {}", (day + 1) * DAY));
}

fn claimed(server: &Server, key: &str, day: u64) -> usize {
    let page = say(server, &format!("LB.PRIZES {key} 0 COUNT 1000 AT {}", day * DAY));
    let unclaimed = say(server, &format!("LB.PRIZES {key} 0 COUNT 1000 UNCLAIMED AT {}", day * DAY));
    let rows = |page: redis::Value| match page {
        redis::Value::Array(mut items) => match items.pop() {
            Some(redis::Value::Array(rows)) => rows.len(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    rows(page) - rows(unclaimed)
}

fn kinds(told: &[Told]) -> Vec<(&str, u64)> {
    told.iter().map(|told| (told.kind(), told.body["data"]["page"].as_u64().unwrap_or(0))).collect()
}

#[test]
fn a_period_is_told_once_and_then_its_winners_page_by_page() {
    let (server, receiver) = (Server::start(Flavor::Redis70), Receiver::start(|_| Answer::Status(200)));
    cup(&server, "cup:1", 250);
    say(&server, "LB.SETMETA cup:1 m0 Ann");
    cup(&server, "other", 3);
    let gateway = File::of("prizes", &receiver, "").claiming(&server);
    wait_until(|| receiver.told().len() >= 4);
    wait_until(|| claimed(&server, "cup:1", 2) == 250);
    let told = receiver.told();
    assert_eq!(kinds(&told), [("period.ended", 0), ("prizes.won", 1), ("prizes.won", 2), ("prizes.won", 3)]);
    let period = json!({"board": "cup:1", "view": "day", "period": "1970-01-03", "start": 2 * DAY, "end": 3 * DAY,
        "members": 250, "prizes": 250});
    assert_eq!(
        told[0].body,
        json!({"type": "period.ended", "timestamp": "1970-01-04T00:00:00.000Z", "data": period})
    );
    let names: Vec<String> = (0..250).map(|number| format!("m{number}")).collect();
    assert_eq!(told[1..].iter().flat_map(Told::winners).collect::<Vec<_>>(), names);
    let first = json!({"rank": 1, "member": "m0", "meta": "Ann", "score": "10000", "prize": "gold"});
    assert_eq!(told[1].body["data"]["winners"][0], first);
    let more: Vec<&Value> = told[1..].iter().map(|told| &told.body["data"]["more"]).collect();
    assert_eq!(more, [true, true, false]);
    let ids: BTreeSet<&str> = told.iter().map(|told| told.id.as_str()).collect();
    assert_eq!(ids.len(), 4);
    // The next day is told when it has ended, and nothing is told twice.
    day(&server, "cup:1", 3, 2);
    wait_until(|| receiver.told().len() >= 6);
    assert_eq!(kinds(&receiver.told()[4..]), [("period.ended", 0), ("prizes.won", 1)]);
    let api = gateway.api();
    wait_until(|| {
        let metrics = api.get("//metrics").status(200).text().to_owned();
        ["delivered_total{hook=\"pay\"} 6", "claimed_total{hook=\"pay\"} 252", "waiting{hook=\"pay\"} 0"]
            .iter()
            .all(|line| metrics.contains(&format!("leaderboard_gateway_hook_{line}")))
    });
    let state = api.get("/hooks").value(200);
    assert_eq!(state["deliveries"].as_array().map(Vec::len), Some(6), "{state}");
    assert!(!state.to_string().contains("hidden") && !gateway.log().contains("hidden"));
    let page = api.get("//hooks").status(200);
    assert!(page.text().contains("Winners, day 1970-01-03, page 3"), "{}", page.text());
    let audit = api.get("//audit.jsonl").status(200);
    let delivered = audit.text().lines().filter(|line| line.contains("\"hook:pay\"")).count();
    assert_eq!(delivered, 6, "{}", audit.text());
}

#[test]
fn a_receiver_that_is_slow_wrong_or_down_gets_each_delivery_in_order_at_last() {
    let server = Server::start(Flavor::Redis70);
    let receiver = Receiver::start(|number| match number {
        0 => Answer::Status(500),
        1 => Answer::Slow(1_500),
        2 => Answer::Garbage,
        3 => Answer::Nothing,
        4 => Answer::Status(302),
        7 => Answer::Status(404),
        _ => Answer::Status(200),
    });
    cup(&server, "cup:1", 150);
    let gateway = File::of("prizes", &receiver, "").claiming(&server);
    wait_until(|| receiver.accepted().len() >= 3);
    let told = receiver.told();
    let [period, first, second] = [&told[0].id, &told[6].id, &told[7].id];
    let ids: Vec<&String> = told.iter().map(|told| &told.id).collect();
    assert_eq!(ids, [period, period, period, period, period, period, first, second, second]);
    assert_eq!(kinds(&receiver.accepted()), [("period.ended", 0), ("prizes.won", 1), ("prizes.won", 2)]);
    wait_until(|| claimed(&server, "cup:1", 2) == 150);
    let deliveries = gateway.api().get("/hooks").value(200)["deliveries"].clone();
    let tries: Vec<&Value> = deliveries.as_array().expect("a list").iter().map(|one| &one["tries"]).collect();
    assert_eq!(tries, [2, 1, 6]);
}

#[test]
fn gateways_share_the_work_and_one_goes_on_when_another_is_killed() {
    let server = Server::start(Flavor::Redis70);
    // Nothing gets through before the first gateway is killed, in the middle of a delivery.
    let receiver = Receiver::start(|number| match number {
        0 => Answer::Status(200),
        1 => Answer::Slow(600),
        _ => Answer::Status(200),
    });
    cup(&server, "cup:1", 120);
    let file = File::of("prizes", &receiver, "");
    let mut first = file.claiming(&server);
    wait_until(|| receiver.told().len() == 2);
    first.kill();
    let gateways = [file.claiming(&server), file.claiming(&server)];
    wait_until(|| claimed(&server, "cup:1", 2) == 120);
    let told = receiver.told();
    // The page that was on the way comes again, with its id. All else comes once, although there are two gateways.
    assert_eq!(told[1].id, told[2].id);
    assert_eq!(kinds(&told), [("period.ended", 0), ("prizes.won", 1), ("prizes.won", 1), ("prizes.won", 2)]);
    for key in ["cup:2", "cup:3", "cup:4"] {
        cup(&server, key, 5);
    }
    wait_until(|| receiver.told().len() >= 10);
    wait_until(|| {
        gateways.iter().all(|gateway| {
            let deliveries = gateway.api().get("/hooks").value(200)["deliveries"].clone();
            deliveries.as_array().map(Vec::len) == Some(9)
        })
    });
    assert_eq!(receiver.told().len(), 10);
}

#[test]
fn a_delivery_that_is_too_old_is_given_up_and_can_be_sent_again() {
    let (server, alive) =
        (Server::start(Flavor::Redis70), std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
    let is_alive = std::sync::Arc::clone(&alive);
    let receiver = Receiver::start(move |_| {
        let is_alive = is_alive.load(std::sync::atomic::Ordering::Relaxed);
        Answer::Status(if is_alive { 200 } else { 503 })
    });
    cup(&server, "cup:1", 1);
    let gateway = File::of("prizes", &receiver, "max-age = \"1s\"").claiming(&server);
    let api = gateway.api();
    let deliveries = || api.get("/hooks").value(200)["deliveries"].as_array().cloned().expect("a list");
    wait_until(|| deliveries().len() == 2);
    let given_up = deliveries();
    assert!(given_up.iter().all(|one| one["error"] == "the receiver answered 503"), "{given_up:?}");
    assert_eq!(claimed(&server, "cup:1", 2), 0);
    let again = |id: &Value| {
        api.post(&format!("/boards/cup:1/deliveries/{}", id.as_str().expect("an id")), json!({}))
    };
    again(&given_up[0]["id"]).problem(502);
    alive.store(true, std::sync::atomic::Ordering::Relaxed);
    let sent = again(&given_up[0]["id"]).value(200);
    assert_eq!((&sent["kind"], &sent["claimed"]), (&json!("prizes.won"), &json!(1)));
    assert_eq!(claimed(&server, "cup:1", 2), 1);
    again(&json!("msg_none")).problem(404);
    // By the button of the page, too.
    let body = format!("key=cup%3A1&id={}", given_up[1]["id"].as_str().expect("an id"));
    api.text("POST", "//hooks/again", "application/x-www-form-urlencoded", body.as_bytes()).status(303);
    let last = receiver.told().pop().expect("a delivery");
    assert_eq!((last.kind(), json!(last.id)), ("period.ended", given_up[1]["id"].clone()));
}

#[test]
fn winners_are_fixed_before_they_are_told_and_those_of_periods_that_are_no_longer_kept_are_told_too() {
    let (server, receiver) = (Server::start(Flavor::Redis70), Receiver::start(|_| Answer::Status(200)));
    say(&server, "LB.CREATE cup:1 VIEWS day CLOCK EVENT RETAIN 1 PRIZES day 1=gold,2=silver");
    for number in [2, 3, 5] {
        day(&server, "cup:1", number, 3);
    }
    day(&server, "cup:1", 9, 1);
    say(&server, "LB.ALTER cup:1 NOW 1036800000");
    let path = File::of("prizes", &receiver, "");
    let path = path.path();
    let _gateway = Gateway::builder(&[&server]).arg("--hooks", path.to_str().expect("a text")).start();
    wait_until(|| receiver.told().len() >= 8);
    let told = receiver.told();
    let periods: Vec<&str> =
        told.iter().map(|told| told.body["data"]["period"].as_str().expect("a label")).collect();
    let [a, b, c, d] = ["1970-01-03", "1970-01-04", "1970-01-06", "1970-01-10"];
    assert_eq!(periods, [a, a, b, b, c, c, d, d]);
    assert_eq!(told[1].winners(), ["m0", "m1"]);
    // Without --hooks-claim, nothing is claimed, but nobody moves up any more.
    say(&server, "LB.HIDE cup:1 m0");
    assert_eq!(claimed(&server, "cup:1", 5), 0);
    let page = format!("{:?}", say(&server, "LB.PRIZES cup:1 0 AT 432000000"));
    assert!(!page.contains("m2"), "{page}");
}

#[test]
fn the_first_winners_are_told_however_many_periods_a_hook_has_passed_before() {
    let (server, receiver) = (Server::start(Flavor::Redis70), Receiver::start(|_| Answer::Status(200)));
    say(&server, "LB.CREATE cup:1 VIEWS day CLOCK EVENT PRIZES day 1=gold");
    day(&server, "cup:1", 1_300, 2);
    let file = File::of("prizes", &receiver, "");
    let path = file.path();
    let _gateway = Gateway::builder(&[&server]).arg("--hooks", path.to_str().expect("a text")).start();
    wait_until(|| receiver.told().len() >= 2);
    assert_eq!(receiver.told()[1].winners(), ["m0"]);
}

#[test]
fn ended_periods_and_changes_of_the_top_are_told() {
    let (server, periods) = (Server::start(Flavor::Redis70), Receiver::start(|_| Answer::Status(200)));
    let tops = Receiver::start(|_| Answer::Status(200));
    say(&server, "LB.CREATE cup:1 VIEWS day,week CLOCK EVENT RETAIN 5");
    let [first, second] = [File::of("period", &periods, ""), File::of("top", &tops, "count = 2")];
    let both = [&first, &second].map(|file| std::fs::read_to_string(file.path()).expect("a file"));
    std::fs::write(first.path(), both[0].clone() + &both[1].replace("\"pay\"", "\"top\"")).expect("a file");
    day(&server, "cup:1", 2, 3);
    let path = first.path();
    let _gateway = Gateway::builder(&[&server]).arg("--hooks", path.to_str().expect("a text")).start();
    wait_until(|| periods.told().len() == 1);
    let told = periods.told();
    assert_eq!((&told[0].body["data"]["view"], &told[0].body["data"]["members"]), (&json!("day"), &json!(3)));
    assert_eq!(told[0].body["data"].get("prizes"), None);
    let add =
        |points: u64, member: &str| say(&server, &format!("LB.ADD cup:1 {points} {member} AT {}", 3 * DAY));
    let top = |number: usize| {
        wait_until(|| tops.told().len() > number);
        let rows = tops.told()[number].body["data"]["rows"].clone();
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|row| row["member"].as_str().expect("a member").to_owned()).collect::<Vec<_>>()
    };
    add(5, "ann");
    assert_eq!(top(0), ["ann"]);
    add(7, "bob");
    assert_eq!(top(1), ["bob", "ann"]);
    // Other scores in the same order, and other members below, are no news.
    add(9, "bob");
    add(1, "cem");
    add(20, "ann");
    assert_eq!(top(2), ["ann", "bob"]);
}

#[test]
fn every_winner_is_told_and_paid_once_although_server_and_gateway_are_killed_again_and_again() {
    let mut server =
        Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("appendfsync", "always").start();
    // Every fourth answer is a failure, and some come late.
    let receiver = Receiver::start(|number| match number % 8 {
        3 => Answer::Status(500),
        5 => Answer::Slow(50),
        7 => Answer::Nothing,
        _ => Answer::Status(200),
    });
    let keys: Vec<String> = (0..12).map(|number| format!("cup:{number}")).collect();
    keys.iter().for_each(|key| cup(&server, key, 130));
    let file = File::of("prizes", &receiver, "");
    let mut gateway = file.claiming(&server);
    for round in 1..=4_usize {
        wait_until(|| receiver.told().len() >= round * 6);
        if round % 2 == 0 {
            gateway.kill();
            gateway = file.claiming(&server);
        } else {
            server.kill9();
            server.start_again();
        }
    }
    for key in &keys {
        wait_until(|| claimed(&server, key, 2) == 130);
    }
    // Whatever was told twice was told with the same id, the same ranks and the same prizes.
    let mut known = std::collections::BTreeMap::new();
    for told in receiver.told().iter().filter(|told| told.kind() == "prizes.won") {
        for winner in told.body["data"]["winners"].as_array().expect("winners") {
            let place = (told.body["data"]["board"].to_string(), winner["member"].to_string());
            let won = (told.id.clone(), winner["rank"].clone(), winner["prize"].clone());
            let before = known.entry(place).or_insert_with(|| won.clone());
            assert_eq!(*before, won);
        }
    }
    assert_eq!(known.len(), 12 * 130);
    // Pages of a board come in order: no page is told before the one in front of it was accepted.
    for key in &keys {
        let told = receiver.told();
        let own = told.iter().filter(|told| told.body["data"]["board"] == key.as_str());
        let mut accepted = 0;
        for told in own {
            let page = told.body["data"]["page"].as_u64().unwrap_or(0);
            assert!(page <= accepted, "{key}: page {page} after {accepted}");
            if matches!(told.answer, Answer::Status(200) | Answer::Slow(_)) {
                accepted = accepted.max(page + 1);
            }
        }
    }
}

#[test]
fn boards_of_all_nodes_and_boards_over_parts_are_told() {
    let (cluster, receiver) = (Cluster::start(Flavor::Redis70), Receiver::start(|_| Answer::Status(200)));
    let files = [File::of("prizes", &receiver, ""), File::of("period", &receiver, "")];
    let [prizes, period] = files.each_ref().map(|file| std::fs::read_to_string(file.path()).expect("a file"));
    let period = period.replace("\"pay\"", "\"ends\"").replace("cup:*", "wide");
    std::fs::write(files[0].path(), prizes + &period).expect("a file");
    let gateway = files[0].claiming(&cluster.0[1]);
    let api = gateway.api();
    let keys: Vec<String> = (0..6).map(|number| format!("cup:{number}")).collect();
    let prizes = json!([{"view": "day", "places": "1=gold"}]);
    for key in &keys {
        api.post("/boards", json!({"key": key, "views": "day", "clock": "event", "prizes": prizes}))
            .status(201);
    }
    let door = redis::Client::open(format!("redis://{}", gateway.door())).expect("an address");
    let mut door = door.get_connection().expect("a connection");
    run(&mut door, &["LB.CREATE", "wide", "VIEWS", "2s", "RETAIN", "5", "PARTS", "2"]);
    let rules = ["VIEWS", "2s", "RETAIN", "5", "PRIZES", "2s", "1-4=coin", "PARTS", "2"];
    run(&mut door, &[&["LB.CREATE", "cup:wide"][..], &rules].concat());
    for (board, member) in
        ["wide", "cup:wide"].into_iter().flat_map(|board| MEMBERS.map(|member| (board, member)))
    {
        run(&mut door, &["LB.ADD", board, "1", member]);
    }
    for key in &keys {
        for (day, member) in [2, 3].into_iter().flat_map(|day| MEMBERS.map(|member| (day, member))) {
            api.post(&format!("/boards/{key}/members/{member}/score"), json!({"points": 1, "at": day * DAY}))
                .status(200);
        }
    }
    let board = |told: &Told| told.body["data"]["board"].as_str().expect("a board").to_owned();
    let of = |key: &str| receiver.told().into_iter().filter(|told| board(told) == key).collect::<Vec<Told>>();
    for key in &keys {
        wait_until(|| of(key).len() == 2);
        assert_eq!(kinds(&of(key)), [("period.ended", 0), ("prizes.won", 1)]);
        assert_eq!(of(key)[1].winners(), ["ann"]);
    }
    // A boundary can come between the writes to the board over parts.
    let members = |told: &Told| told.body["data"]["members"].as_u64().expect("a number");
    wait_until(|| of("wide").iter().map(members).sum::<u64>() == 4);
    // The parts know who was first, the root who has claimed: each member has its prize once.
    let won = || {
        let pages = of("cup:wide").into_iter().filter(|told| told.body["type"] == "prizes.won");
        let names = |told: Told| told.winners().into_iter().map(str::to_owned).collect::<Vec<_>>();
        pages.flat_map(names).collect::<Vec<_>>()
    };
    wait_until(|| won().len() == MEMBERS.len());
    let mut winners = won();
    winners.sort();
    assert_eq!(winners, MEMBERS);
    let claimed = || {
        let hooks = api.get("/hooks").value(200);
        let deliveries = hooks["deliveries"].as_array().expect("a list").iter();
        let of_board = deliveries.filter(|delivery| delivery["board"] == "cup:wide");
        of_board.map(|delivery| delivery["claimed"].as_u64().expect("a number")).sum::<u64>()
    };
    wait_until(|| claimed() == MEMBERS.len() as u64);
    let troubles = api.get("/hooks").value(200)["troubles"].clone();
    assert_eq!(troubles, json!([]));
    // The keys of the parts match `cup:*`, too, but they are no boards of their own.
    let boards: BTreeSet<String> = receiver.told().iter().map(board).collect();
    assert_eq!(boards, keys.iter().cloned().chain(["wide".to_owned(), "cup:wide".to_owned()]).collect());
}

#[test]
fn a_file_with_a_fault_or_a_console_that_only_reads_does_not_start() {
    let receiver = Receiver::start(|_| Answer::Status(200));
    let file = File::of("prizes", &receiver, "");
    let path = file.path();
    let path = path.to_str().expect("a text");
    let ends = |args: &[&str]| {
        let ended =
            std::process::Command::new(crate::support::program()).args(args).output().expect("an end");
        assert!(!ended.status.success());
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    assert!(ends(&["--hooks", path, "--read-only"]).contains("not with --read-only"));
    assert!(ends(&["--hooks", "/no/such/file"]).contains("--hooks /no/such/file: "));
    assert!(ends(&["--hooks-claim"]).contains("--hooks <FILE>"));
    std::fs::write(file.path(), "[[hook]]\nname = \"pay\"\nkeys = \"*\"\n").expect("a file");
    assert!(ends(&["--hooks", path]).contains("missing field `event`"));
    std::fs::set_permissions(file.path(), Permissions::from_mode(0o644)).expect("a file that all can read");
    assert!(ends(&["--hooks", path]).contains("others can read or write it"));
}
