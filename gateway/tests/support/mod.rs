//! The harness: the gateway under test (`gateway`), and the requests that tests send and the replies that they expect
//! (`http`, `raw`, `stream`). Servers come from the harness of the testkit.

mod gateway;
mod http;
mod raw;
mod shared;
mod stream;

pub use gateway::{Gateway, program, signal, tokens};
pub use http::{Api, Reply, encoded};
pub use raw::{Raw, raw};
pub use shared::{Pair, shared};
pub use stream::Stream;
