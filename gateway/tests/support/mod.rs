//! The test harness: the gateway under test (`gateway`), and the requests and replies of tests (`http`, `raw`,
//! `stream`). Servers come from the harness in the testkit.

mod gateway;
mod http;
mod raw;
mod receiver;
mod shared;
mod stream;

pub use gateway::{Gateway, program, signal, tokens};
pub use http::{Api, Reply, encoded};
pub use raw::{Raw, raw};
pub use receiver::{Answer, Receiver, SECRET, Told};
pub use shared::{Pair, shared};
pub use stream::Stream;
