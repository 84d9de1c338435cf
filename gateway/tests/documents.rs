//! Runs the examples in docs/http-api.md without changes, one after another, and compares the replies with the
//! document.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::servers::Flavor;
use crate::support::Pair;

const DOCUMENT: &str = include_str!("../../docs/http-api.md");
/// The address of the console in the document. The test replaces it with the address of its own gateway.
const ADDRESS: &str = "127.0.0.1:7380";
/// Fields whose numbers depend on the moment.
const MOMENTS: [&str; 4] = ["\"at\":", "\"start\":", "\"retry_after_ms\":", "\"resets_ms\":"];

/// A command of the document, and the reply that the document shows below it.
#[derive(Debug, Default)]
struct Example {
    command: String,
    answer: Vec<&'static str>,
}

impl Example {
    /// Checks whether the shell needs another line: the line ends with a backslash, or a quote is open.
    fn is_open(&self) -> bool {
        self.command.ends_with('\\') || self.command.matches('\'').count() % 2 == 1
    }
}

/// Returns the examples of all code blocks that begin with a prompt.
fn examples() -> Vec<Example> {
    let blocks = DOCUMENT.split("```").skip(1).step_by(2).filter(|block| block.starts_with("\n$ "));
    let mut all: Vec<Example> = Vec::new();
    for line in blocks.flat_map(str::lines).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => {
                all.push(Example { command: command.to_owned(), ..Example::default() });
            }
            (None, Some(last)) if last.is_open() => last.command.push_str(&format!("\n{line}")),
            (None, Some(last)) => last.answer.push(line),
            (None, None) => panic!("{line}: an answer without a command"),
        }
    }
    all
}

/// Joins the lines, and removes the numbers that depend on the moment.
fn lasting<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut text: String = lines.into_iter().map(str::trim).collect();
    for field in MOMENTS {
        let parts: Vec<_> = text.split(field).collect();
        let parts = parts.iter().enumerate().map(|(number, part)| match number {
            0 => (*part).to_owned(),
            _ => format!("{field}{}", part.trim_start_matches(|sign: char| sign.is_ascii_digit())),
        });
        text = parts.collect();
    }
    text
}

/// Runs a command in a shell. Returns as many lines of its output as the document shows, or all lines if it shows
/// none.
fn run(setup: &str, example: &Example, dir: &std::path::Path) -> Vec<String> {
    let mut shell = Command::new("bash")
        .args(["-c", &format!("{setup}\n{}", example.command)])
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    let lines = BufReader::new(shell.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let is_endless = example.command.starts_with("curl -N");
    let most = if is_endless { example.answer.len() } else { usize::MAX };
    let lines = lines.take(most).collect();
    if is_endless {
        // If the command does not end here, it ends together with the gateway.
        let _ = shell.kill();
    }
    let _ = shell.wait();
    lines
}

/// Runs all examples on a new server. Returns the differences from the document.
fn differences() -> Vec<String> {
    let pair = Pair::start(Flavor::Redis70);
    let dir = tempfile::tempdir().expect("a directory");
    let (mut setup, mut wrong) = (String::new(), Vec::new());
    for mut example in examples() {
        example.command = example.command.replace(ADDRESS, &pair.gateway.address().to_string());
        if !example.command.contains("curl") {
            setup.push_str(&format!("{}\n", example.command));
            continue;
        }
        let came = run(&setup, &example, dir.path());
        let (came, said) = (lasting(came.iter().map(String::as_str)), lasting(example.answer.clone()));
        if came != said {
            wrong.push(format!("{}\n  came: {came}\n  says: {said}", example.command));
        }
    }
    wrong
}

#[test]
fn the_examples_of_the_document_run_as_they_stand() {
    assert!(examples().len() >= 20, "{:?}", examples());
    let minute = || SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs() / 60;
    loop {
        let begun = minute();
        let wrong = differences();
        // Rules and counters that count per minute start again with each minute, so a run is repeated if the minute
        // changed.
        if wrong.is_empty() || begun == minute() {
            assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
            return;
        }
    }
}
