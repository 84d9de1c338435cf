//! The file of hooks: TOML with a table `[[hook]]` for each hook.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate};
use globset::{Glob, GlobMatcher};
use leaderboard_core::view::Kind;
use serde::{Deserialize, Deserializer, Serialize};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::post::Receiver;
use super::sign::Secret;
use super::watched::Counts;
use crate::access::tokens::read_secret;

/// How many deliveries of a hook are on the way at once. Therefore a slow receiver does not hold up other hooks.
const AT_ONCE: usize = 4;
/// The most rows of `top`.
const MOST_ROWS: u64 = 100;

/// What a hook tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A period has ended.
    Period,
    /// A period with prizes has ended, and who has won them.
    Prizes,
    /// Other members, or another order, on the first places.
    Top,
}

/// A table `[[hook]]` as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    name: String,
    keys: String,
    event: Event,
    url: String,
    secret: Secrets,
    view: Option<String>,
    per: Option<String>,
    since: Option<toml::value::Datetime>,
    #[serde(default, deserialize_with = "duration")]
    delay: Option<Duration>,
    #[serde(default, deserialize_with = "duration")]
    max_age: Option<Duration>,
    #[serde(default, deserialize_with = "duration")]
    first_wait: Option<Duration>,
    #[serde(default, deserialize_with = "duration")]
    timeout: Option<Duration>,
    count: Option<u64>,
}

/// One secret, or several while receivers change theirs.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Secrets {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    hook: Vec<Entry>,
}

/// A hook: which events of which boards are told to whom.
#[derive(Debug)]
pub struct Hook {
    /// The name, by which boards keep what was delivered.
    pub name: String,
    /// The pattern of the keys, as it is written.
    pub pattern: String,
    keys: GlobMatcher,
    pub event: Event,
    pub receiver: Receiver,
    /// The only view that is told; `None` for all views that have what the hook tells.
    pub view: Option<String>,
    /// The dimension of the prizes, if they are those of each segment.
    pub per: Option<String>,
    /// Periods that ended before this moment are not told, in ms.
    pub since: i64,
    /// How long after its end a period is told, in ms.
    pub delay: i64,
    pub patience: Patience,
    /// How many rows `top` tells.
    pub count: u64,
    /// Places for the deliveries that are on the way.
    pub places: Arc<Semaphore>,
    pub counts: Counts,
}

/// How long a delivery is tried.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The wait after the first failure, in ms. Each further wait is twice as long, up to an hour.
    pub first_wait: u64,
    /// How long after its first try a delivery is given up, in ms.
    pub max_age: u64,
}

impl Hook {
    /// Whether the hook is about a board with this key.
    pub fn is_about(&self, key: &str) -> bool {
        self.keys.is_match(key)
    }
}

/// Reads the file of hooks.
///
/// # Errors
/// The reason, with the hook and the field at fault, if the file cannot be read or a hook is not valid.
pub fn read(path: &Path) -> Result<Vec<Hook>, String> {
    let text = read_secret(path).map_err(|reason| format!("--hooks {reason}"))?;
    parse(&text).map_err(|reason| format!("--hooks {}: {reason}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Hook>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut hooks: Vec<Hook> = Vec::new();
    for entry in file.hook {
        let name = entry.name.clone();
        let hook = hook(entry).map_err(|reason| format!("hook '{name}': {reason}"))?;
        if hooks.iter().any(|other| other.name == name) {
            return Err(format!("hook '{name}': name: two hooks have it"));
        }
        hooks.push(hook);
    }
    if hooks.is_empty() { Err("there is no [[hook]]".to_owned()) } else { Ok(hooks) }
}

fn hook(entry: Entry) -> Result<Hook, String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if entry.name.is_empty() || entry.name.len() > 64 || !entry.name.chars().all(is_name) {
        return Err("name: 1 to 64 letters, digits, '-' and '_'".to_owned());
    }
    let tells_periods = entry.event != Event::Top;
    let since = match (&entry.since, tells_periods) {
        (Some(since), true) => moment(&since.to_string())?,
        (None, true) => {
            return Err("since: periods that ended before it are not told, such as 2026-11-01".to_owned());
        }
        (Some(_), false) => return Err("since: not for the event top".to_owned()),
        (None, false) => 0,
    };
    if entry.delay.is_some() && !tells_periods {
        return Err("delay: not for the event top".to_owned());
    }
    if entry.count.is_some() && tells_periods {
        return Err("count: only for the event top".to_owned());
    }
    if entry.per.is_some() && (entry.event != Event::Prizes || entry.view.is_none()) {
        return Err("per: only for the event prizes, with a view".to_owned());
    }
    let kind = entry.view.as_deref().map(|view| Kind::parse(view.as_bytes())).transpose();
    match kind.map_err(|error| format!("view: {error}"))? {
        Some(Kind::All) if tells_periods => return Err("view: the period of 'all' never ends".to_owned()),
        _ => {}
    }
    let count = entry.count.unwrap_or(10);
    if !(1..=MOST_ROWS).contains(&count) {
        return Err(format!("count: 1 to {MOST_ROWS}"));
    }
    let secrets = match entry.secret {
        Secrets::One(secret) => vec![secret],
        Secrets::Several(secrets) => secrets,
    };
    let secrets: Vec<Secret> =
        secrets.iter().map(|secret| Secret::parse(secret)).collect::<Result<_, _>>()?;
    let timeout = within("timeout", entry.timeout, Duration::from_secs(10), (1, 30))?;
    Ok(Hook {
        receiver: Receiver::new(entry.url, secrets, timeout)?,
        keys: Glob::new(&entry.keys).map_err(|error| format!("keys: {error}"))?.compile_matcher(),
        pattern: entry.keys,
        event: entry.event,
        view: entry.view,
        per: entry.per,
        since,
        delay: i64::try_from(entry.delay.unwrap_or_default().as_millis()).unwrap_or(i64::MAX),
        patience: patience(entry.first_wait, entry.max_age)?,
        count,
        places: Arc::new(Semaphore::new(AT_ONCE)),
        counts: Counts::default(),
        name: entry.name,
    })
}

fn patience(first_wait: Option<Duration>, max_age: Option<Duration>) -> Result<Patience, String> {
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let first_wait = first_wait.unwrap_or(Duration::from_secs(5));
    if !(Duration::from_millis(100)..=Duration::from_secs(3_600)).contains(&first_wait) {
        return Err("first-wait: 100ms to 1h".to_owned());
    }
    let max_age = within("max-age", max_age, Duration::from_secs(3 * 86_400), (1, 366 * 86_400))?;
    Ok(Patience { first_wait: millis(first_wait), max_age: millis(max_age) })
}

/// A duration, or its default, between two numbers of seconds.
fn within(
    name: &str,
    given: Option<Duration>,
    default: Duration,
    (least, most): (u64, u64),
) -> Result<Duration, String> {
    let (least, most) = (Duration::from_secs(least), Duration::from_secs(most));
    let shown = humantime::format_duration;
    Some(given.unwrap_or(default))
        .filter(|duration| (least..=most).contains(duration))
        .ok_or_else(|| format!("{name}: {} to {}", shown(least), shown(most)))
}

fn duration<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    humantime::parse_duration(&text).map(Some).map_err(serde::de::Error::custom)
}

/// A moment in ms: a time with its offset, or a date, which begins at midnight in UTC.
fn moment(text: &str) -> Result<i64, String> {
    let date = || Some(NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0)?.and_utc());
    let time = DateTime::parse_from_rfc3339(&text.replace(' ', "T")).ok();
    let found = time.map(|time| time.to_utc()).or_else(date);
    found
        .map(|time| time.timestamp_millis())
        .ok_or_else(|| "since: a date, or a time with its offset such as 2026-11-01T18:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
        [[hook]]
        name = "payouts"
        keys = "cup:*"
        event = "prizes"
        url = "https://shop.example.org/hooks"
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        view = "week"
        per = "country"
        since = 2026-11-01
        delay = "1h 30m"
        max-age = "7d"
        timeout = "5s"

        [[hook]]
        name = "stream"
        keys = "*"
        event = "top"
        url = "http://127.0.0.1:8080/top"
        secret = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
        count = 3
    "#;

    #[test]
    fn a_file_has_hooks() {
        let hooks = parse(WHOLE).unwrap();
        let [payouts, stream] = hooks.as_slice() else { panic!() };
        assert_eq!((payouts.since, payouts.delay), (1_793_491_200_000, 5_400_000));
        assert_eq!((payouts.patience.first_wait, payouts.patience.max_age), (5_000, 604_800_000));
        assert!(payouts.is_about("cup:7") && !payouts.is_about("league:7"));
        assert_eq!((stream.event, stream.count, stream.since), (Event::Top, 3, 0));
    }

    #[test]
    fn a_fault_names_the_hook_and_the_field() {
        let said = |from: &str, to: &str| {
            assert!(WHOLE.contains(from), "{from}");
            parse(&WHOLE.replace(from, to)).unwrap_err()
        };
        for (from, to, reason) in [
            ("since = 2026-11-01", "", "hook 'payouts': since: "),
            ("2026-11-01", "2026-11-01T07:00:00", "hook 'payouts': since: a date, or "),
            ("view = \"week\"", "", "hook 'payouts': per: "),
            ("view = \"week\"", "view = \"weak\"", "hook 'payouts': view: "),
            ("view = \"week\"", "view = \"all\"", "hook 'payouts': view: the period of 'all' never ends"),
            ("\"stream\"", "\"payouts\"", "hook 'payouts': name: two hooks"),
            ("\"stream\"", "\"str eam\"", "hook 'str eam': name: "),
            ("count = 3", "count = 0", "hook 'stream': count: 1 to 100"),
            ("count = 3", "delay = \"1s\"", "hook 'stream': delay: "),
            ("count = 3", "since = 2026-11-01", "hook 'stream': since: "),
            ("timeout = \"5s\"", "timeout = \"31s\"", "hook 'payouts': timeout: 1s to 30s"),
            ("timeout = \"5s\"", "first-wait = \"1ms\"", "hook 'payouts': first-wait: "),
            ("timeout = \"5s\"", "count = 3", "hook 'payouts': count: "),
            ("https://shop", "ftp://shop", "hook 'payouts': url: "),
            (
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n        view",
                "whsec_MfKQ\"\n        view",
                "hook 'payouts': secret: ",
            ),
        ] {
            let said = said(from, to);
            assert!(said.starts_with(reason), "{said} is not {reason}");
        }
        assert!(said("timeout", "timeoff").contains("timeoff"));
        assert!(said("\"7d\"", "\"7 moons\"").contains("max-age"));
        assert_eq!(parse("").unwrap_err(), "there is no [[hook]]");
    }
}
