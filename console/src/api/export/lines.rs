//! Reads a period page by page.

use leaderboard_client::{Info, Name, Request, Row, beside, getsegment, mgetmeta, mscore, prizes, top};

use leaderboard_core::board::MAX_HIDDEN;

use super::form::Form;
use super::merge::{Line, Waiting, Winners};
use crate::app::App;
use crate::download::Lines;
use crate::problem::Problem;

/// How many rows are read at once.
const STEP: u64 = 1_000;

/// The lines of an ended period.
pub struct PeriodLines {
    app: App,
    key: String,
    view: String,
    period: String,
    form: Form,
    dimensions: Vec<String>,
    /// The members of the page before, in order; empty before the first page.
    before: Vec<Name>,
    /// Whether all rows were read.
    has_ended: bool,
    winners: Winners,
    /// How many hidden members the board can have.
    most_hidden: usize,
    /// The cursor of the next page of winners; `None` at the end.
    cursor: Option<u64>,
    /// The first lines, which were read ahead.
    ahead: Option<Vec<u8>>,
}

impl PeriodLines {
    pub fn new(app: App, (key, view, period): (String, String, String), told: &Info, form: Form) -> Self {
        let dimensions = told.text("segments").unwrap_or_default().split(',');
        let dimensions = dimensions.filter_map(|dimension| dimension.split(':').next());
        // Each part can hide members.
        let parts = told.number("parts").and_then(|parts| usize::try_from(parts).ok()).unwrap_or_default();
        Self {
            app,
            key,
            view,
            period,
            form,
            dimensions: dimensions.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            before: Vec::new(),
            has_ended: false,
            winners: Winners::default(),
            most_hidden: MAX_HIDDEN.saturating_mul(parts.max(1)),
            cursor: Some(0),
            ahead: None,
        }
    }

    /// Reads the first lines.
    pub async fn read_ahead(&mut self) -> Result<(), Problem> {
        let head = self.form.head(&self.dimensions)?;
        let first = self.read().await?.unwrap_or_default();
        self.ahead = Some([head, first].concat());
        Ok(())
    }

    async fn read(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let rows = if self.has_ended { Vec::new() } else { self.rows().await? };
        self.has_ended = rows.is_empty();
        self.find_winners(rows.len()).await?;
        let mut lines = if self.has_ended { self.winners.rest() } else { self.winners.merge(rows) };
        if lines.is_empty() && self.has_ended && self.cursor.is_none() {
            return Ok(None);
        }
        self.find_texts(&mut lines).await?;
        self.find_segments(&mut lines).await?;
        Ok(Some(self.form.written(&lines, &self.dimensions)?))
    }

    fn of_period<R>(&self, request: Request<R>) -> Request<R> {
        request.view(&self.view).period(&self.period)
    }

    /// Reads the rows behind the rows that were read; none at the end.
    async fn rows(&mut self) -> Result<Vec<Row>, Problem> {
        let rows = if self.before.is_empty() {
            self.app.link.ask(&self.of_period(top(&self.key, STEP).with_meta())).await?
        } else {
            self.rows_behind().await?
        };
        if !rows.is_empty() {
            self.before = rows.iter().map(|row| row.member.clone()).collect();
        }
        Ok(rows)
    }

    /// Reads the rows behind the last member of the page before that was not removed since.
    async fn rows_behind(&self) -> Result<Vec<Row>, Problem> {
        for last in self.before.iter().rev() {
            let request = beside(&self.key, last.as_bytes()).above(0).below(STEP).with_meta();
            let mut rows = self.app.link.ask(&self.of_period(request)).await?;
            if !rows.is_empty() {
                rows.remove(0);
                return Ok(rows);
            }
        }
        Err(Problem::not_found("the period is not kept any more, or all members of a page were removed"))
    }

    /// Reads winners, until there are enough for a number of rows. Before the winner of a row, all hidden members can wait.
    async fn find_winners(&mut self, rows: usize) -> Result<(), Problem> {
        while let Some(cursor) = self.cursor
            && self.winners.len() < rows.saturating_add(self.most_hidden)
        {
            let page = self.app.link.ask(&self.of_period(prizes(&self.key, cursor).count(STEP))).await?;
            self.cursor = Some(page.cursor).filter(|cursor| *cursor > 0);
            let names: Vec<&[u8]> = page.winners.iter().map(|winner| winner.member.as_bytes()).collect();
            if names.is_empty() {
                continue;
            }
            let scores = self.app.link.ask(&self.of_period(mscore(&self.key, &names))).await?;
            let waiting = page.winners.into_iter().zip(scores);
            self.winners.add(waiting.map(|(winner, score)| Waiting { winner, has_place: score.is_some() }));
        }
        Ok(())
    }

    /// Reads the texts of winners that no row shows.
    async fn find_texts(&self, lines: &mut [Line]) -> Result<(), Problem> {
        let mut without: Vec<_> = lines.iter_mut().filter(|line| !line.has_row).collect();
        for lines in without.chunks_mut(STEP as usize) {
            let names: Vec<&[u8]> = lines.iter().map(|line| line.member.as_bytes()).collect();
            let metas = self.app.link.ask(&mgetmeta(&self.key, &names)).await?;
            lines.iter_mut().zip(metas).for_each(|(line, meta)| line.meta = meta);
        }
        Ok(())
    }

    async fn find_segments(&self, lines: &mut [Line]) -> Result<(), Problem> {
        if self.dimensions.is_empty() {
            return Ok(());
        }
        let of_line = |line: &Line| self.of_period(getsegment(&self.key, line.member.as_bytes()));
        let requests: Vec<_> = lines.iter().map(of_line).collect();
        let replies = self.app.link.pipeline(requests.iter().map(Request::cmd)).await?;
        for ((line, request), reply) in lines.iter_mut().zip(&requests).zip(replies) {
            let segments = request.parse(reply?);
            line.segments = segments.map_err(|error| Problem::internal(error.to_string()))?;
        }
        Ok(())
    }
}

impl Lines for PeriodLines {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        match self.ahead.take() {
            Some(ahead) => Ok(Some(ahead)),
            None => self.read().await,
        }
    }
}
