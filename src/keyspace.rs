//! Values by key. Only this module opens keys, checks their type and gives out references to values. So a
//! wrong type is always the standard error, and a command opens a key once. A value that takes no commands
//! ([`leaderboard_core::NativeType::refusal`]) refuses them here, but for those on its rules.

use std::ffi::c_int;
use std::ptr::NonNull;

use leaderboard_core::Error;
use leaderboard_core::arrived::Arrived;
use redis_module::raw;

use crate::argument::Argument;
use crate::call::Call;
use crate::commit::Commit;
use crate::native::{self, Native, Value};
use crate::periods::{News, Place};
use crate::refusal::Refusal;
use crate::{config, server};

/// An open key.
struct OpenKey(NonNull<raw::RedisModuleKey>);

impl OpenKey {
    fn open(call: &Call, name: Argument, mode: u32) -> Option<Self> {
        Self::open_in(call.ctx(), name, mode)
    }

    fn open_in(ctx: *mut raw::RedisModuleCtx, name: Argument, mode: u32) -> Option<Self> {
        // SAFETY: a live context and a string of the server.
        let key = unsafe { raw::RedisModule_OpenKey.map(|open| open(ctx, name.raw(), mode as c_int)) };
        NonNull::new(key?.cast()).map(Self)
    }

    /// Opens a key that no client asked for: it does not become younger by that, and nothing counts it.
    fn open_unasked(ctx: *mut raw::RedisModuleCtx, name: Argument) -> Option<Self> {
        // Older servers do not know all of these, and leave them alone.
        const UNASKED: u32 = raw::REDISMODULE_OPEN_KEY_NOTOUCH
            | raw::REDISMODULE_OPEN_KEY_NONOTIFY
            | raw::REDISMODULE_OPEN_KEY_NOSTATS;
        Self::open_in(ctx, name, raw::REDISMODULE_READ | UNASKED)
    }

    fn open_for_writing(call: &Call, name: Argument) -> Result<Self, Refusal> {
        let mode = raw::REDISMODULE_READ | raw::REDISMODULE_WRITE;
        Self::open(call, name, mode).ok_or(Refusal::WrongType)
    }

    fn is_of(&self, wanted: isize) -> bool {
        // SAFETY: an open key.
        let kind = unsafe { raw::RedisModule_KeyType.map(|kind| kind(self.0.as_ptr())) };
        kind == Some(wanted as c_int)
    }

    fn is_empty(&self) -> bool {
        self.is_of(raw::REDISMODULE_KEYTYPE_EMPTY)
    }

    fn is_sorted_set(&self) -> bool {
        self.is_of(raw::REDISMODULE_KEYTYPE_ZSET)
    }

    /// How many items a value of the server has.
    fn len(&self) -> u64 {
        // SAFETY: an open key.
        unsafe { raw::RedisModule_ValueLength.map_or(0, |length| length(self.0.as_ptr())) as u64 }
    }

    /// The value in the key, restored or not; none if the key is empty.
    fn any<T: Native>(&self) -> Result<Option<NonNull<Value<T>>>, Refusal> {
        // SAFETY: an open key; `native` made every value of this type.
        unsafe {
            let kind = raw::RedisModule_ModuleTypeGetType.map(|kind| kind(self.0.as_ptr()));
            if kind == Some(T::registration().kind()) {
                let value = raw::RedisModule_ModuleTypeGetValue.map(|value| value(self.0.as_ptr()));
                return Ok(value.and_then(|value| NonNull::new(value.cast())));
            }
        }
        if self.is_empty() { Ok(None) } else { Err(Refusal::WrongType) }
    }

    /// The value for a command: it must not be one that is being restored.
    fn whole<T: Native>(&self) -> Result<Option<NonNull<Value<T>>>, Refusal> {
        let value = self.any::<T>()?;
        // SAFETY: as in `read`; the reference is gone when this returns.
        match value.filter(|value| unsafe { value.as_ref() }.data.is_loading()) {
            Some(_) => Err(Error::Loading.into()),
            None => Ok(value),
        }
    }

    /// The same for a command on what the value holds.
    fn served<T: Native>(&self) -> Result<Option<NonNull<Value<T>>>, Refusal> {
        let value = self.whole::<T>()?;
        // SAFETY: as in `read`; the reference is gone when this returns.
        match value.and_then(|value| unsafe { value.as_ref() }.data.refusal()) {
            Some(error) => Err(error.into()),
            None => Ok(value),
        }
    }

    /// Puts a new value into the key, which is open for writing. Returns what there is to tell of it.
    fn set<T: Native>(&self, call: &Call, name: Argument, value: T) -> News {
        self.put(call, name, native::new_value(value, None))
    }

    fn put<T: Native>(&self, call: &Call, name: Argument, value: &'static mut Value<T>) -> News {
        let kind = T::registration().kind();
        let news = news(call, name, value);
        let value = std::ptr::from_mut(value).cast();
        // SAFETY: an open key, our type, and a value that the server owns from now on.
        unsafe { raw::RedisModule_ModuleTypeSetValue.map(|set| set(self.0.as_ptr(), kind, value)) };
        news
    }
}

impl Drop for OpenKey {
    fn drop(&mut self) {
        // SAFETY: the key is open, and only this closes it.
        unsafe { raw::RedisModule_CloseKey.map(|close| close(self.0.as_ptr())) };
    }
}

/// What there is to tell of a value besides its change.
fn news<T: Native>(call: &Call, name: Argument, value: &mut Value<T>) -> News {
    let ctx = call.ctx();
    // While a file is loaded, time stands still: what ended since is told afterwards.
    let now = |data: &T| match server::is_loading(ctx) {
        true => data.last_write(),
        false => data.now(call.wall(), config::max_future()),
    };
    let ended = value.follow_ends(now, || Place::of(ctx, name));
    News { ended: ended && server::tells(ctx), top: value.data.has_new_top() }
}

/// Carries out a commit, and tells what there is to tell besides.
fn carry_out(call: &Call, name: Argument, commit: &Commit, news: News) {
    call.carry_out(name, commit);
    news.tell(call.ctx(), name);
}

/// The address of the value of a key, if it is one of a module.
pub fn address(ctx: *mut raw::RedisModuleCtx, name: Argument) -> Option<usize> {
    let key = OpenKey::open_unasked(ctx, name)?;
    // SAFETY: an open key. The server gives nothing for values of its own.
    let value = unsafe { raw::RedisModule_ModuleTypeGetValue.map(|value| value(key.0.as_ptr())) };
    value.filter(|value| !value.is_null()).map(|value| value.addr())
}

/// Calls `look` with the value at an address, if it is that of a key.
pub fn look<T: Native, A>(
    ctx: *mut raw::RedisModuleCtx,
    name: Argument,
    address: usize,
    look: impl FnOnce(&mut Value<T>) -> A,
) -> Option<A> {
    let key = OpenKey::open_unasked(ctx, name)?;
    let mut value = key.any::<T>().ok()?.filter(|value| value.addr().get() == address)?;
    // SAFETY: as in `read`.
    Some(look(unsafe { value.as_mut() }))
}

/// Calls `read` with the value of a key, if there is one.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], the value's own refusal, or those of `read`.
pub fn read<T: Native, A>(
    call: &Call,
    name: Argument,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    read_with(call, name, OpenKey::served, read)
}

/// The same for a command on a value's rules, which no value refuses.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], or those of `read`.
pub fn read_rules<T: Native, A>(
    call: &Call,
    name: Argument,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    read_with(call, name, OpenKey::whole, read)
}

/// How a command finds the value of a key.
type Find<T> = fn(&OpenKey) -> Result<Option<NonNull<Value<T>>>, Refusal>;

fn read_with<T: Native, A>(
    call: &Call,
    name: Argument,
    find: Find<T>,
    read: impl FnOnce(Option<&T>) -> Result<A, Refusal>,
) -> Result<A, Refusal> {
    let key = OpenKey::open(call, name, raw::REDISMODULE_READ);
    let value = match &key {
        Some(key) => find(key)?,
        None => None,
    };
    // SAFETY: the key is open and the server runs commands in one thread, so nothing else refers to the
    // value.
    read(value.map(|mut value| unsafe { value.as_mut() }.present(|| call.wall())))
}

/// Lets `write` change the value of a key and carries out its commit. Nothing for an absent key.
///
/// # Errors
/// [`Refusal::WrongType`], the value's own refusal, [`Error::Loading`], or those of `write`.
pub fn change<'c, T: Native, A>(
    call: &Call,
    name: Argument,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<Option<A>, Refusal> {
    change_with(call, name, OpenKey::served, write)
}

/// The same for a command on a value's rules, which no value refuses.
///
/// # Errors
/// [`Refusal::WrongType`], [`Error::Loading`], or those of `write`.
pub fn change_rules<'c, T: Native, A>(
    call: &Call,
    name: Argument,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<Option<A>, Refusal> {
    change_with(call, name, OpenKey::whole, write)
}

fn change_with<'c, T: Native, A>(
    call: &Call,
    name: Argument,
    find: Find<T>,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<Option<A>, Refusal> {
    let key = OpenKey::open_for_writing(call, name)?;
    let Some(mut value) = find(&key)? else { return Ok(None) };
    // SAFETY: as in `read`; the reference ends before the key is closed.
    let value = unsafe { value.as_mut() };
    let (answer, commit) = value.change(write)?;
    let news = news(call, name, value);
    drop(key);
    carry_out(call, name, &commit, news);
    Ok(Some(answer))
}

/// As [`change`]. An absent key gets a value from `create`, which is kept only if `write` changes it.
///
/// # Errors
/// As [`change`], or those of `create`.
pub fn write<'c, T: Native, A>(
    call: &Call,
    name: Argument,
    create: impl FnOnce(&Call) -> Result<T, Refusal>,
    write: impl FnOnce(&mut T) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<A, Refusal> {
    let key = OpenKey::open_for_writing(call, name)?;
    let ((answer, commit), news) = if let Some(mut value) = key.served::<T>()? {
        // SAFETY: as in `change`.
        let value = unsafe { value.as_mut() };
        (value.change(write)?, news(call, name, value))
    } else {
        let mut value = create(call)?;
        let (answer, commit) = write(&mut value)?;
        let is_kept = commit.change.is_some();
        let news = if is_kept { key.set(call, name, value) } else { News::default() };
        ((answer, commit), news)
    };
    drop(key);
    carry_out(call, name, &commit, news);
    Ok(answer)
}

/// Makes a value in an absent key, and carries out the commit. Returns whether the key was absent.
///
/// # Errors
/// [`Refusal::WrongType`], or those of `make`.
pub fn create<T: Native>(
    call: &Call,
    name: Argument,
    commit: &Commit,
    make: impl FnOnce() -> Result<T, Refusal>,
) -> Result<bool, Refusal> {
    let key = OpenKey::open_for_writing(call, name)?;
    if key.any::<T>()?.is_some() {
        return Ok(false);
    }
    let news = key.set(call, name, make()?);
    drop(key);
    carry_out(call, name, commit, news);
    Ok(true)
}

/// Puts a value into a key, in place of what is there, and carries out the commit.
///
/// # Errors
/// [`Refusal::WrongType`] if the server does not open the key; those of [`may_replace`].
pub fn replace<T: Native>(call: &Call, name: Argument, value: T, commit: &Commit) -> Result<(), Refusal> {
    may_replace::<T>(call, name)?;
    let key = OpenKey::open_for_writing(call, name)?;
    // The server frees what is there.
    let news = key.set(call, name, value);
    drop(key);
    carry_out(call, name, commit, news);
    Ok(())
}

/// Checks that another value may take the place of what a key holds.
///
/// # Errors
/// [`Error::Loading`], or the refusal of a value that takes no commands.
pub fn may_replace<T: Native>(call: &Call, name: Argument) -> Result<(), Refusal> {
    match OpenKey::open(call, name, raw::REDISMODULE_READ).map(|key| key.served::<T>()) {
        Some(Err(refusal @ Refusal::Invalid(_))) => Err(refusal),
        _ => Ok(()),
    }
}

/// How many members the sorted set of a key has; none if the key is empty.
///
/// # Errors
/// [`Refusal::WrongType`] for all else.
pub fn sorted_set_len(call: &Call, name: Argument) -> Result<u64, Refusal> {
    match OpenKey::open(call, name, raw::REDISMODULE_READ) {
        Some(key) if key.is_sorted_set() => Ok(key.len()),
        Some(key) if !key.is_empty() => Err(Refusal::WrongType),
        _ => Ok(0),
    }
}

/// Whether a key holds a value of this type.
pub fn holds<T: Native>(call: &Call, name: Argument) -> bool {
    let key = OpenKey::open(call, name, raw::REDISMODULE_READ);
    key.is_some_and(|key| matches!(key.any::<T>(), Ok(Some(_))))
}

/// Adds the next chunk of a saved value to a key. The first chunk makes the value.
///
/// # Errors
/// [`Refusal::WrongType`], or those of loading.
pub fn load<T: Native>(call: &Call, name: Argument, chunk: &[u8]) -> Result<(), Refusal> {
    let key = OpenKey::open_for_writing(call, name)?;
    let news = match key.any::<T>()? {
        Some(mut value) => {
            // SAFETY: as in `write`.
            let value = unsafe { value.as_mut() };
            value.restore(chunk)?;
            news(call, name, value)
        }
        None => {
            let (value, arrived) = Arrived::begin::<T>(chunk)?;
            key.put(call, name, native::new_value(value, Some(Box::new(arrived))))
        }
    };
    drop(key);
    carry_out(call, name, &Commit::as_it_is(T::RESTORED), news);
    Ok(())
}
