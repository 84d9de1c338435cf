//! The native types: boards, leagues and counters.

use std::ffi::{CStr, c_int};

use leaderboard_core::{Board, Counter, League, NativeType};

/// The native type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A board.
    Board,
    /// A league.
    League,
    /// A counter.
    Counter,
}

/// An operation on a type that is known at run time only.
pub trait TypeVisitor {
    /// The result of the operation.
    type Out;

    /// Carries out the operation with a type.
    fn visit<T: Native>(self) -> Self::Out;
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Board, Self::League, Self::Counter];

    /// Calls the visitor with the type of this kind.
    pub fn visit<V: TypeVisitor>(self, visitor: V) -> V::Out {
        match self {
            Self::Board => visitor.visit::<Board>(),
            Self::League => visitor.visit::<League>(),
            Self::Counter => visitor.visit::<Counter>(),
        }
    }
}

/// A native type, with the names that commands and files use for it.
pub trait Native: NativeType {
    /// The kind of the type.
    const KIND: Kind;
    /// Nine characters that identify the type in every RDB file. Never change them.
    const NAME: &CStr;
    /// The version of the encoding in RDB files. Raise it only if the frame around the content changes:
    /// `snapshot::FORMAT` is the version of the content.
    const ENCODING: c_int;
    /// The command that rebuilds values from an append-only file, chunk by chunk.
    const RESTORE: &'static CStr;
    /// The event of the command [`Self::RESTORE`].
    const RESTORED: &'static CStr;
}

impl Native for Board {
    const KIND: Kind = Kind::Board;
    const NAME: &CStr = c"lb-board1";
    const ENCODING: c_int = 1;
    const RESTORE: &'static CStr = c"LB.RESTORE";
    const RESTORED: &'static CStr = c"lb.restore";
}

impl Native for League {
    const KIND: Kind = Kind::League;
    const NAME: &CStr = c"lb-league";
    const ENCODING: c_int = 1;
    const RESTORE: &'static CStr = c"LB.LEAGUE.RESTORE";
    const RESTORED: &'static CStr = c"lb.league.restore";
}

impl Native for Counter {
    const KIND: Kind = Kind::Counter;
    const NAME: &CStr = c"lb-countr";
    const ENCODING: c_int = 1;
    const RESTORE: &'static CStr = c"LB.COUNTER.RESTORE";
    const RESTORED: &'static CStr = c"lb.counter.restore";
}
