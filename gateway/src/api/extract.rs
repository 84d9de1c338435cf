//! Arguments of requests. What is wrong with them becomes a [`Problem`] that names the field.

use std::collections::HashMap;
use std::marker::PhantomData;

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::access::{Caller, Role};
use crate::problem::Problem;

/// The query string.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(value) = Query::from_request_parts(parts, state)
            .await
            .map_err(|rejection| Problem::invalid(format!("query: {}", rejection.body_text())))?;
        Ok(Self(value))
    }
}

/// The JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Problem::too_large())
            }
            Err(rejection) => Err(Problem::invalid(format!("body: {}", rejection.body_text()))),
        }
    }
}

/// The key in the path, `{key}`, of a caller that may do to it what takes the role `R`. So a handler's signature tells
/// who may use it.
pub struct Key<R> {
    pub name: String,
    pub caller: Caller,
    role: PhantomData<R>,
}

/// A role as a type.
pub trait Needs {
    /// The role.
    const ROLE: Role;
}

/// Reading.
pub struct Viewing;
/// Voting.
pub struct Voting;
/// Writing scores, texts and options.
pub struct Editing;
/// Making, changing and deleting.
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

impl<S: Send + Sync, R: Needs> FromRequestParts<S> for Key<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(mut names): Path<HashMap<String, String>> = Path::from_request_parts(parts, state)
            .await
            .map_err(|rejection| Problem::invalid(rejection.body_text()))?;
        let name = names.remove("key").ok_or_else(|| Problem::internal("a path without a key"))?;
        caller.require_for(R::ROLE, &name)?;
        Ok(Self { name, caller, role: PhantomData })
    }
}
