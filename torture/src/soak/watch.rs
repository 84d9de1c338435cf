//! Looks at the processes each second: memory, descriptors, and the counts of answers.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::shared::Shared;
use super::tally::{DOORS, quantiles};

/// The gateway, and then the nodes.
pub const PROCESSES: [&str; 3] = ["gateway", "server 1", "server 2"];
const SECOND: Duration = Duration::from_secs(1);
const POLL: Duration = Duration::from_millis(20);

/// What a process uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Use {
    /// Memory in MiB.
    pub memory: f64,
    /// Open descriptors.
    pub descriptors: usize,
}

/// A second of a door.
#[derive(Clone, Copy, Debug, Default)]
pub struct Busy {
    /// Answers, and those among them that say that something is away.
    pub requests: [u64; 2],
    /// p50, p99 and the longest time, in microseconds.
    pub times: [u32; 3],
}

/// A second.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Seconds since the begin of the load.
    pub at: f64,
    /// What the processes use that run.
    pub uses: [Option<Use>; 3],
    /// What came through the doors.
    pub doors: [Busy; 2],
}

/// The numbers of a door over the whole load.
#[derive(Default)]
pub struct Total {
    /// Answers, those that say that something is away, and refusals of wrong requests.
    pub requests: [u64; 3],
    /// Answers outside of faults that say that something is away.
    pub away_without_fault: u64,
    /// The times of requests outside of faults, and in faults, in microseconds.
    pub times: [Vec<u32>; 2],
}

/// All seconds of a load.
#[derive(Default)]
pub struct History {
    /// The seconds.
    pub samples: Vec<Sample>,
    /// The numbers of each door.
    pub totals: [Total; 2],
}

/// Knows the processes.
pub struct Watch {
    begin: Instant,
    /// The ids of the processes. A server that was killed has 0.
    processes: [AtomicU32; 3],
}

impl Watch {
    /// Begins to watch these processes.
    pub fn new(processes: [u32; 3]) -> Self {
        Self { begin: Instant::now(), processes: processes.map(AtomicU32::new) }
    }

    /// Returns the seconds since the begin.
    pub fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// Says which process a node has now.
    pub fn set_process(&self, node: usize, process: Option<u32>) {
        self.processes[node + 1].store(process.unwrap_or(0), Relaxed);
    }

    /// Returns what a process uses, if it runs.
    pub fn look(&self, number: usize) -> Option<Use> {
        let process = Some(self.processes[number].load(Relaxed)).filter(|process| *process > 0)?;
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        let descriptors = fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Use { memory: kilobytes / 1_024.0, descriptors })
    }

    /// Looks each second until the load ends.
    pub fn follow(&self, shared: &Shared) -> History {
        let mut history = History::default();
        while !shared.is_over() {
            let end = Instant::now() + SECOND;
            while Instant::now() < end && !shared.is_over() {
                thread::sleep(POLL);
            }
            self.sample(shared, &mut history);
        }
        history
    }

    fn sample(&self, shared: &Shared, history: &mut History) {
        let (is_fault, counts) = shared.tally.take();
        let mut doors = [Busy::default(); 2];
        for ((door, _), mut counts) in DOORS.into_iter().zip(counts) {
            let requests = [counts.requests, counts.away];
            doors[door as usize] = Busy { requests, times: quantiles(&mut counts.times) };
            let total = &mut history.totals[door as usize];
            let added = [counts.requests, counts.away, counts.refused];
            total.requests.iter_mut().zip(added).for_each(|(sum, count)| *sum += count);
            total.away_without_fault += if is_fault { 0 } else { counts.away };
            total.times[usize::from(is_fault)].extend(counts.times);
        }
        let uses = [0, 1, 2].map(|number| self.look(number));
        history.samples.push(Sample { at: self.seconds(), uses, doors });
    }
}

#[cfg(test)]
mod tests {
    use super::Watch;

    #[test]
    fn a_process_is_seen_while_it_runs() {
        let watch = Watch::new([std::process::id(), 1, 1]);
        watch.set_process(1, None);
        let before = watch.look(0).expect("this process");
        let files: Vec<_> = (0..10).map(|_| std::fs::File::open("/proc/self/status").unwrap()).collect();
        let now = watch.look(0).expect("this process");
        assert!(now.memory > 1.0 && now.descriptors >= before.descriptors.min(10), "{now:?}");
        assert!(files.len() <= now.descriptors);
        assert_eq!(watch.look(2), None);
    }
}
