//! Many operations in one request. The operations on one key are sent in their order. In a cluster, the operations of
//! different nodes are sent at the same time.

mod described;
mod fields;
mod members;
mod operation;

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Caller;
use crate::api::batch::described::Operation;
use crate::api::batch::operation::{Asked, Task, prepare};
use crate::api::extract::{Body, Nothing, Params, RequestId, TagIp};
use crate::app::App;
use crate::problem::Problem;

/// The most operations of a request.
const MOST: usize = 100;
/// The most rows of lists that all operations of a request together may ask for.
const ROWS: u64 = 10_000;

/// The route.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(batch))
}

/// The operations to perform.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"ops": [
    {"op": "add", "key": "songs", "id": "match:881", "member": "ember", "points": 10},
    {"op": "top", "key": "songs", "count": 10},
    {"op": "standing", "key": "songs", "members": ["ember", "tide"]}
]}))]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Each operation is an object with `op`, `key`, and the arguments of the operation.
    #[schema(value_type = Vec<Operation>, max_items = 100)]
    ops: Vec<Value>,
}

/// The results of the operations, in the order of the operations.
#[derive(Debug, Serialize, ToSchema)]
pub struct Results {
    results: Vec<OpResult>,
}

/// The result of an operation.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpResult {
    /// The status that the operation would have as a request of its own.
    #[schema(example = 200)]
    status: u16,
    /// The body that the operation would get as a request of its own; null if that body is empty.
    #[schema(value_type = Option<Object>)]
    body: Option<Box<RawValue>>,
}

impl OpResult {
    /// An answer that is the JSON `null` becomes status 204.
    fn of(answer: Result<Box<RawValue>, Problem>) -> Self {
        match answer {
            Ok(body) if body.get() == "null" => Self { status: 204, body: None },
            Ok(body) => Self { status: 200, body: Some(body) },
            Err(problem) => Self {
                status: problem.status().as_u16(),
                body: serde_json::value::to_raw_value(&problem).ok(),
            },
        }
    }
}

/// Performs up to 100 operations on any boards. Each operation is independent: the others are performed even if one
/// fails, and other clients may write between them.
///
/// An operation takes the arguments that its own request has in the query string or the body: `top`, `range`, `around`
/// (with `member`), `count`, `stats`, `info`, `periods`, `voters`, `hidden`, `quota`, `meta` (with `member`), `add` and
/// `set` (with `member`), `setmeta` (with `member`), `vote`. `add`, `set` and `vote` take the id of the request as
/// `id`. `standing`, `score` and `rank` take `members` (or `members_b64`) and answer with `members`, which has null for
/// each unknown member. `among` takes the same arguments and answers with `rows`.
///
/// All operations together may ask for at most 10,000 rows. If they ask for more, the request gets status 413 and no
/// operation is performed. After 5 MiB of lists have been read, each further list gets status 413 as the result of its
/// operation; the other operations are still performed.
#[utoipa::path(post, path = "/batch", operation_id = "batch", tag = "batch", request_body = Batch,
    responses((status = 200, body = Results), (status = "default", body = Problem)))]
pub async fn batch(
    State(app): State<App>,
    caller: Caller,
    _none: Params<Nothing>,
    TagIp(ip): TagIp,
    id: RequestId,
    Body(batch): Body<Batch>,
) -> Result<Json<Results>, Problem> {
    if id.id().is_some() {
        return Err(Problem::invalid("Idempotency-Key: a batch has none; give each write its own `id`"));
    }
    if batch.ops.len() > MOST {
        return Err(Problem::invalid(format!("ops: at most {MOST} at once")));
    }
    let asked = Asked { app: &app, caller: &caller, ip };
    let tasks = join_all(batch.ops.into_iter().map(|op| prepare(&asked, op))).await;
    judge(&tasks)?;
    Ok(Json(Results { results: perform(&app, &caller, tasks).await? }))
}

/// # Errors
/// 413 if the operations ask for too many rows.
fn judge(tasks: &[Result<Task, Problem>]) -> Result<(), Problem> {
    let rows = tasks.iter().flatten().map(Task::rows).fold(0, u64::saturating_add);
    if rows <= ROWS {
        return Ok(());
    }
    Err(Problem::reply_too_large(format!("ops: they ask for {rows} rows, at most {ROWS} come at once")))
}

/// Tasks that are sent together, each with the number of its operation.
type Group = Vec<(usize, Task)>;

async fn perform(
    app: &App,
    caller: &Caller,
    tasks: Vec<Result<Task, Problem>>,
) -> Result<Vec<OpResult>, Problem> {
    let mut groups: HashMap<usize, Group> = HashMap::new();
    let mut answers = Vec::new();
    for (number, task) in tasks.into_iter().enumerate() {
        match task {
            Ok(task) => {
                groups.entry(app.link.way(&task.key)).or_default().push((number, task));
            }
            Err(problem) => answers.push((number, Err(problem))),
        }
    }
    let sent = join_all(groups.into_values().map(|group| send(app, caller, group))).await;
    answers.extend(sent.into_iter().flatten());
    answers.sort_by_key(|(number, _)| *number);
    in_all(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// If every operation failed because the server is unavailable, the whole request gets that error.
fn in_all(answers: Vec<Result<Box<RawValue>, Problem>>) -> Result<Vec<OpResult>, Problem> {
    let is_gone = |answer: &Result<_, Problem>| answer.as_ref().is_err_and(Problem::is_unavailable);
    match answers.first() {
        Some(Err(problem)) if answers.iter().all(is_gone) => Err(problem.clone()),
        _ => Ok(answers.into_iter().map(OpResult::of).collect()),
    }
}

async fn send(app: &App, caller: &Caller, group: Group) -> Vec<(usize, Result<Box<RawValue>, Problem>)> {
    let commands: Vec<_> = group.iter().map(|(_, task)| task.command.clone()).collect();
    let replies = app.link.pipeline(commands).await;
    let replies = replies.unwrap_or_else(|problem| vec![Err(problem); group.len()]);
    let told = group.into_iter().zip(replies);
    told.map(|((number, task), reply)| (number, task.finish(app, caller, reply))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Result<Box<RawValue>, Problem> {
        Ok(RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn one_answer_makes_a_batch() {
        let gone = || Err(Problem::unavailable("gone"));
        let statuses =
            |answers| in_all(answers).map(|all| all.iter().map(|one| one.status).collect::<Vec<_>>());
        assert_eq!(statuses(vec![gone(), body("{}"), body("null")]), Ok(vec![503, 200, 204]));
        assert_eq!(statuses(vec![gone(), Err(Problem::invalid("op: missing"))]), Ok(vec![503, 422]));
        let unknown = || Err(Problem::unknown("no answer came".to_owned()));
        assert_eq!(statuses(vec![gone(), unknown()]), Ok(vec![503, 504]));
        assert_eq!(statuses(vec![gone(), gone()]), Err(Problem::unavailable("gone")));
        assert_eq!(statuses(Vec::new()), Ok(Vec::new()));
    }
}
