//! The options of a vote: declaring them, and listing them with what they have.

use super::Board;
use super::change::Plans;
use crate::Error;
use crate::campaign::Choice;
use crate::index::MemberId;
use crate::schema::Tally;
use crate::score::Score;
use crate::time::{Millis, Origin, Stamp};
use crate::view::{Change, Kind};

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
    pub choice: Choice,
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
        origin: Origin,
    ) -> Result<Option<Millis>, Error> {
        if self.schema.aggregate != crate::schema::Aggregate::Sum {
            return Err(Error::NeedsSum("an option"));
        }
        let now = self.now_of(origin);
        self.advance(now);
        let found = self.members.find(member);
        let old = found.and_then(|id| self.campaign()?.choices.get(id)).copied();
        let before = match (old, self.campaign()) {
            (Some(old), _) => old,
            (None, Some(campaign)) => Choice { number: campaign.choices.next_number()?, ..Choice::PLAIN },
            (None, None) => Choice { number: 1, ..Choice::PLAIN },
        };
        let choice = self.chosen(before, said)?;
        if old == Some(choice) {
            return Ok(None);
        }
        let more = i128::from(choice.initial.units())
            .saturating_sub(old.map_or(0, |old| i128::from(old.initial.units())));
        let stamp = Stamp { now, at: now };
        self.check_more(found, more, stamp)?;
        let id = match found {
            Some(id) => id,
            None => self.enter_member(member)?,
        };
        self.add_initial(id, more, stamp)?;
        let choice =
            if more == 0 { choice } else { Choice { moment: now, arrival: self.arrivals, ..choice } };
        self.campaign_mut().choices.set(id, choice);
        if more != 0 {
            let (views, mut rest) = self.split();
            views.iter_mut().for_each(|view| view.follow_option(id, &choice, &mut rest));
        }
        self.touch(stamp);
        self.make_final();
        Ok(Some(now))
    }

    fn chosen(&self, old: Choice, said: Declaration) -> Result<Choice, Error> {
        let initial = match said.initial {
            Some(votes) => {
                let scale = 10_u64.saturating_pow(u32::from(self.schema.decimals));
                let units = votes.checked_mul(scale).and_then(|units| i64::try_from(units).ok());
                units.and_then(Score::from_units).ok_or(Error::OutOfRange("INITIAL"))?
            }
            None => old.initial,
        };
        let choice = Choice { weight: said.weight.unwrap_or(old.weight), initial, ..old };
        if !self.schema.shown && choice.weight != Choice::PLAIN.weight {
            return Err(Error::NeedsShown("WEIGHT"));
        }
        if !self.schema.shown && choice.initial != Score::ZERO {
            return Err(Error::NeedsShown("INITIAL"));
        }
        Ok(choice)
    }

    /// The views in which an option has its initial votes at once.
    fn endless(&self) -> impl Iterator<Item = usize> {
        let is_endless = |spec: &crate::view::Spec| spec.kind == Kind::All;
        self.specs().enumerate().filter(move |(_, spec)| is_endless(spec)).map(|(number, _)| number)
    }

    fn check_more(&self, id: Option<MemberId>, more: i128, stamp: Stamp) -> Result<(), Error> {
        let mut views = self.endless().filter_map(|number| self.views.get(number));
        views.try_for_each(|view| view.plan(&self.facts(), id, Change::Add(more), stamp).map(drop))
    }

    fn add_initial(&mut self, id: MemberId, more: i128, stamp: Stamp) -> Result<(), Error> {
        if more == 0 {
            return Ok(());
        }
        self.arrivals = self.arrivals.saturating_add(1);
        let arrival = self.arrivals;
        for number in self.endless().collect::<Vec<_>>() {
            let mut plans = Plans::new();
            let facts = self.facts();
            let Some(view) = self.views.get(number) else { continue };
            plans.push(view.plan(&facts, Some(id), Change::Add(more), stamp)?);
            let Self { views, members, schema, .. } = self;
            if let Some((view, plan)) = views.get_mut(number).zip(plans.first()) {
                view.apply(schema, members, id, plan, arrival);
            }
        }
        Ok(())
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
        for (id, choice) in campaign.choices.from(from) {
            if page.len() == count || estimates == MOST_ESTIMATES {
                return (u64::from(choice.number), page);
            }
            estimates = estimates.saturating_add(usize::from(!campaign.voters.is_exact(id)));
            page.push(self.listed(id, *choice));
        }
        (0, page)
    }

    fn listed(&self, id: MemberId, choice: Choice) -> Listed {
        let overall = self.endless().next().unwrap_or(0);
        let count = |tally| self.score_in(overall, tally, id).unwrap_or(Score::ZERO);
        let real = if self.schema.shown { Tally::Real } else { Tally::Shown };
        let voters = self.campaign().map_or(0, |campaign| campaign.voters.overall(Some(id)));
        Listed { id, choice, real: count(real), shown: count(Tally::Shown), voters }
    }

    fn score_in(&self, view: usize, tally: Tally, id: MemberId) -> Option<Score> {
        let first = if tally == Tally::Real { self.width() } else { 0 };
        let view = self.views.get(first.saturating_add(view))?;
        view.find(id, &self.members).map(|place| self.schema.score(place.key.grade))
    }
}
