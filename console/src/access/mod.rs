//! Who may do what: roles (`role`), callers and their keys (`caller`), tokens kept as hashes (`tokens`), sessions of
//! browsers (`sessions`), the host names that the console accepts (`hosts`), addresses behind proxies (`proxy`), a
//! limited number of places for each caller (`places`), sign-in by a provider (`oidc`), and the log of changes (`audit`).

pub mod audit;
pub mod caller;
pub mod hosts;
pub mod limits;
pub mod oidc;
pub mod places;
pub mod proxy;
pub mod role;
pub mod sessions;
pub mod ticket;
pub mod tokens;

pub use caller::Caller;
pub use role::Role;
