//! Programs that check the memory of servers under test: valgrind, or the runtime of AddressSanitizer.

use std::path::{Path, PathBuf};

/// The variable that names a checker and its options.
const UNDER: &str = "LEADERBOARD_UNDER";
/// What a checker writes about an error.
const SIGNS: [&str; 4] =
    ["ERROR: AddressSanitizer", "== Invalid ", "uninitialised value", "points to unaddressable byte"];

/// Returns whether a checker runs the servers.
pub fn is_on() -> bool {
    std::env::var_os(UNDER).is_some()
}

/// Returns the program that runs a server, and its first arguments.
pub fn command(server: &Path) -> (PathBuf, Vec<PathBuf>) {
    let under = std::env::var(UNDER).unwrap_or_default();
    let mut words = under.split_whitespace().map(PathBuf::from).chain([server.to_owned()]);
    let program = words.next().expect("the server");
    (program, words.collect())
}

/// Returns what a checker found, from the log of a server: an error, or memory that the module lost. Memory that the server
/// itself lost does not count.
pub fn finding(log: &str) -> Option<&str> {
    let error = || SIGNS.into_iter().find(|sign| log.contains(sign));
    // A stack follows, which an empty line ends.
    let losses = log.split("definitely lost").skip(1).map(|rest| rest.split("== \n").next().unwrap_or(rest));
    losses.into_iter().find(|stack| stack.contains("leaderboard")).or_else(error)
}

#[cfg(test)]
mod tests {
    use super::finding;

    #[test]
    fn errors_and_memory_that_the_module_lost_are_found() {
        let lost = |by: &str| {
            format!(
                "==7== 8 bytes in 1 blocks are definitely lost in loss record 1\n==7==    by {by}\n==7== \n"
            )
        };
        let module = lost("0x1: leaderboard::native::callbacks::copy (callbacks.rs:1)");
        assert!(finding(&module).is_some_and(|stack| stack.contains("copy")));
        assert_eq!(finding(&(lost("0x2: initServer (in server)") + "leaderboard\n")), None);
        assert!(finding("==7== Invalid read of size 8\n").is_some());
        assert!(finding("==7==ERROR: AddressSanitizer: heap-use-after-free\n").is_some());
    }
}
