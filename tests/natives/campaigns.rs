//! Boards with votes: limits, declared options and voters.

use leaderboard_testkit::session::{say, shown};
use leaderboard_testkit::{Words, pipeline};
use redis::Connection;

use super::{Kind, Native, commands};
use crate::periods::dated;

const PREFIX: &str = "LB.";

pub const CAMPAIGN: Native = Native {
    name: "campaign",
    prefix: PREFIX,
    kinds: || KINDS.iter().map(|kind| kind as &dyn Kind).collect(),
    uses: || READS.iter().chain(&WRITES).map(|line| (*line).to_owned()).collect(),
    may_fail: &[
        "is not a view of this board",
        "the score would be out of range",
        "is not an option of this board (DECLARED)",
        "needs a board with SHOWN",
        "more than 16 rules",
        "INITIAL is out of range",
        " is needed: the rule ",
    ],
    waits: &[
        "VOTE again 1 ann BY v",
        "MVOTE again BY v 1 ann",
        "OPTION again ann",
        "QUOTA again BY v",
        "VOTERS again",
    ],
};

struct Campaign {
    key: &'static str,
    make: fn() -> Vec<String>,
    /// Arguments after `LB.VOTE key` of a vote that was cast before.
    remembered: &'static str,
}

const KINDS: [Campaign; 3] = [
    Campaign { key: "poll", make: poll, remembered: "4 ann BY v1 TAG ip x ID two AT @2019-03-19T10:00" },
    Campaign { key: "many", make: many, remembered: "" },
    Campaign { key: "ballot", make: ballot, remembered: "" },
];

/// Makes a campaign with every kind of data: rolling views, declared options with weights and initial votes, and rules
/// with several scopes.
fn poll() -> Vec<String> {
    [
        "CREATE poll VIEWS all,day,day:2 CLOCK EVENT SHOWN DECLARED RETAIN 1 DEDUP 864000 OPENS 5 CLOSES @2029-03-21 \
         LIMIT hourly voter 5 hour BONUS channel acme 2 LIMIT ever voter+ip 9 all",
        "OPTION poll ann WEIGHT 3",
        "OPTION poll bob INITIAL 10",
        "VOTE poll 2 ann BY v1 TAG ip x AT @2019-03-18T10:00",
        "MVOTE poll BY v2 TAG ip x ID one AT @2019-03-18T11:00 1 ann 2 bob",
        "VOTE poll 4 ann BY v1 TAG ip x ID two AT @2019-03-19T10:00",
    ]
    .map(dated)
    .to_vec()
}

/// Makes a campaign whose voters need more than one piece.
fn many() -> Vec<String> {
    let mut all = vec!["CREATE many VIEWS all,hour CLOCK EVENT LIMIT once voter 1 day".to_owned()];
    all.extend((0..1_500).map(|n| format!("VOTE many 1 m{} BY v{n} AT 1000", n % 3)));
    all
}

fn ballot() -> Vec<String> {
    [
        "CREATE ballot VIEWS all CLOCK EVENT SHOWN LIMIT hourly voter 5 hour LIMIT other ip 5 day",
        "OPTION ballot zed WEIGHT 2",
        "VOTE ballot 1 zed BY v9 TAG ip x AT 7000",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// The reads of a campaign. If a campaign does not have the data of a read, the errors are compared.
const READS: [&str; 10] = [
    "TOP KEY 9",
    "TOP KEY 9 REAL",
    "TOP KEY 9 VIEW day PERIOD -1 REAL",
    "OPTIONS KEY 0 COUNT 100",
    "OPTIONS KEY 2",
    "VOTERS KEY",
    "VOTERS KEY MEMBER ann VIEW day:2",
    "VOTERS KEY VIEW day PERIOD -1",
    "VOTERS KEY VIEW hour",
    "QUOTA KEY BY v1 TAG ip x TAG channel acme MEMBER ann",
];

const WRITES: [&str; 12] = [
    "VOTE KEY 1 ann BY v1 TAG ip x AT 1552992000000",
    "MVOTE KEY BY v3 TAG ip z ID new AT 1552993000000 1 ann 1 bob 1 ann",
    "OPTION KEY cat WEIGHT 5",
    "OPTION KEY bob INITIAL 4",
    "REM KEY ann nobody",
    "ALTER KEY LIMIT hourly voter 1 hour LIMIT more voter 3 minute",
    "VOTE KEY 1 bob BY v1 TAG ip x AT 1553200000000",
    "VOTE KEY 1 m1 BY v1 TAG ip x AT 1563200000000",
    "TOP KEY 9 VIEW day",
    "OPTIONS KEY 0",
    "VOTERS KEY",
    "INFO KEY",
];

impl Kind for Campaign {
    fn key(&self) -> &'static str {
        self.key
    }

    fn make(&self) -> Vec<Words> {
        commands(PREFIX, &(self.make)())
    }

    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)> {
        let lines = READS.map(|line| line.replace("KEY", self.key));
        let rules = say(con, &format!("LB.INFO {}", self.key));
        let rules = rules.split("\"memory\"").next().unwrap_or_default().to_owned();
        vec![
            ("LB.INFO", rules),
            ("votes", pipeline(con, &commands(PREFIX, &lines)).iter().map(shown).collect()),
        ]
    }

    fn later(&self) -> Vec<Words> {
        commands(
            PREFIX,
            &WRITES[..WRITES.len() - 1].iter().map(|line| line.replace("KEY", "scratch")).collect::<Vec<_>>(),
        )
    }

    fn retry(&self, con: &mut Connection) {
        if !self.remembered.is_empty() {
            let reply = say(con, &dated(&format!("LB.VOTE {} {}", self.key, self.remembered)));
            assert!(reply.starts_with("[1 ") && reply.ends_with(" 0]]]"), "{}: {reply}", self.key);
        }
    }
}
