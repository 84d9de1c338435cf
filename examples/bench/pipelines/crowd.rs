//! Which members take part: all alike, or few of them most of the time, as in real traffic.

use rand_distr::{Distribution, Zipf};

use super::places::OPTIONS;
use crate::fill::Random;
use crate::leagues;
use client::Result;
use client::failed;

/// The exponent that YCSB and others use for skewed traffic: of a million members, the first hundred are in a third of
/// all requests.
const EXPONENT: f64 = 0.99;
/// A prime, so that the popular members are spread over the names, and over the order of filling.
const SPREAD: u64 = 2_246_822_519;

/// How members are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// Each as often as any other.
    Uniform,
    /// By Zipf's law.
    Zipf,
}

/// Some who are drawn from.
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

/// All who can be drawn.
pub struct Crowds {
    pub members: Crowd,
    /// Members, each alike: everybody votes as often as the limits allow.
    pub voters: Crowd,
    pub options: Crowd,
    /// Seats in full groups of a league.
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
