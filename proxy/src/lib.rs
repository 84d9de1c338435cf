//! One board over many nodes. Clients of Redis connect to the gateway's port for them, the door (`resp`), and see one
//! board where the servers have many parts. `spread` carries their commands out over the parts, and `nodes` has the
//! connections to the servers. `servers` does the same for commands of the program itself.

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
