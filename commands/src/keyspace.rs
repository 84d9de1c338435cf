//! Values by key: a command opens a key once, checks its type, and reads or changes the value. A value can refuse
//! commands ([`leaderboard_core::NativeType::refusal`]). This is checked here. Commands on the rules of a value are not
//! refused.

use std::mem::ManuallyDrop;

use leaderboard_core::Error;
use leaderboard_core::arrived::Arrived;

use crate::argument::Argument;
use crate::call::Call;
use crate::commit::Commit;
use crate::host::{Host, Mode, OpenKey, Value};
use crate::native::Native;
use crate::news::News;
use crate::refusal::Refusal;

type Found<'k, T> = Result<Option<&'k mut Value<T>>, Refusal>;

/// A function that finds the value of a key for a command.
type Find<K, T> = for<'k> fn(&'k mut K) -> Found<'k, T>;

/// Returns the value of a key. A value that is being restored is an error.
fn whole<T: Native>(key: &mut impl OpenKey) -> Found<'_, T> {
    match key.value::<T>()? {
        Some(value) if value.data.is_loading() => Err(Error::Loading.into()),
        value => Ok(value),
    }
}

/// Returns the value of a key, for a command on the data of the value. A value that is being restored, or that refuses
/// commands, is an error.
fn served<T: Native>(key: &mut impl OpenKey) -> Found<'_, T> {
    let value = whole(key)?;
    match value.as_ref().and_then(|value: &&mut Value<T>| value.data.refusal()) {
        Some(error) => Err(error.into()),
        None => Ok(value),
    }
}

fn open_for_writing<'h, H: Host>(call: &Call<'h, H>, name: Argument) -> Result<H::Key<'h>, Refusal> {
    call.host().open(name, Mode::Write).ok_or(Refusal::WrongType)
}

/// Returns the events of a value that a command has changed.
fn news<T: Native>(call: &Call<impl Host>, key: Argument, value: &mut Value<T>) -> News {
    let host = call.host();
    // While a file is loaded, the time does not move on. The ends of periods that the clock has passed since the last
    // write are published after the load.
    let now = |data: &T| if host.is_loading() { data.last_write() } else { call.now_of(data) };
    let ended = value.follow_ends(now, |value| host.follow_ends(value, key));
    News { ended: ended && host.publishes_ends(), top: value.data.has_new_top() }
}

/// Puts a new value into a key that is open for writing. Returns its events.
fn put<T: Native, H: Host>(
    call: &Call<H>,
    name: Argument,
    key: &mut impl OpenKey,
    (data, arrived): (T, Option<Box<Arrived>>),
) -> News {
    // The host may know the address of the value already. So a panic must not free the value.
    let mut value = ManuallyDrop::new(Value::boxed::<H>(data, arrived));
    let news = news(call, name, &mut value);
    key.set(ManuallyDrop::into_inner(value));
    news
}

/// Calls `read` with the value of a key, if there is one.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], the value's own refusal, or the errors of `read`.
pub fn read<T: Native, A>(
    call: &Call<impl Host>,
    name: Argument,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    read_with(call, name, served, read)
}

/// Works like [`read`], for a command on the rules of a value. No value refuses such a command.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], or the errors of `read`.
pub fn read_rules<T: Native, A>(
    call: &Call<impl Host>,
    name: Argument,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    read_with(call, name, whole, read)
}

fn read_with<'h, T: Native, A, H: Host>(
    call: &Call<'h, H>,
    name: Argument,
    find: Find<H::Key<'h>, T>,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    let mut key = call.host().open(name, Mode::Read);
    let value = match &mut key {
        Some(key) => find(key)?,
        None => None,
    };
    read(value.map(|value| value.present::<H>(|data| call.now_of(data))))
}

/// Works like [`read`], for a key that is not among the words of the call. Calls `read` with `None` for a key that is
/// not here: another server may have it.
///
/// # Errors
/// The errors of [`Host::open_unnamed`], before `read` is called. In the inner result: the errors of [`read`].
pub fn read_unnamed<'h, T: Native, A, H: Host>(
    call: &Call<'h, H>,
    name: &[u8],
    like: [&[u8]; 2],
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<Result<A, Refusal>, Refusal> {
    let mut key = call.host().open_unnamed(name, like)?;
    let value = match &mut key {
        Some(key) => match served(key) {
            Ok(value) => value,
            Err(refusal) => return Ok(Err(refusal)),
        },
        None => None,
    };
    Ok(read(value.map(|value| value.present::<H>(|data| call.now_of(data)))))
}

/// Calls `write` to change the value of a key, and carries out its commit. Does nothing for an absent key.
///
/// # Errors
/// [`Refusal::WrongType`], the value's own refusal, [`Error::Loading`], or the errors of `write`.
pub fn change<'c, T: Native, A, H: Host>(
    call: &Call<H>,
    name: Argument,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<Option<A>, Refusal> {
    let mut key = open_for_writing(call, name)?;
    let Some(value) = served(&mut key)? else { return Ok(None) };
    takes_writes(call, value)?;
    let (answer, commit) = note_write(value.change::<H, _>(write)?, value);
    let news = news(call, name, value);
    drop(key);
    call.carry_out(name, &commit, news);
    Ok(Some(answer))
}

/// Checks that a value takes writes. A command from the primary or the append-only file is not checked.
fn takes_writes<T: Native>(call: &Call<impl Host>, value: &Value<T>) -> Result<(), Refusal> {
    let held = if call.is_decided() { None } else { value.data.holds_back(call.wall()) };
    held.map_or(Ok(()), |error| Err(error.into()))
}

/// Tells a value that this write has changed it.
fn note_write<'c, T: Native, A>((answer, commit): (A, Commit<'c>), value: &mut Value<T>) -> (A, Commit<'c>) {
    if commit.change.is_some() {
        value.data.note_write();
    }
    (answer, commit)
}

/// Works like [`change`], for a command on the rules of a value. No value refuses such a command.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], or the errors of `write`.
pub fn change_rules<'c, T: Native, A, H: Host>(
    call: &Call<H>,
    name: Argument,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<Option<A>, Refusal> {
    let mut key = open_for_writing(call, name)?;
    let Some(value) = whole(&mut key)? else { return Ok(None) };
    let (answer, commit) = value.change::<H, _>(write)?;
    let news = news(call, name, value);
    drop(key);
    call.carry_out(name, &commit, news);
    Ok(Some(answer))
}

/// Works like [`change`], but an absent key gets a value from `create`. This value is kept only if `write` changes it.
///
/// # Errors
/// The errors of [`change`] or `create`.
pub fn write<'c, T: Native, A, H: Host>(
    call: &Call<H>,
    name: Argument,
    create: impl FnOnce() -> Result<T, Refusal>,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<A, Refusal> {
    let mut key = open_for_writing(call, name)?;
    let ((answer, commit), news) = if let Some(value) = served::<T>(&mut key)? {
        takes_writes(call, value)?;
        (note_write(value.change::<H, _>(write)?, value), news(call, name, value))
    } else {
        let mut value = create()?;
        let (answer, commit) = write(&mut value)?;
        let is_kept = commit.change.is_some();
        let news = if is_kept { put(call, name, &mut key, (value, None)) } else { News::default() };
        ((answer, commit), news)
    };
    drop(key);
    call.carry_out(name, &commit, news);
    Ok(answer)
}

/// Makes a value in an absent key, and carries out the commit. Returns whether the key was absent.
///
/// # Errors
/// [`Refusal::WrongType`], or the errors of `make`.
pub fn create<T: Native>(
    call: &Call<impl Host>,
    name: Argument,
    commit: &Commit,
    make: impl FnOnce() -> Result<T, Refusal>,
) -> Result<bool, Refusal> {
    let mut key = open_for_writing(call, name)?;
    if key.value::<T>()?.is_some() {
        return Ok(false);
    }
    let news = put(call, name, &mut key, (make()?, None));
    drop(key);
    call.carry_out(name, commit, news);
    Ok(true)
}

/// Stores a value in a key, replaces the present value, and carries out the commit.
///
/// # Errors
/// [`Refusal::WrongType`] if the server does not open the key, or the errors of [`may_replace`].
pub fn replace<T: Native>(
    call: &Call<impl Host>,
    name: Argument,
    value: T,
    commit: &Commit,
) -> Result<(), Refusal> {
    may_replace::<T>(call, name)?;
    let mut key = open_for_writing(call, name)?;
    // The server frees the old value of the key.
    let news = put(call, name, &mut key, (value, None));
    drop(key);
    call.carry_out(name, commit, news);
    Ok(())
}

/// Checks that the present value of a key may be replaced.
///
/// # Errors
/// [`Error::Loading`], or [`Error::BoundKey`] for a value that must stay in its key.
pub fn may_replace<T: Native>(call: &Call<impl Host>, name: Argument) -> Result<(), Refusal> {
    let Some(mut key) = call.host().open(name, Mode::Read) else { return Ok(()) };
    match whole::<T>(&mut key) {
        Ok(Some(value)) if value.data.is_bound() => Err(Error::BoundKey.into()),
        Err(refusal @ Refusal::Invalid(_)) => Err(refusal),
        _ => Ok(()),
    }
}

/// Returns how many members the sorted set of a key has; `None` if the key is empty.
///
/// # Errors
/// [`Refusal::WrongType`] if the key holds another type.
pub fn sorted_set_len(call: &Call<impl Host>, name: Argument) -> Result<u64, Refusal> {
    let Some(key) = call.host().open(name, Mode::Read) else { return Ok(0) };
    match key.sorted_set_len() {
        Some(len) => Ok(len),
        None if key.is_empty() => Ok(0),
        None => Err(Refusal::WrongType),
    }
}

/// Returns whether a key holds a value of this type.
pub fn holds<T: Native>(call: &Call<impl Host>, name: Argument) -> bool {
    let key = call.host().open(name, Mode::Read);
    key.is_some_and(|mut key| matches!(key.value::<T>(), Ok(Some(_))))
}

/// Adds the next chunk of a saved value to a key. The first chunk makes the value.
///
/// # Errors
/// [`Refusal::WrongType`], or the errors of loading.
pub fn load<T: Native, H: Host>(call: &Call<H>, name: Argument, chunk: &[u8]) -> Result<(), Refusal> {
    let mut key = open_for_writing(call, name)?;
    let news = if let Some(value) = key.value::<T>()? {
        value.restore::<H>(chunk)?;
        news(call, name, value)
    } else {
        let (data, arrived) = Arrived::begin::<T>(chunk)?;
        put(call, name, &mut key, (data, Some(Box::new(arrived))))
    };
    drop(key);
    call.carry_out(name, &Commit::as_it_is(T::RESTORED), news);
    Ok(())
}
