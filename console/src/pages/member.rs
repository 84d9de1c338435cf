//! The page of a member of a board: its standing in each view, its neighbours, its standings in past periods, and the
//! forms for corrections. `member_changes` handles these forms.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use leaderboard_client::{
    Name, Period, Request, Row, Standing, around, getmeta, getsegment, hidden, info, periods, standing,
};
use redis::FromRedisValue;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::fresh_id::fresh_id;
use crate::link::problem;
use crate::pages::arguments::Query;
use crate::pages::board::key_shown;
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Failure, Frame, Page, Shown, page};
use crate::pages::member_changes as changes;
use crate::pages::member_history::{History, Line};
use crate::pages::names::{Member, board_path, member_path, shown};
use crate::pages::ranking::{Change, LastLook, Look, Ranking};
use crate::pages::reading::{Reading, with_query};
use crate::problem::Problem;

/// The number of members that are shown on each side.
const BESIDE: u64 = 5;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/boards/{key}/members/{member}", get(show))
        .route("/boards/{key}/members/{member}/score", post(changes::score).get(back))
        .route("/boards/{key}/members/{member}/meta", post(changes::meta).get(back))
        .route("/boards/{key}/members/{member}/hide", post(changes::hide).get(back))
        .route("/boards/{key}/members/{member}/remove", post(changes::remove).get(back))
}

/// The arguments of the page, besides the names in the path and the reading.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Choice {
    b64: String,
    /// The change that has just been made.
    notice: String,
}

/// A member of a board. The visitor has the role that the handler needs.
pub struct Subject {
    pub key: String,
    pub member: Member,
    pub reading: Reading,
    pub notice: String,
}

impl Subject {
    /// # Errors
    /// A page that shows which right the visitor lacks, or that the path contains no valid name.
    pub fn of(
        frame: &Frame,
        role: Role,
        (key, member): (String, String),
        choice: Choice,
        reading: Reading,
    ) -> Result<Self, Failure> {
        frame.caller.require_for(role, &key).shown(frame)?;
        let member = Member::of_path(&member, choice.b64 == "true").shown(frame)?;
        Ok(Self { key, member, reading, notice: choice.notice })
    }

    /// The address of the member's page, or of one below it, with the same reading.
    pub fn path(&self, below: &str) -> String {
        with_query(&member_path(&self.key, &self.member, below), &self.reading.query())
    }
}

/// The input of a visitor that has a fault, and the reason.
#[derive(Default)]
pub struct Draft {
    pub score: String,
    pub sets: bool,
    pub meta: Option<String>,
    pub score_error: Option<String>,
    pub meta_error: Option<String>,
    pub remove_error: Option<String>,
}

#[derive(Template)]
#[template(path = "member.html")]
struct MemberPage {
    frame: Frame,
    subject: Subject,
    board: String,
    board_name: String,
    name: String,
    info: BoardInfo,
    view: String,
    standing: Option<Standing>,
    neighbours: Ranking,
    views: Vec<View>,
    history: History,
    meta: Option<Vec<u8>>,
    segments: Vec<InDimension>,
    is_hidden: bool,
    draft: Draft,
    /// The request id of the next correction. A form that is sent twice counts once.
    id: String,
}

/// A segment of the member.
struct InDimension {
    dimension: String,
    segment: String,
    /// The ranking of the members of the segment. `None` if an address cannot contain the name of the segment.
    path: Option<String>,
}

/// The standing of the member in a view.
struct View {
    name: String,
    path: String,
    standing: Option<Standing>,
    real: Option<Standing>,
}

impl MemberPage {
    fn neighbour(&self, name: &Name) -> (String, String) {
        let member = Member(name.0.clone());
        let path = with_query(&member_path(&self.subject.key, &member, ""), &self.subject.reading.query());
        (member.shown(), path)
    }

    /// The drawings of the past, each with its title and the names of its bottom and its top.
    fn lines(&self) -> Vec<(&Line, &'static str, [&'static str; 2])> {
        let words = &self.frame.words.member;
        let scores = self.history.scores.iter();
        let scores = scores.map(|line| (line, words.history_scores, [words.least, words.most]));
        let ranks = self.history.ranks.iter();
        scores.chain(ranks.map(|line| (line, words.history_ranks, [words.worst, words.best]))).collect()
    }

    fn change(&self, standing: &Standing) -> Change {
        Change::of(Some(standing))
    }

    fn meta_text(&self) -> String {
        let kept = || self.meta.as_deref().map(|meta| String::from_utf8_lossy(meta).into_owned());
        self.draft.meta.clone().or_else(kept).unwrap_or_default()
    }

    fn is_text(&self) -> bool {
        self.meta.as_deref().is_none_or(|meta| std::str::from_utf8(meta).is_ok())
    }

    fn meta_shown(&self) -> Option<String> {
        self.meta.as_deref().map(shown)
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(path): Path<(String, String)>,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
) -> Page {
    let subject = Subject::of(&frame, Role::Viewer, path, choice, reading)?;
    render(&app, frame, subject, Draft::default()).await
}

/// A refused form is shown at this address. A browser that loads the address again is sent to the page.
async fn back(
    frame: Frame,
    Path(path): Path<(String, String)>,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
) -> Page {
    let subject = Subject::of(&frame, Role::Viewer, path, choice, reading)?;
    Ok(Redirect::to(&subject.path("")).into_response())
}

/// The page, with input that has a fault if there is any.
///
/// # Errors
/// The page that shows an absent board, an unknown member, or a server that does not answer.
pub async fn render(app: &App, frame: Frame, mut subject: Subject, draft: Draft) -> Page {
    let told = app.link.ask(&info(&subject.key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let info = BoardInfo::of(told);
    if !info.is_shown {
        subject.reading = subject.reading.without_shown_votes();
    }
    let view = subject.reading.view_of(&info.views);
    let told = Told::of(app, &subject, &info, &view).await.shown(&frame)?;
    if !told.is_known() {
        return Err(Problem::not_found(frame.words.member.unknown)).shown(&frame);
    }
    let history = History::of(app, &subject, &told.periods, &info.zone).await.shown(&frame)?;
    let has_change = subject.reading.has_last(&told.periods);
    let last = LastLook::default();
    let (key, about) = (subject.key.as_str(), Some(&subject.member));
    let look = Look { key, reading: &subject.reading, has_change, last: &last, about };
    let lines = look.lines(app, &told.neighbours).await;
    let id = fresh_id().shown(&frame)?;
    let segments = told.segments.into_iter().map(|of| in_dimension(&subject, of)).collect();
    page(&MemberPage {
        board: with_query(&board_path(&subject.key, ""), &subject.reading.query()),
        board_name: key_shown(&subject.key),
        name: subject.member.shown(),
        neighbours: Ranking { words: frame.words, lines, has_change, problem: None },
        frame,
        subject,
        info,
        view,
        standing: told.standing,
        views: told.views,
        history,
        meta: told.meta,
        segments,
        is_hidden: told.is_hidden,
        draft,
        id,
    })
}

/// The replies of the server about a member.
struct Told {
    standing: Option<Standing>,
    neighbours: Vec<Row>,
    periods: Vec<Period>,
    meta: Option<Vec<u8>>,
    segments: Vec<(String, Name)>,
    is_hidden: bool,
    views: Vec<View>,
}

async fn segments(app: &App, subject: &Subject, info: &BoardInfo) -> Result<Vec<(String, Name)>, Problem> {
    if info.dimensions.is_empty() {
        return Ok(Vec::new());
    }
    app.link.ask(&getsegment(&subject.key, &subject.member.0)).await
}

fn in_dimension(subject: &Subject, (dimension, Name(bytes)): (String, Name)) -> InDimension {
    let query = |segment: &str| {
        let (dimension, segment) = (dimension.clone(), segment.to_owned());
        Reading { dimension, segment, ..subject.reading.clone() }.query()
    };
    let text = std::str::from_utf8(&bytes).ok();
    let path = text.map(|segment| with_query(&board_path(&subject.key, ""), &query(segment)));
    InDimension { path, segment: shown(&bytes), dimension }
}

impl Told {
    async fn of(app: &App, subject: &Subject, info: &BoardInfo, view: &str) -> Result<Self, Problem> {
        let Subject { key, member, reading, .. } = subject;
        let (stands, beside) =
            (reading.put(standing(key, &member.0)), reading.put(around(key, &member.0, BESIDE).with_meta()));
        let (text, all_periods, all_hidden) = (getmeta(key, &member.0), periods(key, view), hidden(key));
        let (standing, neighbours, meta, periods, hidden, views, segments) = tokio::try_join!(
            app.link.ask(&stands),
            app.link.ask(&beside),
            app.link.ask(&text),
            app.link.ask(&all_periods),
            app.link.ask(&all_hidden),
            views(app, subject, info),
            segments(app, subject, info)
        )?;
        let is_hidden = hidden.iter().any(|name| name.0 == member.0);
        Ok(Self { standing, neighbours, periods, meta, segments, is_hidden, views })
    }

    fn is_known(&self) -> bool {
        self.standing.is_some()
            || self.meta.is_some()
            || !self.segments.is_empty()
            || self.is_hidden
            || self.views.iter().any(|view| view.standing.is_some())
    }
}

async fn views(app: &App, subject: &Subject, info: &BoardInfo) -> Result<Vec<View>, Problem> {
    let Subject { key, member, .. } = subject;
    let of = |name: &String| standing(key, &member.0).view(name);
    let shown: Vec<_> = info.views.iter().map(of).collect();
    let real: Vec<_> =
        if info.is_shown { shown.iter().map(|ask| ask.clone().real()).collect() } else { Vec::new() };
    let (shown, real) = tokio::try_join!(ask_all(app, &shown), ask_all(app, &real))?;
    let real = real.into_iter().chain(std::iter::repeat(None));
    let views = info.views.iter().zip(shown).zip(real);
    Ok(views
        .map(|((name, standing), real)| {
            let reading = Reading { view: name.clone(), ..Reading::default() };
            let path = with_query(&member_path(key, member, ""), &reading.query());
            View { name: name.clone(), path, standing, real }
        })
        .collect())
}

/// Sends several requests about one board together, without waiting for each reply before the next request.
///
/// # Errors
/// The first error.
pub async fn ask_all<R: FromRedisValue>(app: &App, requests: &[Request<R>]) -> Result<Vec<R>, Problem> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let replies = app.link.pipeline(requests.iter().map(Request::cmd)).await?;
    let read = |(request, reply): (&Request<R>, Result<redis::Value, Problem>)| {
        request.parse(reply?).map_err(|error| problem(&error))
    };
    requests.iter().zip(replies).map(read).collect()
}
