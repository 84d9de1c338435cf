//! Registers the commands of the table, with documentation and ACL categories on servers that support them.

use std::ffi::{CString, c_char, c_int};
use std::ptr::{null, null_mut};

use leaderboard_commands::keys::{self, Access, KeyArgument, Place};
use leaderboard_commands::syntax::{self, Part, PartKind};
use leaderboard_commands::table::{self, Command, Row, Visitor};
use redis_module::raw;

use crate::entry::{access_flags, entry};
use crate::server::c_string as text;

/// The ACL category of all commands.
const CATEGORY: &std::ffi::CStr = c"leaderboard";

/// The version and sizes of the structs below, for the server.
static LAYOUT: raw::RedisModuleCommandInfoVersion = raw::RedisModuleCommandInfoVersion {
    version: 1,
    sizeof_historyentry: size_of::<raw::RedisModuleCommandHistoryEntry>(),
    sizeof_keyspec: size_of::<raw::RedisModuleCommandKeySpec>(),
    sizeof_arg: size_of::<raw::RedisModuleCommandArg>(),
};

/// Registers all commands. Returns whether the server accepted them.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    // SAFETY: this is the context of OnLoad. It does no harm if the category already exists.
    unsafe { raw::RedisModule_AddACLCategory.map(|add| add(ctx, CATEGORY.as_ptr())) };
    let mut registration = Registration { ctx, accepted: true };
    table::visit(&mut registration);
    registration.accepted
}

/// Registers one command after another.
struct Registration {
    ctx: *mut raw::RedisModuleCtx,
    /// Whether the server has accepted all commands so far.
    accepted: bool,
}

impl Visitor for Registration {
    fn visit<R: Row>(&mut self) {
        let command = R::command();
        self.accepted &= create(self.ctx, command, entry::<R>) && document(self.ctx, command);
    }
}

/// The function that the server calls for a command.
type EntryPoint =
    unsafe extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int;

fn create(ctx: *mut raw::RedisModuleCtx, command: &Command, entry: EntryPoint) -> bool {
    let accesses = || command.keys.iter().map(|key| key.access);
    let kind = match (command.only_reads(), accesses().any(Access::needs_memory)) {
        (true, _) => "readonly",
        (_, true) => "write deny-oom",
        (_, false) => "write",
    };
    let fast = if command.fast { " fast" } else { "" };
    let asks = if keys::are_searched(command.keys) { " getkeys-api" } else { "" };
    let flags = text(&format!("{kind}{fast}{asks}"));
    let places = || command.keys.iter().filter_map(|key| key.single()).map(c_int::from);
    let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
    // SAFETY: this is the context of OnLoad; the server copies the texts.
    let done = unsafe {
        raw::RedisModule_CreateCommand
            .map(|create| create(ctx, command.name.as_ptr(), Some(entry), flags.as_ptr(), first, last, 1))
    };
    done == Some(raw::REDISMODULE_OK as c_int)
}

/// Returns all ACL categories of a command. If a module sets any category, these replace the categories that the
/// server derives from the flags.
fn categories(command: &Command) -> String {
    let access = if command.only_reads() { "read" } else { "write" };
    let speed = if command.fast { "fast" } else { "slow" };
    format!("{access} {speed} {}", CATEGORY.to_string_lossy())
}

/// Sets the data that `COMMAND DOCS` and `COMMAND INFO` return. Servers before 7.0 do not support this. Returns
/// whether the server accepted it.
fn document(ctx: *mut raw::RedisModuleCtx, command: &Command) -> bool {
    // SAFETY: this is the context of OnLoad, and the command was just registered.
    unsafe {
        let (Some(get), Some(set)) = (raw::RedisModule_GetCommand, raw::RedisModule_SetCommandInfo) else {
            return true;
        };
        let registered = get(ctx, command.name.as_ptr());
        if let Some(categorise) = raw::RedisModule_SetCommandACLCategories {
            categorise(registered, text(&categories(command)).as_ptr());
        }
        let mut documentation = Documentation::new(command);
        let info = documentation.info();
        set(registered, &raw const info) == raw::REDISMODULE_OK as c_int
    }
}

/// A row of the table in the server's format. The server copies it, so it is needed for one call only.
struct Documentation {
    texts: Vec<CString>,
    arguments: Vec<Box<[raw::RedisModuleCommandArg]>>,
    top: *mut raw::RedisModuleCommandArg,
    keys: Vec<raw::RedisModuleCommandKeySpec>,
    /// The number of keys that the arguments have named so far.
    named: c_int,
    arity: c_int,
}

impl Documentation {
    fn new(command: &Command) -> Self {
        let arguments = syntax::parse(&command.syntax());
        let texts = [command.summary, command.complexity, command.since].map(text).into();
        let keys = command.keys.iter().map(key_spec).chain([empty_key_spec()]).collect();
        let mut documentation =
            Self { texts, arguments: Vec::new(), top: null_mut(), keys, named: 0, arity: command.arity() };
        documentation.top = documentation.list(&arguments);
        documentation
    }

    fn info(&mut self) -> raw::RedisModuleCommandInfo {
        let at = |place: usize| self.texts.get(place).map_or(null(), |text| text.as_ptr());
        raw::RedisModuleCommandInfo {
            version: &raw const LAYOUT,
            summary: at(0),
            complexity: at(1),
            since: at(2),
            history: null_mut(),
            tips: null(),
            arity: self.arity,
            key_specs: self.keys.as_mut_ptr(),
            args: self.top,
        }
    }

    /// Returns a list of arguments in the server's format. An argument without a name ends the list.
    fn list(&mut self, arguments: &[Part]) -> *mut raw::RedisModuleCommandArg {
        let mut list: Vec<_> = arguments.iter().map(|argument| self.argument(argument)).collect();
        list.push(no_argument());
        self.arguments.push(list.into_boxed_slice());
        self.arguments.last_mut().map_or(null_mut(), |list| list.as_mut_ptr())
    }

    fn argument(&mut self, argument: &Part) -> raw::RedisModuleCommandArg {
        let (kind, inner) = match &argument.kind {
            PartKind::Key => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_KEY, None),
            PartKind::Text | PartKind::Number => {
                (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_STRING, None)
            }
            PartKind::Integer => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_INTEGER, None),
            PartKind::Time => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_UNIX_TIME, None),
            PartKind::Token => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_PURE_TOKEN, None),
            PartKind::OneOf(all) => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_ONEOF, Some(all)),
            PartKind::Block(all) => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_BLOCK, Some(all)),
        };
        let optional = if argument.optional { raw::REDISMODULE_CMD_ARG_OPTIONAL } else { 0 };
        let multiple = if argument.multiple { raw::REDISMODULE_CMD_ARG_MULTIPLE } else { 0 };
        let key_spec_index = if argument.kind == PartKind::Key { self.next_key() } else { -1 };
        raw::RedisModuleCommandArg {
            name: self.keep(&argument.name),
            type_: kind,
            key_spec_index,
            token: argument.token.as_deref().map_or(null(), |token| self.keep(token)),
            flags: (optional | multiple) as c_int,
            subargs: inner.map_or(null_mut(), |inner| self.list(inner)),
            ..no_argument()
        }
    }

    const fn next_key(&mut self) -> c_int {
        // A counted list of keys is named twice: `key [key ...]`. The last spec is empty.
        let last = (self.keys.len() as c_int).saturating_sub(2);
        let number = if self.named < last { self.named } else { last };
        self.named = number.saturating_add(1);
        number
    }

    /// Copies a word to a C string that lives as long as `self`.
    fn keep(&mut self, word: &str) -> *const c_char {
        self.texts.push(text(word));
        self.texts.last().map_or(null(), |text| text.as_ptr())
    }
}

const fn no_argument() -> raw::RedisModuleCommandArg {
    raw::RedisModuleCommandArg {
        name: null(),
        type_: raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_STRING,
        key_spec_index: -1,
        token: null(),
        summary: null(),
        since: null(),
        flags: 0,
        deprecated_since: null(),
        subargs: null_mut(),
        display_text: null(),
    }
}

fn empty_key_spec() -> raw::RedisModuleCommandKeySpec {
    // SAFETY: this is a plain struct of numbers and pointers. Zeros are valid, and mark the end of the list.
    unsafe { std::mem::zeroed() }
}

fn key_spec(key: &KeyArgument) -> raw::RedisModuleCommandKeySpec {
    // The first such word may be part of another option. So the server must request the keys from the command.
    let doubtful =
        if matches!(key.place, Place::Behind(..)) { raw::REDISMODULE_CMD_KEY_INCOMPLETE } else { 0 };
    let mut spec = empty_key_spec();
    spec.flags = (access_flags(key.access) as u32 | doubtful).into();
    let (word, number, is_counted) = match key.place {
        Place::At(place) => (None, place, false),
        Place::Behind(word, from) => (Some(word), from, false),
        Place::CountedAt(place) => (None, place, true),
        Place::CountedBehind(word, from) => (Some(word), from, true),
    };
    match word {
        None => {
            spec.begin_search_type = raw::RedisModuleKeySpecBeginSearchType_REDISMODULE_KSPEC_BS_INDEX;
            spec.bs.index.pos = c_int::from(number);
        }
        Some(word) => {
            spec.begin_search_type = raw::RedisModuleKeySpecBeginSearchType_REDISMODULE_KSPEC_BS_KEYWORD;
            spec.bs.keyword.keyword = word.as_ptr();
            spec.bs.keyword.startfrom = c_int::from(number);
        }
    }
    if !is_counted {
        spec.find_keys_type = raw::RedisModuleKeySpecFindKeysType_REDISMODULE_KSPEC_FK_RANGE;
        spec.fk.range.lastkey = 0;
        spec.fk.range.keystep = 1;
        spec.fk.range.limit = 0;
    } else {
        spec.find_keys_type = raw::RedisModuleKeySpecFindKeysType_REDISMODULE_KSPEC_FK_KEYNUM;
        spec.fk.keynum.keynumidx = 0;
        spec.fk.keynum.firstkey = 1;
        spec.fk.keynum.keystep = 1;
    }
    spec
}
