//! Sign-in by an OpenID Connect provider, with the authorization code flow. Beside the flags (`flags`) there are the rules
//! that give roles (`rule`), sign-ins that have begun (`pending`), and the calls to the provider (`provider`).
//!
//! ```text
//! browser -> /login/oidc -> page of the provider -> /login/callback?code&state -> session
//!            keeps state, nonce and PKCE verifier   takes them, exchanges the code, verifies the ID token
//! ```

mod claims;
mod flags;
mod http;
mod pending;
mod provider;
mod rule;

use std::sync::Arc;

use axum::http::HeaderMap;
use openidconnect::url::Url;
use serde_json::Value;

use crate::access::Caller;
use crate::access::sessions::cookie;
use claims::Claims;
pub use flags::Flags;
use pending::{Begun, Pending};
use provider::Provider;
use rule::Rule;

/// The name of the cookie that ties a sign-in to the browser that began it.
pub const PENDING: &str = "leaderboard_sign_in";

/// Why a sign-in did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// This browser has begun no such sign-in, or too long ago.
    Unknown,
    /// The provider has sent the browser back with this error.
    Refused(String),
    /// No rule gives this user a role.
    NoRole(String),
    /// Too many calls to the provider at once.
    Busy,
    /// The provider cannot be reached, or answers wrongly.
    Provider(String),
}

/// A user who has signed in.
#[derive(Debug)]
pub struct User {
    pub caller: Caller,
    /// The provider's name for the user, which never changes.
    pub subject: String,
}

/// The query of the address to which the provider sends the browser back.
#[derive(Debug, Default, serde::Deserialize)]
pub struct Answer {
    #[serde(default)]
    state: String,
    #[serde(default)]
    code: String,
    error: Option<String>,
    error_description: Option<String>,
}

/// Sign-in by a provider.
#[derive(Debug)]
pub struct Oidc {
    provider: Arc<Provider>,
    pending: Pending,
    rules: Vec<Rule>,
    read_only: bool,
}

impl Oidc {
    /// `None` without `--oidc-issuer`. Does not call the provider yet, so that the console starts while the provider is down.
    ///
    /// # Errors
    /// If an address is not valid, or the file of the secret cannot be read.
    pub fn open(flags: &Flags, read_only: bool) -> Result<Option<Self>, String> {
        let open = |provider| Self {
            provider: Arc::new(provider),
            pending: Pending::default(),
            rules: flags.oidc_roles.clone(),
            read_only,
        };
        Ok(Provider::open(flags)?.map(open))
    }

    /// The host of the provider.
    pub fn host(&self) -> &str {
        self.provider.host()
    }

    /// The host at which browsers reach the console.
    pub fn own_host(&self) -> String {
        self.provider.redirect().host_str().unwrap_or_default().to_owned()
    }

    /// Whether browsers reach the console by HTTPS.
    pub fn is_secure(&self) -> bool {
        self.provider.redirect().scheme() == "https"
    }

    /// Begins a sign-in. Returns the provider's page for it, and the value of the cookie [`PENDING`].
    ///
    /// # Errors
    /// If the provider cannot be asked.
    pub async fn begin(&self, from: Option<String>) -> Result<(Url, String), Fault> {
        let (page, begun) = Arc::clone(&self.provider).call(Provider::begin).await?;
        let cookie = self.pending.keep(from, begun).map_err(Fault::Provider)?;
        Ok((page, cookie))
    }

    /// Finishes the sign-in that this browser has begun.
    ///
    /// # Errors
    /// If it is not valid, the provider cannot be asked, or no rule gives the user a role.
    pub async fn finish(&self, headers: &HeaderMap, answer: Answer) -> Result<User, Fault> {
        let begun = cookie(headers, PENDING).and_then(|cookie| self.pending.take(cookie, &answer.state));
        let begun = begun.ok_or(Fault::Unknown)?;
        // Only an answer with the right state is from the provider, so only the text of such an answer is shown.
        if let Some(error) = answer.error {
            return Err(Fault::Refused(answer.error_description.unwrap_or(error)));
        }
        let claims = Arc::clone(&self.provider).call(move |it| it.finish(answer.code, begun)).await?;
        self.user(&claims)
    }

    /// The user with these claims: the first rule that fits gives the role.
    fn user(&self, claims: &Claims) -> Result<User, Fault> {
        let name = format!("{} ({})", claims.name(), self.host());
        let rule = self.rules.iter().find(|rule| rule.fits(claims));
        let caller =
            rule.map(|rule| rule.caller(&name, self.read_only)).transpose().map_err(Fault::Provider)?;
        let subject = claims.get("sub").and_then(Value::as_str).unwrap_or_default().to_owned();
        caller.map(|caller| User { caller, subject }).ok_or(Fault::NoRole(name))
    }
}
