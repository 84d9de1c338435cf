//! One operation: its arguments, the command that is made from them, and the answer that is made from the reply.

use leaderboard_client::{Request, VoteOutcome, getmeta, hidden, info};
use redis::{Cmd, FromRedisValue};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::access::Caller;
use crate::access::audit::Event;
use crate::access::proxy::Origin;
use crate::api::batch::described::role;
use crate::api::batch::fields::Fields;
use crate::api::batch::members::{Among, Each, Listed};
use crate::api::info::Described;
use crate::api::members::MemberList;
use crate::api::names::Meta;
use crate::api::parse::Nothing;
use crate::api::quota::{QuotaList, Voter};
use crate::api::ranges::Range;
use crate::api::rankings::{Around, Rows, Top};
use crate::api::scores::{Add, Position, Set, SetMeta};
use crate::api::spread::{Statistics, StatsReply};
use crate::api::totals::{Count, Members, PeriodList, Periods, VoterCount, Voters};
use crate::api::votes::{Outcome, Votes};
use crate::app::App;
use crate::changes::text;
use crate::link::{problem, rows};
use crate::problem::Problem;
use crate::refused::Who;

/// The caller of the request, and the origin that its votes get as a tag.
pub struct Asked<'a> {
    pub app: &'a App,
    pub caller: &'a Caller,
    pub ip: Option<Origin>,
}

/// A command that is ready to be sent.
pub struct Task {
    pub key: String,
    pub command: Cmd,
    /// For the audit log: the action and the member.
    noted: Option<(&'static str, Vec<u8>)>,
    /// Whose votes or points these are.
    whose: Vec<(Who, String)>,
    read: Reader,
}

/// Turns a reply into the answer of the operation.
type Reader = Box<dyn FnOnce(redis::Value) -> Result<Box<RawValue>, Problem> + Send>;

impl Task {
    fn new<R: FromRedisValue + 'static, J: Serialize>(
        key: &str,
        request: Request<R>,
        told: impl FnOnce(R) -> Result<J, Problem> + Send + 'static,
    ) -> Self {
        let command = request.cmd();
        let read = move |value| {
            let reply = request.parse(value).map_err(|error| problem(&error))?;
            to_raw_value(&told(reply)?).map_err(|error| Problem::internal(error.to_string()))
        };
        Self { key: key.to_owned(), command, noted: None, whose: Vec::new(), read: Box::new(read) }
    }

    fn noted(mut self, action: &'static str, member: Vec<u8>) -> Self {
        self.noted = Some((action, member));
        self
    }

    fn of(mut self, whose: Vec<(Who, String)>) -> Self {
        self.whose = whose;
        self
    }

    /// The most rows of a list that the command asks for.
    pub fn rows(&self) -> u64 {
        rows(&self.command)
    }

    /// Makes the answer to the operation. Notes changes by people in the audit log.
    pub fn finish(
        self,
        app: &App,
        caller: &Caller,
        reply: Result<redis::Value, Problem>,
    ) -> Result<Box<RawValue>, Problem> {
        if let Some((action, member)) = self.noted {
            let outcome = reply.as_ref().map(|_| ()).map_err(|problem| problem.detail().to_owned());
            let member = Some(String::from_utf8_lossy(&member).into_owned());
            let (key, detail) = (self.key.clone(), text(&self.command));
            app.audit.note(caller, Event { action, key, member, detail, ..Event::default() }, outcome);
        }
        let rule = match &reply {
            Ok(reply) => rule_of(reply),
            Err(problem) => problem.rule().map(str::to_owned),
        };
        if let Some(rule) = rule.filter(|_| !self.whose.is_empty()) {
            app.refused.note(&self.key, &rule, &self.whose);
        }
        (self.read)(reply?)
    }
}

/// The rule that held votes back, if this is the reply to such votes.
fn rule_of(reply: &redis::Value) -> Option<String> {
    match redis::from_redis_value_ref::<VoteOutcome>(reply) {
        Ok(VoteOutcome::HeldBack { rule, .. }) => Some(rule),
        _ => None,
    }
}

/// Checks an operation, and makes its command.
///
/// # Errors
/// The error that the operation would get as a request of its own.
pub async fn prepare(asked: &Asked<'_>, operation: Value) -> Result<Task, Problem> {
    let mut fields = Fields::new(operation)?;
    let (name, key) = (fields.needed("op")?, fields.needed("key")?);
    asked.caller.require_for(role(&name)?, &key)?;
    match name.as_str() {
        "range" => {
            let range: Range = fields.rest()?;
            Ok(Task::new(&key, range.settled(asked.app, &key).await?, Rows::try_from))
        }
        "periods" => {
            let periods = fields.rest::<Periods>()?.complete(asked.app, &key).await?;
            // An absent board has no periods, so any view gives the same answer.
            let periods = periods.unwrap_or_else(|| Periods { view: Some("all".to_owned()) });
            Ok(Task::new(&key, periods.request(&key)?, |periods| Ok(PeriodList::from(periods))))
        }
        "standing" | "score" | "rank" | "among" => of_members(&name, &key, fields),
        "add" | "set" | "setmeta" | "vote" => write(asked, &name, &key, fields),
        "around" | "meta" => of_member(&name, &key, fields),
        _ => read(&name, &key, fields),
    }
}

fn read(name: &str, key: &str, fields: Fields) -> Result<Task, Problem> {
    Ok(match name {
        "top" => Task::new(key, fields.rest::<Top>()?.request(key)?, Rows::try_from),
        "count" => Task::new(key, fields.rest::<Count>()?.request(key)?, |count| Ok(Members::from(count))),
        "stats" => {
            Task::new(key, fields.rest::<Statistics>()?.request(key)?, |stats| Ok(StatsReply::from(stats)))
        }
        "voters" => {
            Task::new(key, fields.rest::<Voters>()?.request(key)?, |voters| Ok(VoterCount::from(voters)))
        }
        "quota" => Task::new(key, fields.rest::<Voter>()?.request(key)?, |quota| Ok(QuotaList::from(quota))),
        "hidden" => {
            fields.rest::<Nothing>()?;
            Task::new(key, hidden(key), |names| Ok(MemberList::from(names)))
        }
        _ => {
            fields.rest::<Nothing>()?;
            let named = key.to_owned();
            let absent = || Problem::not_found("no such board");
            Task::new(key, info(key), move |told| Ok(Described::new(&named, told.ok_or_else(absent)?)))
        }
    })
}

fn of_member(name: &str, key: &str, mut fields: Fields) -> Result<Task, Problem> {
    let member = fields.member()?;
    if name == "around" {
        return Ok(Task::new(key, fields.rest::<Around>()?.request(key, &member)?, Rows::try_from));
    }
    fields.rest::<Nothing>()?;
    let absent = || Problem::not_found("member: there is no text beside it");
    Ok(Task::new(key, getmeta(key, &member), move |text| Ok(Meta::from(Some(text.ok_or_else(absent)?)))))
}

fn of_members(name: &str, key: &str, fields: Fields) -> Result<Task, Problem> {
    let listed: Listed = fields.rest()?;
    let names = listed.names()?;
    Ok(match name {
        "standing" => {
            let request = listed.standings(key, &names);
            Task::new(key, request, |standings| Ok(Each::standings(names, standings)))
        }
        "score" => Task::new(key, listed.scores(key, &names), |scores| Ok(Each::scores(names, scores))),
        "rank" => Task::new(key, listed.scores(key, &names), |scores| Ok(Each::ranks(names, scores))),
        _ => Task::new(key, listed.among(key, &names), |rows| Ok(Among::from(rows))),
    })
}

fn write(asked: &Asked<'_>, name: &str, key: &str, mut fields: Fields) -> Result<Task, Problem> {
    if name == "vote" {
        let id = fields.id()?;
        let votes = fields.rest::<Votes>()?;
        let request = votes.request(key, asked.ip, id.as_deref().map(str::as_bytes))?;
        return Ok(Task::new(key, request, |outcome| Ok(Outcome::from(outcome))).of(votes.whose(asked.ip)));
    }
    let member = fields.member()?;
    if name == "setmeta" {
        let request = fields.rest::<SetMeta>()?.request(key, &member)?;
        return Ok(Task::new(key, request, Ok).noted("meta", member));
    }
    let id = fields.id()?;
    let id = id.as_deref().map(str::as_bytes);
    Ok(match name {
        "add" => {
            let request = fields.rest::<Add>()?.request(key, &member, id)?;
            let whose = vec![(Who::Member, String::from_utf8_lossy(&member).into_owned())];
            Task::new(key, request, |applied| Ok(Position::from(applied))).of(whose)
        }
        _ => {
            let request = fields.rest::<Set>()?.request(key, &member, id)?;
            Task::new(key, request, |applied| Ok(Position::from(applied))).noted("set", member)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Role;
    use serde_json::json;

    fn app() -> App {
        // In these tests, no operation asks the server before its command is made.
        App::of_no_server(&[])
    }

    async fn words(role: Role, operation: Value) -> String {
        let caller = Caller::new("test", role, &["b*".to_owned()], false).unwrap();
        let asked =
            Asked { app: &app(), caller: &caller, ip: Some(Origin::new("203.0.113.9".parse().unwrap(), 64)) };
        let task = prepare(&asked, operation).await;
        task.map_or_else(|problem| problem.detail().to_owned(), |task| text(&task.command))
    }

    #[tokio::test]
    async fn operations_become_commands() {
        for (operation, command) in [
            (json!({"op": "top", "key": "b", "count": "3", "view": "day"}), "LB.TOP b 3 VIEW day"),
            (json!({"op": "around", "key": "b", "member_b64": "YQ==", "count": 2}), "LB.AROUND b a 2"),
            (json!({"op": "standing", "key": "b", "members": ["a", "c"]}), "LB.MSTANDING b MEMBERS 2 a c"),
            (json!({"op": "rank", "key": "b", "members_b64": ["YQ=="]}), "LB.MSCORE b MEMBERS 1 a"),
            (json!({"op": "add", "key": "b", "member": "a", "points": 5, "id": "r"}), "LB.ADD b 5 a ID r"),
            (json!({"op": "set", "key": "b", "member": "a", "score": "5", "gt": true}), "LB.SET b 5 a GT"),
            (json!({"op": "setmeta", "key": "b", "member": "a", "meta": "A"}), "LB.SETMETA b a A"),
            (
                json!({"op": "vote", "key": "b", "votes": [{"member": "a"}], "id": "r"}),
                "LB.VOTE b 1 a TAG ip 203.0.113.9 ID r",
            ),
            (json!({"op": "info", "key": "b"}), "LB.INFO b"),
        ] {
            assert_eq!(words(Role::Editor, operation).await, command);
        }
    }

    #[tokio::test]
    async fn each_operation_is_judged() {
        let add = json!({"op": "add", "key": "b", "member": "a", "points": 5});
        let vote = json!({"op": "vote", "key": "b", "votes": [{"member": "a"}]});
        assert_eq!(words(Role::Voter, add.clone()).await, "this takes the role editor");
        assert_eq!(words(Role::Viewer, vote).await, "this takes the role voter");
        let other = words(Role::Admin, json!({"op": "top", "key": "other"})).await;
        assert_eq!(other, "this token is not for the key 'other'");
    }

    #[tokio::test]
    async fn what_is_wrong_with_an_operation_is_named() {
        for (operation, field) in [
            (json!([]), "op: not an object"),
            (json!({"key": "b"}), "op: missing"),
            (json!({"op": 1, "key": "b"}), "op: not a text"),
            (json!({"op": "drop", "key": "b"}), "op: 'drop' is none"),
            (json!({"op": "top"}), "key: missing"),
            (json!({"op": "top", "key": "b", "id": "r"}), "id: unknown field"),
            (json!({"op": "info", "key": "b", "view": "day"}), "view: unknown field"),
            (json!({"op": "score", "key": "b", "members": []}), "members: give at least one"),
            (json!({"op": "score", "key": "b", "members": vec!["a"; 1_001]}), "members: at most 1000"),
            (json!({"op": "score", "key": "b", "members_b64": ["?"]}), "members_b64: no Base64"),
            (json!({"op": "add", "key": "b", "points": 1}), "member: give member or member_b64"),
            (json!({"op": "add", "key": "b", "member": "a", "points": 1, "id": ""}), "id: 1 to 256 bytes"),
            (json!({"op": "add", "key": "b", "member": "a"}), "op: missing field `points`"),
        ] {
            let said = words(Role::Admin, operation.clone()).await;
            assert!(said.starts_with(field), "{operation}: {said}");
        }
    }
}
