//! Sessions of browsers. After a browser has shown a token once, it gets a random name for the token in a cookie that
//! scripts cannot read. Each request looks the token up again, so that withdrawing a token ends its sessions.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

use crate::access::tokens::{hash, random};

/// The name of the cookie.
pub const SESSION: &str = "leaderboard_session";
const LASTS: Duration = Duration::from_secs(12 * 3600);
/// The most sessions of one token at once; a further session ends the oldest one. The limit is larger than the number
/// of people who share one token.
const MOST: usize = 200;

/// The open sessions: the hash of the cookie's value → the hash of the token, and when the session ends.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<HashMap<String, (String, Instant)>>);

impl Sessions {
    /// Opens a session for the token with this hash. Returns the value for the cookie.
    ///
    /// # Errors
    /// If the system cannot supply random bytes.
    pub fn open(&self, token: &str) -> Result<String, String> {
        let name = random()?;
        let now = Instant::now();
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, (_, end)| *end > now);
        let own = || sessions.iter().filter(|(_, (its, _))| its == token);
        if own().count() >= MOST
            && let Some(oldest) = own().min_by_key(|(_, (_, end))| *end).map(|(name, _)| name.clone())
        {
            sessions.remove(&oldest);
        }
        sessions.insert(hash(&name), (token.to_owned(), now.checked_add(LASTS).unwrap_or(now)));
        Ok(name)
    }

    /// The hash of the token of the session that the request's cookie names.
    pub fn token(&self, headers: &HeaderMap) -> Option<String> {
        let name = cookie(headers, SESSION)?;
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (token, end) = sessions.get(&hash(name))?;
        (*end > Instant::now()).then(|| token.clone())
    }

    /// Ends the session that the request's cookie names.
    pub fn close(&self, headers: &HeaderMap) {
        if let Some(name) = cookie(headers, SESSION) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash(name));
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

    fn with_cookie(session: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, format!("{SESSION}={session}").parse().unwrap());
        headers
    }

    #[test]
    fn one_token_pushes_out_its_own_sessions_alone() {
        let sessions = Sessions::default();
        let admin = with_cookie(&sessions.open("admin").unwrap());
        let opened: Vec<_> = (0..MOST * 2).map(|_| sessions.open("viewer").unwrap()).collect();
        assert_eq!(sessions.token(&admin).as_deref(), Some("admin"));
        let lasting: Vec<_> =
            opened.iter().map(|session| sessions.token(&with_cookie(session)).is_some()).collect();
        assert_eq!(lasting.iter().filter(|lasts| **lasts).count(), MOST);
        assert!(lasting.ends_with(&[true; MOST]), "the oldest have ended");
        sessions.close(&with_cookie(opened.last().unwrap()));
        assert_eq!(sessions.token(&with_cookie(opened.last().unwrap())), None);
    }
}
