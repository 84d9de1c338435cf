//! One board over many nodes. Clients of Redis come in at the door (`resp`) and find one board where there are many parts;
//! `spread` carries their commands out over the parts, and `nodes` has the way to the servers. `servers` is the same way for the program itself.

mod accept;
mod nodes;
mod resp;
mod servers;
mod spread;

pub use accept::accept;
pub use nodes::{Held, holding};
pub use resp::{Door, People, Settings};
pub use servers::Servers;
pub use spread::{Timing, asked};
