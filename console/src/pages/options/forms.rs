//! The forms that add, change and remove an option.

use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leaderboard_client::{Request, VotingOption, option, rem};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::Form;
use crate::pages::campaign::refusal;
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::names::Member;
use crate::pages::options::{done, prepare, refused};

/// The contents of the fields, their contents when the form was rendered, and the reason if they were refused.
#[derive(Default, Deserialize)]
pub struct OptionForm {
    pub member: String,
    /// Whether `member` is in Base64, because a form cannot contain the name as a text.
    #[serde(default)]
    pub b64: bool,
    #[serde(default)]
    pub weight: String,
    #[serde(default)]
    pub weight_before: String,
    #[serde(default)]
    pub initial: String,
    #[serde(default)]
    pub initial_before: String,
    pub meta: String,
    pub meta_before: String,
    #[serde(default)]
    pub cursor: u64,
    /// Whether the form changes an existing option.
    #[serde(default)]
    pub is_change: bool,
    #[serde(skip)]
    pub error: Option<String>,
}

/// A name in the form that the fields of a form can contain. Forms change line breaks. So a name with line breaks is in
/// Base64, like a name that is not UTF-8.
pub fn name_in_form(name: &[u8]) -> (String, bool) {
    match std::str::from_utf8(name) {
        Ok(text) if !text.contains(['\r', '\n', '\0']) => (text.to_owned(), false),
        _ => (URL_SAFE_NO_PAD.encode(name), true),
    }
}

impl OptionForm {
    /// The form that changes this option.
    pub fn of(option: &VotingOption, cursor: u64) -> Self {
        let (member, b64) = name_in_form(option.member.as_bytes());
        let meta = String::from_utf8_lossy(option.meta.as_deref().unwrap_or_default()).into_owned();
        Self {
            member,
            b64,
            weight: option.weight.to_string(),
            weight_before: option.weight.to_string(),
            initial: option.initial.to_string(),
            initial_before: option.initial.to_string(),
            meta_before: meta.clone(),
            meta,
            cursor,
            is_change: true,
            error: None,
        }
    }

    /// An empty form that shows the reason of a failure.
    pub fn failed(reason: String) -> Self {
        Self { error: Some(reason), ..Self::default() }
    }

    /// The name of the option; `None` if the name in the form cannot be read.
    pub fn name(&self) -> Option<Member> {
        Member::of_path(&self.member, self.b64).ok()
    }

    /// The name in a form that can be displayed.
    pub fn shown_name(&self) -> String {
        self.name().map(|member| member.shown()).unwrap_or_default()
    }

    /// Declares the option with only the values that the visitor changed in the form. Other people may have changed the
    /// other values.
    fn request(&self, key: &str, member: &Member) -> Request<()> {
        let mut request = option(key, &member.0);
        for (name, before, now) in
            [("WEIGHT", &self.weight_before, &self.weight), ("INITIAL", &self.initial_before, &self.initial)]
        {
            let now = now.trim();
            if !now.is_empty() && now != before {
                request = request.option(name, now);
            }
        }
        let (before, now) = (lines(&self.meta_before), lines(&self.meta));
        if before == now { request } else { request.meta(now) }
    }
}

/// A text with its original line breaks, which the form had changed.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Adds or changes an option.
pub async fn save(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(mut form): Form<OptionForm>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let member = Member::of_path(&form.member, form.b64).shown(&frame)?;
    let request = form.request(&key, &member);
    let reply = app.change(&frame.caller, "option", Some(&member.0), &request).await;
    let Some(reason) = refusal(reply, &frame)? else { return Ok(done(&key, form.cursor, "saved")) };
    let (mut list, _) = prepare(&app, frame, key, form.cursor).await?;
    form.error = Some(list.frame.words.options.rejected.replace("{}", &reason));
    list.form = form;
    refused(&list)
}

/// The option to remove, and its name as the visitor typed it for confirmation.
#[derive(Deserialize)]
pub struct Removal {
    member: String,
    #[serde(default)]
    b64: bool,
    confirm: String,
    #[serde(default)]
    cursor: u64,
}

/// Removes an option with its votes.
pub async fn remove(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(removal): Form<Removal>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    let member = Member::of_path(&removal.member, removal.b64).shown(&frame)?;
    let reason = if member.shown() == removal.confirm || member.0 == removal.confirm.as_bytes() {
        let reply = app.change(&frame.caller, "remove", Some(&member.0), &rem(&key, [&member.0])).await;
        let rejected = |reason: String| frame.words.options.rejected.replace("{}", &reason);
        refusal(reply.map(|_| ()), &frame)?.map(rejected)
    } else {
        Some(frame.words.options.remove_wrong.to_owned())
    };
    let Some(reason) = reason else { return Ok(done(&key, removal.cursor, "removed")) };
    let (mut list, found) = prepare(&app, frame, key, removal.cursor).await?;
    if let Some(option) = found.iter().find(|option| option.member.as_bytes() == member.0) {
        list.form = OptionForm::of(option, removal.cursor);
    }
    list.remove_error = Some(reason);
    refused(&list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> OptionForm {
        OptionForm {
            weight: "2".to_owned(),
            weight_before: "2".to_owned(),
            initial: "7".to_owned(),
            initial_before: "5".to_owned(),
            meta: "a\r\nb".to_owned(),
            meta_before: "a\nb".to_owned(),
            ..OptionForm::default()
        }
    }

    #[test]
    fn only_what_was_changed_is_sent() {
        let sent = |form: &OptionForm| format!("{:?}", form.request("k", &Member(b"m".to_vec())));
        assert_eq!(sent(&form()), "LB.OPTION k m INITIAL 7");
        assert_eq!(sent(&OptionForm { meta: String::new(), ..form() }), "LB.OPTION k m INITIAL 7 META \"\"");
        assert_eq!(sent(&OptionForm::default()), "LB.OPTION k m");
        assert_eq!(
            sent(&OptionForm { weight: "x".to_owned(), ..OptionForm::default() }),
            "LB.OPTION k m WEIGHT x"
        );
    }

    #[test]
    fn names_that_forms_would_change_go_as_base64() {
        for (name, b64) in [(b"a b".as_slice(), false), (b"a\nb", true), (b"\xff", true), (b"", false)] {
            let (text, is_b64) = name_in_form(name);
            assert_eq!(is_b64, b64);
            assert_eq!(Member::of_path(&text, is_b64).expect("a name").0, name);
        }
    }
}
