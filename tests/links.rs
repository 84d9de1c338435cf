//! Tests of links between the Markdown files of the repository: each link must lead to a file that exists, and to a
//! heading of this file. Links to the web are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Directories that exist only on one person's machine.
const MACHINE_PATHS: [&str; 4] = ["/home/", "/root/", "/tmp/", "/Users/"];

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Returns all Markdown files in a directory. Built and hidden directories are skipped.
fn documents(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            found.extend(documents(&path));
        } else if is_markdown(&path) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the lines that are not in a fenced code block.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Returns the text without code, which is every second part between backticks.
fn without_code(text: &str) -> String {
    let lines: Vec<&str> = prose(text).collect();
    lines.join("\n").split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Returns the anchors of the headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in prose(text) {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
        let slug = title.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
        let count = seen.entry(slug.clone()).or_default();
        anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    anchors
}

/// Returns the targets of the links `[text](target)`.
fn targets(text: &str) -> Vec<String> {
    let text = without_code(text);
    let target = |rest: &str| rest.split(')').next().unwrap_or_default().to_owned();
    text.split("](").skip(1).map(target).collect()
}

/// Returns the fault of a link in a document; `None` if the link is correct.
fn problem(root: &Path, document: &Path, target: &str) -> Option<&'static str> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return None;
    }
    if target.starts_with('/') || target.contains(':') {
        return Some("is not a relative path");
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let path = if path.is_empty() { document.to_owned() } else { document.parent()?.join(path) };
    let Ok(path) = path.canonicalize() else { return Some("names no file") };
    if !path.starts_with(root) {
        return Some("leaves the repository");
    }
    let anchor = anchor?;
    let found = is_markdown(&path) && anchors(&fs::read_to_string(path).expect("a text")).contains(anchor);
    (!found).then_some("names no heading")
}

/// Returns all faulty links of the Markdown files in a directory.
fn problems(root: &Path) -> Vec<String> {
    let root = root.canonicalize().expect("a directory");
    let mut problems = Vec::new();
    for document in documents(&root) {
        let text = fs::read_to_string(&document).expect("a text");
        let name = document.strip_prefix(&root).expect("a file below").display();
        for target in targets(&text) {
            let problem = problem(&root, &document, &target);
            problems.extend(problem.map(|problem| format!("{name}: {target} {problem}")));
        }
        let paths = MACHINE_PATHS.iter().filter(|path| text.contains(**path));
        problems.extend(paths.map(|path| format!("{name}: {path} is a path of one machine")));
    }
    problems
}

#[test]
fn links_of_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names: Vec<PathBuf> = documents(root);
    for name in ["README.md", "CHANGELOG.md", "docs/reference.md"] {
        assert!(names.contains(&root.join(name)), "{name} is missing");
    }
    assert_eq!(problems(root), [""; 0]);
}

#[test]
fn links_that_are_broken_are_found() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("a file");
    fs::create_dir(dir.path().join("docs")).expect("a directory");
    write("docs/other.md", "# One `two`: LB.ADD\n## Twice\n## Twice\n```\n# no heading\n```\n");
    write(
        "README.md",
        "# Top
        [good](docs/other.md), [good](docs/other.md#one-two-lbadd), [good](docs/other.md#twice-1), [good](#top),
        [good](https://example.org/#x), `[code](nowhere.md)`, [good](docs), [file](docs/none.md),
        [anchor](docs/other.md#none), [fenced](docs/other.md#no-heading), [third](docs/other.md#twice-2),
        [absolute](/etc/passwd), [outside](../), [own](#bottom)\n```\n[code](nowhere.md)\n```\n",
    );
    let found = problems(dir.path());
    let expected = [
        "README.md: docs/none.md names no file",
        "README.md: docs/other.md#none names no heading",
        "README.md: docs/other.md#no-heading names no heading",
        "README.md: docs/other.md#twice-2 names no heading",
        "README.md: /etc/passwd is not a relative path",
        "README.md: ../ leaves the repository",
        "README.md: #bottom names no heading",
    ];
    assert_eq!(found, expected);
    write("docs/other.md", "A file in /home/ann.");
    assert_eq!(
        problems(dir.path()).last().expect("a problem"),
        "docs/other.md: /home/ is a path of one machine"
    );
}
