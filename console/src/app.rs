//! The state that all requests share.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use leaderboard_proxy::Servers;
use tokio_util::sync::CancellationToken;

use crate::access::Caller;
use crate::access::audit::Audit;
use crate::access::hosts::Hosts;
use crate::access::oidc::Oidc;
use crate::access::places::Places;
use crate::access::proxy::Origin;
use crate::access::sessions::{Owner, Sessions};
use crate::access::tokens::{Tokens, hash};
use crate::gains::Gains;
use crate::history::{History, Kept};
use crate::hooks::{Desk, Hooks, Rows};
use crate::link::Link;
use crate::live::Live;
use crate::refused::Refusals;
use crate::settings::Settings;
use crate::share::Shares;
use crate::traffic::Traffic;

/// How many slow bodies one address may send at once.
pub const SLOW_BODIES: usize = 64;

/// The state of a console. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The parts of the state.
pub struct Shared {
    pub settings: Arc<Settings>,
    pub link: Arc<Link>,
    pub hosts: Hosts,
    /// `None` for a console without tokens: every client that reaches it may do everything.
    pub tokens: Option<Tokens>,
    /// The caller of every request if there are no tokens.
    pub anybody: Caller,
    pub sessions: Sessions,
    /// `None` without a provider that signs people in.
    pub oidc: Option<Oidc>,
    pub audit: Arc<Audit>,
    pub history: History,
    pub kept: Kept,
    pub refused: Refusals,
    pub gains: Gains,
    pub traffic: Traffic,
    pub hooks: Arc<Hooks>,
    pub live: Live,
    pub shares: Shares,
    /// Places for slow bodies.
    pub slow_bodies: Places<Origin>,
    /// Cancelled when the process receives the signal to end. Streams must then end, because the server waits for open
    /// requests.
    pub stopping: CancellationToken,
}

impl App {
    /// Reads the files that the settings name. Connects to no server yet.
    ///
    /// # Errors
    /// If a file cannot be read, or a glob is not valid.
    pub fn new(settings: Settings, servers: Servers) -> Result<Self, String> {
        let (settings, link) = (Arc::new(settings), Arc::new(Link::new(servers)));
        let oidc = Oidc::open(&settings.oidc, settings.read_only)?;
        let names: Vec<_> = settings.hosts.iter().cloned().chain(oidc.as_ref().map(Oidc::own_host)).collect();
        Ok(Self(Arc::new(Shared {
            hosts: Hosts::new(&names, settings.http.ip()),
            tokens: settings
                .tokens
                .clone()
                .map(|file| Tokens::open(file, settings.read_only, settings.limits()))
                .transpose()?,
            sessions: Sessions::default(),
            oidc,
            audit: Arc::new(Audit::open(settings.audit.as_deref())?),
            history: History::default(),
            kept: Kept::new(&settings.history, settings.read_only),
            refused: Refusals::default(),
            gains: Gains::default(),
            traffic: Traffic::default(),
            hooks: Arc::new(Hooks::open(settings.hooks.as_deref(), settings.hooks_claim)?),
            live: Live::new(Arc::clone(&link), Arc::clone(&settings)),
            shares: Shares::new(settings.max_per_token),
            slow_bodies: Places::new(SLOW_BODIES),
            stopping: CancellationToken::new(),
            anybody: Caller::anybody(settings.read_only)?,
            settings,
            link,
        })))
    }

    /// The caller whose token or session these headers contain.
    pub fn caller(&self, headers: &HeaderMap) -> Option<Caller> {
        let Some(tokens) = &self.tokens else { return Some(self.anybody.clone()) };
        match headers.get(AUTHORIZATION) {
            Some(value) => {
                let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
                tokens.find(&hash(token.trim())).filter(|_| scheme.eq_ignore_ascii_case("Bearer"))
            }
            None => match self.sessions.owner(headers)? {
                Owner::Token(hash) => tokens.find(&hash),
                Owner::User(caller) => Some(caller),
            },
        }
    }

    /// What deliveries of hooks are made with.
    pub fn desk(&self, rows: Rows) -> Desk {
        Desk {
            hooks: Arc::clone(&self.hooks),
            link: Arc::clone(&self.link),
            audit: Arc::clone(&self.audit),
            stopping: self.stopping.clone(),
            rows,
        }
    }

    /// A console with these flags, whose server does not answer.
    #[cfg(test)]
    pub fn of_no_server(flags: &[&str]) -> Self {
        Self::new(Settings::of(flags), Link::no_server()).unwrap()
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
