//! Who sends a request, and whether it may do what it asks for.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::access::Role;
use crate::problem::Problem;

/// Who sends a request. The middleware `server::identify` puts it there.
#[derive(Debug, Clone)]
pub struct Caller(Arc<Identity>);

#[derive(Debug)]
struct Identity {
    name: String,
    role: Role,
    keys: GlobSet,
    sees_all: bool,
    read_only: bool,
}

impl Caller {
    /// A caller for the keys that match one of `globs`; on a console that is `read_only`, for reading them.
    ///
    /// # Errors
    /// A glob that is none.
    pub fn new(name: &str, role: Role, globs: &[String], read_only: bool) -> Result<Self, String> {
        let mut keys = GlobSetBuilder::new();
        for glob in globs {
            keys.add(Glob::new(glob).map_err(|error| error.to_string())?);
        }
        let keys = keys.build().map_err(|error| error.to_string())?;
        let sees_all = globs.iter().any(|glob| glob == "*");
        Ok(Self(Arc::new(Identity { name: name.to_owned(), role, keys, sees_all, read_only })))
    }

    /// Whoever reaches a console without tokens.
    ///
    /// # Errors
    /// None.
    pub fn anybody(read_only: bool) -> Result<Self, String> {
        Self::new("local", Role::Admin, &["*".to_owned()], read_only)
    }

    /// The name of its token.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub fn role(&self) -> Role {
        self.0.role
    }

    /// Whether it sees this key at all.
    pub fn sees(&self, key: &str) -> bool {
        self.0.keys.is_match(key)
    }

    /// Whether it sees all keys, and so the totals of all of them.
    pub fn sees_all(&self) -> bool {
        self.0.sees_all
    }

    /// Whether it may do what takes this role, to the keys that it sees. All roles but `viewer` are for changes.
    pub fn has(&self, role: Role) -> bool {
        self.0.role >= role && !(self.0.read_only && role > Role::Viewer)
    }

    /// Whether it may read what all have done.
    pub fn reads_audit(&self) -> bool {
        self.0.role == Role::Admin
    }

    /// # Errors
    /// 403 that names what is missing.
    pub fn require(&self, role: Role) -> Result<(), Problem> {
        if self.has(role) {
            Ok(())
        } else if self.0.role >= role {
            Err(Problem::forbidden("this console is read-only".to_owned()))
        } else {
            Err(Problem::forbidden(format!("this takes the role {}", role.name())))
        }
    }

    /// # Errors
    /// 403 that names what is missing.
    pub fn require_for_all(&self, role: Role) -> Result<(), Problem> {
        if !self.sees_all() {
            return Err(Problem::forbidden("this token is not for all keys, as '*' is".to_owned()));
        }
        self.require(role)
    }

    /// # Errors
    /// 403 that names what is missing.
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
