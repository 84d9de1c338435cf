//! A typed client for the leaderboard module, on top of the crate [`redis`].
//!
//! A function for each command makes a request. A connection sends the request and reads its reply as the type of
//! this request. Options are methods of a request. Options without a method can be given with
//! [`option`](Request::option) and [`flag`](Request::flag).
//!
//! ```no_run
//! use leaderboard_client::{Leaderboard, add, create, standing, top};
//!
//! fn main() -> redis::RedisResult<()> {
//!     let mut server = redis::Client::open("redis://127.0.0.1")?.get_connection()?;
//!     server.lb(&create("game").views("all,day,day:7").nx())?;
//!     let alice = server.lb(&add("game", 50, "alice").id("battle-1"))?;
//!     println!("alice has rank {:?} with {:?}", alice.rank, alice.score);
//!     for row in server.lb(&top("game", 10).view("day").with_meta())? {
//!         println!("{:>3} {} {}", row.rank, row.member, row.score);
//!     }
//!     if let Some(alice) = server.lb(&standing("game", "alice"))? {
//!         println!("better than {} percent", alice.percentile);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! A pipeline of `redis` sends many requests in one round trip. Each request reads its own reply:
//!
//! ```no_run
//! # use leaderboard_client::add;
//! # fn main() -> redis::RedisResult<()> {
//! # let mut server = redis::Client::open("redis://127.0.0.1")?.get_connection()?;
//! let requests = [add("game", 5, "alice").id("a"), add("game", 3, "bob").id("b")];
//! let mut pipeline = redis::pipe();
//! for request in &requests {
//!     pipeline.add_command(request.cmd());
//! }
//! let replies: Vec<redis::Value> = pipeline.query(&mut server)?;
//! for (request, reply) in requests.iter().zip(replies) {
//!     println!("{:?}", request.parse(reply)?.rank);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The feature `aio` adds `AsyncLeaderboard`, which sends requests over asynchronous connections.

pub mod boards;
mod connection;
pub mod counters;
mod errors;
pub mod leagues;
pub mod limit_rule;
pub mod moving;
mod options;
pub mod prizes;
pub mod reads;
mod replies;
mod request;
mod rules;
pub mod scores;
pub mod segments;
pub mod votes;

pub use redis;

#[cfg(feature = "aio")]
pub use connection::AsyncLeaderboard;
pub use {
    boards::*,
    connection::Leaderboard,
    errors::{HeldBack, Kind, held_back, kind, retry_after},
    limit_rule::LimitRule,
    moving::*,
    options::Ranks,
    prizes::*,
    reads::*,
    replies::*,
    request::Request,
    scores::*,
    segments::*,
    votes::*,
};
