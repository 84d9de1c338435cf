//! Tests that a spread board and a plain board reply the same after the same writes.

use std::collections::HashMap;
use std::thread;

use super::cluster::Cluster;
use super::door::Door;
use super::parts::part_of;
use super::plays::{Play, Points, Rules, as_spread, now};
use super::reads::{Places, read};
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, wait_until};

const VIEWS: &str = "VIEWS all,hour,day:7 RETAIN 3";

const KINDS: [Rules; 7] = [
    Rules { options: "", points: Points::Whole, parts: 16 },
    Rules { options: "TIES LAST", points: Points::Whole, parts: 4 },
    Rules { options: "DECIMALS 2 ORDER ASC", points: Points::Cents, parts: 16 },
    Rules { options: "LEVELS gold:DESC:2000,silver:ASC:2000", points: Points::Levels, parts: 4 },
    Rules { options: "AGGREGATE MAX", points: Points::Whole, parts: 4 },
    Rules { options: "AGGREGATE LAST TIES LAST ORDER ASC", points: Points::Whole, parts: 2 },
    Rules { options: "AGGREGATE MIN ORDER ASC TIES LAST DECIMALS 2", points: Points::Cents, parts: 16 },
];

/// Connections to a spread board and to its plain twin, each with RESP2 and RESP3.
struct Twins {
    spread: [Wire; 2],
    plain: [Wire; 2],
    keys: [String; 2],
}

impl Twins {
    fn make(cluster: &Cluster, door: &Door, name: &str, rules: Rules) -> Twins {
        let keys = [name.to_owned(), format!("{name}-plain")];
        let mut twins = Twins {
            spread: [door.wire(), door.wire_resp3()],
            plain: [cluster.wire(&keys[1]), cluster.wire_resp3(&keys[1])],
            keys,
        };
        let (options, parts) = (rules.options, rules.parts);
        let made = [
            twins.spread[0].run(&format!("LB.CREATE {name} {VIEWS} {options} PARTS {parts}")),
            twins.plain[0].run(&format!("LB.CREATE {name}-plain {VIEWS} {options}")),
        ];
        assert_eq!(made[0], made[1]);
        twins
    }

    fn words(&self, twin: usize, words: &[String]) -> Vec<Vec<u8>> {
        let mut words: Vec<_> = words.iter().map(|word| word.clone().into_bytes()).collect();
        words.insert(1, self.keys[twin].clone().into_bytes());
        words
    }

    /// Sends writes to both boards, each time in one pipeline, and compares the replies.
    fn write(&mut self, play: &mut Play, count: usize, protocol: usize) {
        let nil = Reply::Nil([b'$', b'_'][protocol]);
        let writes: Vec<_> = (0..count).map(|_| play.write()).collect();
        let ranked: Vec<_> = writes.iter().map(|words| play.ranked(words)).collect();
        let (spread, plain): (Vec<_>, Vec<_>) = writes
            .iter()
            .zip(&ranked)
            .map(|(words, ranked)| (self.words(0, ranked.as_ref().unwrap_or(words)), self.words(1, words)))
            .unzip();
        let (spread, plain) =
            (self.spread[protocol].pipeline(&spread), self.plain[protocol].pipeline(&plain));
        for (number, words) in writes.iter().enumerate() {
            let expected = as_spread(&words[0], &plain[number], ranked[number].is_some(), &nil);
            assert_eq!(spread[number], expected, "{words:?} {:?}", ranked[number].is_some());
        }
    }

    /// Sends reads to both boards, each time in one pipeline, and compares the replies.
    fn read(
        &mut self,
        play: &mut Play,
        rules: Rules,
        count: usize,
        protocol: usize,
        places: &HashMap<&str, Places>,
    ) {
        let reads: Vec<_> = (0..count).map(|_| read(play, rules.points, places.is_empty())).collect();
        let nobody = HashMap::new();
        let stand_in = |view: &str, command: &str| {
            // The replies to these commands do not depend on places.
            let own = ["LB.GETMETA", "LB.MGETMETA", "LB.HIDDEN"].contains(&command);
            places.get(view).filter(|_| !own)
        };
        let (spread, plain): (Vec<_>, Vec<_>) = reads
            .iter()
            .map(|read| {
                let asked = stand_in(&read.view, &read.command()).map_or(&nobody, |places| &places.asked);
                (self.words(0, &read.texts(&nobody)), self.words(1, &read.texts(asked)))
            })
            .unzip();
        let (spread, plain) =
            (self.spread[protocol].pipeline(&spread), self.plain[protocol].pipeline(&plain));
        for (number, read) in reads.iter().enumerate() {
            let places = stand_in(&read.view, &read.command());
            let expected = places.map_or_else(|| plain[number].clone(), |places| places.told(&plain[number]));
            assert_eq!(spread[number], expected, "{}", read.texts(&nobody).join(" "));
        }
    }

    /// Returns, for each view, the exchange of members for a board whose equal members are ordered by their parts.
    fn places(&mut self, parts: u16) -> HashMap<&'static str, Places> {
        let key = self.keys[1].clone();
        let mut of = |view| (view, Places::of(&mut self.plain[0], &key, view, |name| part_of(name, parts)));
        ["all", "hour", "day:7"].map(&mut of).into_iter().collect()
    }
}

/// Sends writes and reads to both boards. Repeats this with other boards if an hour ended in the meantime.
fn play(cluster: &Cluster, door: &Door, name: &str, seed: u64, rules: Rules, distinct: bool) {
    const ROUNDS: usize = 12;
    wait_until(|| {
        let name = format!("{name}-{}", now());
        let mut play = Play::new(seed, rules, distinct);
        let mut twins = Twins::make(cluster, door, &name, rules);
        for round in 0..ROUNDS {
            let protocol = round % 2;
            twins.write(&mut play, 30, protocol);
            let places = if distinct { HashMap::new() } else { twins.places(rules.parts) };
            if play.hour_ended() {
                return false;
            }
            twins.read(&mut play, rules, 60, protocol, &places);
        }
        !play.hour_ended()
    });
}

fn play_all(flavor: Flavor, kinds: &[Rules]) {
    let cluster = Cluster::start(flavor);
    let door = Door::patient(&cluster);
    let (cluster, door) = (&cluster, &door);
    thread::scope(|scope| {
        for (number, rules) in kinds.iter().enumerate() {
            scope.spawn(move || {
                play(cluster, door, &format!("distinct-{number}"), number as u64 + 1, *rules, true);
                play(cluster, door, &format!("equal-{number}"), number as u64 + 100, *rules, false);
            });
        }
    });
}

#[test]
fn a_spread_board_answers_as_a_plain_one() {
    play_all(Flavor::Redis70, &KINDS);
}

#[test]
fn a_spread_board_answers_as_a_plain_one_on_valkey() {
    play_all(Flavor::Valkey91, &KINDS[..3]);
}

/// Reads pages deep within many members, which the gateway finds in rounds with samples.
#[test]
fn deep_pages_are_those_of_a_plain_board() {
    const MEMBERS: usize = 20_000;
    let cluster = Cluster::start(Flavor::Redis70);
    let door = Door::patient(&cluster);
    let rules = Rules { options: "", points: Points::Whole, parts: 8 };
    let mut twins = Twins::make(&cluster, &door, "deep", rules);
    let began = now() - 1_000_000;
    let mut commands = [Vec::new(), Vec::new()];
    for member in 0..MEMBERS {
        // All members of one part rank before all other members, so the parts' shares of a page are very unequal.
        let name = format!("member-{member}");
        let points = if part_of(&name, 8) == 5 { 100 } else { member * 7_919 % 21 };
        let words = format!("LB.ADD {points} {name} AT {}", began + member as u64);
        let words: Vec<_> = words.split(' ').map(str::to_owned).collect();
        for (twin, commands) in commands.iter_mut().enumerate() {
            commands.push(twins.words(twin, &words));
        }
    }
    for batch in commands[0].chunks(2_000) {
        assert!(twins.spread[0].pipeline(batch).iter().all(|reply| !reply.is_error()));
    }
    for batch in commands[1].chunks(2_000) {
        twins.plain[0].pipeline(batch);
    }
    let mut reads = Vec::new();
    for options in ["", " REV", " RANKS COMPETITION", " RANKS COMPETITION REV"] {
        for offset in [0, 1, 999, 2_400, 9_999, 12_345, 19_990, 20_000, 40_000] {
            reads.push(format!("LB.TOP 50 OFFSET {offset}{options}"));
            reads.push(format!("LB.RANGE {offset} {}{options}", offset + 20));
            reads.push(format!("LB.RANGEBYSCORE 3 (17 OFFSET {offset} COUNT 20{options}"));
            reads.push(format!("LB.AROUND member-{offset} 20{options}"));
            reads.push(format!("LB.STANDING member-{offset}{options}"));
        }
        reads.push(format!("LB.TOP 3000{options}"));
        reads.push(format!("LB.RANGE -30 -1{options}"));
        reads.push(format!("LB.RANGE -10000 -9990{options}"));
    }
    for thousandth in [0, 1, 250, 333, 500, 873, 875, 999, 1_000] {
        reads.push(format!("LB.QUANTILE {}.{:03}", thousandth / 1_000, thousandth % 1_000));
    }
    reads.extend(["LB.STATS", "LB.COUNT 5 9", "LB.HISTOGRAM 0 100 13", "LB.COUNT"].map(str::to_owned));
    for read in reads {
        let words: Vec<_> = read.split(' ').map(str::to_owned).collect();
        let asked = [twins.words(0, &words), twins.words(1, &words)];
        assert_eq!(twins.spread[1].ask(&asked[0]), twins.plain[1].ask(&asked[1]), "{read}");
    }
    let dense = twins.spread[0].say("LB.TOP deep 10 RANKS DENSE OFFSET 9990");
    assert_eq!(dense, twins.plain[0].say("LB.TOP deep-plain 10 RANKS DENSE OFFSET 9990"));
    assert!(twins.spread[0].say("LB.TOP deep 10 RANKS DENSE OFFSET 10000").error().contains("10000"));
}
