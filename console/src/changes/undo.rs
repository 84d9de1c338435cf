//! Takes a change back: a new change, with a record of its own.

use leaderboard_client::info;
use redis::Cmd;

use super::look::Look;
use crate::access::audit::{DONE, Event, Record};
use crate::access::{Caller, Role};
use crate::app::App;
use crate::problem::Problem;

impl App {
    /// Takes back the change with this record. The caller must be an editor of the board.
    ///
    /// # Errors
    /// 404 if there is no such record, or if it cannot be taken back; 409 if it was taken back, or if the score or text has changed
    /// since; and the errors of the command.
    pub async fn undo(&self, caller: &Caller, id: &str) -> Result<Record, Problem> {
        let is_it = |record: &Record| record.id == id && !id.is_empty() && caller.sees(&record.key);
        let found = self.audit.latest(is_it).into_iter().next();
        let record = found.filter(|record| record.outcome == DONE && !record.undo.is_empty());
        let record = record.ok_or_else(|| Problem::not_found("no change that can be taken back"))?;
        caller.require_for(Role::Editor, &record.key)?;
        if self.audit.undone().contains(id) {
            return Err(Problem::exists("this change was taken back already".to_owned()));
        }
        let action = action_of(&record);
        self.check(&record, action).await?;
        let words = self.words(&record).await?;
        let event = Event {
            action,
            key: record.key.clone(),
            member: record.member.clone(),
            undoes: Some(id.to_owned()),
            ..Event::default()
        };
        let mut command = Cmd::new();
        words.iter().for_each(|word| _ = command.arg(word));
        self.change_and_note(caller, event, command).await?;
        Ok(record)
    }

    /// Checks that what a change has set is still there. Points that were added can be taken back at any time.
    async fn check(&self, record: &Record, action: &str) -> Result<(), Problem> {
        if !matches!(action, "set" | "meta" | "option") {
            return Ok(());
        }
        let words: Vec<Vec<u8>> = record.undo.iter().map(|word| word.as_bytes().to_vec()).collect();
        let mut look = Look::of(action, &words);
        look.find(&self.link).await;
        let Some(command) = look.command() else { return Ok(()) };
        let now = look.told(&self.link.command(&command).await?);
        if now == record.after {
            return Ok(());
        }
        let now = now.unwrap_or_else(|| "nothing".to_owned());
        Err(Problem::exists(format!("it has changed since, and is {now} now")))
    }

    /// The words of the command. A board whose clock is the time of the writes needs the moment of this one.
    async fn words(&self, record: &Record) -> Result<Vec<String>, Problem> {
        let told = self.link.ask(&info(&record.key)).await?;
        let told = told.ok_or_else(|| Problem::not_found("no such board"))?;
        let mut words = record.undo.clone();
        if record.action == "add" && told.text("aggregate") != Some("SUM") {
            return Err(Problem::invalid("points of a board without AGGREGATE SUM cannot be taken back"));
        }
        if matches!(&*record.action, "add" | "set") {
            // Two at once count once.
            words.extend(["ID".to_owned(), format!("undo-{}", record.id)]);
            if told.text("clock") == Some("EVENT") {
                words.extend(["AT".to_owned(), told.number("now").unwrap_or(0).to_string()]);
            }
        }
        Ok(words)
    }
}

/// The action of the command that takes a change back.
fn action_of(record: &Record) -> &'static str {
    match &*record.action {
        "add" => "add",
        "set" => "set",
        "hide" => "unhide",
        "unhide" => "hide",
        "option" => "option",
        _ => "meta",
    }
}
