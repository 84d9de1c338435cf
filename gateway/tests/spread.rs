//! Boards over many keys of a cluster, as clients of the gateway's RESP door see them: against one plain board, while
//! nodes fail and slots move, half made, and by users with few rights. They know the promises, not the code.

mod chaos;
mod cluster;
mod crowds;
mod door;
mod faults;
mod options;
mod outage;
mod periods;
mod plays;
mod reads;
mod session;
mod shared;
mod tls;
mod twins;
mod users;
mod wire;

use leaderboard_testkit::{random, slots as parts};
