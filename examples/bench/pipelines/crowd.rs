//! Draws the members of requests: either all members equally often, or a few members most of the time, as in real
//! traffic.

use rand_distr::{Distribution, Zipf};

use super::places::OPTIONS;
use crate::fill::Random;
use crate::leagues;
use client::Result;
use client::failed;

/// The exponent that YCSB and other benchmarks use for skewed traffic. Of a million members, the first hundred are in
/// a third of all requests.
const EXPONENT: f64 = 0.99;
/// A prime, which scatters the popular members over the names and over the order of filling.
const SPREAD: u64 = 2_246_822_519;

/// How often each member is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// All members are drawn equally often.
    Uniform,
    /// Members are drawn by Zipf's law.
    Zipf,
}

/// A group of numbered members, options or seats from which numbers are drawn.
pub struct Crowd {
    size: u64,
    popular: Option<Zipf<f64>>,
}

impl Crowd {
    fn new(traffic: Traffic, size: u64) -> Result<Self> {
        let zipf = || Zipf::new(size as f64, EXPONENT).map_err(failed("cannot draw by Zipf's law"));
        Ok(Self { size, popular: (traffic == Traffic::Zipf).then(zipf).transpose()? })
    }

    pub fn draw(&self, random: &mut Random) -> u64 {
        let number = match self.popular {
            None => random.draw(),
            Some(zipf) => (zipf.sample(random) as u64).saturating_sub(1).wrapping_mul(SPREAD),
        };
        number.checked_rem(self.size).unwrap_or(0)
    }
}

/// All groups from which a request can draw.
pub struct Crowds {
    pub members: Crowd,
    /// Voters, drawn equally often: each voter votes as often as the limits allow.
    pub voters: Crowd,
    pub options: Crowd,
    /// Seats in the full groups of a league.
    pub seats: Crowd,
    pub count: u64,
}

impl Crowds {
    pub fn new(traffic: Traffic, members: u64) -> Result<Self> {
        Ok(Self {
            members: Crowd::new(traffic, members)?,
            voters: Crowd::new(Traffic::Uniform, members)?,
            options: Crowd::new(traffic, OPTIONS)?,
            seats: Crowd::new(traffic, leagues::first_seat(members).max(1))?,
            count: members,
        })
    }
}
