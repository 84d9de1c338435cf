//! The state of all servers. The page also works if servers are down, and names these servers. The figures of a server
//! are about all its keys, so only visitors who see all keys see the figures.

mod card;
mod findings;
mod told;

use std::collections::{BTreeSet, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use askama::Template;
use axum::Router;
use axum::extract::State as Shared;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;

use crate::app::App;
use crate::history::ServerFigure;
use crate::link::Present;
use crate::pages::frame::{Frame, Page, page};
use crate::pages::health::card::{Card, State};
use crate::pages::health::findings::{Finding, grouped_by_text, of_server, put};
use crate::pages::health::told::{Told, questions};
use crate::pages::plots::Figure;

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/health", get(show))
}

#[derive(Template)]
#[template(path = "health.html")]
struct Health {
    frame: Frame,
    /// The reason if no server answers with the list of servers.
    nobody: Option<String>,
    findings: Vec<Finding>,
    cards: Vec<Card>,
    plots: Vec<Figure>,
}

async fn show(Shared(app): Shared<App>, frame: Frame) -> Page {
    let present = app.link.roll_call(&questions(), app.settings.timeout()).await;
    let nobody = present.as_ref().err().map(|problem| problem.detail().to_owned());
    let (cards, findings) = look(&present.unwrap_or_default(), &frame);
    let plots = plots(&app, &frame);
    let is_gone = nobody.is_some();
    let mut response = page(&Health { frame, nobody, findings, cards, plots })?;
    if is_gone {
        response.headers_mut().insert(header::REFRESH, HeaderValue::from_static("5"));
    }
    Ok(response)
}

fn plots(app: &App, frame: &Frame) -> Vec<Figure> {
    if !frame.caller.sees_all() {
        return Vec::new();
    }
    [ServerFigure::Ops, ServerFigure::Writes, ServerFigure::Memory, ServerFigure::Clients]
        .map(|figure| Figure::servers(app, frame, figure))
        .into()
}

fn look(present: &[Present], frame: &Frame) -> (Vec<Card>, Vec<Finding>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let told: Vec<_> = present.iter().map(|present| (present, Told::of(present))).collect();
    let offsets: HashMap<_, _> = told
        .iter()
        .filter_map(|(present, told)| Some((&present.name, told.as_ref().ok()?.number("master_repl_offset"))))
        .collect();
    let words = &frame.words.health.finding;
    let (mut cards, mut all) = (Vec::new(), Vec::new());
    for (present, told) in &told {
        let name = present.name.clone();
        let mut found = failing(present, frame);
        let state = match told {
            Ok(told) if !frame.caller.sees_all() => Some(State::brief(told)),
            Ok(told) => {
                found.extend(of_server(&name, told, words));
                let primary = format!(
                    "{}:{}",
                    told.text("master_host").unwrap_or_default(),
                    told.number("master_port")
                );
                Some(State::new(told, now, offsets.get(&primary).copied(), frame))
            }
            Err(problem) => {
                let is_gone = problem.status() == StatusCode::SERVICE_UNAVAILABLE;
                let text =
                    if is_gone { words.silent.to_owned() } else { put(words.refuses, problem.detail()) };
                found.push(Finding { servers: vec![name.clone()], text, is_bad: true });
                None
            }
        };
        cards.push(Card { name, is_bad: found.iter().any(|finding| finding.is_bad), state });
        all.extend(found);
    }
    all.extend(versions(told.iter().filter_map(|(_, told)| told.as_ref().ok()), frame));
    (cards, grouped_by_text(all))
}

/// Findings of the other nodes of a cluster about this server.
fn failing(present: &Present, frame: &Frame) -> Vec<Finding> {
    let has_failed = present.flags.iter().any(|flag| flag == "fail");
    let text = frame.words.health.finding.failing.to_owned();
    let finding = Finding { servers: vec![present.name.clone()], text, is_bad: true };
    if has_failed { vec![finding] } else { Vec::new() }
}

/// The finding that servers have different versions of the module.
fn versions<'a>(told: impl Iterator<Item = &'a Told>, frame: &Frame) -> Option<Finding> {
    let versions: BTreeSet<String> = told.filter_map(Told::module_version).collect();
    let list = versions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let text = put(frame.words.health.finding.module_versions, &list);
    (versions.len() > 1).then(|| Finding { servers: Vec::new(), text, is_bad: true })
}
