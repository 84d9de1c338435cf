//! The figures of a server, which are the fields of `INFO leaderboard`. The module counts them, and the console shows
//! them as metrics.

use std::ffi::CStr;

use crate::host::Count;
use crate::native::Kind;

/// A figure.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// The name of the figure, without the name of the module.
    pub name: &'static CStr,
    /// What the figure counts.
    pub help: &'static str,
    /// Whether the figure never decreases while the server runs.
    pub is_total: bool,
}

impl Figure {
    const fn current(name: &'static CStr, help: &'static str) -> Self {
        Self { name, help, is_total: false }
    }

    const fn total(name: &'static CStr, help: &'static str) -> Self {
        Self { name, help, is_total: true }
    }

    /// Returns the name of the field in `INFO`. The server puts the name of the module before the figure's name.
    #[must_use]
    pub fn field(&self) -> String {
        format!("leaderboard_{}", self.name.to_string_lossy())
    }
}

/// The numbers of slices that took longer than a limit. Each limit is in microseconds.
pub const OVER: [(u64, Figure); 2] = [
    (1_000, Figure::total(c"slices_over_1ms", "Slices that took longer than 1 ms.")),
    (5_000, Figure::total(c"slices_over_5ms", "Slices that took longer than 5 ms.")),
];

impl Kind {
    /// Returns the figures of this kind: the number of keys, and the number of their members if the kind has members.
    #[must_use]
    pub const fn figures(self) -> &'static [Figure] {
        match self {
            Self::Board => {
                const {
                    &[
                        Figure::current(c"boards", "Boards."),
                        Figure::current(c"members", "Members of boards, ranked in the default views."),
                    ]
                }
            }
            Self::League => {
                const {
                    &[
                        Figure::current(c"leagues", "Leagues."),
                        Figure::current(c"league_members", "Members of leagues."),
                    ]
                }
            }
            Self::Counter => const { &[Figure::current(c"counters", "Counters.")] },
        }
    }
}

impl Count {
    /// All counters of commands.
    pub const ALL: [Self; 6] = [
        Self::Written,
        Self::Repeated,
        Self::HeldBack,
        Self::VoteHeldBack,
        Self::CounterWritten,
        Self::CounterRepeated,
    ];

    const fn figure(self) -> Figure {
        match self {
            Self::Written => Figure::total(c"writes", "Writes that were applied."),
            Self::Repeated => {
                Figure::total(c"repeated_requests", "Writes with a request id that was applied before.")
            }
            Self::HeldBack => {
                Figure::total(c"writes_held_back", "Writes that a condition or a rule of scores held back.")
            }
            Self::VoteHeldBack => Figure::total(c"votes_held_back", "Votes that a rule held back."),
            Self::CounterWritten => {
                Figure::total(c"counter_writes", "Writes that were applied, of counters alone.")
            }
            Self::CounterRepeated => Figure::total(
                c"repeated_counter_requests",
                "Writes with a request id that was applied before, of counters alone.",
            ),
        }
    }
}

/// Returns the figures of commands, in the order of [`Count::ALL`], and the figures of the work between commands: its
/// time, its longest slice, and the number of slices over each limit.
pub fn of_commands() -> impl Iterator<Item = Figure> {
    let work = [
        Figure::total(c"preparing_usec", "Microseconds spent between commands."),
        Figure::current(c"longest_slice_usec", "The longest slice of that, in microseconds."),
    ];
    Count::ALL.into_iter().map(Count::figure).chain(work).chain(OVER.map(|(_, figure)| figure))
}

/// Returns all figures, in the order of `INFO`.
pub fn all() -> impl Iterator<Item = Figure> {
    Kind::ALL.into_iter().flat_map(Kind::figures).copied().chain(of_commands())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_to_operations_explains_each_figure() {
        let guide = include_str!("../../docs/operations.md");
        for figure in all() {
            assert!(guide.contains(&format!("`{}`", figure.field())), "{}", figure.field());
        }
    }
}
