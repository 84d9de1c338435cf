//! The vectors of all clients: commands, the bytes of their replies, and the values of these. They are made by playing sessions
//! on a real server, and compared with all servers.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use leaderboard_clients::description::{Scalar, Shape};
use leaderboard_clients::model::{Call, Form};
use leaderboard_clients::records::Type;
use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server};
use serde_json::{Value, json};

use crate::parsing::parse;
use crate::typed::typed;
use crate::wire::{Reply, Wire};

const SESSIONS: &str = include_str!("sessions.txt");

struct Session {
    name: &'static str,
    gateway: bool,
    lines: Vec<&'static str>,
}

fn path() -> PathBuf {
    leaderboard_clients::root().join("clients/vectors.json")
}

fn sessions() -> Vec<Session> {
    let mut all: Vec<Session> = Vec::new();
    for line in SESSIONS.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.strip_prefix("## ") {
            Some(title) => {
                let (name, gateway) = title.split_once(' ').unwrap_or((title, ""));
                all.push(Session { name, gateway: gateway == "gateway", lines: Vec::new() });
            }
            None => all.last_mut().expect("a session").lines.push(line),
        }
    }
    all
}

/// Returns bytes as a text in which each character is a byte.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// Returns the typed value of a reply, or its error.
fn value(call: &Call, given: &[String], reply: &Reply) -> Value {
    if let Reply::Error(message) = reply {
        let code = message.split(' ').next();
        return json!({ "error": { "code": code, "message": message } });
    }
    let mut fitting = call.variants.iter().rev();
    let (_, shape) = fitting
        .find(|(with, _)| with.iter().all(|word| given.contains(word)))
        .unwrap_or_else(|| panic!("{}: no shape", call.name));
    let value = typed(shape, reply).unwrap_or_else(|| panic!("{given:?}: {reply:?} is not {shape:?}"));
    // OK means yes where another call is answered by yes or no.
    let means_yes = value.is_null()
        && matches!(shape, Shape::Scalar(Scalar::Ok))
        && call.reply == Type::Scalar(Scalar::Flag);
    json!({ "value": if means_yes { json!(true) } else { value } })
}

/// Plays all sessions on a server. Returns the vectors.
fn play(server: &Server, calls: &[Call]) -> Value {
    let mut wires = [2, 3].map(|protocol| Wire::new(server, protocol));
    let session = |session: &Session| {
        let played = wires.each_mut().map(|wire| {
            wire.ask(&[b"FLUSHALL".to_vec()]);
            session.lines.iter().map(|line| wire.ask(&words(line))).collect::<Vec<_>>()
        });
        let [two, three] = played;
        let lines = session.lines.iter().zip(two.into_iter().zip(three));
        let vectors: Vec<_> = lines.map(|(line, replies)| vector(calls, line, replies)).collect();
        json!({ "name": session.name, "gateway": session.gateway, "calls": vectors })
    };
    json!({ "sessions": sessions().iter().map(session).collect::<Vec<_>>() })
}

fn vector(calls: &[Call], line: &str, (two, three): ((Reply, Vec<u8>), (Reply, Vec<u8>))) -> Value {
    let raw = words(line);
    let texts: Vec<_> = raw.iter().map(|word| String::from_utf8(word.clone()).expect("UTF-8")).collect();
    let call = calls.iter().find(|call| is_call(call, &texts)).unwrap_or_else(|| panic!("{line}: unknown"));
    let given = parse(call, &texts[1..]);
    let result = value(call, &texts, &two.0);
    assert_eq!(result, value(call, &texts, &three.0), "{line}: another value in RESP3");
    let mut vector = json!({
        "command": path_of(call),
        "arguments": given.arguments,
        "options": given.options,
        "words": raw.iter().map(|word| latin(word)).collect::<Vec<_>>(),
        "resp2": latin(&two.1),
        "resp3": latin(&three.1),
    });
    let fields = vector.as_object_mut().expect("an object");
    fields.extend(result.as_object().expect("an object").clone());
    vector
}

/// Returns whether a client makes these words by this call. Other calls of the command lack a word that each of these has.
fn is_call(call: &Call, words: &[String]) -> bool {
    let is_quiet = call.parameters.iter().any(|parameter| matches!(parameter.form, Form::Word(_)));
    call.name == words[0] && is_quiet == words.iter().any(|word| word == "QUIET")
}

/// Returns `LB.LEAGUE.ADD_QUIET` for the call whose function is `add_quiet` in the group `league`.
fn path_of(call: &Call) -> String {
    let path = ["LB"].into_iter().chain(call.group.as_deref()).chain([call.method.as_str()]);
    path.map(str::to_uppercase).collect::<Vec<_>>().join(".")
}

fn calls() -> Vec<Call> {
    leaderboard_clients::calls(&leaderboard_clients::description().expect("the description"))
        .expect("calls")
        .0
}

#[test]
fn the_vectors_are_what_a_server_replies() {
    let vectors = play(&Server::start(Flavor::Redis70), &calls());
    let text = serde_json::to_string_pretty(&vectors).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        fs::write(path(), text).expect("the vectors written");
        return;
    }
    assert!(
        fs::read_to_string(path()).unwrap_or_default() == text,
        "clients/vectors.json is old: run `make clients`"
    );
}

#[test]
fn all_servers_reply_the_same_values() {
    let values = |vectors: &Value| {
        let sessions = vectors["sessions"].as_array().expect("sessions").iter();
        let calls = sessions.flat_map(|session| session["calls"].as_array().expect("calls"));
        calls
            .map(|call| (call["words"].clone(), call["value"].clone(), call["error"].clone()))
            .collect::<Vec<_>>()
    };
    let calls = calls();
    let known: Value = serde_json::from_str(&fs::read_to_string(path()).expect("vectors")).expect("JSON");
    for flavor in Flavor::all() {
        let played = play(&Server::start(flavor), &calls);
        for (played, known) in values(&played).into_iter().zip(values(&known)) {
            assert_eq!(played, known, "{flavor:?}");
        }
    }
}

#[test]
fn each_command_and_each_option_is_in_a_session() {
    let texts =
        |line| words(line).into_iter().map(|word| String::from_utf8_lossy(&word).into_owned()).collect();
    let lines: Vec<Vec<String>> =
        sessions().iter().flat_map(|session| session.lines.clone()).map(texts).collect();
    let mut missing = BTreeSet::new();
    let calls = calls();
    let description = leaderboard_clients::description().expect("the description");
    let by_gateway = |name: &str| {
        description.commands.iter().any(|command| command.name == name && command.over_parts == "by-gateway")
    };
    for call in calls.iter().filter(|call| !by_gateway(&call.name)) {
        if !lines.iter().any(|words| is_call(call, words)) {
            missing.insert(path_of(call));
        }
    }
    // An option is written by the same code for all commands that have it, so one of them is enough.
    let mut options = BTreeSet::new();
    for parameter in calls.iter().flat_map(|call| &call.parameters) {
        if let Form::Flag(word) | Form::Option(word, _) | Form::Repeated(word, _) | Form::Rules(word, _, _) =
            &parameter.form
        {
            options.insert(word.clone());
        }
    }
    options.retain(|option| !lines.iter().any(|words| words.contains(option)));
    missing.extend(options);
    assert_eq!(missing, BTreeSet::new());
}
