//! Tests of the reference in `docs/reference.md`, which is made from the table. `make docs` updates it.
#![allow(clippy::arithmetic_side_effects, reason = "offsets in a file of ours")]

use std::fmt::Write as _;
use std::fs;

use super::*;

const BEGIN: &str = "<!-- reference: begin, made by `make docs` -->\n";
const END: &str = "<!-- reference: end -->\n";
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference.md");
const BOUNDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bounds.md");
const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/commands.md");

fn title(command: &Command) -> String {
    command.name.to_string_lossy().into_owned()
}

fn reference() -> String {
    let mut text = String::new();
    for command in commands() {
        let kind = match (command.only_reads(), command.fast) {
            (true, true) => "@read @fast",
            (true, false) => "@read @slow",
            (_, true) => "@write @fast",
            (_, false) => "@write @slow",
        };
        let syntax: Vec<_> =
            command.lines().iter().map(|line| format!("{} {line}", title(command))).collect();
        let _ = write!(
            text,
            "\n## {name}\n\n```\n{syntax}\n```\n{summary}. {complexity}. {kind}, since {since}.\n\n\
             *Reply:* {reply}\n\n*Absent key:* makes {makes}.\n",
            name = title(command),
            syntax = syntax.join("\n"),
            summary = command.summary,
            complexity = command.complexity,
            since = command.since,
            reply = command.reply,
            makes = if command.makes.is_empty() { "nothing" } else { command.makes },
        );
        if !command.notes.is_empty() {
            let _ = write!(text, "\n{}\n", command.notes);
        }
    }
    text
}

#[test]
fn the_reference_in_the_documents_is_that_of_the_table() {
    let document = fs::read_to_string(REFERENCE).expect("docs/reference.md");
    let from = document.find(BEGIN).expect("the begin of the reference") + BEGIN.len();
    let to = document.find(END).expect("the end of the reference");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let new = format!("{}{}\n{}", &document[..from], reference(), &document[to..]);
        fs::write(REFERENCE, new).expect("the reference written");
        return;
    }
    assert_eq!(&document[from..to], format!("{}\n", reference()), "run `make docs`");
}

/// Returns the most costly call of each command, with the bound of its time.
fn bounds() -> String {
    let mut text = String::from("\n| call | at most |\n|---|---|\n");
    for Worst { call, most } in commands().map(|command| command.worst) {
        let most = match most {
            Most::Micros(micros) => format!("{} ms", f64::from(micros) / 1_000.0),
            Most::NanosPerMember(nanos) => {
                format!("0.5 ms, and {} s for a million members", f64::from(nanos) / 1_000.0)
            }
        };
        let _ = writeln!(text, "| `{call}` | {most} |");
    }
    text
}

#[test]
fn the_bounds_in_the_documents_are_those_of_the_table() {
    let document = fs::read_to_string(BOUNDS).expect("docs/bounds.md");
    let from = document.find(BEGIN).expect("the begin of the table") + BEGIN.len();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(BOUNDS, format!("{}{}", &document[..from], bounds())).expect("the bounds written");
        return;
    }
    assert_eq!(&document[from..], bounds(), "run `make docs`");
}

#[test]
fn the_table_of_options_in_the_documents_has_all_of_lb_create() {
    let document = fs::read_to_string(GUIDE).expect("docs/commands.md");
    let create = commands().find(|command| command.name == c"LB.CREATE").expect("a row");
    for argument in crate::syntax::parse(&create.syntax()) {
        let Some(option) = argument.token else { continue };
        let row = document.lines().any(|line| {
            let cell = line.strip_prefix("| `").and_then(|line| line.split(['`', ' ']).next());
            cell == Some(option.as_str())
        });
        assert!(row, "no row for {option}");
    }
}

/// Returns the content of each `O(...)` in a complexity, such as `log n + r`.
fn sums(complexity: &str) -> impl Iterator<Item = &str> {
    complexity.split("O(").skip(1).map(|rest| rest.split(')').next().unwrap_or_default())
}

#[test]
fn fast_commands_take_logarithmic_time_at_the_most() {
    // A board has up to 16 rules, and a view adds up to 366 periods.
    let is_little = |term: &str| term.starts_with("log ") || ["1", "r", "w"].contains(&term);
    for command in commands().filter(|command| command.fast) {
        for sum in sums(command.complexity) {
            assert!(sum.split(" + ").all(is_little), "{}: {sum}", title(command));
        }
    }
    let slow = |name| commands().any(|command| title(command) == name && !command.fast);
    assert!(["LB.ALTER", "LB.INFO", "LB.SETMETA", "LB.REM", "LB.PERIODS"].into_iter().all(slow));
}

/// Returns whether a syntax begins with a key.
fn is_key(syntax: &str) -> bool {
    let first = crate::syntax::parse(syntax).into_iter().next();
    first.is_some_and(|first| first.kind == crate::syntax::PartKind::Key)
}

#[test]
fn rows_are_complete_and_in_no_doubt() {
    let mut names: Vec<String> = commands().map(title).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), commands().count());
    for command in commands() {
        assert!(title(command).starts_with("LB."));
        assert_eq!(command.keys.iter().any(|key| key.single() == Some(1)), is_key(&command.syntax()));
        assert!(!command.summary.ends_with('.') && command.reply.ends_with('.'));
        let arguments = crate::syntax::parse(&command.syntax());
        assert!(crate::syntax::least_words(&arguments) >= 2);
    }
}

#[test]
fn required_options_come_first() {
    for command in commands() {
        let required: Vec<_> = command.options.iter().map(|option| option.is_required()).collect();
        assert!(required.is_sorted_by(|one, next| one >= next), "{}", title(command));
    }
}
