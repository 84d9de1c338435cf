//! Sessions of browsers. After a browser has shown a token once, it gets a random name for the token in a cookie that
//! scripts cannot read. Each request looks the token up again, so that withdrawing a token ends its sessions. A user whom a
//! provider has signed in keeps the rights of that moment until the session ends.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

use crate::access::Caller;
use crate::access::tokens::{hash, random};

/// The name of the cookie.
pub const SESSION: &str = "leaderboard_session";
const LASTS: Duration = Duration::from_secs(12 * 3600);
/// The most sessions of one owner at once; a further session ends the oldest one. The limit is larger than the number
/// of people who share one token.
const MOST: usize = 200;

/// Whom a session belongs to.
#[derive(Debug, Clone)]
pub enum Owner {
    /// The token with this hash.
    Token(String),
    /// A user of the provider.
    User(Caller),
}

impl Owner {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Token(hash), Self::Token(other)) => hash == other,
            (Self::User(caller), Self::User(other)) => caller.name() == other.name(),
            _ => false,
        }
    }
}

/// The open sessions.
#[derive(Debug)]
pub struct Sessions {
    /// The hash of the cookie's value → the owner, and when the session ends.
    open: Mutex<HashMap<String, (Owner, Instant)>>,
    /// How long a session lasts.
    lasts: Duration,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { open: Mutex::default(), lasts: LASTS }
    }
}

impl Sessions {
    /// Opens a session for this owner. Returns the value for the cookie.
    ///
    /// # Errors
    /// If the system cannot supply random bytes.
    pub fn open(&self, owner: Owner) -> Result<String, String> {
        let name = random()?;
        let now = Instant::now();
        let mut sessions = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, (_, end)| *end > now);
        let own = || sessions.iter().filter(|(_, (its, _))| its.is(&owner));
        if own().count() >= MOST
            && let Some(oldest) = own().min_by_key(|(_, (_, end))| *end).map(|(name, _)| name.clone())
        {
            sessions.remove(&oldest);
        }
        sessions.insert(hash(&name), (owner, now.checked_add(self.lasts).unwrap_or(now)));
        Ok(name)
    }

    /// The owner of the session that the request's cookie names.
    pub fn owner(&self, headers: &HeaderMap) -> Option<Owner> {
        let name = cookie(headers, SESSION)?;
        let sessions = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (owner, end) = sessions.get(&hash(name))?;
        (*end > Instant::now()).then(|| owner.clone())
    }

    /// Ends the session that the request's cookie names.
    pub fn close(&self, headers: &HeaderMap) {
        if let Some(name) = cookie(headers, SESSION) {
            self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash(name));
        }
    }
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(given, value)| (given == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Role;

    fn with_cookie(session: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, format!("{SESSION}={session}").parse().unwrap());
        headers
    }

    fn token(name: &str) -> Owner {
        Owner::Token(name.to_owned())
    }

    fn user(name: &str) -> Owner {
        Owner::User(Caller::new(name, Role::Viewer, &[], false).unwrap())
    }

    #[test]
    fn one_owner_pushes_out_its_own_sessions_alone() {
        let sessions = Sessions::default();
        let admin = with_cookie(&sessions.open(token("admin")).unwrap());
        let ann = with_cookie(&sessions.open(user("ann (id)")).unwrap());
        for greedy in [token("viewer"), user("viewer")] {
            let opened: Vec<_> = (0..MOST * 2).map(|_| sessions.open(greedy.clone()).unwrap()).collect();
            let lasting: Vec<_> =
                opened.iter().map(|session| sessions.owner(&with_cookie(session)).is_some()).collect();
            assert_eq!(lasting.iter().filter(|lasts| **lasts).count(), MOST);
            assert!(lasting.ends_with(&[true; MOST]), "the oldest have ended");
            sessions.close(&with_cookie(opened.last().unwrap()));
            assert!(sessions.owner(&with_cookie(opened.last().unwrap())).is_none());
        }
        assert!(sessions.owner(&admin).is_some_and(|owner| owner.is(&token("admin"))));
        assert!(sessions.owner(&ann).is_some_and(|owner| owner.is(&user("ann (id)"))));
    }

    #[test]
    fn a_session_ends_by_itself() {
        let sessions = Sessions { lasts: Duration::ZERO, ..Sessions::default() };
        for owner in [token("admin"), user("ann (id)")] {
            assert!(sessions.owner(&with_cookie(&sessions.open(owner).unwrap())).is_none());
        }
        sessions.open(token("admin")).unwrap();
        assert_eq!(sessions.open.lock().unwrap().len(), 1, "the ones that ended take no memory");
    }
}
