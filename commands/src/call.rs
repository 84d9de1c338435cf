//! One call of a command, as handlers see it.

use std::cell::Cell;
use std::ffi::CStr;

use leaderboard_core::error::Quoted;
use leaderboard_core::time::{Millis, Stamp, TimeSource};
use leaderboard_core::{Error, NativeType};

use crate::argument::Argument;
use crate::arguments::{Args, Read, millis};
use crate::command::Command;
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::Host;
use crate::news::News;
use crate::options::reading::AT;
use crate::options::writing::NOW;
use crate::options::{self, Declared, List, Options};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::word::{Stream, Word};

/// The result of a handler: `Ok` if it has replied, an error if it has not replied.
pub type Handled = Result<(), Refusal>;

/// A command that is being served.
pub struct Call<'a, H> {
    host: &'a H,
    words: &'a [Argument<'a>],
    command: &'static Command,
    /// The server's clock. `None` until the clock is read for the first time.
    wall: Cell<Option<Millis>>,
}

impl<'a, H: Host> Call<'a, H> {
    /// Returns a call of a command. `words` begins with the command's name.
    pub const fn new(host: &'a H, words: &'a [Argument<'a>], command: &'static Command) -> Self {
        Self { host, words, command, wall: Cell::new(None) }
    }

    /// Returns the writer to the command's client.
    pub const fn reply(&self) -> Reply<'a, H> {
        Reply::new(self.host)
    }

    /// Returns the server in which the command runs.
    pub const fn host(&self) -> &'a H {
        self.host
    }

    /// Returns the arguments after the command's name.
    pub fn args(&self) -> Args<'a> {
        Args::new(self.words.get(1..).unwrap_or_default())
    }

    const fn accepted(&self) -> List {
        self.command.options
    }

    /// Reads all remaining arguments as options of the command.
    ///
    /// # Errors
    /// The errors of [`Options::read`].
    pub fn options(&self, args: Args<'a>) -> Read<Options<'a>> {
        Options::read(args, self.accepted())
    }

    /// Reads the command's options before a list.
    ///
    /// # Errors
    /// The errors of [`Options::read_leading`].
    pub fn leading_options(&self, args: &mut Args<'a>) -> Read<Options<'a>> {
        Options::read_leading(args, self.accepted())
    }

    /// Returns whether the next argument is an option of the command.
    pub fn is_option_next(&self, args: &Args) -> bool {
        options::is_next(args, self.accepted())
    }

    /// Returns the server's clock. The clock is read only once, because a command happens in one millisecond.
    pub fn wall(&self) -> Millis {
        let wall = self.wall.get().unwrap_or_else(|| self.host.clock());
        self.wall.set(Some(wall));
        wall
    }

    /// Returns the current time of a value.
    pub fn now_of(&self, value: &impl NativeType) -> Millis {
        value.now(self.wall(), self.host.max_future())
    }

    /// Returns the source of the command's time. If a command with `AT` or `NOW` comes from the primary or the
    /// append-only file, its time was decided there and is not changed. Clients may not send `NOW`.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] if a client sends `NOW`.
    pub fn time_source(&self, options: &Options) -> Result<TimeSource, Refusal> {
        let now = options.get(&NOW);
        if (now.is_some() || options.has(&AT)) && self.is_decided() {
            return Ok(TimeSource::Decided { now });
        }
        if now.is_some() {
            return Err(Error::UnknownOption(Quoted::new(b"NOW")).into());
        }
        Ok(self.client())
    }

    /// Returns the time source of a command whose list takes the place of options. When the primary or the append-only
    /// file sends the command, `NOW ms` comes before the list. When a client sends the command, these two words are
    /// items of the list.
    ///
    /// # Errors
    /// The errors of [`millis`].
    pub fn time_source_before(&self, args: &mut Args) -> Read<TimeSource> {
        if self.is_decided() && args.takes("NOW") {
            let now = millis(args.next()?, "NOW")?;
            return Ok(TimeSource::Decided { now: Some(now) });
        }
        Ok(self.client())
    }

    /// Returns the time source of a client's command.
    pub fn client(&self) -> TimeSource {
        TimeSource::Client { wall: self.wall(), max_future: self.host.max_future() }
    }

    /// Returns whether the command comes from the primary or the append-only file.
    pub fn is_decided(&self) -> bool {
        self.host.is_decided()
    }

    /// Checks that the command may make a board in an absent key. A command from the primary or the append-only file is
    /// not checked.
    ///
    /// # Errors
    /// [`Error::NoSuchBoard`] if this server does not make boards.
    pub fn may_make_board(&self) -> Result<(), Refusal> {
        if self.host.makes_boards() || self.is_decided() { Ok(()) } else { Err(Error::NoSuchBoard.into()) }
    }

    /// Carries out a commit: counts it, sends it to replicas and the append-only file, and notifies clients
    /// that watch the key or listen to its events.
    pub fn carry_out(&self, key: Argument, commit: &Commit, news: News) {
        let host = self.host;
        if let Some(count) = commit.count {
            host.count(count);
        }
        if let Some(KeyChange { event, sent }) = &commit.change {
            self.send(key, sent);
            host.signal_change(key);
            host.notify(event, key);
        }
        news.publish(host, key);
    }

    fn send(&self, key: Argument, sent: &Sent) {
        match sent {
            Sent::AsItIs => self.host.replicate_as_it_is(),
            Sent::Kept(options, now) => {
                let now = now.iter().flat_map(|now| [NOW.constant(0), Word::Time(*now)]);
                self.replicate(options.kept().chain(now));
            }
            Sent::Decided(options, stamp) if options.say_all(*stamp) => self.host.replicate_as_it_is(),
            Sent::Decided(options, stamp) => self.replicate(decided(options, *stamp)),
            Sent::AsOf(now, list) => {
                let head = [key.into(), NOW.constant(0), Word::Time(*now)];
                self.replicate(head.into_iter().chain(list.iter().copied().map(Word::from)));
            }
            Sent::Instead(send) => send(&Sender(self.host)),
        }
    }

    /// Replicates the command with these words as its arguments.
    fn replicate<'w>(&self, words: impl Iterator<Item = Word<'w>>) {
        self.host.replicate(self.command.name, words);
    }
}

/// Sends commands through a host.
struct Sender<'a, H>(&'a H);

impl<H: Host> Stream for Sender<'_, H> {
    fn replicate(&self, command: &CStr, words: &mut dyn Iterator<Item = Word<'_>>) {
        self.0.replicate(command, words);
    }
}

/// Returns a command with the times that were decided. A replica's clock, remembered ids and settings do not change its
/// result.
pub fn decided<'a>(options: &Options<'a>, stamp: Stamp) -> impl Iterator<Item = Word<'a>> {
    let (before, behind) = options.around();
    let at = [AT.constant(0), Word::Time(stamp.at)].into_iter();
    let now = (stamp.at != stamp.now).then(|| [NOW.constant(0), Word::Time(stamp.now)]);
    let times = at.chain(now.into_iter().flatten());
    let [before, behind] = [before, behind].map(|words| words.iter().copied().map(Word::from));
    before.chain(options.sent()).chain(times).chain(behind)
}
