//! Sends a delivery to its receiver.

use std::time::Duration;

use ureq::tls::TlsConfig;
use ureq::{Agent, http::StatusCode};

use super::sign::Secret;
use crate::authorities::authorities;

/// How much of an answer is read, so that the connection can be used again.
const READ: u64 = 64 << 10;

/// The address that a hook tells, and the secrets that sign for it.
#[derive(Debug, Clone)]
pub struct Receiver {
    url: String,
    secrets: Vec<Secret>,
    timeout: Duration,
    agent: Agent,
}

/// Why a delivery did not arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub reason: String,
    /// For how long the receiver asks to be left alone.
    pub retry_after: Option<Duration>,
}

impl Receiver {
    /// # Errors
    /// If the address is not one of HTTP, or there is no secret.
    pub fn new(url: String, secrets: Vec<Secret>, timeout: Duration) -> Result<Self, String> {
        let parsed: ureq::http::Uri = url.parse().map_err(|error| format!("url: {error}"))?;
        if !matches!(parsed.scheme_str(), Some("http" | "https")) || parsed.host().is_none() {
            return Err("url: begins with https:// or http://".to_owned());
        }
        if secrets.is_empty() {
            return Err("secret: there is none".to_owned());
        }
        let tls = TlsConfig::builder().root_certs(authorities()).build();
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("leaderboard-gateway/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Ok(Self { url, secrets, timeout, agent: config.new_agent() })
    }

    /// The address without its query, which can hold a secret of the receiver.
    pub fn shown(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }

    /// How long a delivery takes at the most, in ms.
    pub fn timeout_ms(&self) -> u64 {
        u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX)
    }

    /// Sends a body with an id. `at` is the time in seconds since the Unix epoch.
    ///
    /// # Errors
    /// If no answer came in time, or another one than 2xx.
    pub async fn send(&self, id: String, at: u64, body: Vec<u8>) -> Result<StatusCode, Failure> {
        let receiver = self.clone();
        let sent = tokio::task::spawn_blocking(move || receiver.post(&id, at, &body)).await;
        sent.unwrap_or_else(|error| Err(error.to_string().into()))
    }

    fn post(&self, id: &str, at: u64, body: &[u8]) -> Result<StatusCode, Failure> {
        let signatures: Vec<String> = self.secrets.iter().map(|secret| secret.sign(id, at, body)).collect();
        let answer = self
            .agent
            .post(&self.url)
            .header("content-type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", at.to_string())
            .header("webhook-signature", signatures.join(" "))
            .send(body);
        let mut answer = answer.map_err(|error| error.to_string())?;
        let status = answer.status();
        let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let retry_after = retry_after.and_then(|text| text.parse().ok()).map(Duration::from_secs);
        // The text of the answer does not matter.
        let _ = answer.body_mut().with_config().limit(READ).read_to_vec();
        if status.is_success() {
            return Ok(status);
        }
        Err(Failure { reason: format!("the receiver answered {}", status.as_u16()), retry_after })
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self { reason, retry_after: None }
    }
}
