//! `/healthz`, `/readyz` and `/metrics`.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use futures_util::future::try_join_all;
use leaderboard_client::{Info, info};
use leaderboard_commands::figures;
use serde::Deserialize;

use crate::access::{Caller, Role};
use crate::api::extract::Params;
use crate::api::replicas::{self, Replica};
use crate::api::{load, ready};
use crate::app::App;
use crate::exposition::{Exposition, Kind, Sample};
use crate::hooks::{Hook, Hooks};
use crate::link::Present;
use crate::problem::Problem;

/// The most boards of one request.
const MOST_BOARDS: usize = 100;

/// The fields of LB.INFO.
const BOARD_FIELDS: [(&str, &str, Kind, &str); 5] = [
    ("members", "leaderboard_board_members", Kind::Gauge, "Members in the default view of a board."),
    ("memory", "leaderboard_board_memory_bytes", Kind::Gauge, "Memory of a board."),
    ("writes", "leaderboard_board_writes", Kind::Counter, "Writes to a board that were applied."),
    (
        "repeated",
        "leaderboard_board_repeated",
        Kind::Counter,
        "Requests to a board that were applied before.",
    ),
    ("votes", "leaderboard_board_votes", Kind::Counter, "Requests to vote on a board that were counted."),
];

/// What a hook has done, in the order of `Counts::all`.
const HOOK_COUNTS: [(&str, &str); 4] = [
    ("leaderboard_gateway_hook_delivered_total", "Deliveries of a hook that have arrived."),
    ("leaderboard_gateway_hook_failed_total", "Tries of deliveries of a hook that failed."),
    ("leaderboard_gateway_hook_given_up_total", "Deliveries of a hook that were given up."),
    (
        "leaderboard_gateway_hook_claimed_total",
        "Winners that were marked as claimed when a hook had delivered them.",
    ),
];

/// The routes. They are at the root, not below `/api/v1`.
pub fn router() -> Router<App> {
    Router::new().route("/healthz", get(health)).route("/readyz", get(ready)).route("/metrics", get(metrics))
}

/// 200 if the server answers, else 503.
async fn health(State(app): State<App>) -> Result<&'static str, Problem> {
    app.link.command(&redis::cmd("PING")).await?;
    Ok("ok\n")
}

/// 200 if the gateway can read whole boards, else 503 with the reasons.
async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    match ready::reasons(&app.link).await {
        reasons if reasons.is_empty() => Ok("ready\n"),
        reasons => Err(Problem::unavailable(reasons.join("; "))),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    #[serde(default)]
    board: Vec<String>,
}

/// Which servers answer, the figures of the module on each server (only for a caller that sees all keys), and the
/// boards that the request names. A server that does not answer is shown as down; the status is 200 even then.
async fn metrics(
    State(app): State<App>,
    caller: Caller,
    Params(choice): Params<Choice>,
) -> Result<impl IntoResponse, Problem> {
    judge(&caller, &choice.board)?;
    let mut text = Exposition::default();
    let servers = servers(&app).await;
    let up = |server: &Server| server.sample(if server.is_up() { "1" } else { "0" });
    text.add("leaderboard_up", Kind::Gauge, "Whether the server answers.", servers.iter().map(up));
    if caller.sees_all() {
        add_totals(&mut text, &servers);
        let present = servers.iter().filter(|server| server.is_up());
        replicas::add(&mut text, present.map(|server| (server.node.as_str(), server.replicas.as_slice())));
        load::add(&mut text, app.link.load());
        load::add_traffic(&mut text, &app.traffic);
        add_hooks(&mut text, &app.hooks);
    }
    if servers.iter().any(Server::is_up) {
        add_boards(&mut text, &boards(&app, choice.board.into_iter().collect()).await?);
    }
    Ok(([(CONTENT_TYPE, Exposition::TYPE)], text.into_text()))
}

fn judge(caller: &Caller, boards: &[String]) -> Result<(), Problem> {
    caller.require(Role::Viewer)?;
    if boards.len() > MOST_BOARDS {
        return Err(Problem::invalid(format!("board: at most {MOST_BOARDS}")));
    }
    boards.iter().try_for_each(|board| caller.require_for(Role::Viewer, board))
}

/// A server and its fields. The list is empty if the server does not answer or does not have the module.
struct Server {
    node: String,
    fields: Vec<(String, String)>,
    replicas: Vec<Replica>,
}

impl Server {
    fn is_up(&self) -> bool {
        !self.fields.is_empty()
    }

    fn sample(&self, value: &str) -> Sample {
        Sample { labels: vec![("node", self.node.clone())], value: value.to_owned() }
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

impl From<Present> for Server {
    fn from(present: Present) -> Self {
        Self {
            fields: fields(&present.text(0).unwrap_or_default()),
            replicas: replicas::of_info(&present.text(1).unwrap_or_default()),
            node: present.name,
        }
    }
}

fn fields(told: &str) -> Vec<(String, String)> {
    let field = |line: &str| {
        let (name, value) = line.split_once(':')?;
        value.trim().parse::<f64>().ok()?;
        name.starts_with("leaderboard_").then(|| (name.to_owned(), value.trim().to_owned()))
    };
    told.lines().filter_map(field).collect()
}

async fn servers(app: &App) -> Vec<Server> {
    let commands = ["leaderboard", "replication"].map(|section| redis::cmd("INFO").arg(section).to_owned());
    match app.link.roll_call(&commands, app.settings.timeout()).await {
        Ok(present) => present.into_iter().map(Server::from).collect(),
        Err(_) => {
            let silent = app.link.addresses().into_iter();
            silent.map(|node| Server { node, fields: Vec::new(), replicas: Vec::new() }).collect()
        }
    }
}

fn add_totals(text: &mut Exposition, servers: &[Server]) {
    for figure in figures::all() {
        let (name, kind) = (figure.field(), if figure.is_total { Kind::Counter } else { Kind::Gauge });
        text.add(&name, kind, figure.help, samples(servers, &name));
    }
    for name in unknown(servers) {
        text.add(name, Kind::Untyped, "A field of INFO leaderboard.", samples(servers, name));
    }
}

/// What the hooks of this gateway have done, and how many deliveries wait.
fn add_hooks(text: &mut Exposition, hooks: &Hooks) {
    for (number, (name, help)) in HOOK_COUNTS.into_iter().enumerate() {
        let sample = |hook: &Hook| {
            let value = hook.counts.all().get(number)?.load(Ordering::Relaxed).to_string();
            Some(Sample { labels: vec![("hook", hook.name.clone())], value })
        };
        text.add(name, Kind::Counter, help, hooks.list.iter().filter_map(sample));
    }
    let waiting = hooks.waiting(|_| true);
    let sample = |hook: &Hook| {
        let number = waiting.iter().filter(|waiting| waiting.hook == hook.name).count();
        Sample { labels: vec![("hook", hook.name.clone())], value: number.to_string() }
    };
    let help = "Boards with a delivery of a hook that failed and is tried again.";
    text.add("leaderboard_gateway_hook_waiting", Kind::Gauge, help, hooks.list.iter().map(sample));
}

fn samples(servers: &[Server], name: &str) -> impl Iterator<Item = Sample> {
    servers.iter().filter_map(move |server| Some(server.sample(server.field(name)?)))
}

/// The fields that only a later version of the module has.
fn unknown(servers: &[Server]) -> BTreeSet<&str> {
    let known: Vec<_> = figures::all().map(|figure| figure.field()).collect();
    let names = servers.iter().flat_map(|server| &server.fields).map(|(name, _)| name.as_str());
    names.filter(|name| !known.iter().any(|known| known == name)).collect()
}

/// The fields of the boards. An absent board is left out.
async fn boards(app: &App, keys: BTreeSet<String>) -> Result<Vec<(String, Info)>, Problem> {
    let ask = async |key: String| Ok(app.link.ask(&info(&key)).await?.map(|told| (key, told)));
    let told: Vec<Option<_>> = try_join_all(keys.into_iter().map(ask)).await?;
    Ok(told.into_iter().flatten().collect())
}

fn add_boards(text: &mut Exposition, boards: &[(String, Info)]) {
    for (field, name, kind, help) in BOARD_FIELDS {
        let sample = |(key, told): &(String, Info)| {
            let value = told.number(field)?.to_string();
            Some(Sample { labels: vec![("board", key.clone())], value })
        };
        text.add(name, kind, help, boards.iter().filter_map(sample));
    }
    let open = |(key, told): &(String, Info)| {
        Some(Sample { labels: vec![("board", key.clone())], value: u8::from(is_open(told)?).to_string() })
    };
    let help = "Whether a board with OPENS or CLOSES is open.";
    text.add("leaderboard_board_open", Kind::Gauge, help, boards.iter().filter_map(open));
    let help = "Requests to vote on a board that a rule held back.";
    text.add("leaderboard_board_held_back", Kind::Counter, help, boards.iter().flat_map(held_back));
}

/// Whether a board is open; `None` if it has neither `OPENS` nor `CLOSES`.
fn is_open(told: &Info) -> Option<bool> {
    let moment = |name| told.number(name).unwrap_or(0);
    let (opens, closes, now) = (moment("opens"), moment("closes"), moment("now"));
    (opens != 0 || closes != 0).then_some(opens <= now && (closes == 0 || now < closes))
}

fn held_back((key, told): &(String, Info)) -> impl Iterator<Item = Sample> {
    let sample = |(rule, votes): (String, u64)| Sample {
        labels: vec![("board", key.clone()), ("rule", rule)],
        value: votes.to_string(),
    };
    told.held_back().into_iter().map(sample)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_later_module_come_untyped() {
        let told = "# leaderboard\r\nleaderboard_boards:7\r\nleaderboard_new:1.5\r\nother:1\r\n";
        let server =
            |node: &str, told| Server { node: node.to_owned(), fields: fields(told), replicas: Vec::new() };
        let mut text = Exposition::default();
        add_totals(&mut text, &[server("a:1", told), server("b:1", "")]);
        let samples = text.into_text();
        let samples: Vec<_> = samples.lines().filter(|line| !line.starts_with("# HELP")).collect();
        assert_eq!(
            samples,
            [
                "# TYPE leaderboard_boards gauge",
                r#"leaderboard_boards{node="a:1"} 7"#,
                "# TYPE leaderboard_new untyped",
                r#"leaderboard_new{node="a:1"} 1.5"#,
            ]
        );
    }
}
