//! The console: an HTTP API and admin pages for servers with the leaderboard module. It keeps no data of its own: the
//! boards and counters on the servers hold everything. A restart loses the sessions of browsers, and the plots of the last hour.

mod accept;
mod access;
mod api;
mod app;
mod authorities;
mod bodies;
mod candidates_csv;
mod catalog;
mod changes;
mod cors;
mod download;
mod exposition;
mod fresh_id;
mod gains;
mod guard;
mod history;
mod hooks;
mod i18n;
mod lease;
mod link;
mod live;
mod options;
mod pages;
mod problem;
mod refused;
mod scores_csv;
mod server;
mod settings;
mod share;
mod traffic;
mod web_origin;

pub use access::limits::Limits;
pub use access::{Role, tokens};
pub use app::App;
pub use server::serve;
pub use settings::Settings;
