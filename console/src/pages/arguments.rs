//! The arguments that links and forms of pages send. The pages make them, so only a person who types an address sees a
//! refusal.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::pages::frame::{Failure, Frame, failure};
use crate::problem::Problem;

/// The query string.
pub struct Query<T>(pub T);

/// The fields of a form.
pub struct Form<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let reason = match axum::extract::Query::from_request_parts(parts, app).await {
            Ok(axum::extract::Query(value)) => return Ok(Self(value)),
            Err(rejection) => rejection.body_text(),
        };
        Err(refused(parts, app, reason).await)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Form<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let request = Request::from_parts(parts.clone(), body);
        let reason = match axum::extract::Form::from_request(request, app).await {
            Ok(axum::extract::Form(value)) => return Ok(Self(value)),
            Err(rejection) => rejection.body_text(),
        };
        Err(refused(&mut parts, app, reason).await)
    }
}

async fn refused(parts: &mut Parts, app: &App, text: String) -> Failure {
    let problem = Problem::invalid(text);
    match <Frame as FromRequestParts<App>>::from_request_parts(parts, app).await {
        Ok(frame) => failure(&frame, &problem),
        Err(_) => Failure::from(problem.into_response()),
    }
}
