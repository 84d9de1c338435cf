//! Changes that people make. Each change is sent once, and noted in the audit log with its caller and its result.

use leaderboard_client::Request;
use redis::{Arg, Cmd, FromRedisValue};

use crate::access::Caller;
use crate::app::App;
use crate::problem::Problem;
use crate::refused::Who;

/// The longest text of a command in the audit log, in characters.
const LONGEST: usize = 1_000;

impl App {
    /// Sends a request for a caller that has the right to make this change, and notes it. `action` is one word, such as
    /// `alter`.
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
        let reply = self.link.ask(request).await;
        let key = String::from_utf8_lossy(request.key().unwrap_or_default()).into_owned();
        let member = member.map(|member| String::from_utf8_lossy(member).into_owned());
        let outcome = reply.as_ref().map(|_| ()).map_err(|problem| problem.detail().to_owned());
        self.audit.note(caller, action, &key, member, text(&request.cmd()), outcome);
        reply
    }

    /// Notes that points of a member were held back, if the problem says so.
    pub fn note_refusal(&self, key: &str, member: &[u8], problem: Option<&Problem>) {
        if problem.is_some_and(Problem::is_held_back) {
            self.refused.note(key, &[(Who::Member, String::from_utf8_lossy(member).into_owned())]);
        }
    }
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
