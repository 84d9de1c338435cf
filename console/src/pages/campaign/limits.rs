//! The forms that add, replace and drop the rules of votes.

use axum::extract::{Path, State};
use leaderboard_client::alter;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::i18n::campaign::Campaign as Texts;
use crate::pages::arguments::Form;
use crate::pages::campaign::{done, prepare, refused};
use crate::pages::frame::{Failure, Frame, Page, Shown, failure};
use crate::problem::Problem;
use leaderboard_client::LimitRule;
use leaderboard_client::limit_rule::{Bonus, words, written};

/// The contents of the fields, and the reason if they were refused.
#[derive(Default, Deserialize)]
pub struct LimitForm {
    pub name: String,
    pub scope: String,
    pub max: String,
    pub unit: String,
    pub bonuses: String,
    /// Whether the form changes an existing rule.
    #[serde(default)]
    pub is_change: bool,
    #[serde(skip)]
    pub error: Option<String>,
}

impl LimitForm {
    /// The form that changes this rule.
    pub fn of(rule: &LimitRule) -> Self {
        let lines: Vec<String> = rule.bonuses.iter().map(Bonus::line).collect();
        let text = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
        Self {
            name: written(&rule.name),
            scope: text(&rule.scope),
            max: text(&rule.max),
            unit: text(&rule.unit),
            bonuses: lines.join("\n"),
            is_change: true,
            error: None,
        }
    }

    /// The rule in the form. An error is a text for the page.
    fn rule(&self, texts: &Texts) -> Result<LimitRule, String> {
        let lines = self.bonuses.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(number, line): (usize, &str)| {
            let number = number.saturating_add(1).to_string();
            Bonus::read(line).ok_or_else(|| texts.bad_bonus.replace("{}", &number))
        };
        Ok(LimitRule {
            name: named(&self.name),
            scope: self.scope.trim().into(),
            max: self.max.trim().into(),
            unit: self.unit.trim().into(),
            bonuses: lines.map(read).collect::<Result<_, _>>()?,
        })
    }
}

/// The name of a rule as a form contains it: in quotes if it is not a plain text.
fn named(text: &str) -> Vec<u8> {
    let word = words(text).and_then(|words| <[Vec<u8>; 1]>::try_from(words).ok());
    word.map_or_else(|| text.trim().into(), |[word]| word)
}

/// The reason why a change was refused, for the form. If the error is not a client error, for example because the
/// server does not answer or refuses the console, it becomes a separate page.
pub fn refusal(reply: Result<(), Problem>, frame: &Frame) -> Result<Option<String>, Failure> {
    match reply {
        Ok(()) => Ok(None),
        Err(problem) if problem.status().is_client_error() => Ok(Some(problem.detail().to_owned())),
        Err(problem) => Err(failure(frame, &problem)),
    }
}

/// Adds a rule, or replaces the rule of the same name.
pub async fn put(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(mut form): Form<LimitForm>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let outcome = match form.rule(&frame.words.campaign) {
        Ok(rule) => {
            let request = alter(&key).option("LIMIT", rule.words());
            refusal(app.change(&frame.caller, "alter", None, &request).await, &frame)?
        }
        Err(text) => Some(text),
    };
    let Some(reason) = outcome else { return Ok(done(&key, "limit")) };
    let mut shown = prepare(&app, frame, key).await?;
    form.error = Some(shown.words.rejected.replace("{}", &reason));
    shown.limit = form;
    refused(&shown)
}

/// The rule to drop.
#[derive(Deserialize)]
pub struct Dropped {
    name: String,
}

/// Drops a rule.
pub async fn drop(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(form): Form<Dropped>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let request = alter(&key).option("UNLIMIT", named(&form.name));
    let reply = app.change(&frame.caller, "alter", None, &request).await;
    let Some(reason) = refusal(reply, &frame)? else { return Ok(done(&key, "drop")) };
    let mut shown = prepare(&app, frame, key).await?;
    shown.drop_error = Some(shown.words.rejected.replace("{}", &reason));
    refused(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::campaign::ENGLISH;

    #[test]
    fn a_form_leads_back_to_its_rule() {
        let rule = LimitRule {
            name: b"a\"b".to_vec(),
            scope: b"voter+device".to_vec(),
            max: b"10".to_vec(),
            unit: b"day".to_vec(),
            bonuses: vec![Bonus { tag: b"channel".to_vec(), value: b"a b".to_vec(), extra: b"5".to_vec() }],
        };
        assert_eq!(LimitForm::of(&rule).rule(&ENGLISH), Ok(rule));
    }

    #[test]
    fn a_bad_bonus_is_named_by_its_line() {
        let form = LimitForm { bonuses: "channel acme 5\r\n\r\nchannel".to_owned(), ..LimitForm::default() };
        assert_eq!(form.rule(&ENGLISH), Err("Line 3 of the bonuses is not tag, value, votes.".to_owned()));
    }
}
