//! The options of a vote: declaring them, and listing them with what they have.

use super::Board;
use crate::Error;
use crate::campaign::Candidate;
use crate::index::MemberId;
use crate::schema::{Aggregate, Tally};
use crate::score::Score;
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{Change, Kind, Plan, View};

/// Estimates of voters on a page: each takes up to a tenth of a millisecond.
const MOST_ESTIMATES: usize = 50;

/// What is said about an option; what is not said stays, or is as it is by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct Declaration {
    /// How many shown votes one vote adds, 0 to [`crate::campaign::MAX_WEIGHT`]; 1 by default.
    pub weight: Option<u32>,
    /// The shown votes that it starts with; none by default.
    pub initial: Option<u64>,
}

/// An option in the organiser's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The member.
    pub id: MemberId,
    /// What it was declared with.
    pub candidate: Candidate,
    /// The votes that were cast for it, overall.
    pub real: Score,
    /// The votes that are shown.
    pub shown: Score,
    /// How many voted for it, as an estimate.
    pub voters: u64,
}

impl Board {
    /// Declares an option, or changes what was declared. The moment at which something changed, or
    /// nothing.
    ///
    /// # Errors
    /// [`Error::NeedsSum`], [`Error::NeedsShown`], [`Error::OutOfRange`], [`Error::Overflow`],
    /// [`Error::Full`].
    pub fn declare(
        &mut self,
        member: &[u8],
        said: Declaration,
        origin: TimeSource,
    ) -> Result<Option<Millis>, Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Err(Error::NeedsSum("an option"));
        }
        let now = self.now_of(origin);
        self.advance(now);
        let found = self.members.find(member);
        let old = found.and_then(|id| self.campaign()?.candidates.get(id)).copied();
        let before = match (old, self.campaign()) {
            (Some(old), _) => old,
            (None, Some(campaign)) => {
                Candidate { number: campaign.candidates.next_number()?, ..Candidate::PLAIN }
            }
            (None, None) => Candidate { number: 1, ..Candidate::PLAIN },
        };
        let candidate = self.chosen(before, said)?;
        if old == Some(candidate) {
            return Ok(None);
        }
        let more = i128::from(candidate.initial.units())
            .saturating_sub(old.map_or(0, |old| i128::from(old.initial.units())));
        let stamp = Stamp { now, at: now };
        let plan = self.plan_initial(found, more, stamp)?;
        self.settle_views();
        let id = match found {
            Some(id) => id,
            None => self.enter_member(member)?,
        };
        let candidate = match more {
            0 => candidate,
            _ => Candidate { moment: now, sequence: self.add_initial(id, plan), ..candidate },
        };
        self.campaign_mut().candidates.set(id, candidate);
        if more != 0 {
            let (views, mut rest) = self.split();
            views
                .iter_mut()
                .filter_map(View::in_periods)
                .for_each(|mut view| view.follow_starting(id, &mut rest));
        }
        self.touch(stamp);
        self.tidy();
        Ok(Some(now))
    }

    fn chosen(&self, old: Candidate, said: Declaration) -> Result<Candidate, Error> {
        let initial = match said.initial {
            Some(votes) => {
                let scale = 10_u64.saturating_pow(u32::from(self.schema.decimals));
                let units = votes.checked_mul(scale).and_then(|units| i64::try_from(units).ok());
                units.and_then(Score::from_units).ok_or(Error::OutOfRange("INITIAL"))?
            }
            None => old.initial,
        };
        let candidate = Candidate { weight: said.weight.unwrap_or(old.weight), initial, ..old };
        if !self.schema.shown && candidate.weight != Candidate::PLAIN.weight {
            return Err(Error::NeedsShown("WEIGHT"));
        }
        if !self.schema.shown && candidate.initial != Score::ZERO {
            return Err(Error::NeedsShown("INITIAL"));
        }
        Ok(candidate)
    }

    /// What more votes to start with make of an option in the view `all`, where it has them at once.
    fn plan_initial(&self, id: Option<MemberId>, more: i128, stamp: Stamp) -> Result<Option<Plan>, Error> {
        let all = self.view_of(Kind::All).and_then(|all| self.views.get(all));
        all.map(|all| all.plan(&self.facts(), id, Change::Add(more), stamp)).transpose()
    }

    /// Carries that out; the number of the write.
    fn add_initial(&mut self, id: MemberId, plan: Option<Plan>) -> u64 {
        self.sequences = self.sequences.saturating_add(1);
        let all = self.view_of(Kind::All);
        let Self { views, members, schema, sequences, .. } = self;
        if let Some((view, plan)) = all.and_then(|all| views.get_mut(all)).zip(plan) {
            view.apply(schema, members, id, &plan, *sequences);
        }
        *sequences
    }

    /// A page of the declared options, in the order of their declaration: so many from a cursor on,
    /// which is 0 at the beginning, or fewer where their voters take long to estimate; and the cursor of
    /// the next page, 0 behind the last one. An option that is there all the time is on exactly one page.
    #[must_use]
    pub fn options(&self, cursor: u64, count: usize) -> (u64, Vec<Listed>) {
        let (Some(campaign), Ok(from)) = (self.campaign(), u32::try_from(cursor)) else {
            return (0, Vec::new());
        };
        let (mut page, mut estimates) = (Vec::new(), 0);
        for (id, candidate) in campaign.candidates.from(from) {
            if page.len() == count || estimates == MOST_ESTIMATES {
                return (u64::from(candidate.number), page);
            }
            estimates = estimates.saturating_add(usize::from(!campaign.voters.is_exact(id)));
            page.push(self.listed(id, *candidate));
        }
        (0, page)
    }

    fn listed(&self, id: MemberId, candidate: Candidate) -> Listed {
        let overall = self.view_of(Kind::All).unwrap_or(0);
        let count = |tally| self.score_in(overall, tally, id).unwrap_or(Score::ZERO);
        let real = if self.schema.shown { Tally::Real } else { Tally::Shown };
        let voters = self.campaign().map_or(0, |campaign| campaign.voters.overall(Some(id)));
        Listed { id, candidate, real: count(real), shown: count(Tally::Shown), voters }
    }

    fn score_in(&self, view: usize, tally: Tally, id: MemberId) -> Option<Score> {
        let first = if tally == Tally::Real { self.width() } else { 0 };
        let view = self.views.get(first.saturating_add(view))?;
        view.find(id, &self.members).map(|place| self.schema.score(place.key.rank_key))
    }
}
