//! Changes that people make. Each change is sent once, and noted in the audit log with its caller, its result, and what it was about
//! before and after. [`undo`] takes a change back.

mod look;
mod option;
mod undo;

use leaderboard_client::{Info, Request};
use redis::{Arg, Cmd, FromRedisValue, Value};

use crate::access::Caller;
use crate::access::audit::Event;
use crate::app::App;
use crate::changes::look::Look;
use crate::link::problem as problem_of;
use crate::problem::Problem;
use crate::refused::Who;
use crate::share::Visit;

/// The longest text of a command in the audit log, in characters.
const LONGEST: usize = 1_000;

impl App {
    /// Sends a request for a caller that has the right to make this change, and notes it. `action` is one word, such as
    /// `alter`. What it is about is read just before and just after, by commands that are sent together with it. The change is made and
    /// noted even if the caller stops waiting.
    ///
    /// # Errors
    /// As [`crate::link::Link::ask`]. A change that fails is noted, too.
    pub async fn change<R: FromRedisValue>(
        &self,
        caller: &Caller,
        action: &'static str,
        member: Option<&[u8]>,
        request: &Request<R>,
    ) -> Result<R, Problem> {
        let event = Event {
            action,
            key: String::from_utf8_lossy(request.key().unwrap_or_default()).into_owned(),
            member: member.map(|member| String::from_utf8_lossy(member).into_owned()),
            ..Event::default()
        };
        let reply = self.change_and_note(caller, event, request.cmd()).await?;
        request.parse(reply).map_err(|error| problem_of(&error))
    }

    /// As [`App::change`], for an event whose command is not known yet.
    async fn change_and_note(
        &self,
        caller: &Caller,
        mut event: Event,
        command: Cmd,
    ) -> Result<Value, Problem> {
        let (app, caller) = (self.clone(), caller.clone());
        let work = async move {
            let mut look = Look::of(event.action, &words(&command));
            look.find(&app.link).await;
            let [before, reply, after] = app.look_and_change(&look, &command).await;
            event.detail = text(&command);
            if let Ok(reply) = &reply {
                look.tell(&mut event, [before.ok(), Some(reply.clone()), after.ok()]);
            }
            let outcome = reply.as_ref().map(|_| ()).map_err(|problem| problem.detail().to_owned());
            app.audit.note(&caller, event, outcome);
            reply
        };
        Visit::to_the_end(work).await?
    }

    /// Deletes a key for a caller that has the right to, if it is what `info` asks about: keys of other types stay, and are an error.
    /// Returns whether there was one.
    ///
    /// # Errors
    /// As [`App::change`].
    pub async fn delete(
        &self,
        caller: &Caller,
        key: &str,
        info: &Request<Option<Info>>,
    ) -> Result<bool, Problem> {
        if self.link.ask(info).await?.is_none() {
            return Ok(false);
        }
        let unlink: Request<u64> = Request::new("UNLINK").argument(key);
        Ok(self.change(caller, "delete", None, &unlink).await? > 0)
    }

    /// The replies to a look, the change, and the same look.
    async fn look_and_change(&self, look: &Look, command: &Cmd) -> [Result<Value, Problem>; 3] {
        let nothing = || Ok(Value::Nil);
        let Some(asked) = look.command() else {
            return [nothing(), self.link.command(command).await, nothing()];
        };
        let replies = self.link.pipeline([asked.clone(), command.clone(), asked]).await;
        let replies = replies.map(<[_; 3]>::try_from);
        match replies {
            Ok(Ok(replies)) => replies,
            Ok(Err(_)) => [nothing(), Err(Problem::internal("the server left a reply out")), nothing()],
            Err(problem) => [nothing(), Err(problem), nothing()],
        }
    }

    /// Notes that points of a member were held back, if the problem says so.
    pub fn note_refusal(&self, key: &str, member: &[u8], problem: Option<&Problem>) {
        if let Some(rule) = problem.and_then(Problem::rule) {
            self.refused.note(key, rule, &[(Who::Member, String::from_utf8_lossy(member).into_owned())]);
        }
    }
}

/// The words of a command.
fn words(command: &Cmd) -> Vec<Vec<u8>> {
    let word = |word: Arg<&[u8]>| match word {
        Arg::Simple(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    };
    command.args_iter().map(word).collect()
}

/// A command as a person would type it.
pub fn text(command: &Cmd) -> String {
    let word = |word: Arg<&[u8]>| match word {
        Arg::Simple(bytes) => shown(&String::from_utf8_lossy(bytes)),
        _ => String::new(),
    };
    let text = command.args_iter().map(word).collect::<Vec<_>>().join(" ");
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain(['…']).collect() }
}

fn shown(word: &str) -> String {
    let is_plain =
        !word.is_empty() && word.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '"');
    if is_plain { word.to_owned() } else { format!("{word:?}") }
}
