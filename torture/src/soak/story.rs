//! What happened in a soak, as tables, and what is wrong with it.

use std::fmt;

use super::faults::{FAULTS, Mark};
use super::tally::{DOORS, quantiles};
use super::watch::{History, PROCESSES};

/// The median memory of a process in the last third of the load may be this number of MiB above that in the second third. The first
/// third is for warming up: connections, buffers and the ids of requests come to their usual size. At a thousand requests in a second
/// for half an hour, a leak of 30 bytes for each request is more than this.
pub const GROWTH: f64 = 16.0;

/// What happened.
pub struct Story {
    /// The seed of all choices.
    pub seed: u64,
    /// The seconds of the load.
    pub history: History,
    /// The faults.
    pub marks: Vec<Mark>,
    /// Open descriptors of the gateway before the load, and after it.
    pub descriptors: [usize; 2],
    /// Members of all boards, and their points.
    pub written: [i64; 2],
    /// What is wrong.
    pub findings: Vec<String>,
}

impl Story {
    /// Adds what the seconds show: memory that grows.
    pub fn judge(&mut self) {
        for (number, name) in PROCESSES.iter().enumerate() {
            // A short load can have a third in which a server was down.
            let [Some(second), Some(last)] = [1, 2].map(|third| self.memory(number, third)) else { continue };
            if last > second + GROWTH {
                self.findings.push(format!("memory of {name} grows: {second:.1} MiB, then {last:.1} MiB"));
            }
        }
    }

    /// The median memory of a process in a third of the load, in MiB.
    fn memory(&self, process: usize, third: usize) -> Option<f64> {
        let samples = &self.history.samples;
        let span = samples.len() * third / 3..samples.len() * (third + 1) / 3;
        let mut sizes: Vec<f64> =
            samples[span].iter().filter_map(|sample| Some(sample.uses[process]?.memory)).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied()
    }

    fn write_doors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n| door | answers | away or busy | of these in seconds without a fault | refused | times in ms: p50, p99, longest | the same in faults |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|")?;
        for ((_, name), total) in DOORS.iter().zip(&self.history.totals) {
            let [requests, away, refused] = total.requests;
            write!(f, "| {name} | {requests} | {away} | {} | {refused} |", total.away_without_fault)?;
            for times in &total.times {
                let [half, most, longest] =
                    quantiles(&mut times.clone()).map(|time| f64::from(time) / 1_000.0);
                write!(f, " {half:.1}, {most:.1}, {longest:.0} |")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn write_processes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n| process | memory in MiB, median of each third | most memory | most descriptors |")?;
        writeln!(f, "|---|---|---|---|")?;
        for (number, name) in PROCESSES.iter().enumerate() {
            let [first, second, last] = [0, 1, 2].map(|third| self.memory(number, third).unwrap_or_default());
            let uses = || self.history.samples.iter().filter_map(|sample| sample.uses[number]);
            let memory = uses().map(|used| used.memory).fold(0.0, f64::max);
            let descriptors = uses().map(|used| used.descriptors).max().unwrap_or_default();
            writeln!(f, "| {name} | {first:.1}, {second:.1}, {last:.1} | {memory:.1} | {descriptors} |")?;
        }
        Ok(())
    }

    fn write_faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n| fault | times | tries until the gateway served again, at most |")?;
        writeln!(f, "|---|---|---|")?;
        for fault in FAULTS {
            let marks = || self.marks.iter().filter(|mark| mark.fault == fault);
            let tries = marks().map(|mark| mark.tries).max().unwrap_or_default();
            writeln!(f, "| {fault} | {} | {tries} |", marks().count())?;
        }
        Ok(())
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.history.samples.last().map_or(0.0, |sample| sample.at);
        let ([members, points], [before, after]) = (self.written, self.descriptors);
        write!(f, "soak of {seconds:.0} s, seed {}: {} faults, ", self.seed, self.marks.len())?;
        writeln!(f, "{members} members with {points} points, {} findings", self.findings.len())?;
        self.write_doors(f)?;
        self.write_processes(f)?;
        writeln!(f, "\ndescriptors of the gateway: {before} before the load, {after} after it")?;
        self.write_faults(f)?;
        self.findings.iter().try_for_each(|finding| write!(f, "\nfound: {finding}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::watch::{Sample, Use};
    use super::*;

    /// A load in which the gateway has this memory in each third.
    fn story(memory: [f64; 3]) -> Story {
        let sample = |second: usize| Sample {
            at: second as f64,
            uses: [Some(Use { memory: memory[second / 10], descriptors: 20 }), None, Some(Use::default())],
            doors: Default::default(),
        };
        let history = History { samples: (0..30).map(sample).collect(), ..History::default() };
        let (marks, findings) = Default::default();
        let mut story = Story { seed: 1, history, marks, descriptors: [20; 2], written: [1; 2], findings };
        story.judge();
        story
    }

    #[test]
    fn memory_that_grows_after_the_first_third_is_found() {
        assert!(story([10.0, 50.0, 50.0 + GROWTH]).findings.is_empty());
        let found = story([50.0, 50.0, 51.0 + GROWTH]);
        assert!(
            found.findings.len() == 1 && found.to_string().contains("memory of gateway grows"),
            "{found}"
        );
    }
}
