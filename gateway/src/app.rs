//! What all requests share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::access::Caller;
use crate::access::audit::Audit;
use crate::access::hosts::Hosts;
use crate::access::places::Places;
use crate::access::proxy::Origin;
use crate::access::sessions::Sessions;
use crate::access::tokens::Tokens;
use crate::bodies;
use crate::config::Settings;
use crate::history::History;
use crate::link::Link;
use crate::live::Live;
use crate::share::Shares;

/// The state of a console. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The parts of the state.
pub struct Shared {
    pub settings: Settings,
    pub link: Link,
    pub hosts: Hosts,
    /// Without: whoever reaches the console may do everything.
    pub tokens: Option<Tokens>,
    /// Who they are then.
    pub anybody: Caller,
    pub sessions: Sessions,
    pub audit: Audit,
    pub history: History,
    pub live: Live,
    pub shares: Shares,
    /// Places for bodies that come slowly.
    pub slow_bodies: Places<Origin>,
    /// Cancelled when the process is told to end: streams end then, since the server waits for open requests.
    pub stopping: CancellationToken,
}

impl App {
    /// Reads the files that the settings name. Connects to no server yet.
    ///
    /// # Errors
    /// A file that cannot be read, or a server address that is none.
    pub fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self(Arc::new(Shared {
            link: Link::new(&settings)?,
            hosts: Hosts::new(&settings),
            tokens: settings.tokens.clone().map(|file| Tokens::open(file, settings.read_only)).transpose()?,
            sessions: Sessions::default(),
            audit: Audit::open(settings.audit.as_deref())?,
            history: History::default(),
            live: Live::default(),
            shares: Shares::new(settings.max_per_token),
            slow_bodies: Places::new(bodies::SLOW),
            stopping: CancellationToken::new(),
            anybody: Caller::anybody(settings.read_only)?,
            settings,
        })))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
