//! Arguments of requests. An error in an argument becomes a [`Problem`] that names the argument.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::HeaderName;
use axum::http::header::HeaderValue;
use axum::http::request::Parts;
use leaderboard_client::info;

use crate::access::proxy::Origin;
use crate::access::{Caller, Role};
use crate::api::encoding::is_sound;
use crate::api::names::from_base64url;
use crate::api::parse::{B64, is_set, is_strict};
use crate::app::App;
use crate::problem::Problem;

pub use crate::api::parse::{Body, MemberParams, Nothing, Params};

/// The key in the path, `{key}`. The caller has the role `R` for this key. So the signature of a handler shows which
/// callers may use it.
pub struct Key<R> {
    pub name: String,
    pub caller: Caller,
    role: PhantomData<R>,
}

/// A member in the path, `{key}` and `{member}`. The caller has the role `R` for this key. With `?b64=true`, the member
/// is in Base64 for URLs. The query string is read by [`MemberParams`].
pub struct MemberOf<R> {
    /// The key.
    pub key: String,
    pub member: Vec<u8>,
    /// The member as it is written in the path.
    pub written: String,
    pub caller: Caller,
    role: PhantomData<R>,
}

/// A dimension in the path, `{key}` and `{dimension}`. The caller has the role `R` for this key.
pub struct DimensionOf<R> {
    /// The key.
    pub key: String,
    pub dimension: String,
    role: PhantomData<R>,
}

/// A role as a type.
pub trait Needs {
    /// The role.
    const ROLE: Role;
}

/// The role that reads.
pub struct Viewing;
/// The role that votes.
pub struct Voting;
/// The role that writes scores, texts and options.
pub struct Editing;
/// The role that makes, changes and deletes.
pub struct Administering;

impl Needs for Viewing {
    const ROLE: Role = Role::Viewer;
}
impl Needs for Voting {
    const ROLE: Role = Role::Voter;
}
impl Needs for Editing {
    const ROLE: Role = Role::Editor;
}
impl Needs for Administering {
    const ROLE: Role = Role::Admin;
}

impl<R: Needs> FromRequestParts<App> for Key<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<Self, Problem> {
        let Visited { key: name, caller, .. } = Visited::new(parts, state, R::ROLE).await?;
        Ok(Self { name, caller, role: PhantomData })
    }
}

impl<R: Needs> FromRequestParts<App> for MemberOf<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<Self, Problem> {
        let Visited { key, caller, names } = Visited::new(parts, state, R::ROLE).await?;
        let written = named(&names, "member")?.to_owned();
        let member = match is_set(B64, parts.uri.query())? {
            true => from_base64url(&written)?,
            false => written.clone().into_bytes(),
        };
        Ok(Self { key, member, written, caller, role: PhantomData })
    }
}

impl<R: Needs> FromRequestParts<App> for DimensionOf<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<Self, Problem> {
        let Visited { key, names, .. } = Visited::new(parts, state, R::ROLE).await?;
        Ok(Self { key, dimension: named(&names, "dimension")?.to_owned(), role: PhantomData })
    }
}

/// A board in the path, and who may visit it.
struct Visited {
    key: String,
    caller: Caller,
    /// All names in the path.
    names: RawPathParams,
}

impl Visited {
    /// # Errors
    /// A caller without the role for this key; a path that cannot be read; a strict read of a board that does not exist.
    async fn new(parts: &mut Parts, state: &App, role: Role) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let names = names(parts, state).await?;
        let key = named(&names, "key")?.to_owned();
        caller.require_for(role, &key)?;
        if is_strict(parts)? && state.link.ask(&info(&key)).await?.is_none() {
            return Err(Problem::no_board("the board does not exist".to_owned()));
        }
        Ok(Self { key, caller, names })
    }
}

async fn names<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Problem> {
    let names = RawPathParams::from_request_parts(parts, state).await;
    let names = names.map_err(|rejection| Problem::unreadable(rejection.body_text()))?;
    if is_sound(parts.uri.path()) {
        Ok(names)
    } else {
        let all = names.iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        Err(Problem::unreadable(format!("{all}: the path is not percent-encoded UTF-8")))
    }
}

fn named<'a>(names: &'a RawPathParams, name: &str) -> Result<&'a str, Problem> {
    let found = names.iter().find(|(given, _)| *given == name);
    let value = found.map(|(_, value)| value);
    let value = value.ok_or_else(|| Problem::internal(format!("a path without {{{name}}}")))?;
    if value.is_empty() { Err(Problem::unreadable(format!("{name}: empty"))) } else { Ok(value) }
}

/// The header `Idempotency-Key`, the id of the request.
pub struct RequestId(Option<HeaderValue>);

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

impl RequestId {
    /// The id; `None` if the header is absent.
    pub fn id(&self) -> Option<&[u8]> {
        self.0.as_ref().map(HeaderValue::as_bytes)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let mut given = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
        let id = given.next();
        if given.next().is_some() {
            return Err(Problem::unreadable("Idempotency-Key: given more than once"));
        }
        if id.is_some_and(|id| id.is_empty() || id.len() > 256) {
            return Err(Problem::unreadable("Idempotency-Key: 1 to 256 bytes"));
        }
        Ok(Self(id.cloned()))
    }
}

/// The origin of this request, which its votes get as the tag `ip`; `None` if `--tag-ip` is off.
pub struct TagIp(pub Option<Origin>);

impl FromRequestParts<App> for TagIp {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        if !app.settings.tag_ip {
            return Ok(Self(None));
        }
        Origin::of(&parts.extensions, &parts.headers, &app.settings.proxies).map(|origin| Self(Some(origin)))
    }
}
