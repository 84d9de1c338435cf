//! Who may do what: roles (`role`), callers and the keys they are for (`caller`), tokens kept as hashes (`tokens`),
//! sessions of browsers (`sessions`), the names that the console answers to (`hosts`), addresses behind proxies
//! (`proxy`), places that each caller has some of (`places`), and the log of
//! what was changed (`audit`).

pub mod audit;
pub mod caller;
pub mod hosts;
pub mod places;
pub mod proxy;
pub mod role;
pub mod sessions;
pub mod tokens;

pub use caller::Caller;
pub use role::Role;
