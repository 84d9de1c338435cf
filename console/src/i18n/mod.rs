//! The texts of the pages, in each language. Every page has a file with a struct of its texts and one constant for each
//! language. If a text is missing in one language, the compiler reports it.

mod audit;
mod board;
mod boards;
pub mod campaign;
mod common;
pub mod counter;
pub mod health;
mod hooks;
pub mod league;
mod member;
mod new_board;
pub mod numbers;
mod options;
pub mod plots;
mod report;
mod scores;
mod sign_in;
mod spans;
mod suspects;
mod tokens;
mod voter;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;

use crate::access::sessions::cookie;

/// The name of the cookie that keeps the chosen language.
pub const LANGUAGE: &str = "leaderboard_language";

/// All texts of one language.
pub struct Words {
    /// The language, for `<html lang>`: `en` or `zh-Hans`.
    pub lang: &'static str,
    pub audit: audit::Audit,
    pub board: board::Board,
    pub boards: boards::Boards,
    pub campaign: campaign::Campaign,
    pub common: common::Common,
    pub counter: counter::Counter,
    pub health: health::Health,
    pub hooks: hooks::Hooks,
    pub league: league::League,
    pub member: member::Member,
    pub new_board: new_board::NewBoard,
    pub options: options::Options,
    pub plots: plots::Plots,
    pub report: report::Report,
    pub scores: scores::Scores,
    pub sign_in: sign_in::SignIn,
    pub spans: spans::Spans,
    pub suspects: suspects::Suspects,
    pub tokens: tokens::Tokens,
    pub voter: voter::Voter,
}

static ENGLISH: Words = Words {
    lang: "en",
    audit: audit::ENGLISH,
    board: board::ENGLISH,
    boards: boards::ENGLISH,
    campaign: campaign::ENGLISH,
    common: common::ENGLISH,
    counter: counter::ENGLISH,
    health: health::ENGLISH,
    hooks: hooks::ENGLISH,
    league: league::ENGLISH,
    member: member::ENGLISH,
    new_board: new_board::ENGLISH,
    options: options::ENGLISH,
    plots: plots::ENGLISH,
    report: report::ENGLISH,
    scores: scores::ENGLISH,
    sign_in: sign_in::ENGLISH,
    spans: spans::ENGLISH,
    suspects: suspects::ENGLISH,
    tokens: tokens::ENGLISH,
    voter: voter::ENGLISH,
};
static CHINESE: Words = Words {
    lang: "zh-Hans",
    audit: audit::CHINESE,
    board: board::CHINESE,
    boards: boards::CHINESE,
    campaign: campaign::CHINESE,
    common: common::CHINESE,
    counter: counter::CHINESE,
    health: health::CHINESE,
    hooks: hooks::CHINESE,
    league: league::CHINESE,
    member: member::CHINESE,
    new_board: new_board::CHINESE,
    options: options::CHINESE,
    plots: plots::CHINESE,
    report: report::CHINESE,
    scores: scores::CHINESE,
    sign_in: sign_in::CHINESE,
    spans: spans::CHINESE,
    suspects: suspects::CHINESE,
    tokens: tokens::CHINESE,
    voter: voter::CHINESE,
};

/// The texts in the language that the visitor chose. Without a choice, in the language that the browser prefers.
pub fn of(headers: &HeaderMap) -> &'static Words {
    let chosen = cookie(headers, LANGUAGE);
    let preferred = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let language = chosen.or_else(|| preferred?.split([',', ';']).map(str::trim).find(|tag| is_known(tag)));
    if language.is_some_and(|tag| tag.starts_with("zh")) { &CHINESE } else { &ENGLISH }
}

/// A text in which each `{}` is replaced by the next of these parts.
pub fn fill(text: &str, parts: &[&str]) -> String {
    let mut pieces = text.split("{}");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.zip(parts).fold(first, |filled, (piece, part)| filled + part + piece)
}

fn is_known(tag: &str) -> bool {
    tag.starts_with("zh") || tag.starts_with("en")
}

impl<S: Sync> FromRequestParts<S> for &'static Words {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(of(&parts.headers))
    }
}
