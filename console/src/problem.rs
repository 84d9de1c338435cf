//! Errors of the API, as RFC 9457 describes them: `application/problem+json` with type, title, status and detail.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// The kind of a request whose ID was used for another write.
const REQUEST_REUSED: &str = "urn:leaderboard:request-reused";

/// What is wrong with a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fault {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong with the line, and in which column.
    pub detail: String,
}

/// The rule of a board that holds a write back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeldBack {
    /// The name of the rule.
    #[schema(example = "attempts")]
    rule: String,
    /// The milliseconds after which the write can pass; null if waiting does not help.
    retry_after_ms: Option<u64>,
}

/// What went wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// A name by which programs recognize the kind of error, such as `urn:leaderboard:no-board`.
    #[serde(rename = "type")]
    #[schema(example = "urn:leaderboard:invalid")]
    kind: &'static str,
    /// The kind of error in a few words.
    title: &'static str,
    /// The status code of the response.
    status: u16,
    /// What is wrong with this request, with the name of the wrong field.
    detail: String,
    /// What is wrong with the lines of a file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Fault>,
    /// The rule that holds a write back.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_back: Option<Box<HeldBack>>,
    /// After how many seconds to try again.
    #[serde(skip)]
    #[schema(ignore)]
    again: u64,
}

impl Problem {
    fn new(status: StatusCode, kind: &'static str, title: &'static str, detail: String) -> Self {
        Self { kind, title, status: status.as_u16(), detail, errors: Vec::new(), held_back: None, again: 1 }
    }

    /// 400: the request cannot be read: it is not what the description of the API says.
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "urn:leaderboard:unreadable", "Unreadable request", detail.into())
    }

    /// 415: the body has a type that this operation does not take.
    pub fn media_type(takes: &str) -> Self {
        let detail = format!("Content-Type: send {takes}");
        let kind = "urn:leaderboard:media-type";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, kind, "Another type of body", detail)
    }

    /// 422: the request can be read, but the server or the gateway refuses what it asks for.
    pub fn invalid(detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "urn:leaderboard:invalid", "Invalid request", detail)
    }

    /// 422: lines of a file are wrong. No line of the file was applied.
    pub fn invalid_lines(errors: Vec<Fault>) -> Self {
        let first = errors.first().map(|fault| format!(": line {}: {}", fault.line, fault.detail));
        let detail = format!("nothing was applied{}", first.unwrap_or_default());
        Self { errors, ..Self::invalid(detail) }
    }

    /// 401: the request has no valid token or session.
    pub fn unauthorized() -> Self {
        let detail = "send Authorization: Bearer with a token of this console".to_owned();
        Self::new(StatusCode::UNAUTHORIZED, "urn:leaderboard:unauthorized", "Token needed", detail)
    }

    /// 403: the caller is known but lacks the right.
    pub fn forbidden(detail: String) -> Self {
        Self::new(StatusCode::FORBIDDEN, "urn:leaderboard:forbidden", "Not allowed", detail)
    }

    /// 404: the key, member or path does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "urn:leaderboard:not-found", "Not found", detail.into())
    }

    /// 404: a write needs a board that does not exist.
    pub fn no_board(detail: String) -> Self {
        Self::new(StatusCode::NOT_FOUND, "urn:leaderboard:no-board", "No such board", detail)
    }

    /// 409: the key already holds a value.
    pub fn exists(detail: String) -> Self {
        Self::new(StatusCode::CONFLICT, "urn:leaderboard:exists", "Exists already", detail)
    }

    /// 409: the key holds a value of another type.
    pub fn wrong_type(detail: String) -> Self {
        Self::new(StatusCode::CONFLICT, "urn:leaderboard:wrong-type", "Another type of key", detail)
    }

    /// 409: the Idempotency-Key was used for another write.
    pub fn request_reused(detail: String) -> Self {
        Self::new(StatusCode::CONFLICT, REQUEST_REUSED, "Idempotency-Key used before", detail)
    }

    /// 409: a rule of the board holds the write back. Nothing has changed.
    pub fn held_back(rule: String, wait: Option<Duration>) -> Self {
        let retry_after_ms = wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let when = retry_after_ms.map_or_else(String::new, |ms| format!("; it can pass in {ms} ms"));
        let detail = format!("the rule '{rule}' holds this write back{when}");
        let problem =
            Self::new(StatusCode::CONFLICT, "urn:leaderboard:held-back", "Held back by a rule", detail);
        Self { held_back: Some(Box::new(HeldBack { rule, retry_after_ms })), ..problem }
    }

    /// 413: the body is too large.
    pub fn too_large() -> Self {
        let detail = "body: larger than 1 MiB, than 8 MiB of CSV, or than 4 KiB without a token".to_owned();
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "urn:leaderboard:too-large", "Too large", detail)
    }

    /// 413: the answer would be too large.
    pub fn reply_too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "urn:leaderboard:reply-too-large", "Too much", detail.into())
    }

    /// The problem for an error while a body was read.
    pub fn of_body(error: &BytesRejection) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(),
            _ => Self::unreadable(format!("body: {}", error.body_text())),
        }
    }

    /// 408: the body did not arrive in time.
    pub fn late() -> Self {
        let detail = "body: it took longer than 5 seconds to come".to_owned();
        Self::new(StatusCode::REQUEST_TIMEOUT, "urn:leaderboard:late", "Too slow", detail)
    }

    /// 429: the caller has too many requests at once.
    pub fn too_many(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "urn:leaderboard:too-many",
            "Too many requests",
            detail.into(),
        )
    }

    /// 405: the path does not support the method.
    pub fn method_not_allowed() -> Self {
        let detail = "this path does not take this method".to_owned();
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "urn:leaderboard:method", "Method not allowed", detail)
    }

    /// 421: the Host header names a host that is not the console.
    pub fn misdirected() -> Self {
        let detail = "the Host header is no name of this console: see --host".to_owned();
        Self::new(StatusCode::MISDIRECTED_REQUEST, "urn:leaderboard:host", "Unknown host", detail)
    }

    /// 502: the receiver of a delivery did not accept it.
    pub fn undelivered(detail: String) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "urn:leaderboard:undelivered", "Not delivered", detail)
    }

    /// 502: the server refuses the commands of the console.
    pub fn denied(detail: String) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "urn:leaderboard:denied", "The server refuses the console", detail)
    }

    /// 503: the server is down, loading or too slow, or the console is overloaded.
    pub fn unavailable(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "urn:leaderboard:unavailable",
            "Not available now",
            detail.into(),
        )
    }

    /// 504: a change may have been carried out, and its answer is missing. Clients must not repeat it by themselves, as many
    /// do after a 503.
    pub fn unknown(detail: String) -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "urn:leaderboard:unknown", "Perhaps carried out", detail)
    }

    /// The same problem, of a request that has changed something before: a 503 would say that nothing was carried out.
    pub fn behind_a_change(self) -> Self {
        if self.is_unavailable() {
            return Self::unknown(format!("carried out in part or as a whole: {}", self.detail));
        }
        self
    }

    /// 503: the gateway or the server has too much to do. The request was not carried out.
    pub fn busy(detail: String, again: Duration) -> Self {
        let again = again.as_secs().saturating_add(u64::from(again.subsec_nanos() > 0)).max(1);
        Self {
            again,
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "urn:leaderboard:busy", "Too much to do now", detail)
        }
    }

    /// 500: a fault of the console.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "urn:leaderboard:internal",
            "Internal error",
            detail.into(),
        )
    }

    /// The same problem, with the name of the wrong field added before the detail. The server does not know the names
    /// of fields.
    pub fn of(mut self, field: &str) -> Self {
        self.detail.insert_str(0, &format!("{field}: "));
        self
    }

    /// The status code of the response.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Whether the caller, or the user of the gateway in the servers, may not do this.
    pub fn is_forbidden(&self) -> bool {
        matches!(self.status(), StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED)
    }

    /// Whether the request itself is at fault.
    pub fn is_invalid(&self) -> bool {
        matches!(self.status(), StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)
    }

    /// The rule of the board that holds the write back, if one does.
    pub fn rule(&self) -> Option<&str> {
        self.held_back.as_ref().map(|held_back| held_back.rule.as_str())
    }

    /// Whether an ID was used for another write before.
    pub fn is_request_reused(&self) -> bool {
        self.kind == REQUEST_REUSED
    }

    /// Whether the reason is that the server or the console cannot answer now. The request was not carried out.
    pub fn is_unavailable(&self) -> bool {
        self.status() == StatusCode::SERVICE_UNAVAILABLE
    }

    /// Whether nobody knows if the request was carried out.
    pub fn is_unknown(&self) -> bool {
        self.status() == StatusCode::GATEWAY_TIMEOUT
    }

    /// What is wrong with the lines of a file; empty for other problems.
    pub fn errors(&self) -> &[Fault] {
        &self.errors
    }

    /// What is wrong with this request.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, again) = (self.status(), self.again);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            headers.insert(RETRY_AFTER, HeaderValue::from(again));
        }
        response
    }
}
