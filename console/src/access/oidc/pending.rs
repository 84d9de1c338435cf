//! Sign-ins that have begun and wait for the browser to come back from the provider. Everybody can begin one, so their
//! number is limited, in all and for each address.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use openidconnect::{CsrfToken, Nonce, PkceCodeVerifier};

use crate::access::tokens::{hash, random};

/// How long a person may take at the provider.
pub const LASTS: Duration = Duration::from_secs(600);
/// The most at once. A further one ends the oldest.
const MOST: usize = 1_000;
/// The most of one address. A further one ends the oldest of this address, so that one address cannot end those of others.
const MOST_OF_ONE: usize = 100;

/// What the end of a sign-in is checked with.
#[derive(Debug)]
pub struct Begun {
    pub state: CsrfToken,
    pub nonce: Nonce,
    pub verifier: PkceCodeVerifier,
}

#[derive(Debug)]
struct Kept {
    /// The hash of the cookie's value.
    browser: String,
    from: Option<String>,
    end: Instant,
    begun: Begun,
}

/// The sign-ins, oldest first.
#[derive(Debug, Default)]
pub struct Pending(Mutex<VecDeque<Kept>>);

impl Pending {
    /// Keeps a sign-in of this address. Returns the value for the cookie of its browser.
    ///
    /// # Errors
    /// If the system cannot supply random bytes.
    pub fn keep(&self, from: Option<String>, begun: Begun) -> Result<String, String> {
        let browser = random()?;
        let now = Instant::now();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|kept| kept.end > now);
        if all.iter().filter(|kept| kept.from == from).count() >= MOST_OF_ONE
            && let Some(oldest) = all.iter().position(|kept| kept.from == from)
        {
            all.remove(oldest);
        }
        if all.len() >= MOST {
            all.pop_front();
        }
        let end = now.checked_add(LASTS).unwrap_or(now);
        all.push_back(Kept { browser: hash(&browser), from, end, begun });
        Ok(browser)
    }

    /// Takes the sign-in of the browser with this cookie, if it has this state. It can be taken once.
    pub fn take(&self, cookie: &str, state: &str) -> Option<Begun> {
        self.take_at(cookie, state, Instant::now())
    }

    fn take_at(&self, cookie: &str, state: &str, now: Instant) -> Option<Begun> {
        let (browser, state) = (hash(cookie), hash(state));
        let is_it = |kept: &Kept| kept.browser == browser && hash(kept.begun.state.secret()) == state;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|kept| is_it(kept) && kept.end > now)?;
        all.remove(place).map(|kept| kept.begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(pending: &Pending, from: &str, state: &str) -> String {
        let begun = Begun {
            state: CsrfToken::new(state.to_owned()),
            nonce: Nonce::new("n".to_owned()),
            verifier: PkceCodeVerifier::new("v".to_owned()),
        };
        pending.keep(Some(from.to_owned()), begun).unwrap()
    }

    #[test]
    fn a_sign_in_is_taken_once_by_its_browser_in_time() {
        let pending = Pending::default();
        let (ann, bob) = (begin(&pending, "a", "s1"), begin(&pending, "a", "s2"));
        assert!(pending.take(&ann, "s2").is_none(), "the state of another browser");
        assert!(pending.take("", "s1").is_none() && pending.take(&ann, "").is_none());
        assert!(pending.take(&ann, "s1").is_some() && pending.take(&ann, "s1").is_none());
        let later = Instant::now().checked_add(LASTS).unwrap();
        assert!(pending.take_at(&bob, "s2", later).is_none(), "too late");
    }

    #[test]
    fn one_address_ends_its_own_and_the_number_is_limited() {
        let pending = Pending::default();
        let ann = begin(&pending, "ann", "s");
        let greedy: Vec<_> = (0..MOST * 2).map(|_| begin(&pending, "greedy", "s")).collect();
        assert!(pending.take(&ann, "s").is_some());
        assert!(pending.take(&greedy[greedy.len() - MOST_OF_ONE - 1], "s").is_none());
        assert!(pending.take(&greedy[greedy.len() - MOST_OF_ONE], "s").is_some());
        (0..MOST * 2).for_each(|host| drop(begin(&pending, &host.to_string(), "s")));
        assert_eq!(pending.0.lock().unwrap().len(), MOST);
    }
}
