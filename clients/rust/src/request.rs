//! A command and the type of its reply. It can be sent alone or in a pipeline.

use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;

use redis::{
    Arg, Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult, ToRedisArgs, ToSingleRedisArg, Value,
};

/// One command with its options and the type of its reply.
///
/// The words are sent in the order of the module's grammar: fixed arguments, then options, then a list of points and
/// members. The order in which a program calls the methods does not matter for this.
#[must_use = "a request does nothing until a connection sends it"]
pub struct Request<R> {
    /// The name, the fixed arguments and the options.
    head: Cmd,
    /// The arguments after the options.
    list: Cmd,
    key: KeyAt,
    /// A request contains no reply, so it can move between threads for every type of reply.
    reply: PhantomData<fn() -> R>,
}

/// The place of the first key.
#[derive(Clone, Copy)]
enum KeyAt {
    /// The key is the first argument.
    Head,
    /// The key follows the number of keys.
    List,
}

impl<R> Request<R> {
    /// Makes a command of any name. The functions of this crate make the commands of the module. Use this function for
    /// commands and replies that this crate does not have.
    pub fn new(name: &str) -> Self {
        Self { head: redis::cmd(name), list: Cmd::new(), key: KeyAt::Head, reply: PhantomData }
    }

    /// Makes a command with this key as its first argument.
    pub(crate) fn on(name: &str, key: impl AsRef<[u8]>) -> Self {
        Self::new(name).argument(key.as_ref())
    }

    /// Appends fixed arguments. They come before options.
    pub fn argument(mut self, value: impl ToRedisArgs) -> Self {
        self.head.arg(value);
        self
    }

    /// Appends any option with its value or values. Options are sent before the list.
    pub fn option(self, name: &str, value: impl ToRedisArgs) -> Self {
        self.argument(name).argument(value)
    }

    /// Appends any option without a value. Options are sent before the list.
    pub fn flag(self, name: &str) -> Self {
        self.argument(name)
    }

    /// Appends `MEMBERS n member ...`, or another list with its length, among the options.
    pub(crate) fn counted<T: AsRef<[u8]>>(self, name: &str, items: impl IntoIterator<Item = T>) -> Self {
        self.flag(name).number_and(items)
    }

    /// Appends the number of items, then the items.
    pub(crate) fn number_and<T: AsRef<[u8]>>(self, items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        self.argument(items.len()).each(items)
    }

    /// Appends the items as fixed arguments.
    pub(crate) fn each<T: AsRef<[u8]>>(self, items: impl IntoIterator<Item = T>) -> Self {
        items.into_iter().fold(self, |request, item| request.argument(item.as_ref()))
    }

    /// Appends the list of points, scores or votes with their members.
    pub(crate) fn pairs<P: ToSingleRedisArg, M: AsRef<[u8]>>(
        mut self,
        pairs: impl IntoIterator<Item = (P, M)>,
    ) -> Self {
        for (points, member) in pairs {
            self.list.arg(points).arg(member.as_ref());
        }
        self
    }

    /// Appends the list of keys, for a command that reads several keys.
    pub(crate) fn keys<K: AsRef<[u8]>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        let keys: Vec<K> = keys.into_iter().collect();
        self.list.arg("KEYS").arg(keys.len());
        for key in &keys {
            self.list.arg(key.as_ref());
        }
        self.key = KeyAt::List;
        self
    }

    /// Returns the command, so that the program can send it itself or add it to a pipeline.
    pub fn cmd(&self) -> Cmd {
        let mut cmd = self.head.clone();
        append(&mut cmd, &self.list);
        cmd
    }

    /// Returns the key of the board, league or counter; the first key if the command has several keys.
    pub fn key(&self) -> Option<&[u8]> {
        let (words, number) = match self.key {
            KeyAt::Head => (&self.head, 1),
            KeyAt::List => (&self.list, 2),
        };
        words.args_iter().nth(number).and_then(|word| match word {
            Arg::Simple(word) => Some(word),
            _ => None,
        })
    }
}

impl<R> Request<R> {
    /// Returns the same command with another type of reply.
    pub(crate) fn replies<S>(self) -> Request<S> {
        Request { head: self.head, list: self.list, key: self.key, reply: PhantomData }
    }
}

impl<R: FromRedisValue> Request<R> {
    /// Reads the reply to this request, for example one reply of a pipeline.
    ///
    /// # Errors
    /// Returns the error that the server sent, or [`ErrorKind::UnexpectedReturnType`] for a reply of another form.
    pub fn parse(&self, value: Value) -> RedisResult<R> {
        if let Value::ServerError(error) = value {
            return Err(error.into());
        }
        R::from_redis_value(value).map_err(|error| {
            let what = "the reply has another form";
            RedisError::from((ErrorKind::UnexpectedReturnType, what, error.to_string()))
        })
    }
}

fn append(cmd: &mut Cmd, words: &Cmd) {
    for word in words.args_iter() {
        if let Arg::Simple(word) = word {
            cmd.arg(word);
        }
    }
}

impl<R> Clone for Request<R> {
    fn clone(&self) -> Self {
        Self { head: self.head.clone(), list: self.list.clone(), key: self.key, reply: PhantomData }
    }
}

/// The command in the form in which it is typed into redis-cli.
impl<R> Display for Request<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words = self.head.args_iter().chain(self.list.args_iter());
        for (number, word) in words.enumerate() {
            let Arg::Simple(word) = word else { continue };
            let space = if number == 0 { "" } else { " " };
            let quote = if is_plain(word) { "" } else { "\"" };
            write!(f, "{space}{quote}{}{quote}", word.escape_ascii())?;
        }
        Ok(())
    }
}

/// Checks that redis-cli accepts the word without quotes.
fn is_plain(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| byte.is_ascii_graphic() && !br#""'\"#.contains(byte))
}

impl<R> Debug for Request<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<R> From<Request<R>> for Cmd {
    fn from(mut request: Request<R>) -> Self {
        append(&mut request.head, &request.list);
        request.head
    }
}

impl<R> From<&Request<R>> for Cmd {
    fn from(request: &Request<R>) -> Self {
        request.cmd()
    }
}
