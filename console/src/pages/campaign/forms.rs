//! The form that changes when a campaign opens and closes.

use axum::extract::{Path, State};
use leaderboard_client::alter;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::i18n::fill;
use crate::pages::arguments::Form;
use crate::pages::campaign::facts::Facts;
use crate::pages::campaign::{done, prepare, refused};
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::times::Zone;

/// The contents of the fields, and the reason if they were refused.
#[derive(Default, Deserialize)]
pub struct DatesForm {
    pub opens: String,
    pub closes: String,
    #[serde(skip)]
    pub error: Option<String>,
}

impl DatesForm {
    /// The dates of the board.
    pub fn of(facts: &Facts) -> Self {
        let field = |moment: Option<i64>| moment.map(|ms| facts.zone.field(ms)).unwrap_or_default();
        Self { opens: field(facts.opens), closes: field(facts.closes), error: None }
    }
}

/// Changes both dates at once.
pub async fn change_dates(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(mut form): Form<DatesForm>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let mut shown = prepare(&app, frame, key).await?;
    let texts = shown.words;
    let dates = moment(&form.opens, shown.facts.opens, &shown.facts.zone)
        .and_then(|opens| Ok((opens, moment(&form.closes, shown.facts.closes, &shown.facts.zone)?)))
        .map_err(|field| fill(texts.bad_date, &[field, &shown.facts.zone.name]));
    let outcome = match dates {
        Ok((opens, closes)) => {
            let request = alter(&shown.key).opens(opens).closes(closes);
            let reply = app.change(&shown.frame.caller, "alter", None, &request).await;
            super::limits::refusal(reply, &shown.frame)?
        }
        Err(text) => Some(text),
    };
    let Some(reason) = outcome else { return Ok(done(&shown.key, "dates")) };
    form.error = Some(texts.rejected.replace("{}", &reason));
    shown.dates = form;
    refused(&shown)
}

/// The moment in a field; 0 for an empty field. A field that was not changed keeps its moment exactly, including the
/// milliseconds.
fn moment<'a>(field: &'a str, before: Option<i64>, zone: &Zone) -> Result<i64, &'a str> {
    let field = field.trim();
    match before {
        _ if field.is_empty() => Ok(0),
        Some(before) if zone.field(before) == field => Ok(before),
        _ => zone.read(field).ok_or(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_left_alone_keep_their_moment() {
        let zone = Zone::of_board("Asia/Seoul");
        assert_eq!(moment("2026-11-24T00:00:00", Some(1_795_446_000_789), &zone), Ok(1_795_446_000_789));
        assert_eq!(moment("2026-11-24T00:01", Some(1_795_446_000_789), &zone), Ok(1_795_446_060_000));
        assert_eq!(moment(" ", Some(1), &zone), Ok(0));
        assert_eq!(moment("soon", None, &zone), Err("soon"));
    }
}
