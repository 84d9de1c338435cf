//! The provider: its description and keys, the page that a sign-in begins at, and the exchange of a code for claims. The
//! calls block, so they run in threads of their own.

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod, CoreErrorResponseType,
    CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
    CoreProviderMetadata, CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse,
    CoreTokenType,
};
use openidconnect::url::Url;
use openidconnect::{
    AccessToken, AuthType, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken,
    EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdToken, IdTokenFields, IssuerUrl,
    Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, RedirectUrl, Scope, StandardErrorResponse,
    StandardTokenResponse, SubjectIdentifier, TokenResponse as _, UserInfoClaims,
};
use tokio::sync::Semaphore;

use super::claims::Claims;
use super::http::Http;
use super::{Begun, Fault, Flags};
use crate::access::tokens::read_secret;

/// How long the description and the keys of the provider are used.
const FRESH: Duration = Duration::from_secs(3_600);
/// After what time a provider that did not answer is asked again.
const PAUSE: Duration = Duration::from_secs(2);
/// The most calls at once. Everybody can begin a sign-in, and each call takes a thread.
const CALLS: usize = 32;
/// The path that the provider sends browsers back to.
const CALLBACK: &str = "/login/callback";

type Signed = IdToken<Claims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

type Fields = IdTokenFields<
    Claims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// The client of a provider whose description is known.
type Described = Client<
    Claims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<Fields, CoreTokenType>,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// What the provider last said about itself, or why it did not.
#[derive(Debug)]
struct Known {
    description: Result<Arc<CoreProviderMetadata>, String>,
    /// When to ask again.
    until: Instant,
}

/// A provider, and this console as its client.
#[derive(Debug)]
pub struct Provider {
    issuer: IssuerUrl,
    host: String,
    client: ClientId,
    secret: Option<ClientSecret>,
    redirect: RedirectUrl,
    scopes: Vec<Scope>,
    http: Http,
    known: Mutex<Option<Known>>,
    calls: Arc<Semaphore>,
}

impl Provider {
    /// `None` without `--oidc-issuer`.
    ///
    /// # Errors
    /// If an address is not valid, or the file of the secret cannot be read.
    pub fn open(flags: &Flags) -> Result<Option<Self>, String> {
        let Some(issuer) = &flags.oidc_issuer else { return Ok(None) };
        let fault = |reason: &dyn std::fmt::Display| format!("--oidc-issuer {issuer}: {reason}");
        let issuer = IssuerUrl::new(issuer.clone()).map_err(|error| fault(&error))?;
        let (is_https, host) = (is_https(issuer.url()).map_err(|error| fault(&error))?, host(issuer.url()));
        let secret = flags.oidc_client_secret_file.as_deref().map(read_secret).transpose()?;
        Ok(Some(Self {
            host,
            client: ClientId::new(flags.oidc_client_id.clone().unwrap_or_default()),
            secret: secret.map(|text| ClientSecret::new(text.trim().to_owned())),
            redirect: redirect(flags.oidc_redirect.as_deref().unwrap_or_default())?,
            scopes: flags.oidc_scopes.split_whitespace().map(|scope| Scope::new(scope.to_owned())).collect(),
            http: Http::new(is_https),
            known: Mutex::default(),
            calls: Arc::new(Semaphore::new(CALLS)),
            issuer,
        }))
    }

    /// Its host, with the port if it is not the usual one.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Where it sends browsers back to.
    pub fn redirect(&self) -> &Url {
        self.redirect.url()
    }

    /// Runs a call in a thread of its own.
    ///
    /// # Errors
    /// If too many calls run, or the call has failed.
    pub async fn call<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Fault> {
        let place = Arc::clone(&self.calls).try_acquire_owned().map_err(|_| Fault::Busy)?;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(&self)
        });
        done.await.unwrap_or_else(|error| Err(error.to_string())).map_err(Fault::Provider)
    }

    /// The page at which a person signs in, and what the end of the sign-in is checked with.
    pub fn begin(&self) -> Result<(Url, Begun), String> {
        let client = self.client(&*self.described(None)?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (page, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scopes(self.scopes.iter().cloned())
            .set_pkce_challenge(challenge)
            .url();
        Ok((page, Begun { state, nonce, verifier }))
    }

    /// The claims of the user to whom the provider gave this code.
    pub fn finish(&self, code: String, begun: Begun) -> Result<Claims, String> {
        let description = self.described(None)?;
        let client = self.client(&description);
        let request = client.exchange_code(AuthorizationCode::new(code)).map_err(|error| told(&error))?;
        let answer = request.set_pkce_verifier(begun.verifier).request(&self.http);
        let answer = answer.map_err(|error| told(&error))?;
        let signed = answer.id_token().ok_or("it has sent no ID token")?;
        let (claims, subject) = self.verified(signed, &begun.nonce, &description)?;
        let further = self.further(&client, answer.access_token(), subject)?;
        Ok(claims.or(further))
    }

    /// The claims of an ID token, and its subject. A key that is not known may be new.
    fn verified(
        &self,
        token: &Signed,
        nonce: &Nonce,
        description: &Arc<CoreProviderMetadata>,
    ) -> Result<(Claims, SubjectIdentifier), String> {
        use openidconnect::ClaimsVerificationError::SignatureVerification;
        let verify = |description: &CoreProviderMetadata| {
            let client = self.client(description);
            let claims = token.claims(&client.id_token_verifier(), nonce)?;
            Ok((Claims::of(claims), claims.subject().clone()))
        };
        let (claims, subject) = match verify(description) {
            Err(SignatureVerification(_)) => {
                let newer = self.described(Some(description))?;
                verify(&newer).map_err(|error| told(&error))?
            }
            other => other.map_err(|error| told(&error))?,
        };
        Ok((claims?, subject))
    }

    /// The claims that the provider does not put into the ID token.
    fn further(
        &self,
        client: &Described,
        token: &AccessToken,
        subject: SubjectIdentifier,
    ) -> Result<Claims, String> {
        // A provider need not have such an address.
        let Ok(request) = client.user_info(token.clone(), Some(subject)) else {
            return Ok(Claims::default());
        };
        let claims: UserInfoClaims<Claims, CoreGenderClaim> =
            request.request(&self.http).map_err(|error| told(&error))?;
        Claims::of(&claims)
    }

    fn client(&self, description: &CoreProviderMetadata) -> Described {
        let methods = description.token_endpoint_auth_methods_supported();
        let has = |method| methods.is_some_and(|methods| methods.contains(&method));
        // By the standard, a provider that names no method takes the secret in a header.
        let in_body =
            has(CoreClientAuthMethod::ClientSecretPost) && !has(CoreClientAuthMethod::ClientSecretBasic);
        let auth = if in_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        Client::from_provider_metadata(description.clone(), self.client.clone(), self.secret.clone())
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(auth)
    }

    /// The description of the provider, which must be newer than `old`. One thread at a time asks the provider, and the
    /// others take its result.
    fn described(
        &self,
        old: Option<&Arc<CoreProviderMetadata>>,
    ) -> Result<Arc<CoreProviderMetadata>, String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |found: &Arc<_>| old.is_some_and(|old| Arc::ptr_eq(old, found));
        if let Some(Known { description, until }) = &*known
            && *until > Instant::now()
            && !description.as_ref().is_ok_and(is_old)
        {
            return description.clone();
        }
        let asked = CoreProviderMetadata::discover(&self.issuer, &self.http);
        let asked = asked.map(Arc::new).map_err(|error| told(&error));
        let lasts = if asked.is_ok() { FRESH } else { PAUSE };
        // What the provider said before is good enough while it does not answer.
        let before = known.take().and_then(|known| known.description.ok());
        let description = asked.or_else(|reason| before.ok_or(reason));
        let now = Instant::now();
        *known =
            Some(Known { description: description.clone(), until: now.checked_add(lasts).unwrap_or(now) });
        description
    }
}

/// Whether an address is one of HTTPS. Secrets pass through it, so plain HTTP is only for this machine.
fn is_https(url: &Url) -> Result<bool, &'static str> {
    let is_own = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok(true),
        "http" if is_own => Ok(false),
        _ => Err("begins with https://, or with http:// of this machine"),
    }
}

fn redirect(text: &str) -> Result<RedirectUrl, String> {
    let fault = |reason: &dyn std::fmt::Display| format!("--oidc-redirect {text}: {reason}");
    let url = RedirectUrl::new(text.to_owned()).map_err(|error| fault(&error))?;
    is_https(url.url()).map_err(|error| fault(&error))?;
    if url.url().path() != CALLBACK || url.url().query().is_some() || url.url().fragment().is_some() {
        return Err(fault(&format_args!("ends with {CALLBACK}")));
    }
    Ok(url)
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// An error with all its causes.
fn told(error: &dyn Error) -> String {
    let (mut told, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}
