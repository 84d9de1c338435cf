//! The HTTP client for calls to the provider.

use std::time::Duration;

use openidconnect::http::{Method, Request, Response};
use openidconnect::{HttpRequest, HttpResponse, SyncHttpClient};
use ureq::Agent;
use ureq::tls::TlsConfig;

use crate::authorities::authorities;

/// How long one call may take. A sign-in needs up to three, within the time of one request.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The largest answer in bytes.
const LARGEST: u64 = 1 << 20;

/// The client. It follows no redirects: an answer of the provider could lead it to other programs of this machine.
#[derive(Debug)]
pub struct Http(Agent);

impl Http {
    /// With `is_https`, the client refuses to call any address by plain HTTP.
    pub fn new(is_https: bool) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .https_only(is_https)
            .user_agent(concat!("leaderboard-gateway/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(authorities()).build())
            .build();
        Self(config.new_agent())
    }
}

impl SyncHttpClient for Http {
    type Error = ureq::Error;

    fn call(&self, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
        let (head, body) = request.into_parts();
        let answer = match head.method {
            Method::GET => self.0.run(Request::from_parts(head, ())),
            _ => self.0.run(Request::from_parts(head, body)),
        };
        let (head, mut body) = answer?.into_parts();
        let body = body.with_config().limit(LARGEST).read_to_vec()?;
        Ok(Response::from_parts(head, body))
    }
}
