//! One board over many nodes. Clients of Redis come in at the door (`resp`) and find one board where there are many parts;
//! `spread` carries their commands out over the parts, and `nodes` has the way to the servers.

mod accept;
mod nodes;
mod resp;
mod spread;

pub use accept::accept;
pub use nodes::Credentials;
pub use resp::{Door, People, Settings, Users};
pub use spread::{Engine, Timing, asked, is_of_root, looks_first, says_spread};
