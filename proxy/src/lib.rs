//! Shows a board over many nodes as one board. Clients of Redis connect to the gateway's port for them, which is called
//! the door (`resp`). They see one board where the servers have many parts. `spread` carries out their commands over
//! the parts, and `nodes` holds the connections to the servers. `servers` carries out commands of the program itself in
//! the same way. `load` limits the work that is under way, and counts it. `backup` writes whole boards to files, and
//! restores them.

mod accept;
pub mod backup;
mod load;
mod nodes;
mod resp;
mod servers;
pub mod size;
mod spread;

pub use accept::accept;
pub use load::{Client, Counts, Histogram, Limits, Load, Lost, Recent, serving};
pub use nodes::{Held, holding};
pub use resp::{Door, People, Settings};
pub use servers::Servers;
pub use spread::{OTHER_PARTS, Timing, asked};
