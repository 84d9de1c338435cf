//! A client of the HTTP API. It knows which answers are documented.

use std::time::Instant;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::shared::{PATIENCE, Shared};
use super::tally::Door;

/// The statuses of errors that a client of this soak may get. 500 is a fault of the gateway, and 502 one of its user.
const DOCUMENTED: [u16; 13] = [400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 503, 504];
/// These say when to try again.
const LATER: [u16; 2] = [429, 503];

/// A client that keeps its connection.
pub struct Web<'a> {
    /// What it shares with other clients.
    pub shared: &'a Shared,
    agent: Agent,
    token: &'a str,
}

/// A documented answer.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body as JSON, or null if it has none.
    pub body: Value,
}

impl Reply {
    /// Returns the body of a success, or `None` if a server is away.
    pub fn unless_away(self) -> Result<Option<Value>, String> {
        match self.status {
            200..=299 => Ok(Some(self.body)),
            503 | 504 => Ok(None),
            status => Err(format!("{status} {}", self.body)),
        }
    }
}

impl<'a> Web<'a> {
    /// A client with this token.
    pub fn new(shared: &'a Shared, token: &'a str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Self { shared, agent: config.into(), token }
    }

    /// Sends a GET request.
    pub fn get(&self, path: &str) -> Result<Reply, String> {
        self.ask("GET", path, None, None)
    }

    /// Sends a request with a body of JSON, and perhaps with a request id.
    pub fn post(&self, path: &str, id: Option<&str>, body: &Value) -> Result<Reply, String> {
        self.ask("POST", path, id, Some(body.to_string().as_bytes()))
    }

    /// Sends a request. The error says what is wrong with the answer.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        id: Option<&str>,
        body: Option<&[u8]>,
    ) -> Result<Reply, String> {
        let begin = Instant::now();
        let reply = self.answer(method, path, id, body);
        let time = begin.elapsed();
        let reply = reply.map_err(|error| format!("{method} {path} after {time:.1?}: {error}"))?;
        let away = u64::from([503, 504].contains(&reply.status));
        let refused = u64::from(reply.status >= 400) - away;
        self.shared.tally.add(Door::Http, [1, away, refused], Some(time));
        Ok(reply)
    }

    fn answer(
        &self,
        method: &str,
        path: &str,
        id: Option<&str>,
        body: Option<&[u8]>,
    ) -> Result<Reply, String> {
        let url = format!("http://{}/api/v1{path}", self.shared.http);
        let mut request = Request::builder().method(method).uri(url);
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        if let Some(id) = id {
            request = request.header("idempotency-key", id);
        }
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json").body(body);
                self.agent.run(request.map_err(|error| error.to_string())?)
            }
            None => self.agent.run(request.body(()).map_err(|error| error.to_string())?),
        };
        let mut response = sent.map_err(|error| error.to_string())?;
        let text = response.body_mut().read_to_vec().map_err(|error| error.to_string())?;
        let status = response.status().as_u16();
        let body = if text.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&text) };
        let body = body.map_err(|error| format!("{status}, {error}: {}", text.escape_ascii()))?;
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        check(status, header("content-type"), header("retry-after"), &body)?;
        Ok(Reply { status, body })
    }
}

/// Checks that an answer is documented.
fn check(status: u16, kind: Option<&str>, again: Option<&str>, body: &Value) -> Result<(), String> {
    if (200..300).contains(&status) {
        return Ok(());
    }
    let is_problem = kind == Some("application/problem+json")
        && body["status"] == status
        && body["type"].as_str().is_some_and(|kind| kind.starts_with("urn:leaderboard:"));
    let says_when = !LATER.contains(&status) || again.is_some_and(|again| again.parse::<u64>().is_ok());
    if DOCUMENTED.contains(&status) && is_problem && says_when {
        return Ok(());
    }
    Err(format!("an answer that is not documented: {status}, {kind:?}, Retry-After {again:?}: {body}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::check;

    #[test]
    fn answers_that_are_not_documented_are_found() {
        let problem = |status: u16| json!({"type": "urn:leaderboard:busy", "status": status});
        let kind = Some("application/problem+json");
        assert_eq!(check(200, None, None, &json!(null)), Ok(()));
        assert_eq!(check(404, kind, None, &problem(404)), Ok(()));
        assert_eq!(check(503, kind, Some("1"), &problem(503)), Ok(()));
        check(503, kind, None, &problem(503)).unwrap_err();
        check(500, kind, None, &problem(500)).unwrap_err();
        check(404, Some("text/html"), None, &problem(404)).unwrap_err();
        check(404, kind, None, &problem(409)).unwrap_err();
        check(302, None, None, &json!(null)).unwrap_err();
    }
}
