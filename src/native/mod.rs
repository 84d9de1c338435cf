//! The native types and their callbacks: save, load, copy, free, measure. All callbacks are generic over
//! [`Native`], so a new type is a row of [`Kind::visit`].
//!
//! Some callbacks exist in two versions. The newer version ends with `2` and also gets the key and the database.
//! The module needs neither, and all servers support the older version.

mod callbacks;
mod defrag;
mod saving;

use std::ptr::null_mut;

use leaderboard_commands::native::{Kind, Native, TypeVisitor};
use redis_module::raw;

use crate::registration::set_registered;
#[cfg(test)]
pub use callbacks::free;

/// Registers all types. Returns whether the server accepted them.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    Kind::ALL.into_iter().all(|kind| kind.visit(Register(ctx)))
}

/// Registers a type.
struct Register(*mut raw::RedisModuleCtx);

impl TypeVisitor for Register {
    type Out = bool;

    fn visit<T: Native>(self) -> bool {
        register_one::<T>(self.0)
    }
}

fn register_one<T: Native>(ctx: *mut raw::RedisModuleCtx) -> bool {
    let mut methods = raw::RedisModuleTypeMethods {
        version: u64::from(raw::REDISMODULE_TYPE_METHOD_VERSION),
        rdb_load: Some(saving::rdb_load::<T>),
        rdb_save: Some(saving::rdb_save::<T>),
        aof_rewrite: Some(saving::aof_rewrite::<T>),
        mem_usage: Some(callbacks::mem_usage::<T>),
        digest: Some(saving::digest::<T>),
        free: Some(callbacks::free::<T>),
        aux_load: None,
        aux_save: None,
        aux_save_triggers: 0,
        free_effort: Some(callbacks::free_effort::<T>),
        unlink: None,
        copy: Some(callbacks::copy::<T>),
        defrag: Some(defrag::defrag::<T>),
        mem_usage2: None,
        free_effort2: None,
        unlink2: None,
        copy2: None,
        aux_save2: None,
    };
    let (name, encoding) = (T::NAME.as_ptr(), T::ENCODING);
    // SAFETY: this is the context of OnLoad; the server copies the methods.
    let kind = unsafe {
        raw::RedisModule_CreateDataType.map(|create| create(ctx, name, encoding, &raw mut methods))
    };
    set_registered::<T>(kind.unwrap_or(null_mut()))
}
