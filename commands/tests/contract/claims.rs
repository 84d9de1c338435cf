//! Places that are fixed, and who has claimed its prize.

use super::board::{Board, Place};
use super::calendar::{DAY, View};
use super::prizes::Winner;
use super::replies::list;

/// The winners of a period, as they were fixed.
#[derive(Debug, Clone)]
pub struct Fixed {
    pub winners: Vec<Winner>,
    /// Whether somebody has claimed a prize.
    pub is_paid: bool,
    /// Whether no rows are known any more, and nothing can be claimed: a claim that is repeated with its ID is still answered.
    pub is_closed: bool,
    /// Whether nothing is known any more.
    pub is_forgotten: bool,
}

/// Which table is asked for: the view or an empty text, the period, and the dimension or an empty text.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub view: String,
    /// Back from the current one, as PERIOD has it; without it, the last ended period.
    pub back: Option<i64>,
    /// The moment that AT names.
    pub at: Option<i64>,
    pub per: String,
}

impl Board {
    /// Does what the boundaries until now do: fixes the winners of periods that leave RETAIN, and forgets the oldest.
    pub fn pass(&mut self, now: i64) {
        let places: Vec<_> =
            self.tables.iter().map(|table| (table.view.clone(), table.per.clone())).collect();
        for (name, per) in places {
            let view = self.view(&name).clone();
            let first = self.writes.iter().map(|write| view.period(write.now)).min();
            let known = self.fixed.keys().filter(|place| place.0 == name && place.1 == per);
            let first = first.into_iter().chain(known.map(|place| place.2)).min();
            for period in first.unwrap_or(i64::MAX)..view.period(now) {
                if !self.is_readable(&view, period, now) {
                    self.leave((name.clone(), per.clone(), period), &view, now);
                }
            }
        }
    }

    fn leave(&mut self, place: Place, view: &View, now: i64) {
        if !self.fixed.contains_key(&place) {
            self.fix(&place);
        }
        let is_beyond = place.2 < view.period(now) - self.retain[&view.name];
        let days = self.prize_days * DAY;
        let is_old = now - view.unit.start(place.2 + 1) >= days;
        let fixed = self.fixed.get_mut(&place).expect("fixed winners");
        let all_claimed = fixed.winners.iter().all(|winner| winner.claimed.is_some() || winner.is_removed);
        fixed.is_closed |= (all_claimed || is_old) && is_beyond;
        fixed.is_forgotten |= is_old && is_beyond;
    }

    fn fix(&mut self, place: &Place) {
        let winners = self.winners(place);
        self.fixed
            .insert(place.clone(), Fixed { winners, is_paid: false, is_closed: false, is_forgotten: false });
    }

    /// The clock is put right: periods that run again are paid when they end again, but for those with a claim.
    pub fn is_put_right(&mut self, now: i64) {
        let current: Vec<_> = self.views.iter().map(|view| (view.name.clone(), view.period(now))).collect();
        let runs =
            |place: &Place| current.iter().any(|(view, period)| *view == place.0 && place.2 >= *period);
        self.fixed.retain(|place, fixed| !runs(place) || fixed.is_paid);
    }

    /// Returns the places of which winners are known, the running ones too.
    pub fn known_places(&self, now: i64) -> Vec<(Place, Vec<Winner>)> {
        let mut all = Vec::new();
        for table in &self.tables {
            let view = self.view(&table.view);
            let current = view.period(now);
            for period in current - self.retain[&view.name]..=current {
                let place = (table.view.clone(), table.per.clone(), period);
                if !self.fixed.contains_key(&place) && self.is_readable(view, period, now) {
                    all.push((place.clone(), self.winners(&place)));
                }
            }
        }
        all.extend(self.fixed.iter().map(|(place, fixed)| (place.clone(), fixed.winners.clone())));
        all.retain(|(_, winners)| !winners.is_empty());
        all
    }

    /// Fixes the winners of a period that has ended. Returns how many there are.
    pub fn settle(&mut self, place: &Place, winners: Vec<Winner>) -> usize {
        let fresh = Fixed { winners, is_paid: true, is_closed: false, is_forgotten: false };
        let fixed = self.fixed.entry(place.clone()).or_insert(fresh);
        fixed.is_paid = true;
        fixed.winners.len()
    }

    /// Returns the place that is asked for.
    pub fn place(&self, asked: &Asked, now: i64) -> Option<Place> {
        let view =
            if asked.view.is_empty() { self.first_paid(&asked.per, now)? } else { self.view(&asked.view) };
        let current = view.period(now);
        let period = asked.at.map_or_else(|| current - asked.back.unwrap_or(1), |at| view.period(at));
        Some((view.name.clone(), asked.per.clone(), period))
    }

    /// Returns the first view whose running period has prizes.
    fn first_paid(&self, per: &str, now: i64) -> Option<&View> {
        self.views.iter().find(|view| !self.table(view, per, view.period(now)).is_empty())
    }

    /// Returns the rows of a place that are shown.
    pub fn prize_rows(&self, asked: &Asked, is_unclaimed: bool, now: i64) -> Vec<String> {
        let Some(place) = self.place(asked, now) else { return Vec::new() };
        let view = self.view(&place.0);
        let winners = match self.fixed.get(&place) {
            Some(fixed) if fixed.is_closed => return Vec::new(),
            Some(fixed) => fixed.winners.clone(),
            None if self.is_readable(view, place.2, now) => self.winners(&place),
            None => return Vec::new(),
        };
        let shown = winners.iter().filter(|winner| match winner.claimed {
            Some(_) => !is_unclaimed,
            None => !winner.is_removed && !self.hidden.contains(&winner.member),
        });
        shown.map(Winner::row).collect()
    }

    /// Claims a prize. Returns the reply.
    pub fn claim(&mut self, member: &str, asked: &Asked, id: &str, now: i64) -> String {
        self.pass(now);
        if let Some((place, who)) = self.claims.get(id).filter(|(place, _)| !self.is_forgotten(place)) {
            let view = self.place(asked, now).map(|place| place.0).unwrap_or_default();
            let same = who == member && view == place.0 && asked.per == place.1;
            return if same { self.claim_reply(place, member, 1) } else { "!IDREUSED".to_owned() };
        }
        let Some(place) = self.place(asked, now) else { return "-".to_owned() };
        let view = self.view(&place.0);
        let is_open = self.is_readable(view, place.2, now) || self.fixed.contains_key(&place);
        if place.2 >= view.period(now) || !is_open || self.is_gone(&place) {
            return "-".to_owned();
        }
        self.claim_at(&place, member, id, now)
    }

    /// Says whether no rows of a place are known any more.
    pub fn is_gone(&self, place: &Place) -> bool {
        self.fixed.get(place).is_some_and(|fixed| fixed.is_closed)
    }

    /// Says whether nothing is known of a place any more.
    pub fn is_forgotten(&self, place: &Place) -> bool {
        self.fixed.get(place).is_some_and(|fixed| fixed.is_forgotten)
    }

    fn claim_at(&mut self, place: &Place, member: &str, id: &str, now: i64) -> String {
        let wins = self.winners(place).iter().any(|winner| winner.member == member);
        if !self.fixed.contains_key(place) {
            if !wins {
                return "-".to_owned();
            }
            self.fix(place);
        }
        let is_hidden = self.hidden.contains(member);
        let fixed = self.fixed.get_mut(place).expect("fixed winners");
        let winners = &mut fixed.winners;
        let Some(winner) = winners.iter_mut().find(|winner| winner.member == member) else {
            return "-".to_owned();
        };
        if winner.claimed.is_some() {
            return self.claim_reply(place, member, 0);
        }
        if winner.is_removed || is_hidden {
            return "-".to_owned();
        }
        winner.claimed = Some((now, id.to_owned()));
        fixed.is_paid = true;
        if !id.is_empty() {
            self.claims.insert(id.to_owned(), (place.clone(), member.to_owned()));
        }
        self.claim_reply(place, member, 1)
    }

    fn claim_reply(&self, place: &Place, member: &str, claimed: i64) -> String {
        let winners = &self.fixed[place].winners;
        let winner = winners.iter().find(|winner| winner.member == member).expect("a winner");
        let mut words = vec![winner.prize.clone(), winner.rank.to_string(), claimed.to_string()];
        if !winner.value.is_empty() {
            words.push(winner.value.clone());
        }
        list(&words)
    }
}
