//! The page of tokens: what each may do, and what it has asked this gateway for. Tokens are made and withdrawn on the command line.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::get;

use crate::access::Role;
use crate::access::limits::Limits;
use crate::access::tokens::Listed;
use crate::app::App;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::times::Zone;
use crate::problem::Problem;
use crate::traffic::Usage;

/// The route.
pub fn router() -> Router<App> {
    Router::new().route("/tokens", get(show))
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    frame: Frame,
    rows: Vec<Row>,
    /// The live streams of a token without a limit of its own.
    shared: u32,
}

/// A token.
struct Row {
    token: Listed,
    /// Its own limits, or those of all tokens.
    limits: Limits,
    usage: Usage,
    last: Option<String>,
    expires: Option<String>,
    is_expired: bool,
}

async fn show(State(app): State<App>, frame: Frame) -> Page {
    frame.caller.require_audit().shown(&frame)?;
    frame.caller.require_for_all(Role::Viewer).shown(&frame)?;
    let Some(tokens) = &app.tokens else {
        return Err(Problem::not_found(frame.words.tokens.none)).shown(&frame);
    };
    let listed = tokens.listed().map_err(Problem::internal).shown(&frame)?;
    let (usages, zone) = (app.traffic.tokens(), Zone::of_board("UTC"));
    let moment = |ms: u64| zone.moment(i64::try_from(ms).unwrap_or(i64::MAX));
    let (limits, shared) = (app.settings.limits(), app.settings.share_of(app.settings.max_listeners));
    let row = |token: Listed| {
        let usage = usages.get(&token.name).copied().unwrap_or_default();
        Row {
            last: (usage.last > 0).then(|| moment(usage.last)),
            expires: token.expires.map(moment),
            is_expired: token.is_expired(),
            limits: token.limits.or(limits),
            usage,
            token,
        }
    };
    page(&TokensPage { rows: listed.into_iter().map(row).collect(), frame, shared })
}
