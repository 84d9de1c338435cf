//! The sender of a request, and what this sender may do.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use globset::{Glob, GlobSet, GlobSetBuilder};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::access::Role;
use crate::access::limits::Limits;
use crate::access::proxy::Origin;
use crate::problem::Problem;

/// The sender of a request. The middleware `server::identify` adds it to the request.
#[derive(Debug, Clone)]
pub struct Caller {
    identity: Arc<Identity>,
    /// The address of this request.
    from: Option<Origin>,
    /// Why the request makes a change, in the words of the person who made it.
    reason: Option<Arc<str>>,
}

/// The longest reason in characters. The end of a longer one is left out.
const LONGEST_REASON: usize = 300;

#[derive(Debug)]
struct Identity {
    name: String,
    role: Role,
    keys: GlobSet,
    sees_all: bool,
    read_only: bool,
    /// The most live streams at once; `None` for the share of every token.
    streams: Option<u32>,
    /// Counts requests, if their number in a second is limited.
    rate: Option<DefaultDirectRateLimiter>,
    has_token: bool,
}

impl Identity {
    fn new(name: &str, role: Role, globs: &[String], read_only: bool) -> Result<Self, String> {
        let mut keys = GlobSetBuilder::new();
        for glob in globs {
            keys.add(Glob::new(glob).map_err(|error| error.to_string())?);
        }
        let keys = keys.build().map_err(|error| error.to_string())?;
        let sees_all = globs.iter().any(|glob| glob == "*");
        let (name, streams, rate) = (name.to_owned(), None, None);
        Ok(Self { name, role, keys, sees_all, read_only, streams, rate, has_token: true })
    }
}

impl Caller {
    /// A caller for the keys that match one of `globs`. If the console is `read_only`, the caller may only read them.
    ///
    /// # Errors
    /// If a glob is not valid.
    pub fn new(name: &str, role: Role, globs: &[String], read_only: bool) -> Result<Self, String> {
        let identity = Identity::new(name, role, globs, read_only)?;
        Ok(Self { identity: Arc::new(identity), from: None, reason: None })
    }

    /// As [`Caller::new`], for a person who signs in without a token.
    ///
    /// # Errors
    /// If a glob is not valid.
    pub fn of_user(name: &str, role: Role, globs: &[String], read_only: bool) -> Result<Self, String> {
        let identity = Identity { has_token: false, ..Identity::new(name, role, globs, read_only)? };
        Ok(Self { identity: Arc::new(identity), from: None, reason: None })
    }

    /// The caller with limits, for a caller that was just made.
    pub fn limited(mut self, limits: Limits) -> Self {
        if let Some(identity) = Arc::get_mut(&mut self.identity) {
            identity.streams = limits.streams;
            identity.rate = limits.rate.map(|rate| RateLimiter::direct(Quota::per_second(rate)));
        }
        self
    }

    /// The most live streams that it can have open at once; `None` for the share of every token.
    pub fn streams(&self) -> Option<u32> {
        self.identity.streams
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 if the caller has sent more in this second than it may.
    pub fn count(&self) -> Result<(), Problem> {
        match &self.identity.rate {
            Some(rate) if rate.check().is_err() => Err(Problem::too_many(
                "too many requests in a second: see --max-rate, and --rate of the command token new",
            )),
            _ => Ok(()),
        }
    }

    /// The caller with the address of its request.
    pub fn at(self, from: Option<Origin>) -> Self {
        Self { from, ..self }
    }

    /// The caller with the reason of its changes. An empty text is none.
    pub fn because(self, reason: &str) -> Self {
        let reason: String = reason.trim().chars().take(LONGEST_REASON).collect();
        if reason.is_empty() { self } else { Self { reason: Some(reason.into()), ..self } }
    }

    /// The address of the request.
    pub fn from(&self) -> Option<Origin> {
        self.from
    }

    /// Why the request makes a change.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The caller of every request to a console without tokens.
    ///
    /// # Errors
    /// Never fails.
    pub fn anybody(read_only: bool) -> Result<Self, String> {
        Self::new("local", Role::Admin, &["*".to_owned()], read_only)
    }

    /// Whether the caller has a token, or needs none.
    pub fn has_token(&self) -> bool {
        self.identity.has_token
    }

    /// The name of its token, or of the user.
    pub fn name(&self) -> &str {
        &self.identity.name
    }

    pub fn role(&self) -> Role {
        self.identity.role
    }

    /// Whether the caller may see that this key exists.
    pub fn sees(&self, key: &str) -> bool {
        self.identity.keys.is_match(key)
    }

    /// Whether the caller sees all keys, and therefore also totals over all keys.
    pub fn sees_all(&self) -> bool {
        self.identity.sees_all
    }

    /// Whether the caller may do what needs this role, on the keys that it sees. A read-only console allows only the
    /// role `viewer`.
    pub fn has(&self, role: Role) -> bool {
        self.identity.role >= role && !(self.identity.read_only && role > Role::Viewer)
    }

    /// Whether the caller may read the audit log.
    pub fn reads_audit(&self) -> bool {
        self.identity.role == Role::Admin
    }

    /// # Errors
    /// 403 if the caller may not read the audit log.
    pub fn require_audit(&self) -> Result<(), Problem> {
        let refused = || Problem::forbidden(format!("this takes the role {}", Role::Admin.name()));
        self.reads_audit().then_some(()).ok_or_else(refused)
    }

    /// # Errors
    /// 403 that names the reason.
    pub fn require(&self, role: Role) -> Result<(), Problem> {
        if self.has(role) {
            Ok(())
        } else if self.identity.role >= role {
            Err(Problem::forbidden("this console is read-only".to_owned()))
        } else {
            Err(Problem::forbidden(format!("this takes the role {}", role.name())))
        }
    }

    /// # Errors
    /// 403 that names the reason.
    pub fn require_for_all(&self, role: Role) -> Result<(), Problem> {
        if !self.sees_all() {
            return Err(Problem::forbidden("this token is not for all keys, as '*' is".to_owned()));
        }
        self.require(role)
    }

    /// # Errors
    /// 403 that names the reason.
    pub fn require_for(&self, role: Role, key: &str) -> Result<(), Problem> {
        if !self.sees(key) {
            return Err(Problem::forbidden(format!("this token is not for the key '{key}'")));
        }
        self.require(role)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::unauthorized)
    }
}
