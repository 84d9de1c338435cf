//! A client without rights, and one that is too hasty: each wrong request has its documented status.

use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;

use super::shared::{Client, Shared};
use super::web::Web;

/// A client pauses for less than this number of milliseconds.
const REST: u64 = 60;
/// Requests at once of a hasty client: more than its token may send in a second.
const BURST: usize = 40;
/// Wrong requests of a token with the rights for all of them: method, path, body, status.
const WRONG: [(&str, &str, &str, u16); 7] = [
    ("GET", "/boards/spread/top?count=many", "", 400),
    ("GET", "/boards/spread/top?colour=red", "", 400),
    ("POST", "/boards/spread/members/ann/score", "{", 400),
    ("GET", "/nowhere", "", 404),
    ("DELETE", "/boards/spread/top", "", 405),
    ("POST", "/boards/spread/members/ann/score", r#"{"points": "1e99"}"#, 422),
    ("POST", "/boards/spread/members/ann/score", r#"{"points": "99999999999999999999"}"#, 422),
];

/// A client whose requests are refused.
pub struct Refused<'a> {
    shared: &'a Shared,
    wrong: Web<'a>,
    viewer: Web<'a>,
    hasty: Web<'a>,
    random: Random,
}

impl<'a> Refused<'a> {
    /// A client whose requests are refused.
    pub fn new(shared: &'a Shared, random: &mut Random) -> Self {
        let web = |token| Web::new(shared, token);
        let tokens = &shared.tokens;
        let [wrong, viewer, hasty] = [&tokens.player, &tokens.viewer, &tokens.hasty].map(|token| web(token));
        Self { shared, wrong, viewer, hasty, random: Random::new(random.number()) }
    }

    /// Sends more requests than a token may send in a second.
    fn hurry(&self) -> Result<(), String> {
        let mut statuses = Vec::new();
        for _ in 0..BURST {
            statuses.push(self.hasty.get("/boards/spread/count")?.status);
        }
        match statuses.iter().find(|status| ![200, 429, 503].contains(status)) {
            Some(status) => Err(format!("a hasty client: {status}")),
            None => Ok(()),
        }
    }
}

impl Client for Refused<'_> {
    fn step(&mut self) -> Result<(), String> {
        thread::sleep(Duration::from_millis(self.random.below(REST)));
        let point = Some(&br#"{"points": 1}"#[..]);
        let path = "/boards/loose/members/refused/score";
        let (reply, expected) = match self.random.below(12) {
            0 => return self.hurry(),
            1 => (Web::new(self.shared, "").ask("POST", path, None, point)?, 401),
            2 => (Web::new(self.shared, "lbt_wrong").ask("POST", path, None, point)?, 401),
            3 | 4 => (self.viewer.ask("POST", path, None, point)?, 403),
            _ => {
                let (method, path, body, status) = *self.random.pick(&WRONG);
                let body = Some(body.as_bytes()).filter(|body| !body.is_empty());
                (self.wrong.ask(method, path, None, body)?, status)
            }
        };
        if is_due(reply.status, expected) {
            return Ok(());
        }
        Err(format!("{} instead of {expected}: {}", reply.status, reply.body))
    }
}

/// Tells whether a wrong request may have this status. Servers may be away at any time. The gateway leaves points
/// that are out of range to a server, and without its answer, the gateway does not know that nothing was counted.
const fn is_due(status: u16, expected: u16) -> bool {
    status == expected || status == 503 || (status == 504 && expected == 422)
}

#[cfg(test)]
mod tests {
    use super::is_due;

    #[test]
    fn only_a_request_that_reaches_a_server_may_have_been_carried_out() {
        assert!(is_due(422, 422) && is_due(503, 422) && is_due(504, 422));
        assert!(is_due(400, 400) && is_due(503, 401) && !is_due(504, 400));
        assert!(!is_due(200, 422) && !is_due(400, 422) && !is_due(500, 403));
    }
}
