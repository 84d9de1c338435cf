//! Keys that a command reads although it does not name them. The server does not check such keys before the command
//! runs, so the module checks each of them: whether the client may read the key, and whether this node serves it.

use leaderboard_commands::host::Refusal;
use redis_module::raw;

use crate::strings::{Owned, Raw};

const OLD_SERVER: Refusal =
    Refusal::OfServer("ERR this server cannot check the rights to the keys of parts: Redis 7.0 or later can");
const NOBODY: Refusal = Refusal::OfServer("ERR only a connected client can ask parts, not a script");
const DENIED: Refusal = Refusal::OfServer("NOPERM No permissions to access the key of a part");

/// The client of a command, and the command that the client must be allowed to run with each key.
pub struct Reader {
    ctx: *mut raw::RedisModuleCtx,
    user: User,
    /// The name of that command, and the word after its key.
    like: [Owned; 2],
}

impl Reader {
    /// Returns the client of a live context.
    ///
    /// # Errors
    /// If the server has no function that checks rights, or if a script or another module runs the command.
    pub fn new(ctx: *mut raw::RedisModuleCtx, like: [&[u8]; 2]) -> Result<Self, Refusal> {
        // SAFETY: the functions have been looked up when the module was loaded.
        unsafe { raw::RedisModule_ACLCheckCommandPermissions }.ok_or(OLD_SERVER)?;
        let user = User::of(ctx).ok_or(NOBODY)?;
        Ok(Self { ctx, user, like: like.map(Owned::of) })
    }

    /// Returns whether this server serves a key at present.
    ///
    /// # Errors
    /// If the client may not read the key.
    pub fn may_open(&self, key: Raw) -> Result<bool, Refusal> {
        let [name, word] = &self.like;
        let mut words = [name.raw(), key, word.raw()];
        // SAFETY: the user and the strings are live.
        let allowed = unsafe {
            raw::RedisModule_ACLCheckCommandPermissions
                .map(|check| check(self.user.0, words.as_mut_ptr(), words.len() as i32))
        };
        if allowed == Some(raw::REDISMODULE_OK as i32) { Ok(self.is_here(key)) } else { Err(DENIED) }
    }

    /// Returns whether the key exists here, and the server would serve a client's command with this key. A node of a
    /// cluster refuses a key of another node, also if it has a copy of the key, and each key while the cluster is down.
    fn is_here(&self, key: Raw) -> bool {
        // SAFETY: the context and the string are live, the format matches one string, and the reply belongs to this
        // function.
        unsafe {
            let Some(call) = raw::RedisModule_Call else { return false };
            let reply = call(self.ctx, c"EXISTS".as_ptr(), c"s".as_ptr(), key);
            if reply.is_null() {
                return false;
            }
            let number = raw::RedisModule_CallReplyInteger.map(|integer| integer(reply));
            if let Some(free) = raw::RedisModule_FreeCallReply {
                free(reply);
            }
            number == Some(1)
        }
    }
}

/// A user of the server.
struct User(*mut raw::RedisModuleUser);

impl User {
    /// Returns the user of the client that has sent the command. `None` if no connected client has sent it.
    fn of(ctx: *mut raw::RedisModuleCtx) -> Option<Self> {
        // SAFETY: the context is live. The name belongs to this function, and the user to the returned value.
        let user = unsafe {
            let client = raw::RedisModule_GetClientId?(ctx);
            let name = raw::RedisModule_GetClientUserNameById?(ctx, client);
            if name.is_null() {
                return None;
            }
            let user = raw::RedisModule_GetModuleUserFromUserName.map(|user| user(name));
            if let Some(free) = raw::RedisModule_FreeString {
                free(ctx, name);
            }
            user?
        };
        (!user.is_null()).then_some(Self(user))
    }
}

impl Drop for User {
    fn drop(&mut self) {
        // SAFETY: this value owns the user.
        unsafe { raw::RedisModule_FreeModuleUser.map(|free| free(self.0)) };
    }
}
