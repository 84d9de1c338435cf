//! Tests of spread boards over many keys of a cluster, through the gateway's RESP door: compared with a plain board,
//! while nodes fail and slots move, on partly made boards, and with users of few rights. They check the documented
//! behaviour and do not use the code.

mod backup;
mod chaos;
mod cluster;
mod crowds;
mod door;
mod faults;
mod gathers;
mod growth;
mod load;
mod moving;
mod options;
mod outage;
mod periods;
mod plays;
mod reads;
mod session;
mod shared;
mod shrink;
mod tls;
mod twins;
mod users;
mod waiting;
mod wire;

use leaderboard_testkit::{random, slots as parts};
