//! Declares the candidates of a vote, and lists them with their votes.

use super::Board;
use super::effect::Effect;
use crate::Error;
use crate::campaign::Candidate;
use crate::index::MemberId;
use crate::schema::{Aggregate, Tally};
use crate::score::Score;
use crate::time::{Stamp, TimeSource};
use crate::view::{Change, Kind, Plan, View};

/// The maximum number of estimates of voters on a page. An estimate takes up to a tenth of a millisecond.
const MOST_ESTIMATES: usize = 50;

/// The declaration of a candidate. `None` keeps the present value, or sets the default for a new candidate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Declaration<'a> {
    /// How many shown votes one vote adds, 0 to [`crate::campaign::MAX_WEIGHT`]; 1 by default.
    pub weight: Option<u32>,
    /// The shown votes that the candidate starts with; 0 by default.
    pub initial: Option<u64>,
    /// The candidate's text, if the text is to be set; an empty text deletes it.
    pub meta: Option<&'a [u8]>,
    /// The candidate's new segments, as in [`Write::segments`](super::Write::segments).
    pub segments: &'a [(&'a [u8], &'a [u8])],
}

/// A row of the organiser's list of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateRow {
    /// The member.
    pub id: MemberId,
    /// The candidate's declaration.
    pub candidate: Candidate,
    /// All votes that were cast for the candidate.
    pub real: Score,
    /// The votes that are shown.
    pub shown: Score,
    /// An estimate of how many voters voted for the candidate.
    pub voters: u64,
}

impl Board {
    /// Declares a candidate, or changes its declaration.
    ///
    /// # Errors
    /// [`Error::NeedsSum`], [`Error::NotWithLevels`], [`Error::WrongPart`], [`Error::NeedsShown`],
    /// [`Error::OutOfRange`], [`Error::Overflow`], [`Error::Full`]; [`Error::HeldBack`] by the rule `full` of a board with
    /// `DECLARED`.
    pub fn declare(
        &mut self,
        member: &[u8],
        declaration: Declaration<'_>,
        origin: TimeSource,
    ) -> Result<Effect, Error> {
        if !self.schema.declared {
            if self.schema.aggregate != Aggregate::Sum {
                return Err(Error::NeedsSum("an option"));
            }
            self.schema.needs_decimals("an option")?;
        }
        if matches!(origin, TimeSource::Client { .. }) {
            self.check_own([member])?;
        }
        self.check_segments(declaration.segments)?;
        let now = self.now_of(origin);
        self.advance(now);
        let found = self.members.find(member);
        let old = found.and_then(|id| self.campaign()?.candidates.get(id)).copied();
        let number = || self.campaign().map_or(Ok(1), |campaign| campaign.candidates.next_number());
        let before = match old {
            Some(old) => old,
            None => Candidate { number: number()?, ..Candidate::PLAIN },
        };
        let candidate = self.revised(before, declaration)?;
        let is_judged = self.schema.declared && old.is_none() && matches!(origin, TimeSource::Client { .. });
        if let (true, Some(full)) = (is_judged, self.is_full_of_joined()) {
            return Err(self.hold_back(full));
        }
        let more = i128::from(candidate.initial.units()).saturating_sub(i128::from(before.initial.units()));
        let stamp = Stamp { now, at: now };
        if let (Some(id), true) = (found, old == Some(candidate)) {
            let changed = declaration.meta.is_some_and(|text| self.set_text(id, text));
            let changed = self.put_declared(id, declaration.segments, false) || changed;
            self.settle_segments();
            self.tidy();
            return Ok(if changed { Effect::Applied(stamp) } else { Effect::Repeated });
        }
        let plan = self.plan_initial(found, more, stamp)?;
        let id = found.map_or_else(|| self.enter_member(member), Ok)?;
        self.finalize_views();
        let candidate = match more {
            0 => candidate,
            _ => Candidate { moment: now, sequence: self.add_initial(id, plan), ..candidate },
        };
        self.campaign_mut().candidates.set(id, candidate);
        if let Some(text) = declaration.meta {
            self.set_text(id, text);
        }
        self.put_declared(id, declaration.segments, found.is_none());
        self.hidden_moved();
        if more != 0 {
            self.refresh_in_segments(id);
            let (views, mut rest) = self.split();
            views
                .iter_mut()
                .filter_map(View::in_periods)
                .for_each(|mut view| view.follow_starting(id, &mut rest));
        }
        self.settle_segments();
        self.touch(stamp);
        self.tidy();
        Ok(Effect::Applied(stamp))
    }

    /// Returns the candidate `old` as it is after the declaration.
    fn revised(&self, old: Candidate, declaration: Declaration<'_>) -> Result<Candidate, Error> {
        let initial = match declaration.initial {
            Some(votes) => {
                let scale = 10_u64.saturating_pow(u32::from(self.schema.decimals));
                let units = votes.checked_mul(scale).and_then(|units| i64::try_from(units).ok());
                units.and_then(Score::from_units).ok_or(Error::OutOfRange("INITIAL"))?
            }
            None => old.initial,
        };
        let candidate = Candidate { weight: declaration.weight.unwrap_or(old.weight), initial, ..old };
        if !self.schema.shown && candidate.weight != Candidate::PLAIN.weight {
            return Err(Error::NeedsShown("WEIGHT"));
        }
        if !self.schema.shown && candidate.initial != Score::ZERO {
            return Err(Error::NeedsShown("INITIAL"));
        }
        Ok(candidate)
    }

    /// Plans the change of a candidate's score in the view `all` by `more` initial votes, in units. This view
    /// counts initial votes at once.
    fn plan_initial(&self, id: Option<MemberId>, more: i128, stamp: Stamp) -> Result<Option<Plan>, Error> {
        let all = self.view_of(Kind::All).and_then(|all| self.views.get(all));
        all.map(|all| all.plan(&self.context(), id, Change::Add(more), stamp)).transpose()
    }

    /// Carries out the plan, and returns the number of the write.
    fn add_initial(&mut self, id: MemberId, plan: Option<Plan>) -> u64 {
        self.sequences = self.sequences.saturating_add(1);
        let all = self.view_of(Kind::All);
        let Self { views, members, schema, sequences, .. } = self;
        if let Some((view, plan)) = all.and_then(|all| views.get_mut(all)).zip(plan) {
            view.apply(schema, members, id, &plan, *sequences);
        }
        *sequences
    }

    /// Returns a page of the candidates, in the order of their declaration, and the cursor of the next page. The
    /// first page has the cursor 0; the last page returns the cursor 0. A page has `count` rows, or fewer if the
    /// estimates of their voters take long. A candidate that stays declared is on exactly one page.
    #[must_use]
    pub fn candidates(&self, cursor: u64, count: usize) -> (u64, Vec<CandidateRow>) {
        let (Some(campaign), Ok(from)) = (self.campaign(), u32::try_from(cursor)) else {
            return (0, Vec::new());
        };
        let (mut page, mut estimates) = (Vec::new(), 0);
        for (id, candidate) in campaign.candidates.from(from) {
            if page.len() == count || estimates == MOST_ESTIMATES {
                return (u64::from(candidate.number), page);
            }
            estimates = estimates.saturating_add(usize::from(!campaign.voters.is_exact(id)));
            page.push(self.candidate_row(id, *candidate));
        }
        (0, page)
    }

    fn candidate_row(&self, id: MemberId, candidate: Candidate) -> CandidateRow {
        let overall = self.view_of(Kind::All).unwrap_or(0);
        let count = |tally| self.score_in(overall, tally, id).unwrap_or(Score::ZERO);
        let real = if self.schema.shown { Tally::Real } else { Tally::Shown };
        let voters = self.campaign().map_or(0, |campaign| campaign.voters.overall(Some(id)).estimate());
        CandidateRow { id, candidate, real: count(real), shown: count(Tally::Shown), voters }
    }

    fn score_in(&self, view: usize, tally: Tally, id: MemberId) -> Option<Score> {
        let first = if tally == Tally::Real { self.width() } else { 0 };
        let view = self.views.get(first.saturating_add(view))?;
        view.find(id, &self.members).map(|place| self.schema.score(place.key.rank_key))
    }
}
