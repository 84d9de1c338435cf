//! A week in a minute: a game service with its players, boards, a league, a campaign and counters, by the time of its events. A plain
//! model, made from the documents alone, says what every request must be answered and what every reader must see each hour, on the
//! primary and on its replica. On the way there are midnights in several zones, a change of clocks, late and repeated requests, phones
//! whose clocks are wrong, failovers, deploys, corrections and new rules.

mod campaign_checks;
mod checks;
mod expected;
mod league_checks;
mod model;
mod operator;
mod picture;
mod players;
mod request;
mod service;
mod story;
mod traffic;
mod value;

use leaderboard_testkit::random::Random;

use expected::Model;
use model::calendar::{self, DAY, HOUR};
use operator::Event;
use players::Players;
use request::{Action, Request};
use service::{Fate, Service};
use story::Story;
use traffic::Traffic;

/// Requests after which servers work between commands.
const WORKS: u64 = 200;
/// Hours after which whole rankings are compared.
const FULL: u64 = 6;

/// Days on which a zone of the service changes its clocks: in Berlin, New York and Sydney, in spring and in autumn.
const CHANGES: [(i32, u32, u32); 6] =
    [(2026, 3, 29), (2026, 10, 25), (2026, 3, 8), (2026, 11, 1), (2026, 4, 5), (2027, 10, 31)];

/// How large a simulated service is.
pub struct Scale {
    pub players: usize,
    pub days: u64,
    /// The requests of a player on a day, on average.
    pub turns: usize,
    /// The members of a group of the league.
    pub group: usize,
}

const WEEK: Scale = Scale { players: 10_000, days: 7, turns: 8, group: 50 };

/// Simulates a week, and draws its picture and writes its report beside the program. Returns 1.
pub fn session(seed: u64) -> u64 {
    let story = Week::new(seed, WEEK).play();
    let folder = std::env::current_exe().expect("the program's path");
    let folder = folder.parent().expect("a folder");
    std::fs::write(folder.join(format!("week-{seed}.svg")), picture::draw(&story)).expect("a picture");
    std::fs::write(folder.join(format!("week-{seed}.txt")), story.to_string()).expect("a report");
    1
}

/// A week on its way.
struct Week {
    scale: Scale,
    begin: u64,
    random: Random,
    players: Players,
    traffic: Traffic,
    service: Service,
    story: Story,
    /// The last day of the arena whose winners were sent to claim their prizes.
    paid: Option<u64>,
    /// Requests so far.
    requests: u64,
}

impl Week {
    fn new(seed: u64, scale: Scale) -> Self {
        let mut random = Random::new(seed);
        let (year, month, day) = *random.pick(&CHANGES);
        // The change comes after half of the days.
        let begin = calendar::utc(year, month, day) - scale.days / 2 * DAY;
        let campaign = (begin + 9 * HOUR, begin + scale.days * DAY * 3 / 4);
        let model = Model::new(scale.players, campaign, scale.group);
        let service = Service::new(model, &expected::creation(campaign, scale.group), begin);
        let players = Players::new(scale.players, &mut random);
        let story = Story::new(seed, begin, scale.days);
        let traffic = Traffic::default();
        let mut week =
            Self { scale, begin, random, players, traffic, service, story, paid: None, requests: 0 };
        week.declare_songs();
        week
    }

    fn declare_songs(&mut self) {
        for (song, (weight, initial)) in expected::SONGS.into_iter().enumerate() {
            self.service.model.finals.declare(song, weight, initial, self.begin);
        }
    }

    /// Lets all of it happen.
    fn play(mut self) -> Story {
        let closes = self.service.model.finals.closes;
        let mut events =
            operator::plan(self.begin, &self.scale, closes, &mut self.random).into_iter().peekable();
        let begin = self.begin;
        for hour in (0..self.scale.days * 24).map(|hour| begin + hour * HOUR) {
            self.traffic.play(&mut self.players, hour, self.scale.turns, &mut self.random);
            while let Some((time, event)) = events.next_if(|(time, _)| *time < hour + HOUR) {
                self.receive_until(time);
                self.service.pass_to(time.max(self.service.time()));
                self.happen(event);
            }
            self.receive_until(hour + HOUR);
            self.look(hour + HOUR);
        }
        self.story.end(self.service.tally, &self.service.model);
        self.story
    }

    /// Takes all requests that arrive before a moment.
    fn receive_until(&mut self, until: u64) {
        while let Some((time, request)) = self.traffic.next_before(until) {
            self.service.pass_to(time.max(self.service.time()));
            self.receive(request);
        }
    }

    fn receive(&mut self, request: Request) {
        let request = self.with_places(request);
        let time = self.service.time();
        self.requests += 1;
        self.story.count(time, &request);
        match self.service.run(&request) {
            // The phone's clock is wrong: the client leaves the time to the server.
            Fate::Refused => self.traffic.send(time + 1_000, Request { at: None, ..request }),
            Fate::Done => self.traffic.repeat(&request, time, &mut self.random),
        }
        if self.random.percent(5) {
            self.service.sync();
        }
        if self.requests.is_multiple_of(WORKS) {
            self.service.work(&mut self.random);
        }
    }

    /// A client sends the segments in which its player is now.
    fn with_places(&self, mut request: Request) -> Request {
        if let Action::Nation { member, country, guild, .. } = &mut request.action {
            for (dimension, place) in [("country", country), ("guild", guild)] {
                let places = &self.service.model.segments.named(dimension).expect("a dimension").places;
                *place = places[*member].unwrap_or(*place);
            }
        }
        request
    }

    fn happen(&mut self, event: Event) {
        self.story.mark(self.service.time(), event);
        match event {
            Event::Restart => self.service.restart(),
            Event::Rewrite => self.service.rewrite(),
            Event::FailOver => self.fail_over(),
            _ => {
                let Some(action) = operator::action(event, &self.service.model, &mut self.random) else {
                    return;
                };
                let request = Request { action, id: self.traffic.new_id(), at: None, is_quiet: false };
                self.service.run(&request);
                self.traffic.has_platforms |= matches!(event, Event::Alter(request::Alter::AddPlatform));
            }
        }
    }

    /// The primary fails with some answers on their way. Their clients repeat all of these requests.
    fn fail_over(&mut self) {
        let wanted = 20 + self.random.below(80) as usize;
        let (mut last, mut others) = (Vec::new(), Vec::new());
        let until = self.service.time() + 5 * calendar::MINUTE;
        while last.len() < wanted
            && let Some((time, request)) = self.traffic.next_before(until)
        {
            let has_id = !matches!(request.action, Action::Place { .. });
            let time = time.max(self.service.time());
            if has_id { last.push((time, self.with_places(request))) } else { others.push(request) }
        }
        let arrived = self.random.below(last.len() as u64 + 1) as usize;
        let ahead = self.random.within(-2_000..2_000);
        self.service.fail_over(&last, arrived, ahead);
        self.story.lose(last.len() - arrived);
        let time = self.service.time();
        for request in last.into_iter().map(|(_, request)| request).chain(others) {
            self.traffic.send(time + self.random.below(30_000), request);
        }
    }

    /// Compares what all see at a full hour, and sends winners to claim their prizes.
    fn look(&mut self, hour: u64) {
        self.service.pass_to(hour);
        let is_full = ((hour - self.begin) / HOUR).is_multiple_of(FULL);
        checks::check(&mut self.service, is_full, &mut self.random);
        self.story.look(&self.service.model);
        self.send_winners(hour);
    }

    /// In the hour after a day of the arena has ended, its winners and some others claim prizes.
    fn send_winners(&mut self, hour: u64) {
        let model = &self.service.model;
        let day = model.arena.view("day");
        let Some(start) = day.earlier(1).filter(|start| self.paid != Some(*start)) else { return };
        let Some(payout) = model.payouts.get(&start) else { return };
        self.paid = Some(start);
        let winners = payout.winners(&model.arena.past_of(day, start), &model.arena.hidden);
        let mut members: Vec<_> = winners.iter().map(|winner| winner.member).collect();
        members.extend((0..5).map(|_| self.random.below(self.players.len() as u64) as usize));
        for member in members {
            // Some claim twice, and some never.
            for _ in 0..*self.random.pick(&[0, 1, 1, 1, 2]) {
                let (id, time) = (self.traffic.new_id(), hour + self.random.below(3 * HOUR));
                let action = Action::Claim { member, start };
                self.traffic.send(time, Request { action, id, at: None, is_quiet: false });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAYS: Scale = Scale { players: 300, days: 2, turns: 14, group: 30 };

    #[test]
    fn some_days_are_as_the_documents_say() {
        let story = Week::new(leaderboard_testkit::random::seed(), DAYS).play();
        let picture = picture::draw(&story);
        assert!(picture.contains("failover") && picture.contains("clocks change"), "{picture}");
        assert!(story.to_string().contains("clocks change in "), "{story}");
    }
}
